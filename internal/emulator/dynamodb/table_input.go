package dynamodb

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
)

// Requests about tables are rare and deep, so encoding/json reads them.

type projectionInput struct {
	ProjectionType   *string
	NonKeyAttributes *[]string
}

type throughputInput struct {
	ReadCapacityUnits  *int64
	WriteCapacityUnits *int64
}

type keyElementInput struct {
	AttributeName *string
	KeyType       *string
}

type attributeInput struct {
	AttributeName *string
	AttributeType *string
}

type indexInput struct {
	IndexName             *string
	KeySchema             *[]keyElementInput
	Projection            *projectionInput
	ProvisionedThroughput *throughputInput
	OnDemandThroughput    *onDemand
}

type streamInput struct {
	StreamEnabled  *bool
	StreamViewType *string
}

type tagInput struct {
	Key   *string
	Value *string
}

type tableInput struct {
	TableName                 *string
	AttributeDefinitions      *[]attributeInput
	KeySchema                 *[]keyElementInput
	BillingMode               *string
	ProvisionedThroughput     *throughputInput
	OnDemandThroughput        *onDemand
	LocalSecondaryIndexes     *[]indexInput
	GlobalSecondaryIndexes    *[]indexInput
	StreamSpecification       *streamInput
	SSESpecification          *struct{ Enabled *bool }
	Tags                      []tagInput
	TableClass                *string
	DeletionProtectionEnabled *bool

	// of UpdateTable
	GlobalSecondaryIndexUpdates []indexUpdateInput
}

type indexUpdateInput struct {
	Create, Update *indexInput
	Delete         *struct{ IndexName *string }
}

// decode reads a body. The problem is a SerializationException.
func decode(body []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(body))
	err := d.Decode(into)
	var mismatch *json.UnmarshalTypeError
	switch {
	case errors.As(err, &mismatch):
		return malformed("%s", mismatchText(mismatch))
	case err != nil:
		return refuse(kindSerialization, "")
	}
	if _, err := d.Token(); err == nil {
		return refuse(kindSerialization, "")
	}
	return nil
}

// mismatchText says in DynamoDB's words which JSON was found instead of which type.
func mismatchText(e *json.UnmarshalTypeError) string {
	want := map[string]string{"string": "String", "int64": "Long", "bool": "Boolean"}[e.Type.String()]
	if want == "" {
		if strings.HasPrefix(e.Value, "object") && strings.HasPrefix(e.Type.String(), "[]") {
			return "Start of structure or map found where not expected"
		}
		return "Unexpected field type"
	}
	switch kind, _, _ := strings.Cut(e.Value, " "); kind {
	case "object":
		return "Start of structure or map found where not expected"
	case "array":
		return "Unrecognized collection type class java.lang." + want
	case "string":
		return "STRING_VALUE cannot be converted to " + want
	case "bool":
		return "TRUE_VALUE cannot be converted to " + want
	default:
		return "NUMBER_VALUE cannot be converted to " + want
	}
}

// tableName checks the name of an operation on a table.
func (c *checks) tableName(name *string) error {
	switch {
	case name == nil:
		return invalid("The parameter 'TableName' is required but was not present in the request")
	case strings.HasPrefix(*name, "arn:"):
	default:
		c.name(*name, "tableName")
	}
	return nil
}

func (c *checks) attributes(given *[]attributeInput, needed bool) {
	if given == nil {
		if needed {
			c.missing("attributeDefinitions")
		}
		return
	}
	for i, a := range *given {
		at := "attributeDefinitions." + itoa(i+1) + ".member."
		c.present(a.AttributeName, at+"attributeName")
		c.required(a.AttributeType, at+"attributeType", "B", "N", "S")
	}
}

func (c *checks) throughput(given *throughputInput, at string) {
	if given == nil {
		return
	}
	c.units(given.WriteCapacityUnits, at+".writeCapacityUnits")
	c.units(given.ReadCapacityUnits, at+".readCapacityUnits")
}

func (c *checks) units(given *int64, at string) {
	if given == nil {
		c.missing(at)
	} else {
		c.atLeast(*given, at, 1)
	}
}

func (c *checks) keySchema(given *[]keyElementInput, at string) {
	if given == nil {
		c.missing(at)
		return
	}
	shown := make([]string, len(*given))
	for i, key := range *given {
		shown[i] = "KeySchemaElement(attributeName=" + text(key.AttributeName, "null") + ", keyType=" +
			text(key.KeyType, "null") + ")"
	}
	c.length(len(*given), "["+strings.Join(shown, ", ")+"]", at, 1, 2)
	for i, key := range *given {
		member := at + "." + itoa(i+1) + ".member."
		c.present(key.AttributeName, member+"attributeName")
		c.required(key.KeyType, member+"keyType", "HASH", "RANGE")
	}
}

func (c *checks) index(x *indexInput, at string) {
	if x.IndexName == nil {
		c.missing(at + ".indexName")
	} else {
		c.name(*x.IndexName, at+".indexName")
	}
	c.keySchema(x.KeySchema, at+".keySchema")
	if x.Projection == nil {
		c.missing(at + ".projection")
	} else {
		c.optional(x.Projection.ProjectionType, at+".projection.projectionType", "ALL", "INCLUDE", "KEYS_ONLY")
		if names := x.Projection.NonKeyAttributes; names != nil {
			c.length(len(*names), "["+strings.Join(*names, ", ")+"]", at+".projection.nonKeyAttributes", 1, 20)
		}
	}
	c.throughput(x.ProvisionedThroughput, at+".provisionedThroughput")
}
