package expression

import "github.com/storespec/storespec/internal/emulator/dynamodb/value"

// ReadConditions reads KeyConditions, QueryFilter or ScanFilter. It never returns nil without an error.
func ReadConditions(r *value.Reader) (Conditions, error) {
	return readLegacy(r, "Condition", func(c *LegacyCondition, name string) { c.Name = name },
		func(c *LegacyCondition, field string) (err error) {
			switch field {
			case "AttributeValueList":
				c.Values, err = r.Values()
			case "ComparisonOperator":
				c.Operator, err = r.String()
			default:
				err = r.Skip()
			}
			return err
		})
}

// ReadExpected reads Expected. It never returns nil without an error.
func ReadExpected(r *value.Reader) (Expectations, error) {
	return readLegacy(r, "ExpectedAttributeValue", func(e *Expectation, name string) { e.Name = name },
		func(e *Expectation, field string) (err error) {
			switch field {
			case "AttributeValueList":
				e.Values, err = r.Values()
			case "ComparisonOperator":
				e.Operator, err = pointer(r.String())
			case "Exists":
				e.Exists, err = pointer(r.Bool())
			case "Value":
				e.Value, err = pointer(r.Value())
			default:
				err = r.Skip()
			}
			return err
		})
}

// ReadUpdates reads AttributeUpdates. It never returns nil without an error.
func ReadUpdates(r *value.Reader) (Updates, error) {
	return readLegacy(r, "AttributeValueUpdate", func(u *LegacyUpdate, name string) { u.Name = name },
		func(u *LegacyUpdate, field string) (err error) {
			switch field {
			case "Action":
				u.Action, err = pointer(r.String())
			case "Value":
				u.Value, err = pointer(r.Value())
			default:
				err = r.Skip()
			}
			return err
		})
}

// readLegacy reads a map of structures of the type.
func readLegacy[T any](r *value.Reader, typeName string, named func(*T, string),
	read func(one *T, field string) error) ([]T, error) {
	out := []T{}
	err := r.Map(typeName, func(name string) error {
		var one T
		named(&one, name)
		err := r.Element(typeName, func(field string) error { return read(&one, field) })
		out = append(out, one)
		return err
	})
	return out, err
}

func pointer[T any](v T, err error) (*T, error) { return &v, err }
