package dynamodb

import (
	"cmp"
	"crypto/rand"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

const (
	maxLocal  = 5
	maxGlobal = 20
	// maxThroughput is where DynamoDB says that a figure is out of bounds.
	maxThroughput = 1_000_000_000_000
)

func itoa(n int) string { return strconv.Itoa(n) }

// createTable is CreateTable. The table is ACTIVE when the answer is read, though the answer says CREATING, as AWS's.
func createTable(c *call) error {
	var in tableInput
	if err := decode(c.body, &in); err != nil {
		return err
	}
	var found checks
	if err := found.tableName(in.TableName); err != nil {
		return err
	}
	found.attributes(in.AttributeDefinitions, true)
	found.billing(&in)
	found.keySchema(in.KeySchema, "keySchema")
	for i, x := range deref(in.GlobalSecondaryIndexes) {
		found.index(&x, "globalSecondaryIndexes."+itoa(i+1)+".member")
	}
	for i, x := range deref(in.LocalSecondaryIndexes) {
		found.index(&x, "localSecondaryIndexes."+itoa(i+1)+".member")
	}
	if p := found.problem(); p != nil {
		return p
	}
	d, err := in.definition()
	if err != nil {
		return err
	}
	a := c.account
	if a.tables[d.TableName] != nil {
		return refuse(kindInUse, "Table already exists: %s", d.TableName)
	}
	d.Created = a.Now()
	d.TableID = uuid()
	d.Short = a.freshShort()
	a.startStream(&d, in.StreamSpecification)
	b := a.engine.NewBatch()
	defer b.Discard()
	t, err := a.store(b, d, nil)
	if err != nil {
		return err
	}
	return c.describe("TableDescription", a.description(t, "CREATING"))
}

func deref[T any](list *[]T) []T {
	if list == nil {
		return nil
	}
	return *list
}

// billing checks the members that CreateTable and UpdateTable share.
func (c *checks) billing(in *tableInput) {
	c.optional(in.BillingMode, "billingMode", "PROVISIONED", "PAY_PER_REQUEST")
	c.throughput(in.ProvisionedThroughput, "provisionedThroughput")
	c.optional(in.TableClass, "tableClass", "STANDARD", "STANDARD_INFREQUENT_ACCESS")
	if s := in.StreamSpecification; s != nil {
		c.optional(s.StreamViewType, "streamSpecification.streamViewType", "NEW_IMAGE", "OLD_IMAGE",
			"NEW_AND_OLD_IMAGES", "KEYS_ONLY")
	}
}

// definition makes a definition of a request whose members have passed the checks.
func (in *tableInput) definition() (d definition, _ error) {
	d.TableName = tableNameOf(*in.TableName)
	d.OnDemand = in.BillingMode != nil && *in.BillingMode == "PAY_PER_REQUEST"
	if err := in.checkThroughput(d.OnDemand); err != nil {
		return d, err
	}
	for _, a := range *in.AttributeDefinitions {
		d.AttributeDefinitions = append(d.AttributeDefinitions, attributeDefinition{*a.AttributeName, *a.AttributeType})
	}
	d.KeySchema = keyElements(*in.KeySchema)
	if len(d.KeySchema) > len(d.AttributeDefinitions) {
		return d, invalid("Invalid KeySchema: Some index key attribute have no definition")
	}
	if err := d.checkKeys(d.KeySchema); err != nil {
		return d, err
	}
	if err := in.checkStream(); err != nil {
		return d, err
	}
	if err := in.indexes(&d); err != nil {
		return d, err
	}
	if err := d.checkUse(); err != nil {
		return d, err
	}
	if p := in.ProvisionedThroughput; p != nil {
		d.Throughput = throughput{*p.ReadCapacityUnits, *p.WriteCapacityUnits}
	}
	in.settings(&d)
	tags, err := tagsOf(in.Tags)
	d.Tags = tags
	return d, err
}

// settings changes what is only described, as far as it is given.
func (in *tableInput) settings(d *definition) {
	if in.DeletionProtectionEnabled != nil {
		d.Protected = *in.DeletionProtectionEnabled
	}
	if in.SSESpecification != nil && in.SSESpecification.Enabled != nil {
		d.Encrypted = *in.SSESpecification.Enabled
	}
	d.Class = text(in.TableClass, d.Class)
	d.MaxOnDemand = cmp.Or(in.OnDemandThroughput, d.MaxOnDemand)
}

func keyElements(given []keyElementInput) []keyElement {
	keys := make([]keyElement, len(given))
	for i, key := range given {
		keys[i] = keyElement{*key.AttributeName, *key.KeyType}
	}
	return keys
}

func (in *tableInput) checkThroughput(onDemand bool) error {
	p := in.ProvisionedThroughput
	switch {
	case onDemand && p != nil:
		return invalidParameter("Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode " +
			"is PAY_PER_REQUEST")
	case onDemand:
		return nil
	case p == nil:
		return invalidParameter("ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is " +
			"PROVISIONED")
	}
	return p.check()
}

func (p *throughputInput) check() error {
	if *p.ReadCapacityUnits > maxThroughput {
		return invalid("Given value %d for ReadCapacityUnits is out of bounds", *p.ReadCapacityUnits)
	}
	if *p.WriteCapacityUnits > maxThroughput {
		return invalid("Given value %d for WriteCapacityUnits is out of bounds", *p.WriteCapacityUnits)
	}
	return nil
}

// checkKeys checks a key schema of the table or of an index.
func (d *definition) checkKeys(keys []keyElement) error {
	var names, defined []string
	for _, a := range d.AttributeDefinitions {
		defined = append(defined, a.AttributeName)
	}
	for _, key := range keys {
		names = append(names, key.AttributeName)
	}
	for _, name := range names {
		if !slices.Contains(defined, name) {
			return invalidParameter("Some index key attributes are not defined in AttributeDefinitions. "+
				"Keys: [%s], AttributeDefinitions: [%s]", strings.Join(names, ", "), strings.Join(defined, ", "))
		}
	}
	switch {
	case len(names) == 2 && names[0] == names[1]:
		return invalid("Both the Hash Key and the Range Key element in the KeySchema have the same name")
	case keys[0].KeyType != "HASH":
		return invalid("Invalid KeySchema: The first KeySchemaElement is not a HASH key type")
	case len(keys) == 2 && keys[1].KeyType != "RANGE":
		return invalid("Invalid KeySchema: The second KeySchemaElement is not a RANGE key type")
	}
	return nil
}

func (in *tableInput) checkStream() error {
	s := in.StreamSpecification
	switch {
	case s == nil:
		return nil
	case s.StreamEnabled == nil:
		return invalid("1 validation error detected: Value null at 'streamSpecification.streamEnabled' failed to " +
			"satisfy constraint: Member must not be null")
	case *s.StreamEnabled && s.StreamViewType == nil:
		return invalidParameter("StreamViewType is required when StreamEnabled is true")
	case !*s.StreamEnabled && s.StreamViewType != nil:
		return invalidParameter("Table StreamViewType must not be set when StreamEnabled is false")
	}
	return nil
}

// indexes reads the indexes of CreateTable into d.
func (in *tableInput) indexes(d *definition) error {
	taken := map[string]bool{}
	if in.LocalSecondaryIndexes != nil {
		switch {
		case len(*in.LocalSecondaryIndexes) == 0:
			return invalidParameter("List of LocalSecondaryIndexes is empty")
		case len(d.KeySchema) != 2:
			return invalidParameter("Table KeySchema does not have a range key, which is required when specifying a " +
				"LocalSecondaryIndex")
		}
	}
	for i := range deref(in.LocalSecondaryIndexes) {
		x, err := d.newLocal(&(*in.LocalSecondaryIndexes)[i], taken)
		if err != nil {
			return err
		}
		d.Local = append(d.Local, x)
	}
	if len(d.Local) > maxLocal {
		return invalidParameter("Number of LocalSecondaryIndexes exceeds per-table limit of %d", maxLocal)
	}
	if in.GlobalSecondaryIndexes != nil && len(*in.GlobalSecondaryIndexes) == 0 {
		return invalidParameter("List of GlobalSecondaryIndexes is empty")
	}
	for i := range deref(in.GlobalSecondaryIndexes) {
		x, err := d.newGlobal(&(*in.GlobalSecondaryIndexes)[i], taken)
		if err != nil {
			return err
		}
		d.Global = append(d.Global, x)
	}
	if len(d.Global) > maxGlobal {
		return invalidParameter("GlobalSecondaryIndex count exceeds the per-table limit of %d", maxGlobal)
	}
	return nil
}

func (d *definition) newLocal(in *indexInput, taken map[string]bool) (x indexDefinition, _ error) {
	keys := keyElements(*in.KeySchema)
	if err := d.checkKeys(keys); err != nil {
		return x, err
	}
	if len(keys) != 2 {
		return x, invalidParameter("Index KeySchema does not have a range key for index: %s", *in.IndexName)
	}
	if keys[0].AttributeName != d.KeySchema[0].AttributeName {
		return x, invalidParameter("Index KeySchema does not have the same leading hash key as table KeySchema for "+
			"index: %s. index hash key: %s, table hash key: %s", *in.IndexName, keys[0].AttributeName,
			d.KeySchema[0].AttributeName)
	}
	return d.newIndex(in, keys, "l"+itoa(len(d.Local)), taken)
}

func (d *definition) newGlobal(in *indexInput, taken map[string]bool) (x indexDefinition, _ error) {
	keys := keyElements(*in.KeySchema)
	if err := d.checkKeys(keys); err != nil {
		return x, err
	}
	switch p := in.ProvisionedThroughput; {
	case d.OnDemand && p != nil:
		return x, invalidParameter("ProvisionedThroughput should not be specified for index: %s when BillingMode is "+
			"PAY_PER_REQUEST", *in.IndexName)
	case !d.OnDemand && p == nil:
		return x, invalidParameter("ProvisionedThroughput must be specified for index: %s", *in.IndexName)
	case p != nil:
		if err := p.check(); err != nil {
			return x, err
		}
	}
	return d.newIndex(in, keys, "g"+shortID(), taken)
}

// newIndex checks the projection and the name.
func (d *definition) newIndex(in *indexInput, keys []keyElement, short string,
	taken map[string]bool) (x indexDefinition,
	_ error) {
	x = indexDefinition{IndexName: *in.IndexName, Short: short, KeySchema: keys, MaxOnDemand: in.OnDemandThroughput}
	kind, names := in.Projection.ProjectionType, in.Projection.NonKeyAttributes
	switch {
	case kind == nil:
		return x, invalidParameter("Unknown ProjectionType: null")
	case names != nil && *kind != "INCLUDE":
		return x, invalidParameter("ProjectionType is %s, but NonKeyAttributes is specified", *kind)
	case names == nil && *kind == "INCLUDE":
		return x, invalidParameter("ProjectionType is INCLUDE, but NonKeyAttributes is not specified")
	case taken[x.IndexName]:
		return x, invalidParameter("Duplicate index name: %s", x.IndexName)
	}
	taken[x.IndexName] = true
	x.Projection = projection{*kind, deref(names)}
	if p := in.ProvisionedThroughput; p != nil {
		x.Throughput = throughput{*p.ReadCapacityUnits, *p.WriteCapacityUnits}
	}
	return x, nil
}

// checkUse refuses attributes that are defined and no key.
func (d *definition) checkUse() error {
	used := map[string]bool{}
	for _, keys := range append([][]keyElement{d.KeySchema}, d.indexKeys()...) {
		for _, key := range keys {
			used[key.AttributeName] = true
		}
	}
	if len(used) == len(d.AttributeDefinitions) {
		return nil
	}
	if len(d.Local)+len(d.Global) == 0 {
		return invalidParameter("Number of attributes in KeySchema does not exactly match number of attributes " +
			"defined " +
			"in AttributeDefinitions")
	}
	var defined []string
	for _, a := range d.AttributeDefinitions {
		defined = append(defined, a.AttributeName)
	}
	return invalidParameter("Some AttributeDefinitions are not used. AttributeDefinitions: [%s], keys used: [%s]",
		strings.Join(defined, ", "), strings.Join(d.usedInOrder(), ", "))
}

func (d *definition) indexKeys() (all [][]keyElement) {
	for _, x := range append(slices.Clone(d.Local), d.Global...) {
		all = append(all, x.KeySchema)
	}
	return all
}

func (d *definition) usedInOrder() (names []string) {
	for _, keys := range append([][]keyElement{d.KeySchema}, d.indexKeys()...) {
		for _, key := range keys {
			if !slices.Contains(names, key.AttributeName) {
				names = append(names, key.AttributeName)
			}
		}
	}
	return names
}

// freshShort returns letters for a table that no table of the account has.
func (a *Account) freshShort() string {
	for {
		short := shortID()
		taken := false
		for _, t := range a.tables {
			taken = taken || t.Short == short
		}
		if !taken {
			return short
		}
	}
}

func shortID() string { return strings.ToLower(rand.Text()[:6]) }

func uuid() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
