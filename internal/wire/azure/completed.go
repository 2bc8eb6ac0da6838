package azure

import (
	"slices"

	"github.com/storespec/storespec/internal/wire"
)

// Format1 holds what format 1 of event streams says about a call differently from wire.Call. At that time all calls
// were Azure's, and properties implied by their classes were omitted.
type Format1 struct {
	Partition string    `json:"partition"`
	Row       string    `json:"row"`
	Blob      string    `json:"blob"`
	Inner     []Format1 `json:"inner"`
}

// Complete fills in a call read from such a stream, and its inner operations, with what the stream did not express in
// wire.Call's terms.
func (f Format1) Complete(call *wire.Call) {
	inner := slices.Clone(call.Inner)
	*call = Completed(*call)
	call.Guard, call.Inner = wire.Unjudged, inner // streams contain no guards
	if call.Key = keyOf(f.Partition, f.Row); f.Blob != "" {
		call.Key = keyOf(f.Blob)
	}
	for i := range min(len(f.Inner), len(inner)) {
		f.Inner[i].Complete(&inner[i])
	}
}

// Completed returns a call of known service, class and condition with everything that follows from these. The same
// applies to its inner operations.
func Completed(call wire.Call) wire.Call {
	rd := reading{call: call}
	rd.classed(call.Class)
	rd.call.Parts = partsOf(call.Service)
	rd.call.Inner = AllCompleted(call.Inner)
	return rd.call
}

// AllCompleted returns the calls, each completed.
func AllCompleted(calls []wire.Call) []wire.Call {
	var all []wire.Call
	for _, call := range calls {
		all = append(all, Completed(call))
	}
	return all
}
