package store

import (
	"context"
	"time"
)

// Rows is the harness's own access to the rows of a namespace: directly in the store, never recorded. A key has its
// outermost part first. If the store gives no answer, the errors wrap ErrUnavailable.
type Rows interface {
	// Get reads one row; nil if it does not exist.
	Get(ctx context.Context, resource string, key []string) (Row, error)
	// List reads, in key order, the rows whose keys start with key; all if key is empty.
	List(ctx context.Context, resource string, key []string) ([]Row, error)
	// Put writes a whole row, replacing any existing one. It creates the resource if it is missing: a scenario may add
	// rows before the target has provisioned anything.
	Put(ctx context.Context, resource string, key []string, row Row) error
	// Resources returns the names of the resources that contain rows.
	Resources(ctx context.Context) ([]string, error)
	// KeyColumns returns the names of the columns that are the key of a resource's rows, outermost first; none if the
	// resource does not exist.
	KeyColumns(ctx context.Context, resource string) ([]string, error)
}

// Provisioner is Rows whose resources are created from definitions, before anything can be written to them.
type Provisioner interface {
	// Provision creates a resource from its definition, and returns when it can be used. One that exists is left as it
	// is. called returns the name that the namespace has for one in the definition.
	Provision(ctx context.Context, definition []byte, called func(string) string) error
}

// Definer is Rows that know how their resources were defined.
type Definer interface {
	// Definition returns the definition by which Provisioner creates the same resource; nil if it does not exist.
	Definition(ctx context.Context, resource string) ([]byte, error)
}

// Row is the columns of a row by name. It does not include the store's own metadata, except the key and the time of the
// last change if the store has columns for these.
type Row map[string]Value

// Set changes the value of a column. The column keeps its type, if that is not implied by the value.
func (r Row) Set(column string, value any) { r[column] = Value{Is: value, Type: r[column].Type} }

// Value is the value of a column.
type Value struct {
	Is any // a string, a bool or a json.Number, in which 3 and 3.0 differ
	// bool, string, int32, double, or another type the store knows, such as int64. For writing, it may be omitted if Is
	// implies it.
	Type string
}

// Objects is the harness's own access to the objects of a namespace, such as blobs: directly in the store, never
// recorded. If the store gives no answer, the errors wrap ErrUnavailable.
type Objects interface {
	// Get reads an object; nil if it does not exist.
	Get(ctx context.Context, resource, name string) ([]byte, error)
	// List returns the names of all objects; none if the resource does not exist.
	List(ctx context.Context, resource string) ([]string, error)
	// Put writes a whole object, replacing any existing one. It creates the resource if it is missing.
	Put(ctx context.Context, resource, name string, content []byte) error
	// Delete deletes an existing object.
	Delete(ctx context.Context, resource, name string) error
}

// Described is Objects that have properties besides their content, which are texts.
type Described interface {
	// Properties returns the properties of an object that are set, by name; nil if it does not exist.
	Properties(ctx context.Context, resource, name string) (map[string]string, error)
	// SetProperties sets properties of an existing object, or takes those away whose value is "". The others, and its
	// content, stay as they are.
	SetProperties(ctx context.Context, resource, name string, values map[string]string) error
}

// Expiring is Objects that may expire.
type Expiring interface {
	// Expires returns when an object expires, zero for never, and the time of the store's clock. The error says that
	// there is no such object.
	Expires(ctx context.Context, resource, name string) (at, now time.Time, err error)
}

// Simulation is what a store of storespec's own can do that a distant one does by itself.
type Simulation interface {
	// Advance moves the store's clock, on which expiry depends.
	Advance(by time.Duration)
	// Lag lets the given number of calls after a write not see it, missing objects included, where the service answers
	// reads from copies: all objects, or the indexes of tables. 0: every read sees all.
	Lag(calls int)
}

// WriteLimiter is a Simulation of a store that limits how often the same object is written.
type WriteLimiter interface {
	// LimitWrites lets each object take one write a second.
	LimitWrites(limited bool)
}
