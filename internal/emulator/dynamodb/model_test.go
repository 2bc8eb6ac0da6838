package dynamodb

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"pgregory.net/rapid"

	"github.com/storespec/storespec/internal/emulator/engine"
)

// machine compares the service with a map, restarts included.
type machine struct {
	f     *fixture
	e     *engine.Engine
	dir   string
	items map[string]modelItem // by "pk/sk"
	saved *Snapshot
	then  map[string]modelItem
}

// modelItem is an item: v is a number, g the key of the indexes; "" is no attribute.
type modelItem struct {
	v int
	g string
}

func (m *machine) open(t *rapid.T) {
	e, err := engine.Open(engine.Options{Dir: m.dir, NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	m.e, m.f = e, fixtureOn(m.f.t, e)
}

func drawKey(t *rapid.T) (string, attrs) {
	pk, sk := rapid.SampledFrom([]string{"a", "b", "\x00c", "d\x00"}).Draw(t, "pk"), fmt.Sprint(rapid.IntRange(0,
		4).Draw(t, "sk"))
	return pk + "/" + sk, attrs{"pk": str(pk), "sk": str(sk)}
}

func (i modelItem) attributes(key attrs) attrs {
	all := maps.Clone(key)
	all["v"] = num(fmt.Sprint(i.v))
	if i.g != "" {
		all["g"] = str(i.g)
	}
	return all
}

func drawItem(t *rapid.T) modelItem {
	return modelItem{rapid.IntRange(-3, 3).Draw(t, "v"), rapid.SampledFrom([]string{"", "x", "y"}).Draw(t, "g")}
}

func (m *machine) put(t *rapid.T) {
	name, key := drawKey(t)
	item := drawItem(t)
	m.f.put("Model", item.attributes(key))
	m.items[name] = item
}

func (m *machine) putNew(t *rapid.T) {
	name, key := drawKey(t)
	item := drawItem(t)
	_, err := m.f.db.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String("Model"),
		Item:                item.attributes(key),
		ConditionExpression: aws.String("attribute_not_exists(pk)")})
	if _, there := m.items[name]; there != (err != nil) {
		t.Fatalf("a put of what must be new: there %v, %v", there, err)
	}
	if err == nil {
		m.items[name] = item
	}
}

func (m *machine) add(t *rapid.T) {
	name, key := drawKey(t)
	out, err := m.f.db.UpdateItem(t.Context(), &dynamodb.UpdateItemInput{TableName: aws.String("Model"), Key: key,
		UpdateExpression: aws.String("ADD v :one"), ExpressionAttributeValues: attrs{":one": num("1")},
		ReturnValues: types.ReturnValueUpdatedNew})
	if err != nil {
		t.Fatal(err)
	}
	item := m.items[name]
	item.v++
	m.items[name] = item
	if got := out.Attributes["v"].(*types.AttributeValueMemberN).Value; got != fmt.Sprint(item.v) {
		t.Fatalf("v is %s, want %d", got, item.v)
	}
}

func (m *machine) remove(t *rapid.T) {
	name, key := drawKey(t)
	if _, err := m.f.db.DeleteItem(t.Context(), &dynamodb.DeleteItemInput{TableName: aws.String("Model"),
		Key: key}); err != nil {
		t.Fatal(err)
	}
	delete(m.items, name)
}

func (m *machine) transact(t *rapid.T) {
	first, one := drawKey(t)
	second, two := drawKey(t)
	if first == second {
		return
	}
	item := drawItem(t)
	_, err := m.f.db.TransactWriteItems(t.Context(),
		&dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{
			transactPut("Model", item.attributes(one), nil), {Delete: &types.Delete{TableName: aws.String("Model"),
				Key:                 two,
				ConditionExpression: aws.String("attribute_exists(pk)")}}}})
	if _, there := m.items[second]; there != (err == nil) {
		t.Fatalf("a transaction: there %v, %v", there, err)
	}
	if err == nil {
		m.items[first] = item
		delete(m.items, second)
	}
}

func (m *machine) restart(t *rapid.T) {
	if m.saved != nil {
		_ = m.saved.Discard()
		m.saved = nil
	}
	if err := m.e.Close(); err != nil {
		t.Fatal(err)
	}
	m.open(t)
	m.same(t, partitions, groups)
}

func (m *machine) save(t *rapid.T) {
	saved, err := m.f.account.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	m.saved, m.then = saved, maps.Clone(m.items)
}

