package expression

import "github.com/storespec/storespec/internal/emulator/dynamodb/value"

// ReadConditions reads KeyConditions, QueryFilter or ScanFilter. It never returns nil without an error.
func ReadConditions(r *value.Reader) (Conditions, error) {
	out := Conditions{}
	err := r.Map("Condition", func(name string) error {
		c := LegacyCondition{Name: name}
		err := r.Element("Condition", func(field string) (err error) {
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
		out = append(out, c)
		return err
	})
	return out, err
}

// ReadExpected reads Expected. It never returns nil without an error.
func ReadExpected(r *value.Reader) (Expectations, error) {
	out := Expectations{}
	err := r.Map("ExpectedAttributeValue", func(name string) error {
		e := Expectation{Name: name}
		err := r.Element("ExpectedAttributeValue", func(field string) (err error) {
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
		out = append(out, e)
		return err
	})
	return out, err
}

// ReadUpdates reads AttributeUpdates. It never returns nil without an error.
func ReadUpdates(r *value.Reader) (Updates, error) {
	out := Updates{}
	err := r.Map("AttributeValueUpdate", func(name string) error {
		u := LegacyUpdate{Name: name}
		err := r.Element("AttributeValueUpdate", func(field string) (err error) {
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
		out = append(out, u)
		return err
	})
	return out, err
}

func pointer[T any](v T, err error) (*T, error) { return &v, err }
