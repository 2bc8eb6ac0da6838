// Package odata reads the $filter of Azure Tables queries, a part of OData 3: a lexer and a Pratt
// parser make a small tree of it (filter.go).
//
// Two packages need it: wire, to class a query by the keys it is bound to, and the Azure Tables
// emulator, to evaluate it. The package itself evaluates nothing.
package odata
