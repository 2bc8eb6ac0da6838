package value

// NewReader returns a reader of a request's body. It copies the body once; what it returns does not refer to it.
func NewReader(body []byte) *Reader { panic("todo") }

// Reader is a pull parser of JSON, made for the bodies of DynamoDB's requests. Its errors are SerializationErrors.
type Reader struct{}

// SerializationError is the message of a SerializationException: the body is not JSON, or a value in it has the wrong
// JSON type.
type SerializationError string

// Error returns the message.
func (e SerializationError) Error() string { return string(e) }

// Object reads the body's object: it calls field for each member, which must read or Skip the member's value. A member
// whose value is null is left out, as if it were absent. End reports what follows the object.
func (r *Reader) Object(field func(name string) error) error { panic("todo") }

// End returns an error if anything but white space follows.
func (r *Reader) End() error { panic("todo") }

// Struct reads a member that is a structure (such as Expected's conditions, ProvisionedThroughput): as Object, with
// the messages that DynamoDB has for the structure's type name, such as "ProvisionedThroughput".
func (r *Reader) Struct(typeName string, field func(name string) error) error { panic("todo") }

// Map reads a member that is a map with values of the type, such as "AttributeValue".
func (r *Reader) Map(typeName string, entry func(key string) error) error { panic("todo") }

// List reads a member that is a list: it calls element for each.
func (r *Reader) List(element func() error) error { panic("todo") }

// String reads a string.
func (r *Reader) String() (string, error) { panic("todo") }

// Strings reads a list of strings. It never returns nil without an error.
func (r *Reader) Strings() ([]string, error) { panic("todo") }

// StringMap reads a map of strings, such as ExpressionAttributeNames. It never returns nil without an error.
func (r *Reader) StringMap() (map[string]string, error) { panic("todo") }

// Bool reads a Boolean; DynamoDB also takes the strings "true", "yes", "1" and their opposites.
func (r *Reader) Bool() (bool, error) { panic("todo") }

// Int reads a number of the Java type, "Integer" or "Long"; a fraction is cut off.
func (r *Reader) Int(typeName string) (int64, error) { panic("todo") }

// Skip reads any value and drops it.
func (r *Reader) Skip() error { panic("todo") }

// Item reads a map of attribute values (Item, Key, ExpressionAttributeValues …). It never returns nil without an error.
// What DynamoDB refuses in a value makes the attribute's value Invalid (see Item.Problem): the whole body is read
// before anything is validated.
func (r *Reader) Item() (Item, error) { panic("todo") }

// Value reads one attribute value: a member of a structure (Expected's Value) or of a list (AttributeValueList).
func (r *Reader) Value() (Value, error) { panic("todo") }

// ParseValue reads one attribute value from JSON, for tests and tools.
func ParseValue(json string) (Value, error) { panic("todo") }

// ParseItem reads an item from JSON such as {"pk":{"S":"a"}}, for tests and tools.
func ParseItem(json string) (Item, error) { panic("todo") }

// AppendJSON appends the value as DynamoDB's JSON, such as {"N":"1"}.
func (v Value) AppendJSON(dst []byte) []byte { panic("todo") }

// AppendJSON appends the item as DynamoDB's JSON, such as {"pk":{"S":"a"}}.
func (it Item) AppendJSON(dst []byte) []byte { panic("todo") }

// AppendString appends a JSON string.
func AppendString(dst []byte, s string) []byte { panic("todo") }

// Size returns the item's size in bytes as DynamoDB counts it.
func (it Item) Size() int { panic("todo") }

// Size returns the value's size in bytes as DynamoDB counts it.
func (v Value) Size() int { panic("todo") }

// Equal says whether both values have one type and are equal: numbers by value, sets whatever their order.
func Equal(a, b Value) bool { panic("todo") }

// Compare orders two values of one of the types S, N, B. ok is false if their types differ or have no order.
func Compare(a, b Value) (order int, ok bool) { panic("todo") }

// Contains is the function contains: a substring, an element of a set or of a list.
func Contains(container, operand Value) bool { panic("todo") }

// BeginsWith is the function begins_with, of S or B.
func BeginsWith(v, prefix Value) bool { panic("todo") }

// AppendKey appends the value, an S, N or B, as bytes that compare as values of this type do. The bytes are not
// terminated: the key of an S or a B is its bytes, and so the keys of all values that begin with a prefix begin with
// the prefix's key.
func AppendKey(dst []byte, v Value) []byte { panic("todo") }

// KeyString is AppendKey as a string; for an S or a B it costs nothing.
func KeyString(v Value) string { panic("todo") }

// KeyValue returns the value of the kind that AppendKey wrote.
func KeyValue(kind Kind, key string) (Value, error) { panic("todo") }

// AppendStored appends the stored form of the item. It begins with the item's size (StoredSize).
func (it Item) AppendStored(dst []byte) []byte { panic("todo") }

// Stored reads a stored item. It copies what it needs.
func Stored(stored []byte) (Item, error) { panic("todo") }

// StoredSize returns the Size of a stored item without reading the rest.
func StoredSize(stored []byte) (int, error) { panic("todo") }

// AppendStoredJSON appends a stored item as JSON: what Stored and AppendJSON do, without the values in between.
func AppendStoredJSON(dst, stored []byte) ([]byte, error) { panic("todo") }

// Number is a decimal number of up to 38 significant digits.
type Number struct{}

// ParseNumber reads a number. The error is a Problem: no number, too many digits, or out of range.
func ParseNumber(s string) (Number, error) { panic("todo") }

// Numeric returns a value of type N, or the Problem that DynamoDB has with the text.
func Numeric(s string) (Value, error) { panic("todo") }

// Int returns a value of type N.
func Int(n int64) Value { panic("todo") }

// String returns the number as DynamoDB writes it: without exponent, and without zeros that carry no value.
func (n Number) String() string { panic("todo") }

// Add returns n + m. The error is a Problem: the sum has more than 38 digits or is out of range.
func (n Number) Add(m Number) (Number, error) { panic("todo") }

// Sub returns n - m, as Add.
func (n Number) Sub(m Number) (Number, error) { panic("todo") }

// Compare returns -1, 0 or 1.
func (n Number) Compare(m Number) int { panic("todo") }
