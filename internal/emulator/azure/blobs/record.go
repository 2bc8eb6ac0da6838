package blobs

import (
	"encoding/binary"
	"errors"
)

// kind is the type of a blob.
type kind byte

const (
	blockBlob  kind = 'B'
	pageBlob   kind = 'P'
	appendBlob kind = 'A'
)

func (k kind) String() string {
	switch k {
	case pageBlob:
		return "PageBlob"
	case appendBlob:
		return "AppendBlob"
	default:
		return "BlockBlob"
	}
}

// record is a blob, or a snapshot or a previous version of one, as stored in its row.
type record struct {
	kind     kind
	etag     ticks // and Last-Modified
	created  ticks
	size     int64
	headers  contentHeaders
	metadata []pair
	tags     []pair
	tier     tier
	lease    lease
	copy     copyState
	sequence int64 // of a page blob
	blocks   int64 // number of blocks appended to an append blob
	sealed   bool
	key      string // the SHA-256 of the customer-provided key; empty: none
	version  ticks  // the id of a version; 0 if it is not a version
	ended    ticks  // when the blob was deleted whose last version this is; 0: it was not
	// body names the extents of a body that is not stored in inline; empty: there are none.
	body   string
	inline []byte
}

// contentHeaders are the HTTP headers that are stored with a blob and returned with it.
type contentHeaders struct {
	contentType, encoding, language, disposition, cacheControl string
	md5                                                        string // 16 raw bytes, or none
}

// copyState describes how Copy Blob created the blob; an empty id: it did not.
type copyState struct {
	id, source  string
	status      string
	description string
	copied      int64
	total       int64
	finished    ticks
}

const recordFormat = 1

var errRecord = errors.New("blobs: malformed record")

// Sections of a record that most blobs do not have.
const (
	hasTags = 1 << iota
	hasTier
	hasLease
	hasCopy
	isSealed
	hasCounters
	hasBody
	hasMore
)

// append encodes the record: format, kind, flags, the length of the head, the head, the inline body. The head is one
// run of bytes, so that decoding makes one string of it and slices the fields from it.
func (r *record) append(b []byte) []byte {
	var flags byte
	set := func(bit byte, is bool) {
		if is {
			flags |= bit
		}
	}
	set(hasTags, len(r.tags) > 0)
	set(hasTier, r.tier != tier{})
	set(hasLease, r.lease != lease{})
	set(hasCopy, r.copy.id != "")
	set(isSealed, r.sealed)
	set(hasCounters, r.sequence != 0 || r.blocks != 0)
	set(hasBody, r.body != "")
	set(hasMore, r.tier.pending != "" || r.key != "" || r.version != 0)
	b = append(b, recordFormat, byte(r.kind), flags, 0, 0, 0, 0)
	c := coder{writing: true, out: b}
	r.code(&c, flags)
	binary.BigEndian.PutUint32(c.out[len(b)-4:], uint32(len(c.out)-len(b)))
	return append(c.out, r.inline...)
}

// decode decodes a record. The inline body is a slice of b.
func (r *record) decode(b []byte) error {
	const fixed = 7
	if len(b) < fixed || b[0] != recordFormat {
		return errRecord
	}
	n := int(binary.BigEndian.Uint32(b[3:]))
	if len(b)-fixed < n {
		return errRecord
	}
	flags := b[2]
	c := coder{rest: string(b[fixed : fixed+n])}
	*r = record{kind: kind(b[1]), sealed: flags&isSealed != 0, inline: b[fixed+n:]}
	r.code(&c, flags)
	return c.end()
}

// code encodes or decodes the head.
func (r *record) code(c *coder, flags byte) {
	c.numbers((*int64)(&r.etag), (*int64)(&r.created), &r.size)
	h := &r.headers
	c.texts(&h.contentType, &h.encoding, &h.language, &h.disposition, &h.cacheControl, &h.md5)
	c.pairs(&r.metadata)
	if flags&hasTags != 0 {
		c.pairs(&r.tags)
	}
	if flags&hasTier != 0 {
		c.texts(&r.tier.name)
		c.numbers((*int64)(&r.tier.changed))
	}
	if flags&hasLease != 0 {
		r.lease.code(c)
	}
	if flags&hasCopy != 0 {
		k := &r.copy
		c.texts(&k.id, &k.source, &k.status, &k.description)
		c.numbers(&k.copied, &k.total, (*int64)(&k.finished))
	}
	if flags&hasCounters != 0 {
		c.numbers(&r.sequence, &r.blocks)
	}
	if flags&hasBody != 0 {
		c.texts(&r.body)
	}
	if flags&hasMore != 0 {
		c.texts(&r.tier.pending)
		c.flags(&r.tier.urgent)
		if c.more() {
			c.texts(&r.key)
		}
		if c.more() {
			c.numbers((*int64)(&r.version), (*int64)(&r.ended))
		}
	}
}

// coder encodes or decodes the fields of a row, so that a row's format is defined once. It slices the fields it decodes
// from one string; bad records that something was malformed.
type coder struct {
	writing bool
	out     []byte
	rest    string
	bad     bool
}

// end reports whether everything was decoded without error.
func (c *coder) end() error {
	if c.bad || c.rest != "" {
		return errRecord
	}
	return nil
}

// more reports whether there is another field: rows of earlier versions end before those that came later.
func (c *coder) more() bool { return c.writing || c.rest != "" }

func (c *coder) numbers(list ...*int64) {
	for _, n := range list {
		if c.writing {
			c.out = binary.AppendUvarint(c.out, uint64(*n))
		} else {
			*n = int64(c.uint())
		}
	}
}

// flags codes booleans, each as a number.
func (c *coder) flags(list ...*bool) {
	for _, f := range list {
		n := int64(0)
		if *f {
			n = 1
		}
		c.numbers(&n)
		*f = n != 0
	}
}

func (c *coder) texts(list ...*string) {
	for _, s := range list {
		if c.writing {
			c.out = append(binary.AppendUvarint(c.out, uint64(len(*s))), *s...)
			continue
		}
		n := c.uint()
		if n > uint64(len(c.rest)) {
			n, c.bad, c.rest = 0, true, ""
		}
		*s, c.rest = c.rest[:n], c.rest[n:]
	}
}

func (c *coder) pairs(list *[]pair) {
	n := int64(len(*list))
	c.numbers(&n)
	if !c.writing {
		if uint64(n) > uint64(len(c.rest)) {
			n, c.bad, c.rest = 0, true, ""
		}
		if n > 0 {
			*list = make([]pair, n)
		}
	}
	for i := range *list {
		c.texts(&(*list)[i].name, &(*list)[i].value)
	}
}

func (c *coder) uint() uint64 {
	var n uint64
	for i := 0; i < len(c.rest) && i < binary.MaxVarintLen64; i++ {
		b := c.rest[i]
		n |= uint64(b&0x7F) << (7 * i)
		if b < 0x80 {
			c.rest = c.rest[i+1:]
			return n
		}
	}
	c.bad, c.rest = true, ""
	return 0
}
