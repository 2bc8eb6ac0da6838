// Package value has DynamoDB's attribute values and items: their JSON, their validation messages, numbers of 38 digits,
// comparison, sizes, the order-preserving form of key values, and the stored form of items.
//
// # What to open first
//
// Value and Item (value.go) are the data model. Then:
//
//   - reader.go: a pull parser over a request's body, with Amazon's serialization messages (lex.go: its tokens);
//     attribute.go reads attribute values and items with it, and finds what DynamoDB would refuse in them
//   - problem.go: DynamoDB's validation messages, in their newer and their older wording
//   - write.go: values and items as JSON
//   - number.go: parsing, writing and ordering numbers; arithmetic.go: + and -
//   - compare.go: equality, order, contains, begins_with
//   - key.go: key values as bytes that compare as the values do
//   - size.go: the size of an item as DynamoDB counts it
//   - stored.go: the compact stored form, and its way to JSON without values in between
//
// # What it follows
//
// The Amazon DynamoDB Developer Guide ("Supported data types and naming rules", "DynamoDB item sizes and formats",
// "Service, account, and table quotas") and the API Reference (AttributeValue).
//
// # What it never does
//
// It knows no table, no expression and no HTTP, and it never keeps a reference to a buffer it was given.
package value
