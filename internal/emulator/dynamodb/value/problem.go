package value

// Problem is a message of DynamoDB's ValidationException. It is an error.
type Problem string

// Error returns the message.
func (p Problem) Error() string { return string(p) }

// Err returns the problem as an error; nil: there is none.
func (p Problem) Err() error {
	if p == "" {
		return nil
	}
	return p
}

// Enveloped returns the problem as PutItem, UpdateItem and DeleteItem answer what they find wrong in a request before
// they look at the table: as the only one of a count of validation errors.
func Enveloped(err error) error {
	if p, ok := err.(Problem); ok { //nolint:errorlint // problems are never wrapped
		return "1 validation error detected: " + p
	}
	return err
}

// Messages about attribute values.
const (
	invalid = "One or more parameter values were invalid: "

	emptyValue = "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"
	manyTypes  = "Supplied AttributeValue has more than one datatypes set, " +
		"must contain exactly one of the supported datatypes"
	nullFalse       = invalid + "Null attribute value types must have the value of true"
	emptyStringSet  = invalid + "An string set  may not be empty" // two spaces, as DynamoDB writes it
	emptyNumberSet  = invalid + "An number set  may not be empty"
	emptyBinarySet  = invalid + "Binary sets should not be empty"
	numberSetTwice  = invalid + "Input collection contains duplicates."
	tooDeep         = "Nesting Levels have exceeded supported limits: " + nestedBeyond
	nestedBeyond    = "Attributes in the item have nested levels beyond supported limit"
	emptyName       = "Empty attribute name"
	longName        = "Attribute name is too large, must be less than 65536 bytes"
	maxNameBytes    = 65535
	maxNestingLevel = 32 // the attribute itself is on level 1
)

// refused returns an Invalid value. The older wording is that of the operations which have not yet moved to
// DynamoDB's newer validation: BatchWriteItem, Scan and the transactions.
func refused(current, older Problem) Value {
	v := Value{Text: string(current), Bool: true}
	if older != current {
		v.List = []Value{{Text: string(older)}}
	}
	return v
}

// Problem returns what DynamoDB has against the value, or nil.
func (v *Value) Problem() error {
	if v.Kind != Invalid {
		return nil
	}
	if v.Text == "" {
		return Problem(emptyValue)
	}
	return Problem(v.Text)
}

// OlderProblem is Problem in the wording of BatchWriteItem, Scan, TransactGetItems and TransactWriteItems.
func (v *Value) OlderProblem() error {
	if v.Kind == Invalid && len(v.List) > 0 {
		return Problem(v.List[0].Text)
	}
	return v.Problem()
}

// Early says of an Invalid value that DynamoDB finds the problem as it reads the request (a number, a set's
// duplicates, nesting), and so does not say in which expression value it is, except in the older wording.
func (v *Value) Early() bool { return v.Kind == Invalid && v.Bool }

// Problem returns the first problem of the item's values, or nil.
func (it Item) Problem() error { return it.first((*Value).Problem) }

// OlderProblem is Problem in the wording of BatchWriteItem, Scan, TransactGetItems and TransactWriteItems.
func (it Item) OlderProblem() error { return it.first((*Value).OlderProblem) }

func (it Item) first(problem func(*Value) error) error {
	for i := range it {
		if err := problem(&it[i].Value); err != nil {
			return err
		}
	}
	return nil
}

// MaxLevels is how many levels an attribute may have: itself, what is in it, and so on (Developer Guide, "Service,
// account, and table quotas": Nested attribute depth).
const MaxLevels = maxNestingLevel

// TooDeep is the problem of a value with more than MaxLevels levels.
const TooDeep Problem = tooDeep

// Levels returns how many levels a value has: 1 if nothing is in it.
func (v *Value) Levels() int {
	deepest := 0
	if v.Kind == L {
		for i := range v.List {
			deepest = max(deepest, v.List[i].Levels())
		}
	}
	for i := range v.Map {
		deepest = max(deepest, v.Map[i].Value.Levels())
	}
	return deepest + 1
}
