package dynamodb

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"
)

// describedTable is a TableDescription.
type describedTable struct {
	AttributeDefinitions      []attributeDefinition
	BillingModeSummary        *billingSummary   `json:",omitempty"`
	CreationDateTime          seconds           `json:",omitempty"`
	DeletionProtectionEnabled bool              `json:"DeletionProtectionEnabled"`
	GlobalSecondaryIndexes    []describedIndex  `json:",omitempty"`
	ItemCount                 int64             `json:"ItemCount"`
	KeySchema                 []keyElement      `json:"KeySchema"`
	LatestStreamArn           string            `json:",omitempty"`
	LatestStreamLabel         string            `json:",omitempty"`
	LocalSecondaryIndexes     []describedIndex  `json:",omitempty"`
	OnDemandThroughput        *onDemand         `json:",omitempty"`
	ProvisionedThroughput     describedCapacity `json:"ProvisionedThroughput"`
	SSEDescription            map[string]string `json:",omitempty"`
	StreamSpecification       map[string]any    `json:",omitempty"`
	TableArn                  string
	TableClassSummary         map[string]string `json:",omitempty"`
	TableID                   string            `json:"TableId"`
	TableName                 string
	TableSizeBytes            int64
	TableStatus               string
	WarmThroughput            *warm `json:",omitempty"`
}

type billingSummary struct {
	BillingMode                       string
	LastUpdateToPayPerRequestDateTime seconds `json:",omitempty"`
}

type describedCapacity struct {
	LastDecreaseDateTime   seconds `json:",omitempty"`
	LastIncreaseDateTime   seconds `json:",omitempty"`
	NumberOfDecreasesToday int64
	ReadCapacityUnits      int64
	WriteCapacityUnits     int64
}

type warm struct {
	ReadUnitsPerSecond  int64
	Status              string
	WriteUnitsPerSecond int64
}

type describedIndex struct {
	IndexArn              string
	IndexName             string
	IndexSizeBytes        int64
	IndexStatus           string `json:",omitempty"`
	ItemCount             int64
	KeySchema             []keyElement
	OnDemandThroughput    *onDemand `json:",omitempty"`
	Projection            projection
	ProvisionedThroughput *describedCapacity `json:",omitempty"`
}

// seconds is a time as the protocol writes it, in seconds with milliseconds.
type seconds float64

func secondsOf(t time.Time) seconds {
	if t.IsZero() {
		return 0
	}
	return seconds(float64(t.UnixMilli()) / 1000)
}

// accountNumber is in all ARNs.
const accountNumber = "000000000000"

func (a *Account) tableARN(name string) string {
	return fmt.Sprintf("arn:aws:dynamodb:%s:%s:table/%s", a.id.region, accountNumber, name)
}

func (a *Account) streamARN(table, label string) string {
	return a.tableARN(table) + "/stream/" + label
}

// description describes a table whose status is given.
func (a *Account) description(t *table, status string) describedTable {
	d := describedTable{
		AttributeDefinitions: t.AttributeDefinitions, KeySchema: t.KeySchema, TableName: t.TableName,
		TableID:  t.TableID,
		TableArn: a.tableARN(t.TableName), TableStatus: status, CreationDateTime: secondsOf(t.Created),
		ItemCount: t.counts.items.Load(), TableSizeBytes: t.counts.bytes.Load(),
		DeletionProtectionEnabled: t.Protected, OnDemandThroughput: t.MaxOnDemand,
		ProvisionedThroughput: describedCapacity{secondsOf(t.Decreased), secondsOf(t.Increased), 0,
			t.Throughput.ReadCapacityUnits, t.Throughput.WriteCapacityUnits},
	}
	if t.OnDemand || !t.SwitchedToOnDemand.IsZero() {
		mode := "PROVISIONED"
		if t.OnDemand {
			mode = "PAY_PER_REQUEST"
			d.WarmThroughput = &warm{12000, "ACTIVE", 4000}
		}
		d.BillingModeSummary = &billingSummary{mode, secondsOf(t.SwitchedToOnDemand)}
	}
	if t.Class != "" {
		d.TableClassSummary = map[string]string{"TableClass": t.Class}
	}
	if t.Encrypted {
		d.SSEDescription = map[string]string{"Status": "ENABLED", "SSEType": "KMS",
			"KMSMasterKeyArn": "arn:aws:kms:" + a.id.region + ":" + accountNumber + ":key/dynamodb"}
	}
	if n := len(t.Streams); n > 0 {
		last := t.Streams[n-1]
		d.LatestStreamLabel, d.LatestStreamArn = last.Label, a.streamARN(t.TableName, last.Label)
		if last.Enabled {
			d.StreamSpecification = map[string]any{"StreamEnabled": true, "StreamViewType": last.View}
		}
	}
	for _, x := range t.indexes {
		described := a.describeIndex(t, x)
		if x.global {
			d.GlobalSecondaryIndexes = append(d.GlobalSecondaryIndexes, described)
		} else {
			d.LocalSecondaryIndexes = append(d.LocalSecondaryIndexes, described)
		}
	}
	return d
}

