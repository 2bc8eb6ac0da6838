package kv

import "github.com/storespec/storespec/internal/wire"

// The classes of calls, the same in all dialects.
const (
	Get        = "get" // a value, or its metadata
	Put        = "put"
	Delete     = "delete"
	List       = "list" // the first page of a list
	Page       = "page" // a later one
	BulkGet    = "bulk get"
	BulkPut    = "bulk put"
	BulkDelete = "bulk delete"

	other = "other" // namespaces themselves
)

// Classes returns the classes that budgets use.
func (Protocol) Classes() []wire.Class {
	write := []string{"write"}
	return []wire.Class{
		{Name: Get, Effect: wire.Reads, Breadth: wire.One},
		{Name: Put, Effect: wire.Writes, Breadth: wire.One, In: write},
		{Name: Delete, Effect: wire.Writes, Breadth: wire.One},
		{Name: List, Effect: wire.Reads, Breadth: wire.Some},
		{Name: Page, Effect: wire.Reads, Breadth: wire.Some},
		{Name: BulkGet, Effect: wire.Reads, Breadth: wire.Some},
		{Name: BulkPut, Effect: wire.Writes, Breadth: wire.Some},
		{Name: BulkDelete, Effect: wire.Writes, Breadth: wire.Some},
	}
}

func classed(call *wire.Call, name string) {
	*call = withClass(*call, name)
}

func withClass(call wire.Call, name string) wire.Call {
	call.Class, call.Effect, call.Breadth = name, wire.Other, wire.Whole
	for _, class := range (Protocol{}).Classes() {
		if class.Name == name {
			call.Effect, call.Breadth = class.Effect, class.Breadth
		}
	}
	if name == List && call.Prefix == "" {
		call.Breadth = wire.Whole
	}
	call.Continues = name == Page
	return call
}