func (m *machine) restore(t *rapid.T) {
	if m.saved == nil {
		return
	}
	m.same(t, partitions, groups) // which is gone then
	if err := m.saved.Restore(); err != nil {
		t.Fatal(err)
	}
	m.items = maps.Clone(m.then)
	m.same(t, partitions, groups)
}

func (m *machine) reset(t *rapid.T) {
	m.same(t, partitions, groups) // which is gone then
	if err := m.f.account.Reset(); err != nil {
		t.Fatal(err)
	}
	m.items = map[string]modelItem{}
}

var (
	partitions = []string{"a", "b", "\x00c", "d\x00"}
	groups     = []string{"x", "y"} // of the index
)

// check compares what is stored in one partition and at one key of the index, after each action.
func (m *machine) check(t *rapid.T) {
	m.same(t, []string{rapid.SampledFrom(partitions).Draw(t, "partition")},
		[]string{rapid.SampledFrom(groups).Draw(t, "group")})
}

// same compares queries in both directions, the index, and what is counted.
func (m *machine) same(t *rapid.T, partitions, groups []string) {
	for _, pk := range partitions {
		var want []string
		for name := range m.items {
			if at, is := strings.CutPrefix(name, pk+"/"); is {
				want = append(want, at)
			}
		}
		slices.Sort(want)
		if rapid.Bool().Draw(t, "backward") {
			slices.Reverse(want)
			m.sameKeys(t, pk, want, false)
		} else {
			m.sameKeys(t, pk, want, true)
		}
	}
	for _, g := range groups {
		sum, want := 0, 0
		for _, item := range m.items {
			if item.g == g {
				want += 1000 + item.v
			}
		}
		pages := dynamodb.NewQueryPaginator(m.f.db, &dynamodb.QueryInput{TableName: aws.String("Model"),
			Limit:     aws.Int32(2),
			IndexName: aws.String("byG"), KeyConditionExpression: aws.String("g = :g"),
			ExpressionAttributeValues: attrs{":g": str(g)}})
		for pages.HasMorePages() {
			page, err := pages.NextPage(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			for _, item := range page.Items {
				var v int
				_, _ = fmt.Sscan(item["v"].(*types.AttributeValueMemberN).Value, &v)
				sum += 1000 + v
			}
		}
		if sum != want {
			t.Fatalf("the index at %s has %d, want %d", g, sum, want)
		}
	}
	d, err := m.f.db.DescribeTable(t.Context(), &dynamodb.DescribeTableInput{TableName: aws.String("Model")})
	if err != nil || int(*d.Table.ItemCount) != len(m.items) {
		t.Fatalf("described as %+v, %v, want %d items", d, err, len(m.items))
	}
}

func (m *machine) sameKeys(t *rapid.T, pk string, want []string, forward bool) {
	var got []string
	pages := dynamodb.NewQueryPaginator(m.f.db, &dynamodb.QueryInput{TableName: aws.String("Model"),
		Limit:                  aws.Int32(3),
		KeyConditionExpression: aws.String("pk = :p"), ScanIndexForward: &forward,
		ExpressionAttributeValues: attrs{":p": str(pk)}})
	for pages.HasMorePages() {
		page, err := pages.NextPage(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, item := range page.Items {
			sk := item["sk"].(*types.AttributeValueMemberS).Value
			got = append(got, sk)
			if v := item["v"].(*types.AttributeValueMemberN).Value; v != fmt.Sprint(m.items[pk+"/"+sk].v) {
				t.Fatalf("%s/%s has v %s, want %d", pk, sk, v, m.items[pk+"/"+sk].v)
			}
		}
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Fatalf("partition %q has %v, want %v", pk, got, want)
	}
}

func TestBehavesAsAMap(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		m := &machine{f: &fixture{t: t}, dir: t.TempDir(), items: map[string]modelItem{}}
		m.open(rt)
		defer func() { _ = m.e.Close() }()
		m.f.createTable("Model", func(in *dynamodb.CreateTableInput) {
			in.AttributeDefinitions = append(in.AttributeDefinitions, define("g", "S"))
			in.GlobalSecondaryIndexes = []types.GlobalSecondaryIndex{global("byG", "g", "", types.ProjectionTypeAll)}
		})
		rt.Repeat(map[string]func(*rapid.T){
			"put": m.put, "putNew": m.putNew, "add": m.add, "remove": m.remove, "transact": m.transact,
			"restart": m.restart,
			"save":    m.save, "restore": m.restore, "reset": m.reset, "": m.check,
		})
		m.same(rt, partitions, groups)
	})
}