func (a *Account) describeIndex(t *table, x *index) describedIndex {
	d := describedIndex{IndexArn: a.tableARN(t.TableName) + "/index/" + x.IndexName, IndexName: x.IndexName,
		IndexSizeBytes: x.counts.bytes.Load(), ItemCount: x.counts.items.Load(), KeySchema: x.KeySchema,
		Projection: x.Projection}
	if x.global {
		d.IndexStatus, d.OnDemandThroughput = "ACTIVE", x.MaxOnDemand
		d.ProvisionedThroughput = &describedCapacity{
			ReadCapacityUnits: x.Throughput.ReadCapacityUnits, WriteCapacityUnits: x.Throughput.WriteCapacityUnits}
	}
	return d
}

// describe answers with one member.
func (c *call) describe(member string, content any) error {
	return c.json(map[string]any{member: content})
}

// json answers with what is not an item.
func (c *call) json(content any) (err error) {
	c.out, err = json.Marshal(content)
	return err
}

// named reads a request that has only a table's name, and returns the table.
func (c *call) named() (*table, error) {
	var in struct{ TableName *string }
	if err := decode(c.body, &in); err != nil {
		return nil, err
	}
	return c.tableOf(in.TableName)
}

func (c *call) tableOf(name *string) (*table, error) {
	var found checks
	if err := found.tableName(name); err != nil {
		return nil, err
	}
	if p := found.problem(); p != nil {
		return nil, p
	}
	if t := c.account.tables[tableNameOf(*name)]; t != nil {
		return t, nil
	}
	return nil, refuse(kindNotFound, "Requested resource not found: Table: %s not found", tableNameOf(*name))
}

func describeTable(c *call) error {
	t, err := c.named()
	if err != nil {
		return err
	}
	return c.describe("Table", c.account.description(t, "ACTIVE"))
}

const maxListed = 100

func listTables(c *call) error {
	var in struct {
		Limit                   *int64
		ExclusiveStartTableName *string
	}
	if err := decode(c.body, &in); err != nil {
		return err
	}
	var found checks
	limit := found.limit(in.Limit, maxListed)
	after := ""
	if in.ExclusiveStartTableName != nil {
		after = *in.ExclusiveStartTableName
		found.name(after, "exclusiveStartTableName")
	}
	if p := found.problem(); p != nil {
		return p
	}
	names := slices.Sorted(maps.Keys(c.account.tables))
	first, at := slices.BinarySearch(names, after)
	if at {
		first++
	}
	names = names[first:]
	out := map[string]any{"TableNames": append([]string{}, names...)}
	if int64(len(names)) > limit {
		out["TableNames"] = names[:limit]
		out["LastEvaluatedTableName"] = names[limit-1]
	}
	return c.json(out)
}

// deleteTable is DeleteTable. The table is gone when the answer is read, though the answer says DELETING, as AWS's.
func deleteTable(c *call) error {
	t, err := c.named()
	if err != nil {
		return err
	}
	if t.Protected {
		return invalid("Resource cannot be deleted as it is currently protected against deletion. " +
			"Disable deletion protection first.")
	}
	a := c.account
	description := a.description(t, "DELETING")
	b := a.engine.NewBatch()
	defer b.Discard()
	if err := b.Delete(a.space.Catalogue().Key(nil, catalogueTables, t.TableName)); err != nil {
		return err
	}
	for _, kind := range []string{keyItems, keyExpiries, keyStreams} {
		lower, upper := a.space.Data().Range(kind, t.Short)
		if err := b.DeleteRange(lower, upper); err != nil {
			return err
		}
	}
	if err := b.Commit(); err != nil {
		return err
	}
	delete(a.tables, t.TableName)
	if t.expiry != nil {
		a.expiring--
	}
	return c.describe("TableDescription", description)
}
