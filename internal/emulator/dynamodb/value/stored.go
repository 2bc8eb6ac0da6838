package value

import (
	"encoding/binary"
	"errors"
	"strconv"
)

// The stored form of an item is its Size, then its attributes as those of a map. A map is the number of its entries,
// then for each the name and the value. A value is its Kind, then for S, N and B the text; for BOOL a byte; for sets
// and lists the number of elements and the elements, in sets without their kind; for M the map. Numbers of bytes and
// elements are variable-length integers. What is written is never changed: a data directory outlives the program.

var errStored = errors.New("value: malformed stored item")

// maxStoredLevels bounds the recursion over bytes that are not a stored item.
const maxStoredLevels = 2 * maxNestingLevel

// AppendStored appends the stored form of the item. It begins with the item's size (StoredSize).
func (it Item) AppendStored(dst []byte) []byte {
	dst = binary.AppendUvarint(dst, uint64(it.Size()))
	return appendMap(dst, it)
}

func appendMap(dst []byte, it Item) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(it)))
	for i := range it {
		dst = appendText(dst, it[i].Name)
		dst = appendStoredValue(dst, it[i].Value)
	}
	return dst
}

func appendText(dst []byte, s string) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(s)))
	return append(dst, s...)
}

func appendStoredValue(dst []byte, v Value) []byte {
	dst = append(dst, byte(v.Kind))
	switch v.Kind {
	case S, N, B:
		return appendText(dst, v.Text)
	case BOOL:
		if v.Bool {
			return append(dst, 1)
		}
		return append(dst, 0)
	case M:
		return appendMap(dst, v.Map)
	case L:
		dst = binary.AppendUvarint(dst, uint64(len(v.List)))
		for i := range v.List {
			dst = appendStoredValue(dst, v.List[i])
		}
	case SS, NS, BS:
		dst = binary.AppendUvarint(dst, uint64(len(v.List)))
		for i := range v.List {
			dst = appendText(dst, v.List[i].Text)
		}
	}
	return dst
}

// StoredSize returns the Size of a stored item without reading the rest.
func StoredSize(stored []byte) (int, error) {
	size, n := binary.Uvarint(stored)
	if n <= 0 || size > 1<<40 {
		return 0, errStored
	}
	return int(size), nil
}

// Stored reads a stored item. It copies the bytes once.
func Stored(stored []byte) (Item, error) {
	c := cursor[string]{rest: string(stored)}
	c.count(1 << 40) // the size
	it := c.item(1)
	if c.failed || len(c.rest) > 0 {
		return nil, errStored
	}
	return it, nil
}

// cursor reads a stored item. After a failure it returns nothing but zeros.
type cursor[T string | []byte] struct {
	rest   T
	failed bool
}

func (c *cursor[T]) fail() { c.failed, c.rest = true, c.rest[:0] }

// count reads a number that is at most limit.
func (c *cursor[T]) count(limit int) int {
	var n uint64
	for i := 0; i < len(c.rest) && i < binary.MaxVarintLen64; i++ {
		b := c.rest[i]
		n |= uint64(b&0x7F) << (7 * i)
		if b < 0x80 {
			if n > uint64(limit) {
				break
			}
			c.rest = c.rest[i+1:]
			return int(n)
		}
	}
	c.fail()
	return 0
}

func (c *cursor[T]) text() T {
	n := c.count(len(c.rest))
	if n > len(c.rest) {
		c.fail()
		return c.rest
	}
	text := c.rest[:n]
	c.rest = c.rest[n:]
	return text
}

func (c *cursor[T]) byte() byte {
	if len(c.rest) == 0 {
		c.fail()
		return 0
	}
	b := c.rest[0]
	c.rest = c.rest[1:]
	return b
}

func (c *cursor[T]) item(level int) Item {
	n := c.count(len(c.rest))
	if level > maxStoredLevels {
		c.fail()
		return nil
	}
	it := make(Item, 0, min(n, len(c.rest)/2))
	for range n {
		name := string(c.text())
		it = append(it, Attribute{name, c.value(level)})
		if c.failed {
			return nil
		}
	}
	return it
}

func (c *cursor[T]) value(level int) Value {
	v := Value{Kind: Kind(c.byte())}
	switch v.Kind {
	case S, N, B:
		v.Text = string(c.text())
	case BOOL:
		v.Bool = c.byte() != 0
	case NULL:
	case M:
		v.Map = c.item(level + 1)
	case L, SS, NS, BS:
		n := c.count(len(c.rest))
		if level > maxStoredLevels {
			c.fail()
			return v
		}
		v.List = make([]Value, 0, n)
		for range n {
			if v.Kind == L {
				v.List = append(v.List, c.value(level+1))
			} else {
				v.List = append(v.List, Value{Kind: v.Kind.Element(), Text: string(c.text())})
			}
			if c.failed {
				return v
			}
		}
	default:
		c.fail()
	}
	return v
}

// AppendStoredJSON appends a stored item as JSON: what Stored and AppendJSON do, without the values in between.
func AppendStoredJSON(dst, stored []byte) ([]byte, error) {
	c := cursor[[]byte]{rest: stored}
	c.count(1 << 40) // the size
	dst = c.appendItem(dst, 1)
	if c.failed || len(c.rest) > 0 {
		return nil, errStored
	}
	return dst, nil
}

func (c *cursor[T]) appendItem(dst []byte, level int) []byte {
	n := c.count(len(c.rest))
	if level > maxStoredLevels {
		c.fail()
		return dst
	}
	dst = append(dst, '{')
	for range n {
		dst = append(AppendString(Comma(dst), c.text()), ':')
		if dst = c.appendValue(dst, level); c.failed {
			return dst
		}
	}
	return append(dst, '}')
}

func (c *cursor[T]) appendValue(dst []byte, level int) []byte {
	kind := Kind(c.byte())
	dst = appendDescriptor(dst, kind)
	switch kind {
	case S, N:
		dst = AppendString(dst, c.text())
	case B:
		dst = appendBase64(dst, c.text())
	case BOOL:
		dst = strconv.AppendBool(dst, c.byte() != 0)
	case NULL:
		dst = strconv.AppendBool(dst, true)
	case M:
		dst = c.appendItem(dst, level+1)
	case L, SS, NS, BS:
		dst = c.appendList(dst, kind, level)
	default:
		c.fail()
	}
	return append(dst, '}')
}

func (c *cursor[T]) appendList(dst []byte, kind Kind, level int) []byte {
	n := c.count(len(c.rest))
	if level > maxStoredLevels {
		c.fail()
		return dst
	}
	dst = append(dst, '[')
	for range n {
		dst = Comma(dst)
		switch kind {
		case L:
			dst = c.appendValue(dst, level+1)
		case BS:
			dst = appendBase64(dst, c.text())
		default:
			dst = AppendString(dst, c.text())
		}
		if c.failed {
			return dst
		}
	}
	return append(dst, ']')
}
