package dynamodb

import (
	"slices"
)

// updateTable is UpdateTable. Indexes are filled before the answer is written.
func updateTable(c *call) error {
	var in tableInput
	if err := decode(c.body, &in); err != nil {
		return err
	}
	var found checks
	if err := found.tableName(in.TableName); err != nil {
		return err
	}
	found.attributes(in.AttributeDefinitions, false)
	found.billing(&in)
	for i, u := range in.GlobalSecondaryIndexUpdates {
		at := "globalSecondaryIndexUpdates." + itoa(i+1) + ".member."
		if u.Create != nil {
			found.index(u.Create, at+"create")
		}
		if u.Update != nil {
			found.throughput(u.Update.ProvisionedThroughput, at+"update.provisionedThroughput")
		}
		for where, name := range u.names() {
			if name == nil {
				found.missing(at + where + ".indexName")
			} else if where != "create" {
				found.name(*name, at+where+".indexName")
			}
		}
	}
	if p := found.problem(); p != nil {
		return p
	}
	if err := in.checkUpdate(); err != nil {
		return err
	}
	t, err := c.tableOf(in.TableName)
	if err != nil {
		return err
	}
	return c.account.update(c, t, &in)
}

// names returns the index names of an update by their members.
func (u indexUpdateInput) names() map[string]*string {
	names := map[string]*string{}
	if u.Create != nil && u.Create.IndexName != nil {
		names["create"] = u.Create.IndexName
	}
	if u.Update != nil {
		names["update"] = u.Update.IndexName
	}
	if u.Delete != nil {
		names["delete"] = u.Delete.IndexName
	}
	return names
}

// checkUpdate checks what can be known without the table.
func (in *tableInput) checkUpdate() error {
	if in.ProvisionedThroughput == nil && in.BillingMode == nil && len(in.GlobalSecondaryIndexUpdates) == 0 &&
		in.StreamSpecification == nil && in.SSESpecification == nil && in.DeletionProtectionEnabled == nil &&
		in.TableClass == nil && in.OnDemandThroughput == nil {
		return invalid("At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, " +
			"GlobalSecondaryIndexUpdates or SSESpecification or ReplicaUpdates is required")
	}
	switch mode := text(in.BillingMode, ""); {
	case mode == "PROVISIONED" && in.ProvisionedThroughput == nil:
		return invalidParameter("ProvisionedThroughput must be specified when BillingMode is PROVISIONED")
	case mode == "PAY_PER_REQUEST" && in.ProvisionedThroughput != nil:
		return invalidParameter("Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode " +
			"is PAY_PER_REQUEST")
	case in.ProvisionedThroughput != nil:
		if err := in.ProvisionedThroughput.check(); err != nil {
			return err
		}
	}
	if err := in.checkStream(); err != nil {
		return err
	}
	seen := map[string]bool{}
	for _, u := range in.GlobalSecondaryIndexUpdates {
		names := u.names()
		if len(names) == 0 {
			return invalidParameter("One of GlobalSecondaryIndexUpdate.Update, GlobalSecondaryIndexUpdate.Create, " +
				"GlobalSecondaryIndexUpdate.Delete must not be null")
		}
		for _, name := range names {
			if seen[*name] {
				return invalidParameter("Only one global secondary index update per index is allowed simultaneously. "+
					"Index: %s", *name)
			}
			seen[*name] = true
		}
	}
	return nil
}

// update changes a table.
func (a *Account) update(c *call, t *table, in *tableInput) error {
	d := t.definition
	d.Global = slices.Clone(d.Global)
	d.Streams = slices.Clone(d.Streams)
	if err := in.updateThroughput(a, &d); err != nil {
		return err
	}
	created, deleted, err := in.updateIndexes(&d)
	if err != nil {
		return err
	}
	if err := in.updateStream(a, &d); err != nil {
		return err
	}
	in.settings(&d)
	b := a.engine.NewBatch()
	defer b.Discard()
	for _, short := range deleted {
		lower, upper := a.space.Data().Range(keyItems, t.Short, short)
		if err := b.DeleteRange(lower, upper); err != nil {
			return err
		}
	}
	next, err := a.store(b, d, t)
	if err != nil {
		return err
	}
	if err := a.backfill(next, created); err != nil {
		return err
	}
	description := a.description(next, "UPDATING")
	for i := range description.GlobalSecondaryIndexes {
		if slices.Contains(created, description.GlobalSecondaryIndexes[i].IndexName) {
			description.GlobalSecondaryIndexes[i].IndexStatus = "CREATING"
		}
	}
	return c.describe("TableDescription", description)
}

func (in *tableInput) updateThroughput(a *Account, d *definition) error {
	if in.BillingMode != nil && *in.BillingMode == "PAY_PER_REQUEST" {
		if !d.OnDemand {
			d.OnDemand, d.SwitchedToOnDemand, d.Throughput = true, a.Now(), throughput{}
			for i := range d.Global {
				d.Global[i].Throughput = throughput{}
			}
		}
		return nil
	}
	p := in.ProvisionedThroughput
	if p == nil {
		return nil
	}
	if d.OnDemand && in.BillingMode == nil {
		return invalidParameter("Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode " +
			"is PAY_PER_REQUEST")
	}
	next := throughput{*p.ReadCapacityUnits, *p.WriteCapacityUnits}
	if !d.OnDemand && next == d.Throughput {
		return next.unchanged("table", "")
	}
	if next.ReadCapacityUnits > d.Throughput.ReadCapacityUnits ||
		next.WriteCapacityUnits > d.Throughput.WriteCapacityUnits {
		d.Increased = a.Now()
	} else {
		d.Decreased = a.Now()
	}
	d.OnDemand, d.Throughput = false, next
	return nil
}

