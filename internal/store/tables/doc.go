// Package tables is the kind of store "dynamodb": namespaces of DynamoDB tables. Where a store keeps the tables of an
// access key apart from those of others, a lane is an access key; where it does not, a lane is the name of a table.
//
// Open kind.go first: what a target is given. embedded.go is the emulator in this process, dynalite.go and local.go are
// child processes, account.go is a real account. client.go is the harness's own access, on which data.go builds rows,
// and clean.go what a lease begins with.
package tables
