package calendsync

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// deployTime is how long a table may take to be created, or deleted.
const deployTime = 10 * time.Minute

// ErrOtherShape is Deploy's error for a table of that name that is not the design's.
var ErrOtherShape = errors.New("the table has another shape")

// Existing is what stands under the table's name.
type Existing struct {
	Exists   bool     // there is a table; if not, nothing else is set
	Deleting bool     // it is being deleted
	Differs  []string // a line for each thing that is not as the design has it; none: it is the design's

	counted int // items, as DynamoDB last counted them
}

// Look returns what stands under the table's name, and changes nothing. Errors: storage.
func (t *Tools) Look(ctx context.Context) (Existing, error) {
	out, err := t.server.store.db.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: &t.server.store.table})
	if errors.As(err, new(*types.ResourceNotFoundException)) {
		return Existing{}, nil
	}
	if err != nil {
		return Existing{}, judge("DescribeTable", err)
	}
	return Existing{Exists: true, Deleting: out.Table.TableStatus == types.TableStatusDeleting,
		Differs: differences(out.Table), counted: int(aws.ToInt64(out.Table.ItemCount))}, nil
}

// Plan says what Deploy would do, and changes nothing. exists: there is such a table. The error wraps ErrOtherShape,
// with every difference, if it is not the design's.
func (t *Tools) Plan(ctx context.Context) (exists bool, _ error) {
	there, err := t.Look(ctx)
	switch {
	case err != nil:
		return false, err
	case there.Deleting:
		return true, fmt.Errorf("the table %s is being deleted: try again when it is gone", t.server.store.table)
	case len(there.Differs) > 0:
		return true, fmt.Errorf("%w: %s", ErrOtherShape, strings.Join(there.Differs, "; "))
	}
	return there.Exists, nil
}

// Items counts the items of a table that exists. It reads at most one page, 1 MB: if all is false, items is how many
// that page has, or what DynamoDB last counted, some hours ago, if that is more.
func (t *Tools) Items(ctx context.Context, there Existing) (items int, all bool, _ error) {
	page, err := t.server.store.db.Scan(ctx, &dynamodb.ScanInput{TableName: &t.server.store.table,
		Select: types.SelectCount, ConsistentRead: aws.Bool(true)})
	if err != nil {
		return 0, false, judge("Scan", err)
	}
	if len(page.LastEvaluatedKey) == 0 {
		return int(page.Count), true, nil
	}
	return max(int(page.Count), there.counted), false, nil
}

// Deploy creates the table, unless it is there, and waits until it can be used. Errors: those of Plan.
func (t *Tools) Deploy(ctx context.Context) (created bool, _ error) {
	exists, err := t.Plan(ctx)
	if err != nil {
		return false, err
	}
	if !exists {
		_, err := t.server.store.db.CreateTable(ctx, definition(t.server.store.table))
		// Somebody else may have begun to create it since; what they create is compared below.
		if err != nil && !errors.As(err, new(*types.ResourceInUseException)) {
			return false, judge("CreateTable", err)
		}
	}
	if err := dynamodb.NewTableExistsWaiter(t.server.store.db, func(o *dynamodb.TableExistsWaiterOptions) {
		o.MinDelay, o.MaxDelay = 100*time.Millisecond, 5*time.Second
	}).Wait(ctx, &dynamodb.DescribeTableInput{TableName: &t.server.store.table}, deployTime); err != nil {
		return false, judge("DescribeTable", err)
	}
	_, err = t.Plan(ctx)
	return !exists, err
}

// Destroy deletes the table with everything in it, and waits until it is gone. It is not there: destroyed is false.
func (t *Tools) Destroy(ctx context.Context) (destroyed bool, _ error) {
	_, err := t.server.store.db.DeleteTable(ctx, &dynamodb.DeleteTableInput{TableName: &t.server.store.table})
	if errors.As(err, new(*types.ResourceNotFoundException)) {
		return false, nil
	}
	if err != nil {
		return false, judge("DeleteTable", err)
	}
	err = dynamodb.NewTableNotExistsWaiter(t.server.store.db, func(o *dynamodb.TableNotExistsWaiterOptions) {
		o.MinDelay, o.MaxDelay = 100*time.Millisecond, 5*time.Second
	}).Wait(ctx, &dynamodb.DescribeTableInput{TableName: &t.server.store.table}, deployTime)
	return true, judge("DescribeTable", err)
}

