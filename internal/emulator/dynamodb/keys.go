package dynamodb

import (
	"slices"

	"github.com/storespec/storespec/internal/emulator/dynamodb/expression"
	"github.com/storespec/storespec/internal/emulator/dynamodb/value"
)

// The limits of keys and items (Developer Guide, "Quotas in Amazon DynamoDB").
const (
	maxPartitionKey = 2048
	maxSortKey      = 1024
	maxItem         = 400 << 10
)

func schemaMismatch() error { return invalid("The provided key element does not match the schema") }

// sides are the key attributes of a schema.
type side struct {
	name      string
	kind      value.Kind
	partition bool
}

func sides(s expression.Schema) []side {
	if s.Sort == "" {
		return []side{{s.Partition, s.PartitionKind, true}}
	}
	return []side{{s.Partition, s.PartitionKind, true}, {s.Sort, s.SortKind, false}}
}

// keyOfItem returns the key of a whole item, as PutItem checks it.
func (t *table) keyOfItem(item value.Item) (primaryKey, error) {
	for _, s := range sides(t.schema) {
		v, has := item.Get(s.name)
		if !has {
			return primaryKey{}, invalidParameter("Missing the key %s in the item", s.name)
		}
		if v.Kind != s.kind {
			return primaryKey{}, invalidParameter("Type mismatch for key %s expected: %s actual: %s", s.name, s.kind,
				v.Kind)
		}
		if err := checkKeyValue(s, v); err != nil {
			return primaryKey{}, err
		}
	}
	if err := t.checkIndexKeys(item, false); err != nil {
		return primaryKey{}, err
	}
	key, _ := keyIn(t.schema, item)
	return key, nil
}

// lookup returns the key that a member Key is.
func (t *table) lookup(given value.Item) (primaryKey, error) {
	all := sides(t.schema)
	if len(given) != len(all) {
		return primaryKey{}, schemaMismatch()
	}
	for _, s := range all {
		v, has := given.Get(s.name)
		if !has || v.Kind != s.kind {
			return primaryKey{}, schemaMismatch()
		}
		if err := checkKeyValue(s, v); err != nil {
			return primaryKey{}, err
		}
	}
	key, _ := keyIn(t.schema, given)
	return key, nil
}

// emptyKind is the word for an empty value of a kind; "": it is not empty.
func emptyKind(v value.Value) string {
	switch {
	case v.Text != "":
	case v.Kind == value.S:
		return "string"
	case v.Kind == value.B:
		return "binary"
	}
	return ""
}

func checkKeyValue(s side, v value.Value) error {
	if word := emptyKind(v); word != "" {
		return invalid("One or more parameter values are not valid. The AttributeValue for a key attribute "+
			"cannot contain an empty %s value. Key: %s", word, s.name)
	}
	return checkKeySize(s, v)
}

func checkKeySize(s side, v value.Value) error {
	switch {
	case v.Kind == value.N:
	case s.partition && len(v.Text) > maxPartitionKey:
		return invalidParameter("Size of hashkey has exceeded the maximum size limit of2048 bytes")
	case !s.partition && len(v.Text) > maxSortKey:
		return invalidParameter("Aggregated size of all range keys has exceeded the size limit of 1024 bytes")
	}
	return nil
}

func indexMismatch(x *index, s side, actual value.Kind) error {
	return invalidParameter("Type mismatch for Index Key %s Expected: %s Actual: %s IndexName: %s", s.name, s.kind,
		actual, x.IndexName)
}

// checkIndexKeys checks the attributes of an item that are keys of indexes; updated: an update has made the item.
func (t *table) checkIndexKeys(item value.Item, updated bool) error {
	for _, x := range t.indexes {
		for _, s := range sides(x.schema) {
			v, has := item.Get(s.name)
			if !has {
				continue
			}
			switch word := emptyKind(v); {
			case v.Kind != s.kind && updated:
				return invalid("The update expression attempted to update the secondary index key to unsupported type")
			case v.Kind != s.kind:
				return indexMismatch(x, s, v.Kind)
			case word != "" && updated:
				return invalid("One or more parameter values are not valid. The update expression attempted to "+
					"update a secondary index key to a value that is not supported. The AttributeValue for a key "+
					"attribute cannot contain an empty %s value.", word)
			case word != "":
				return invalid("One or more parameter values are not valid. A value specified for a secondary "+
					"index key is not supported. The AttributeValue for a key attribute cannot contain an empty %s "+
					"value. IndexName: %s, IndexKey: %s", word, x.IndexName, s.name)
			}
			if err := checkKeySize(s, v); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkUpdate checks the actions of an update against the keys of the table and of its indexes.
func (t *table) checkUpdate(u *expression.Update) error {
	for _, action := range u.Actions() {
		if len(action.Path) == 0 {
			continue
		}
		name := action.Path[0].Name
		if name == t.schema.Partition || name == t.schema.Sort && name != "" {
			return invalidParameter("Cannot update attribute %s. This attribute is part of the key", name)
		}
	}
	if err := t.checkNested(u.Nested()); err != nil {
		return err
	}
	for _, action := range u.Actions() {
		if action.Verb != expression.Set || action.Kind == value.Invalid || len(action.Path) != 1 {
			continue
		}
		for _, x := range t.indexes {
			for _, s := range sides(x.schema) {
				if s.name == action.Path[0].Name && s.kind != action.Kind {
					return indexMismatch(x, s, action.Kind)
				}
			}
		}
	}
	return nil
}

// checkNested refuses paths below key attributes.
func (t *table) checkNested(names []string) error {
	for _, name := range names {
		is := func(s side) bool { return s.name == name }
		what := ""
		if slices.ContainsFunc(sides(t.schema), is) {
			what = "Key"
		} else if slices.ContainsFunc(t.indexes, func(x *index) bool {
			return slices.ContainsFunc(sides(x.schema), is)
		}) {
			what = "IndexKey"
		}
		if what != "" {
			return invalid("Key attributes must be scalars; list random access '[]' and map lookup '.' are not "+
				"allowed: %s: %s", what, name)
		}
	}
	return nil
}
