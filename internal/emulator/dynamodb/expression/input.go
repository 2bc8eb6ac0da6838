package expression

import (
	"strings"

	"github.com/storespec/storespec/internal/emulator/dynamodb/value"
)

// Operation is the operation of a request: it decides which parameters exist.
type Operation uint8

// The operations with expressions.
const (
	GetItem Operation = iota
	BatchGetItem
	PutItem
	DeleteItem
	UpdateItem
	Query
	Scan
	// Transaction is one action of TransactGetItems or TransactWriteItems, which has no legacy parameters.
	Transaction
)

// enveloped says whether the operation counts the errors that it finds before it looks at the table.
func (o Operation) enveloped() bool { return o == PutItem || o == DeleteItem || o == UpdateItem }

// older says whether the operation has the older wording of problems with values.
func (o Operation) older() bool { return o == Scan || o == Transaction }

// Input has the parameters of one request. What the request does not have is nil.
type Input struct {
	Operation  Operation
	Names      map[string]string // ExpressionAttributeNames
	Values     value.Item        // ExpressionAttributeValues
	Projection *string
	Filter     *string
	Key        *string // KeyConditionExpression
	Condition  *string
	Update     *string

	AttributesToGet     []string
	KeyConditions       Conditions
	QueryFilter         Conditions
	ScanFilter          Conditions
	Expected            Expectations
	AttributeUpdates    Updates
	ConditionalOperator *string // AND, OR
}

// Parsed is what a request's parameters say. What it does not have is nil; all methods take nil receivers.
type Parsed struct {
	Projection *Projection
	Filter     *Condition
	Key        *KeyCondition
	Condition  *Condition
	Update     *Update
}

// problem returns the problem as the operation answers it.
func (in *Input) problem(p value.Problem) error {
	switch {
	case p == "":
		return nil
	case in.Operation.enveloped():
		return value.Enveloped(p)
	}
	return p
}

// CheckUse checks that expressions and legacy parameters are not mixed, that placeholders come with an expression, and
// that ConditionalOperator has something to combine.
func (in *Input) CheckUse() error { return in.problem(in.checkUse()) }

func (in *Input) checkUse() value.Problem {
	expressions := in.expressions()
	if problem := in.checkMixed(expressions); problem != "" {
		return problem
	}
	if problem := in.checkConditional(); problem != "" {
		return problem
	}
	if in.Names != nil && len(expressions) == 0 {
		return "ExpressionAttributeNames can only be specified when using expressions"
	}
	if in.Values != nil && in.Update == nil && in.Condition == nil && in.Filter == nil && in.Key == nil {
		const message = "ExpressionAttributeValues can only be specified when using expressions"
		switch in.Operation {
		case Query:
			return message + ": FilterExpression and KeyConditionExpression are null"
		case Scan:
			return message + ": FilterExpression is null"
		case Transaction:
			return message + ": ConditionExpression is null"
		}
		return message
	}
	return ""
}

// checkMixed names the parameters in DynamoDB's order. KeyConditions can be combined with expressions other than
// KeyConditionExpression.
func (in *Input) checkMixed(expressions []string) value.Problem {
	legacy := present(
		"AttributesToGet", in.AttributesToGet != nil,
		"AttributeUpdates", in.AttributeUpdates != nil,
		"Expected", in.Expected != nil,
		"QueryFilter", in.QueryFilter != nil,
		"ScanFilter", in.ScanFilter != nil,
		"ConditionalOperator", in.ConditionalOperator != nil,
		"KeyConditions", in.KeyConditions != nil && in.Key != nil,
	)
	if len(expressions) == 0 || len(legacy) == 0 {
		return ""
	}
	return value.Problem("Can not use both expression and non-expression parameters in the same request: " +
		"Non-expression parameters: {" + strings.Join(legacy, ", ") + "} " +
		"Expression parameters: {" + strings.Join(expressions, ", ") + "}")
}

func (in *Input) expressions() []string {
	return present(
		"ProjectionExpression", in.Projection != nil,
		"UpdateExpression", in.Update != nil,
		"FilterExpression", in.Filter != nil,
		"KeyConditionExpression", in.Key != nil,
		"ConditionExpression", in.Condition != nil,
	)
}

// present takes names, each with whether it counts.
func present(pairs ...any) []string {
	var names []string
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i+1].(bool) {
			names = append(names, pairs[i].(string))
		}
	}
	return names
}

func (in *Input) checkConditional() value.Problem {
	if in.ConditionalOperator == nil {
		return ""
	}
	switch len(in.Expected) + len(in.QueryFilter) + len(in.ScanFilter) {
	case 0:
		return "ConditionalOperator cannot be used without Filter or Expected"
	case 1:
		return "ConditionalOperator can only be used when Filter or Expected has two or more elements"
	}
	if o := *in.ConditionalOperator; o != "AND" && o != "OR" {
		return "Failed to satisfy constraint: Member must satisfy enum value set: [ALL, OR]"
	}
	return ""
}

// Parse checks the placeholders and parses the expressions, in DynamoDB's order, and converts the legacy parameters.
func (in *Input) Parse() (Parsed, error) {
	parsed, problem := in.parse()
	if problem != "" {
		return Parsed{}, in.problem(problem)
	}
	return parsed, nil
}

func (in *Input) parse() (Parsed, value.Problem) {
	s := &scope{names: in.Names, values: in.Values}
	if problem := s.checkNames(); problem != "" {
		return Parsed{}, problem
	}
	if problem := s.checkValues(in.Operation.older()); problem != "" {
		return Parsed{}, problem
	}
	parsed, key, problem := in.parseExpressions(s)
	if problem != "" {
		return parsed, problem
	}
	if problem := s.checkUnused(); problem != "" {
		return parsed, problem
	}
	if key != nil {
		parsed.Key = &KeyCondition{}
		if problem = parsed.Key.add(key.root); problem != "" {
			return parsed, problem
		}
	}
	return parsed, in.convert(&parsed)
}

// parseExpressions parses each expression. The key condition stays a condition: what is special about it is checked
// after all expressions.
func (in *Input) parseExpressions(s *scope) (parsed Parsed, key *Condition, problem value.Problem) {
	parseOne(in.Update, "Update", s.parseUpdate, &parsed.Update, &problem)
	parseOne(in.Condition, "Condition", s.parseCondition, &parsed.Condition, &problem)
	parseOne(in.Key, "KeyCondition", s.parseCondition, &key, &problem)
	parseOne(in.Filter, "Filter", s.parseCondition, &parsed.Filter, &problem)
	parseOne(in.Projection, "Projection", s.parseProjection, &parsed.Projection, &problem)
	return parsed, key, problem
}

// parseOne parses an expression if it is given and there is no problem yet.
func parseOne[T any](text *string, kind string, by func(string) (T, value.Problem), into *T, problem *value.Problem) {
	if text == nil || *problem != "" {
		return
	}
	if *into, *problem = by(*text); *problem != "" {
		*problem = "Invalid " + value.Problem(kind) + "Expression: " + *problem
	}
}
