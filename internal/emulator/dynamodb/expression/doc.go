// Package expression has DynamoDB's expressions (condition, filter, key condition, projection, update), and the legacy
// parameters that were there before them, as one parsed and evaluated form.
//
// # What to open first
//
// Input (input.go) has all parameters of one request. Its checks run in DynamoDB's order, with the service's own
// checks in between:
//
//	err := in.CheckUse()        // expressions and legacy parameters are not mixed
//	err = in.CheckLegacy()      // Expected, AttributeUpdates, QueryFilter, ScanFilter, AttributesToGet
//	parsed, err := in.Parse()   // placeholders, then each expression, then what is unused
//	ok := parsed.Condition.Match(item)
//	item, err = parsed.Update.Apply(item)
//	keys, err := parsed.Key.Resolve(schema)
//
// # What it follows
//
// The Amazon DynamoDB Developer Guide ("Expressions reference", "Legacy conditional parameters", "Reserved words") and
// the API Reference. The grammar is in the Guide; the messages are those of DynamoDB as it answers.
//
// # What it never does
//
// It knows no store and no HTTP, and it never changes an item it is given. Every error is a value.Problem: the message
// of a ValidationException.
package expression
