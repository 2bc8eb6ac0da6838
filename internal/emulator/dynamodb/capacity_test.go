package dynamodb

import (
	"fmt"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// ladder is a table with a global index that has parts and a local one that has all, as AWS's figures below were
// measured.
func ladder(in *dynamodb.CreateTableInput) {
	in.AttributeDefinitions = append(in.AttributeDefinitions, define("g", "S"), define("l", "S"))
	in.GlobalSecondaryIndexes = []types.GlobalSecondaryIndex{global("gsi", "g", "", types.ProjectionTypeInclude,
		"proj")}
	in.LocalSecondaryIndexes = []types.LocalSecondaryIndex{local("lsi", "l", types.ProjectionTypeAll)}
}

// show writes a capacity as table, global index, local index, and the sum.
func show(c *types.ConsumedCapacity) string {
	units := func(all map[string]types.Capacity, name string) float64 {
		if one, there := all[name]; there {
			return *one.CapacityUnits
		}
		return 0
	}
	return fmt.Sprintf("%g %g %g = %g", *c.Table.CapacityUnits, units(c.GlobalSecondaryIndexes, "gsi"),
		units(c.LocalSecondaryIndexes, "lsi"), *c.CapacityUnits)
}

func TestCapacityOfWrites(t *testing.T) {
	f := newFixture(t)
	f.createTable("Items", ladder)
	name := aws.String("Items")
	key := attrs{"pk": str("p"), "sk": str("s")}
	item := func(more attrs) attrs {
		all := attrs{"pk": str("p"), "sk": str("s")}
		for k, v := range more {
			all[k] = v
		}
		return all
	}
	full := item(attrs{"g": str("g"), "l": str("l"), "proj": str("p"), "rest": str("r")})
	put := func(item attrs) *types.ConsumedCapacity {
		return must[*dynamodb.PutItemOutput](t)(f.db.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: name,
			Item:                   item,
			ReturnConsumedCapacity: "INDEXES"})).ConsumedCapacity
	}
	update := func(expression string) func() *types.ConsumedCapacity {
		return func() *types.ConsumedCapacity {
			in := &dynamodb.UpdateItemInput{TableName: name, Key: key, UpdateExpression: &expression,
				ReturnConsumedCapacity: "INDEXES"}
			if strings.Contains(expression, ":v") {
				in.ExpressionAttributeValues = attrs{":v": str("other")}
			}
			return must[*dynamodb.UpdateItemOutput](t)(f.db.UpdateItem(t.Context(), in)).ConsumedCapacity
		}
	}
	remove := func() *types.ConsumedCapacity {
		return must[*dynamodb.DeleteItemOutput](t)(f.db.DeleteItem(t.Context(),
			&dynamodb.DeleteItemInput{TableName: name,
				Key: key, ReturnConsumedCapacity: "INDEXES"})).ConsumedCapacity
	}
	for _, c := range []struct {
		name   string
		before attrs // nil: no item
		do     func() *types.ConsumedCapacity
		want   string
	}{
		{"new item in no index", nil, func() *types.ConsumedCapacity { return put(item(nil)) }, "1 0 0 = 1"},
		{"new item in both", nil, func() *types.ConsumedCapacity { return put(full) }, "1 1 1 = 3"},
		{"the same again", full, func() *types.ConsumedCapacity { return put(full) }, "1 0 0 = 1"},
		{"not projected", full, update("SET rest = :v"), "1 0 1 = 2"},
		{"projected", full, update("SET proj = :v"), "1 1 1 = 3"},
		{"global key moves", full, update("SET g = :v"), "1 2 1 = 4"},
		{"global key goes", full, update("REMOVE g"), "1 1 1 = 3"},
		{"local key moves", full, update("SET l = :v"), "1 0 2 = 3"},
		{"delete", full, remove, "1 1 1 = 3"},
		{"delete nothing", nil, remove, "1 0 0 = 1"},
		{"smaller than before", item(attrs{"rest": str(strings.Repeat("x", 2500))}),
			func() *types.ConsumedCapacity { return put(item(nil)) }, "3 0 0 = 3"},
	} {
		must[*dynamodb.DeleteItemOutput](t)(f.db.DeleteItem(t.Context(), &dynamodb.DeleteItemInput{TableName: name,
			Key: key}))
		if c.before != nil {
			put(c.before)
		}
		if got := show(c.do()); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func TestCapacityOfReads(t *testing.T) {
	f := newFixture(t)
	f.createTable("Items", ladder)
	name := aws.String("Items")
	for i := range 10 {
		f.put("Items", attrs{"pk": str("p"), "sk": str(fmt.Sprint(i)), "g": str("g"), "rest": str(strings.Repeat("x",
			1000))})
	}
	for _, c := range []struct {
		name       string
		consistent bool
		in         dynamodb.QueryInput
		want       string
	}{
		{"eventual", false, dynamodb.QueryInput{KeyConditionExpression: aws.String("pk = :p")}, "1.5 0 0 = 1.5"},
		{"consistent", true, dynamodb.QueryInput{KeyConditionExpression: aws.String("pk = :p")}, "3 0 0 = 3"},
		{"filtered", true, dynamodb.QueryInput{KeyConditionExpression: aws.String("pk = :p"),
			FilterExpression: aws.String("attribute_exists(nothing)")}, "3 0 0 = 3"},
		{"index", false, dynamodb.QueryInput{KeyConditionExpression: aws.String("g = :p"),
			IndexName: aws.String("gsi")},
			"0 0.5 0 = 0.5"},
	} {
		c.in.TableName, c.in.ConsistentRead, c.in.ReturnConsumedCapacity = name, &c.consistent, "INDEXES"
		c.in.ExpressionAttributeValues = attrs{":p": str("p")}
		out := must[*dynamodb.QueryOutput](t)(f.db.Query(t.Context(), &c.in))
		if got := show(out.ConsumedCapacity); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
	for consistent, want := range map[bool]float64{true: 1, false: 0.5} {
		out := must[*dynamodb.GetItemOutput](t)(f.db.GetItem(t.Context(), &dynamodb.GetItemInput{TableName: name,
			Key: attrs{"pk": str("p"), "sk": str("none")}, ConsistentRead: &consistent,
			ReturnConsumedCapacity: "TOTAL"}))
		if *out.ConsumedCapacity.CapacityUnits != want || out.ConsumedCapacity.Table != nil {
			t.Errorf("get, consistent %v: %+v", consistent, out.ConsumedCapacity)
		}
	}
}
