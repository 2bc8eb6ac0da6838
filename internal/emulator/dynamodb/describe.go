package dynamodb

// What is described and is the same for all accounts.

// describeEndpoints answers with an address that clients of AWS's endpoint discovery would use; the SDKs ask for it
// only when told to.
func describeEndpoints(c *call) error {
	type endpoint struct {
		Address              string
		CachePeriodInMinutes int
	}
	return c.json(map[string]any{"Endpoints": []endpoint{{"dynamodb." + c.account.id.region + ".amazonaws.com", 1440}}})
}

// describeLimits answers with the default quotas (Developer Guide, "Quotas in Amazon DynamoDB").
func describeLimits(c *call) error {
	return c.json(map[string]int64{"AccountMaxReadCapacityUnits": 80000, "AccountMaxWriteCapacityUnits": 80000,
		"TableMaxReadCapacityUnits": 40000, "TableMaxWriteCapacityUnits": 40000})
}

func describeBackups(c *call) error {
	var in struct{ TableName *string }
	if err := decode(c.body, &in); err != nil {
		return err
	}
	t, err := c.backedUp(in.TableName)
	if err != nil {
		return err
	}
	return c.backups(t)
}

// updateBackups switches point-in-time recovery, which is described and does nothing else.
func updateBackups(c *call) error {
	var in struct {
		TableName                        *string
		PointInTimeRecoverySpecification *struct{ PointInTimeRecoveryEnabled *bool }
	}
	if err := decode(c.body, &in); err != nil {
		return err
	}
	var found checks
	if in.PointInTimeRecoverySpecification == nil {
		found.missing("pointInTimeRecoverySpecification")
	} else if in.PointInTimeRecoverySpecification.PointInTimeRecoveryEnabled == nil {
		found.missing("pointInTimeRecoverySpecification.pointInTimeRecoveryEnabled")
	}
	if p := found.problem(); p != nil {
		return p
	}
	t, err := c.backedUp(in.TableName)
	if err != nil {
		return err
	}
	d := t.definition
	d.Recovery, d.RecoverySince = *in.PointInTimeRecoverySpecification.PointInTimeRecoveryEnabled, c.account.Now()
	if err := c.change(d, t); err != nil {
		return err
	}
	return c.backups(c.account.tables[d.TableName])
}

func (c *call) backedUp(name *string) (*table, error) {
	t, err := c.tableOf(name)
	if p := problemOf(err); p != nil && p.kind == kindNotFound {
		return nil, refuse(modelled+"TableNotFoundException", "Table not found: %s", tableNameOf(*name))
	}
	return t, err
}

func (c *call) backups(t *table) error {
	type recovery struct {
		PointInTimeRecoveryStatus  string
		RecoveryPeriodInDays       int     `json:",omitempty"`
		EarliestRestorableDateTime seconds `json:",omitempty"`
		LatestRestorableDateTime   seconds `json:",omitempty"`
	}
	r := recovery{PointInTimeRecoveryStatus: "DISABLED"}
	if t.Recovery {
		r = recovery{"ENABLED", 35, secondsOf(t.RecoverySince), secondsOf(c.account.Now())}
	}
	return c.describe("ContinuousBackupsDescription", map[string]any{"ContinuousBackupsStatus": "ENABLED",
		"PointInTimeRecoveryDescription": r})
}