// Shape describes the table that Deploy creates: a line for its key, for each index, and for how it is billed.
func Shape() []string {
	d := definition("")
	lines := []string{"key " + spell(d.KeySchema, d.AttributeDefinitions)}
	for _, x := range d.GlobalSecondaryIndexes {
		lines = append(lines, fmt.Sprintf("index %s: key %s; projection %s", *x.IndexName,
			spell(x.KeySchema, d.AttributeDefinitions), x.Projection.ProjectionType))
	}
	return append(lines, fmt.Sprintf("billing mode %s (on demand)", d.BillingMode))
}

// definition is the table as the design describes it.
func definition(name string) *dynamodb.CreateTableInput {
	in := &dynamodb.CreateTableInput{TableName: &name, BillingMode: types.BillingModePayPerRequest,
		KeySchema: table().schema()}
	for _, x := range []index{table(), gsi1(), gsi2(), gsi3()} {
		for _, attribute := range []string{x.partition, x.sort} {
			in.AttributeDefinitions = append(in.AttributeDefinitions, types.AttributeDefinition{
				AttributeName: aws.String(attribute), AttributeType: types.ScalarAttributeTypeS})
		}
		if x.name != "" {
			in.GlobalSecondaryIndexes = append(in.GlobalSecondaryIndexes, types.GlobalSecondaryIndex{
				IndexName: aws.String(x.name), KeySchema: x.schema(),
				Projection: &types.Projection{ProjectionType: types.ProjectionTypeAll}})
		}
	}
	return in
}

func (x index) schema() []types.KeySchemaElement {
	return []types.KeySchemaElement{{AttributeName: aws.String(x.partition), KeyType: types.KeyTypeHash},
		{AttributeName: aws.String(x.sort), KeyType: types.KeyTypeRange}}
}

// differences compares a table with the design's: one line for each thing that is otherwise.
func differences(there *types.TableDescription) (list []string) {
	wanted := definition("")
	differ := func(what, is, should string) {
		if is != should {
			list = append(list, fmt.Sprintf("%s is %s, not %s", what, cmp.Or(is, "missing"), should))
		}
	}
	billing := types.BillingModeProvisioned // what DynamoDB does not say (API Reference, BillingModeSummary)
	if there.BillingModeSummary != nil {
		billing = there.BillingModeSummary.BillingMode
	}
	differ("the billing mode", string(billing), string(wanted.BillingMode))
	differ("the key", spell(there.KeySchema, there.AttributeDefinitions),
		spell(wanted.KeySchema, wanted.AttributeDefinitions))
	for _, x := range wanted.GlobalSecondaryIndexes {
		var keys, projection string
		at := slices.IndexFunc(there.GlobalSecondaryIndexes, func(d types.GlobalSecondaryIndexDescription) bool {
			return aws.ToString(d.IndexName) == *x.IndexName
		})
		if at >= 0 {
			found := there.GlobalSecondaryIndexes[at]
			keys = spell(found.KeySchema, there.AttributeDefinitions)
			if found.Projection != nil {
				projection = string(found.Projection.ProjectionType)
			}
		}
		differ("the key of "+*x.IndexName, keys, spell(x.KeySchema, wanted.AttributeDefinitions))
		if at >= 0 {
			differ("the projection of "+*x.IndexName, projection, string(x.Projection.ProjectionType))
		}
	}
	return list
}

// spell writes a key as PK (S), SK (S).
func spell(schema []types.KeySchemaElement, attributes []types.AttributeDefinition) string {
	var parts []string
	for _, element := range schema {
		for _, attribute := range attributes {
			if aws.ToString(attribute.AttributeName) == aws.ToString(element.AttributeName) {
				parts = append(parts, fmt.Sprintf("%s (%s)", *attribute.AttributeName, attribute.AttributeType))
			}
		}
	}
	return strings.Join(parts, ", ")
}
