package wiremutant

import (
	"cmp"
	"fmt"

	"github.com/storespec/storespec/internal/wire"
)

// Kind is a way to be wrong.
type Kind string

// The ways of a server to misuse its store.
const (
	Lost          Kind = "writes lost"
	Unconditional Kind = "condition dropped"
	ReadAdded     Kind = "read added"
	Widened       Kind = "query widened"
	Stale         Kind = "stale read"
	Repeated      Kind = "write repeated"
)

// The ways of a server to answer wrongly.
const (
	Admitted   Kind = "refusal answered as success"
	RowAdded   Kind = "row added"
	FieldTaken Kind = "field taken away"
)

func storageKinds() []Kind { return []Kind{Lost, Unconditional, ReadAdded, Widened, Stale, Repeated} }

// Mutant is one way to be wrong, in one place.
type Mutant struct {
	Kind     Kind         `json:"kind"`
	Service  wire.Service `json:"service,omitempty"`
	Resource string       `json:"resource,omitempty"` // a table or a container
	Route    string       `json:"route,omitempty"`    // such as GET /notes/{id}
	Field    string       `json:"field,omitempty"`    // of the route's answers
}

// clauses say what is wrong, with %s for the resource or the route.
var clauses = map[Kind]string{
	Lost:          "writes to %s are lost",
	Unconditional: "writes to %s ignore their condition",
	ReadAdded:     "each request reads %s once more",
	Widened:       "queries of %s find what their filter excludes",
	Stale:         "reads of %s miss the last write",
	Repeated:      "writes to %s are made twice",
	Admitted:      "%s answers 200 instead of a refusal",
	RowAdded:      "%s lists one row too many",
}

// String says what is wrong with a server that is this mutant, as a clause.
func (m Mutant) String() string {
	if m.Kind == FieldTaken {
		return fmt.Sprintf("%s leaves out %q", m.Route, m.Field)
	}
	return fmt.Sprintf(clauses[m.Kind], cmp.Or(m.Resource, m.Route))
}
