package tables

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"math"
	"time"

	"github.com/storespec/storespec/internal/emulator/odata"
)

// truth is the result of a filter for an entity. A missing property makes a comparison neither true nor false, and a
// negation does not change that, so it matches nothing.
type truth int8

const (
	isFalse truth = iota
	isTrue
	unknown
)

// entity is an entity as read from the engine.
type entity struct {
	partition, row []byte
	stored         []byte
}

// value returns a property, or false if the entity does not have it.
func (e *entity) value(name string) (value, bool) {
	switch name {
	case partitionKey:
		return value{edmString, e.partition}, true
	case rowKey:
		return value{edmString, e.row}, true
	case timestampProperty:
		return value{edmDateTime, e.stored[:timestampSize]}, true
	}
	return property(e.stored, name)
}

// predicate is a filter compiled for use with many entities.
type predicate interface{ of(*entity) truth }

type (
	junction struct {
		decisive truth // isFalse for and: one false operand decides; isTrue for or
		operands []predicate
	}
	negation   struct{ operand predicate }
	flag       string // a boolean property on its own
	constant   truth
	comparison struct {
		property string
		operator odata.Operator
		value    value
	}
)

// newPredicate compiles a filter's expression; nil for nil, which matches everything.
func newPredicate(e odata.Expr) predicate {
	switch e := e.(type) {
	case odata.And:
		return junction{isFalse, newPredicates(e)}
	case odata.Or:
		return junction{isTrue, newPredicates(e)}
	case odata.Not:
		return negation{newPredicate(e.Operand)}
	case odata.Property:
		return flag(e)
	case odata.Constant:
		return constant(truthOf(bool(e)))
	case odata.Comparison:
		return comparison{e.Property, e.Operator, constantOf(e.Value)}
	}
	return nil
}

func newPredicates(list []odata.Expr) []predicate {
	made := make([]predicate, len(list))
	for i, e := range list {
		made[i] = newPredicate(e)
	}
	return made
}

// constantOf converts a constant to the form of stored values.
func constantOf(l odata.Literal) value {
	switch v := l.Value.(type) {
	case string:
		return value{edmString, []byte(v)}
	case bool:
		b := []byte{0}
		if v {
			b[0] = 1
		}
		return value{edmBoolean, b}
	case int32:
		return value{edmInt32, binary.BigEndian.AppendUint32(nil, uint32(v))}
	case int64:
		return value{edmInt64, binary.BigEndian.AppendUint64(nil, uint64(v))}
	case float64:
		return value{edmDouble, binary.BigEndian.AppendUint64(nil, math.Float64bits(v))}
	case time.Time:
		return value{edmDateTime, binary.BigEndian.AppendUint64(nil, uint64(ticksOf(v)))}
	case odata.GUID:
		return value{edmGUID, v[:]}
	case []byte:
		return value{edmBinary, v}
	}
	return value{}
}

func (j junction) of(e *entity) truth {
	result := j.decisive.not()
	for _, p := range j.operands {
		switch p.of(e) {
		case j.decisive:
			return j.decisive
		case unknown:
			result = unknown
		}
	}
	return result
}

func (t truth) not() truth {
	switch t {
	case isTrue:
		return isFalse
	case isFalse:
		return isTrue
	}
	return unknown
}

func truthOf(holds bool) truth {
	if holds {
		return isTrue
	}
	return isFalse
}

func (n negation) of(e *entity) truth { return n.operand.of(e).not() }

func (c constant) of(*entity) truth { return truth(c) }

func (f flag) of(e *entity) truth {
	v, ok := e.value(string(f))
	if !ok {
		return unknown
	}
	return truthOf(v.typ == edmBoolean && v.bool())
}

func (c comparison) of(e *entity) truth {
	v, ok := e.value(c.property)
	if !ok {
		return unknown
	}
	order, comparable := compare(v, c.value)
	if !comparable {
		return truthOf(c.operator == odata.Ne)
	}
	switch c.operator {
	case odata.Eq:
		return truthOf(order == 0)
	case odata.Ne:
		return truthOf(order != 0)
	case odata.Gt:
		return truthOf(order > 0)
	case odata.Ge:
		return truthOf(order >= 0)
	case odata.Lt:
		return truthOf(order < 0)
	}
	return truthOf(order <= 0)
}

// compare orders two values of one type, or two numbers. Values of different types have no order and are not equal.
func compare(a, b value) (order int, comparable bool) {
	if a.typ == b.typ {
		switch a.typ {
		case edmString, edmBinary, edmGUID, edmBoolean, edmDateTime: // DateTime is never negative
			return bytes.Compare(a.data, b.data), true
		case edmInt32, edmInt64:
			return cmp.Compare(a.integer(), b.integer()), true
		}
	}
	if !a.isNumber() || !b.isNumber() {
		return 0, false
	}
	if a.typ != edmDouble && b.typ != edmDouble {
		return cmp.Compare(a.integer(), b.integer()), true
	}
	x, y := a.number(), b.number()
	return cmp.Compare(x, y), !math.IsNaN(x) && !math.IsNaN(y)
}

func (v value) isNumber() bool { return v.typ == edmInt32 || v.typ == edmInt64 || v.typ == edmDouble }

func (v value) integer() int64 {
	if v.typ == edmInt32 {
		return int64(v.int32())
	}
	return v.int64()
}

func (v value) number() float64 {
	if v.typ == edmDouble {
		return v.double()
	}
	return float64(v.integer())
}
