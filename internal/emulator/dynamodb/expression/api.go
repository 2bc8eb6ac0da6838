package expression

import "github.com/storespec/storespec/internal/emulator/dynamodb/value"

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

// Conditions are the legacy parameters KeyConditions, QueryFilter and ScanFilter.
type Conditions []LegacyCondition

// LegacyCondition is a condition on an attribute.
type LegacyCondition struct {
	Name     string
	Operator string // EQ, NE, LE, LT, GE, GT, NOT_NULL, NULL, CONTAINS, NOT_CONTAINS, BEGINS_WITH, IN, BETWEEN; "": absent
	Values   []value.Value
}

// Expectations are the legacy parameter Expected.
type Expectations []Expectation

// Expectation is what Expected says about an attribute. What it does not say is nil.
type Expectation struct {
	Name     string
	Operator *string
	Values   []value.Value // AttributeValueList
	Value    *value.Value
	Exists   *bool
}

// Updates are the legacy parameter AttributeUpdates.
type Updates []LegacyUpdate

// LegacyUpdate is an update of an attribute.
type LegacyUpdate struct {
	Name   string
	Action *string // PUT, ADD, DELETE; nil: PUT
	Value  *value.Value
}

// ReadConditions reads KeyConditions, QueryFilter or ScanFilter.
func ReadConditions(r *value.Reader) (Conditions, error) { panic("todo") }

// ReadExpected reads Expected.
func ReadExpected(r *value.Reader) (Expectations, error) { panic("todo") }

// ReadUpdates reads AttributeUpdates.
func ReadUpdates(r *value.Reader) (Updates, error) { panic("todo") }

// CheckUse checks that expressions and legacy parameters are not mixed, and that placeholders come with an expression.
func (in *Input) CheckUse() error { panic("todo") }

// CheckLegacy checks the legacy parameters other than KeyConditions.
func (in *Input) CheckLegacy() error { panic("todo") }

// Parse checks the placeholders and parses the expressions, in DynamoDB's order, and converts the legacy parameters.
func (in *Input) Parse() (Parsed, error) { panic("todo") }

// Parsed is what a request's parameters say. What it does not have is nil; all methods take nil receivers.
type Parsed struct {
	Projection *Projection
	Filter     *Condition
	Key        *KeyCondition
	Condition  *Condition
	Update     *Update
}

// Path is a document path: a name, then names and indexes.
type Path []Step

// Step is a step of a path: a name or, if Name is "" and Index is not negative, an index of a list.
type Step struct {
	Name  string
	Index int // -1: a name
}

// Find returns what the path leads to in the item, and whether it is there.
func (p Path) Find(item value.Item) (value.Value, bool) { panic("todo") }

// Condition is a condition or filter. The nil Condition matches everything.
type Condition struct{}

// Match evaluates the condition; a nil item is one that does not exist.
func (c *Condition) Match(item value.Item) bool { panic("todo") }

// Heads returns the names of the top-level attributes that the condition reads.
func (c *Condition) Heads() []string { panic("todo") }

// Nested returns those of the Heads which have a path below them.
func (c *Condition) Nested() []string { panic("todo") }

// Projection selects attributes. The nil Projection selects all.
type Projection struct{}

// Apply returns the selected part of the item.
func (p *Projection) Apply(item value.Item) value.Item { panic("todo") }

// Heads returns the names of the top-level attributes that are selected, wholly or in part.
func (p *Projection) Heads() []string { panic("todo") }

// Nested returns those of the Heads which are selected in part.
func (p *Projection) Nested() []string { panic("todo") }

// Update is an update of an item.
type Update struct{}

// Apply returns the updated item; old is nil, or the key's attributes, if there is no item yet. The service
// must pass an item that has its key, and must have checked the Actions against it.
func (u *Update) Apply(old value.Item) (value.Item, error) { panic("todo") }

// Select returns the part of the item that the update names: UPDATED_OLD of the old item, UPDATED_NEW of the new one.
func (u *Update) Select(item value.Item) value.Item { panic("todo") }

// Actions returns the update's actions, for checks against the table's keys.
func (u *Update) Actions() []Action { panic("todo") }

// Nested returns the names of the top-level attributes that have a path below them in the update.
func (u *Update) Nested() []string { panic("todo") }

// Action is one action of an update.
type Action struct {
	Verb string // SET, REMOVE, ADD, DELETE
	Path Path
	// Kind is the type of the value if the expression alone decides it (a placeholder, +, list_append …), else Invalid.
	Kind value.Kind
}

// KeyCondition is a parsed KeyConditionExpression, or KeyConditions, before the table's schema is known.
type KeyCondition struct{}

// Schema is the key schema of a table or of an index.
type Schema struct {
	Partition, Sort         string // Sort is "" if there is no sort key
	PartitionKind, SortKind value.Kind
}

// Resolve checks the condition against the schema and returns the range of keys it means.
func (k *KeyCondition) Resolve(schema Schema) (KeyRange, error) { panic("todo") }

// Operator is the operator of a condition on a sort key.
type Operator uint8

// The operators; Any means that the sort key has no condition.
const (
	Any Operator = iota
	Equal
	Less
	LessEqual
	Greater
	GreaterEqual
	Between
	BeginsWith
)

// KeyRange is a range of keys in a partition.
type KeyRange struct {
	Partition value.Value
	Sort      Operator
	Low, High value.Value // operands; High only with Between
}

// Match says whether a sort key is in the range.
func (r KeyRange) Match(sort value.Value) bool { panic("todo") }

// Bounds returns the range as keys made by value.AppendKey: from lower, inclusive, to upper, exclusive. An upper bound
// that is not there is bounded = false (lower is "" then if it is not there). Empty ranges have lower >= upper.
func (r KeyRange) Bounds() (lower, upper string, bounded bool) { panic("todo") }
