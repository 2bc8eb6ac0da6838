package dynamodb

import (
	"slices"
	"strconv"
	"strings"

	"github.com/storespec/storespec/internal/emulator/dynamodb/expression"
	"github.com/storespec/storespec/internal/emulator/dynamodb/value"
)

// readRequest is a request of Query or Scan.
type readRequest struct {
	op        expression.Operation
	tableName *string
	indexName *string
	in        expression.Input
	parsed    expression.Parsed
	start     value.Item // ExclusiveStartKey; nil: not given

	selected, capacity   *string
	limit                *int64
	segment, segments    *int64
	backward, consistent bool
	keyConditions        bool
}

func appendInt(dst []byte, n int64) []byte { return strconv.AppendInt(dst, n, 10) }

func readReadRequest(body []byte, op expression.Operation) (*readRequest, error) {
	r := value.NewReader(body)
	q := &readRequest{op: op, in: expression.Input{Operation: op}}
	return q, r.Object(func(name string) error { return q.member(r, name) })
}

func (q *readRequest) member(r *value.Reader, name string) (err error) {
	switch name {
	case "TableName":
		err = readText(r, &q.tableName)
	case "IndexName":
		err = readText(r, &q.indexName)
	case "Select":
		err = readText(r, &q.selected)
	case "ReturnConsumedCapacity":
		err = readText(r, &q.capacity)
	case "Limit":
		err = readNumber(r, &q.limit)
	case "ExclusiveStartKey":
		q.start, err = r.Item()
	case "ConsistentRead":
		q.consistent, err = r.Bool()
	case "ExpressionAttributeNames":
		q.in.Names, err = r.StringMap()
	case "ExpressionAttributeValues":
		q.in.Values, err = r.Item()
	case "FilterExpression":
		err = readText(r, &q.in.Filter)
	case "ProjectionExpression":
		err = readText(r, &q.in.Projection)
	case "AttributesToGet":
		q.in.AttributesToGet, err = r.Strings()
	case "ConditionalOperator":
		err = readText(r, &q.in.ConditionalOperator)
	default:
		if q.op == expression.Scan {
			return q.scanMember(r, name)
		}
		return q.queryMember(r, name)
	}
	return err
}

func (q *readRequest) queryMember(r *value.Reader, name string) (err error) {
	switch name {
	case "KeyConditionExpression":
		err = readText(r, &q.in.Key)
	case "KeyConditions":
		q.in.KeyConditions, err = expression.ReadConditions(r)
		q.keyConditions = true
	case "QueryFilter":
		q.in.QueryFilter, err = expression.ReadConditions(r)
	case "ScanIndexForward":
		var forward bool
		forward, err = r.Bool()
		q.backward = !forward
	default:
		err = r.Skip()
	}
	return err
}

func (q *readRequest) scanMember(r *value.Reader, name string) (err error) {
	switch name {
	case "ScanFilter":
		q.in.ScanFilter, err = expression.ReadConditions(r)
	case "Segment":
		err = readNumber(r, &q.segment)
	case "TotalSegments":
		err = readNumber(r, &q.segments)
	default:
		err = r.Skip()
	}
	return err
}

func readNumber(r *value.Reader, into **int64) error {
	n, err := r.Int("Integer")
	*into = &n
	return err
}

// maxSegments is the largest TotalSegments.
const maxSegments = 1_000_000

// check checks a request as far as it can be without the table.
func (q *readRequest) check() error {
	var found checks
	found.optional(q.selected, "select", "SPECIFIC_ATTRIBUTES", "COUNT", "ALL_ATTRIBUTES", "ALL_PROJECTED_ATTRIBUTES")
	if q.indexName != nil {
		found.name(*q.indexName, "indexName")
	}
	if q.segments != nil {
		found.atLeast(*q.segments, "totalSegments", 1)
		found.atMost(*q.segments, "totalSegments", maxSegments)
	}
	found.capacity(q.capacity)
	found.dataTable(q.tableName, "tableName")
	if q.segment != nil {
		found.atLeast(*q.segment, "segment", 0)
		found.atMost(*q.segment, "segment", maxSegments-1)
	}
	found.conditions(q.in.KeyConditions, "keyConditions")
	found.conditions(q.in.QueryFilter, "queryFilter")
	found.conditions(q.in.ScanFilter, "scanFilter")
	if q.limit != nil && q.op == expression.Scan {
		found.atLeast(*q.limit, "limit", 1)
	}
	if q.in.AttributesToGet != nil {
		found.length(len(q.in.AttributesToGet), "[]", "attributesToGet", 1, 0)
	}
	if p := found.problem(); p != nil {
		return p
	}
	if q.limit != nil && *q.limit < 1 {
		return invalid("1 validation error detected: Value at 'Limit' failed to satisfy constraint: Member must " +
			"have value " +
			"greater than or equal to 1")
	}
	if err := q.in.CheckUse(); err != nil {
		return err
	}
	if err := q.checkValues(); err != nil {
		return err
	}
	if err := q.checkSelect(); err != nil {
		return err
	}
	var err error
	q.parsed, err = q.in.Parse()
	return err
}

