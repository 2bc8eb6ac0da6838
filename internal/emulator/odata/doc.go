// Package odata parses the $filter of Azure Tables queries, a part of OData 3: a lexer and a Pratt parser build a small
// tree from it.
//
// It has two uses: to classify a query that a server sends by the keys it is bound to, and to answer one in the
// emulator. The package itself evaluates nothing, knows no table, and never repeats a filter's constants in an error:
// constants are people's data.
//
// Open [ParseFilter] first (filter_parse.go, on top of filter_lex.go); filter.go has the tree, filter_keys.go the keys
// that a filter binds.
package odata
