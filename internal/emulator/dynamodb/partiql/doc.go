// Package partiql parses the PartiQL statements that DynamoDB takes: SELECT, INSERT, UPDATE and DELETE on items, and
// EXISTS in transactions. What it returns is in the terms of package expression.
//
// # What to open first
//
// Parse (statement.go) makes a Statement of a text. Statement.Lookup says which keys its WHERE clause needs, so that
// the service can choose between getting an item, a query and a scan; Statement.Key is for writes. Then:
//
//   - lex.go, parser.go: tokens, paths, names of tables; the messages
//   - literal.go: values; where.go: conditions; update.go: SET and REMOVE
//
// # What it follows
//
// The Amazon DynamoDB Developer Guide, "PartiQL - a SQL-compatible query language for Amazon DynamoDB".
//
// # What it never does
//
// It knows no store and no HTTP. Every error is a value.Problem: the message of a ValidationException.
package partiql