// unchanged is the problem of a table or an index that has this throughput already.
func (p throughput) unchanged(what, name string) error {
	return invalid("The provisioned throughput for the %[1]s%[2]s will not change. The requested value equals the "+
		"current value. Current ReadCapacityUnits provisioned for the %[1]s: %[3]d. Requested ReadCapacityUnits: "+
		"%[3]d. Current WriteCapacityUnits provisioned for the %[1]s: %[4]d. Requested WriteCapacityUnits: %[4]d. "+
		"Refer to the Amazon DynamoDB Developer Guide for current limits and how to request higher limits.",
		what, name, p.ReadCapacityUnits, p.WriteCapacityUnits)
}

// updateIndexes returns the names of the indexes that are new, and the short names of those that are gone.
func (in *tableInput) updateIndexes(d *definition) (created, deleted []string, _ error) {
	for _, given := range deref(in.AttributeDefinitions) {
		next := attributeDefinition{*given.AttributeName, *given.AttributeType}
		i := slices.IndexFunc(d.AttributeDefinitions, func(a attributeDefinition) bool {
			return a.AttributeName == next.AttributeName
		})
		switch {
		case i < 0:
			d.AttributeDefinitions = append(slices.Clone(d.AttributeDefinitions), next)
		case d.AttributeDefinitions[i] != next:
			return nil, nil, invalidParameter("Attributes cannot be redefined. Please check that your attribute " +
				"has the same type as previously defined.")
		}
	}
	taken := map[string]bool{}
	for _, x := range append(slices.Clone(d.Global), d.Local...) {
		taken[x.IndexName] = true
	}
	for _, u := range in.GlobalSecondaryIndexUpdates {
		switch {
		case u.Create != nil:
			if len(created)+len(deleted) > 0 {
				return nil, nil, tooManyIndexes()
			}
			x, err := d.newGlobal(u.Create, taken)
			if err != nil {
				return nil, nil, err
			}
			if len(d.Global) == maxGlobal {
				return nil, nil, invalidParameter("GlobalSecondaryIndex count exceeds the per-table limit of %d",
					maxGlobal)
			}
			d.Global = append(d.Global, x)
			created = append(created, x.IndexName)
		case u.Delete != nil:
			i, err := d.global(*u.Delete.IndexName)
			if err != nil {
				return nil, nil, err
			}
			if len(created)+len(deleted) > 0 {
				return nil, nil, tooManyIndexes()
			}
			deleted = append(deleted, d.Global[i].Short)
			d.Global = slices.Delete(d.Global, i, i+1)
		case u.Update != nil:
			if err := d.updateIndex(u.Update); err != nil {
				return nil, nil, err
			}
		}
	}
	d.forgetAttributes()
	return created, deleted, nil
}

func tooManyIndexes() error {
	return refuse(kindLimit, "Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously "+
		"per table")
}

func (d *definition) global(name string) (int, error) {
	i := slices.IndexFunc(d.Global, func(x indexDefinition) bool { return x.IndexName == name })
	if i < 0 {
		return 0, tableNotFound()
	}
	return i, nil
}

func (d *definition) updateIndex(in *indexInput) error {
	i, err := d.global(*in.IndexName)
	if err != nil {
		return err
	}
	if p := in.ProvisionedThroughput; p != nil {
		if d.OnDemand {
			return invalidParameter("ProvisionedThroughput should not be specified for index: %s when BillingMode is "+
				"PAY_PER_REQUEST", *in.IndexName)
		}
		if err := p.check(); err != nil {
			return err
		}
		next := throughput{*p.ReadCapacityUnits, *p.WriteCapacityUnits}
		if d.Global[i].Throughput == next {
			return next.unchanged("index", " "+*in.IndexName)
		}
		d.Global[i].Throughput = next
	}
	if in.OnDemandThroughput != nil {
		d.Global[i].MaxOnDemand = in.OnDemandThroughput
	}
	return nil
}

// forgetAttributes drops the definitions of attributes that are no longer keys of anything.
func (d *definition) forgetAttributes() {
	used := d.usedInOrder()
	d.AttributeDefinitions = slices.DeleteFunc(slices.Clone(d.AttributeDefinitions), func(a attributeDefinition) bool {
		return !slices.Contains(used, a.AttributeName)
	})
}

func (in *tableInput) updateStream(a *Account, d *definition) error {
	s := in.StreamSpecification
	if s == nil {
		return nil
	}
	n := len(d.Streams)
	enabled := n > 0 && d.Streams[n-1].Enabled
	switch {
	case *s.StreamEnabled && enabled:
		return invalid("Table already has an enabled stream: TableName: %s", d.TableName)
	case !*s.StreamEnabled && !enabled:
		return invalid("Table has no stream to disable: TableName: %s", d.TableName)
	case !*s.StreamEnabled:
		d.Streams[n-1].Enabled = false
		d.Streams[n-1].Ended = a.Now()
	default:
		a.startStream(d, s)
	}
	return nil
}