// conditions checks the operators of legacy conditions.
func (c *checks) conditions(all expression.Conditions, at string) {
	for _, each := range all {
		at := at + "." + each.Name + ".member.comparisonOperator"
		if each.Operator == "" {
			c.missing(at)
		} else {
			c.enum(each.Operator, at, expression.ComparisonOperators...)
		}
	}
}

// checkValues checks the legacy parameters, the starting key and the segments, in the operation's own order.
func (q *readRequest) checkValues() error {
	if err := q.in.CheckLegacy(); err != nil {
		return err
	}
	if err := q.start.Problem(); err != nil {
		return startProblem(err)
	}
	if q.op == expression.Scan {
		return q.checkSegments()
	}
	if q.in.Key == nil && !q.keyConditions {
		return invalid("Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.")
	}
	return nil
}

// startProblem puts a problem of a starting key in DynamoDB's words: only some have the beginning.
func startProblem(err error) error {
	for _, bare := range []string{"duplicates", "numeric value", "significant digits", "number with magnitude"} {
		if strings.Contains(err.Error(), bare) {
			return err
		}
	}
	return invalid("The provided starting key is invalid: %s", err.Error())
}

func (q *readRequest) checkSegments() error {
	switch {
	case q.segment != nil && q.segments == nil:
		return invalid("The TotalSegments parameter is required but was not present in the request when Segment " +
			"parameter " +
			"is present")
	case q.segments == nil:
		return nil
	case q.segment == nil:
		return invalid("The Segment parameter is required but was not present in the request when parameter " +
			"TotalSegments " +
			"is present")
	case *q.segment >= *q.segments:
		return invalid("The Segment parameter is zero-based and must be less than parameter TotalSegments: "+
			"Segment: %d is "+
			"not less than TotalSegments: %d", *q.segment, *q.segments)
	}
	return nil
}

func (q *readRequest) checkSelect() error {
	how, parameter := "Querying", "ProjectionExpression"
	if q.op == expression.Scan {
		how = "Scanning"
	}
	if q.in.AttributesToGet != nil {
		parameter = "AttributesToGet"
	}
	some := q.in.AttributesToGet != nil || q.in.Projection != nil
	switch kind := text(q.selected, ""); {
	case kind == "ALL_PROJECTED_ATTRIBUTES" && q.indexName == nil:
		return invalidParameter("ALL_PROJECTED_ATTRIBUTES can be used only when %s using an IndexName", how)
	case kind == "SPECIFIC_ATTRIBUTES" && !some:
		return invalidParameter("Must specify the AttributesToGet or ProjectionExpression when choosing to get " +
			"SPECIFIC_ATTRIBUTES")
	case some && kind == "COUNT":
		return invalidParameter("Cannot specify the %s when choosing to get only the Count", parameter)
	case some && kind != "" && kind != "SPECIFIC_ATTRIBUTES":
		return invalidParameter("Cannot specify the %s when choosing to get %s", parameter, kind)
	}
	return nil
}

// page begins the page: what is to be read of what.
func (q *readRequest) page(a *Account) (*page, error) {
	t, err := a.table(*q.tableName)
	if err != nil {
		return nil, err
	}
	p := &page{table: t, filter: q.parsed.Filter, reverse: q.backward, consistent: q.consistent,
		count: text(q.selected, "") == "COUNT"}
	if q.parsed.Projection != nil {
		p.project = q.parsed.Projection.Apply
	}
	if q.limit != nil {
		p.limit = *q.limit
	}
	if q.indexName == nil {
		return p, nil
	}
	if p.index = t.index(*q.indexName); p.index == nil {
		return nil, invalid("The table does not have the specified index: %s", *q.indexName)
	}
	if p.index.global && q.consistent {
		return nil, invalid("Consistent reads are not supported on global secondary indexes")
	}
	return p, nil
}

// schema is the key schema of what is read.
func (p *page) schema() expression.Schema {
	if p.index != nil {
		return p.index.schema
	}
	return p.table.schema
}

// project checks what is selected against what the index has.
func (q *readRequest) project(p *page) error {
	if err := p.table.checkNested(q.parsed.Projection.Nested()); err != nil {
		return err
	}
	if err := p.table.checkNested(q.parsed.Filter.Nested()); err != nil {
		return err
	}
	if p.index == nil || p.index.projected == nil {
		return nil
	}
	all := text(q.selected, "") == "ALL_ATTRIBUTES"
	var lacking []string
	for _, name := range append(slices.Clone(q.parsed.Projection.Heads()), q.parsed.Filter.Heads()...) {
		if !p.index.has(name) && !slices.Contains(lacking, name) {
			lacking = append(lacking, name)
		}
	}
	switch {
	case !p.index.global:
		p.fetch = all || len(lacking) > 0
	case all:
		return invalidParameter("Select type ALL_ATTRIBUTES is not supported for global secondary index %s "+
			"because its "+
			"projection type is not ALL", p.index.IndexName)
	case len(lacking) > 0 && q.parsed.Projection != nil:
		return invalidParameter("Global secondary index %s does not project [%s]", p.index.IndexName,
			strings.Join(lacking, ", "))
	}
	return nil
}
