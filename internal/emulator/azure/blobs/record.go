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

// record is a blob, or a snapshot of one, as its row has it.
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
	blocks   int64 // appended to an append blob
	sealed   bool
	// body names the extents of a body that does not stand in inline; empty: there are none.
	body   string
	inline []byte
}

// contentHeaders are the HTTP headers that a blob is given and gives back.
type contentHeaders struct {
	contentType, encoding, language, disposition, cacheControl string
	md5                                                        string // 16 raw bytes, or none
}

// tier is a block blob's access tier.
type tier struct {
	name    string // empty: the account's default
	changed ticks
}

// copyState says how a blob came to be by Copy Blob; an empty id: it did not.
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

// Sections of a record that most blobs lack.
const (
	hasTags = 1 << iota
	hasTier
	hasLease
	hasCopy
	isSealed
	hasCounters
	hasBody
)

// append encodes the record: format, kind, flags, the length of the head, the head, the inline body.
// The head is one run of bytes, so that decoding makes one string of it and cuts the fields out.
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
	b = append(b, recordFormat, byte(r.kind), flags, 0, 0, 0, 0)
	head := len(b)
	b = r.appendHead(b, flags)
	binary.BigEndian.PutUint32(b[head-4:], uint32(len(b)-head))
	return append(b, r.inline...)
}

func (r *record) appendHead(b []byte, flags byte) []byte {
	b = binary.AppendUvarint(b, uint64(r.etag))
	b = binary.AppendUvarint(b, uint64(r.created))
	b = binary.AppendUvarint(b, uint64(r.size))
	h := &r.headers
	for _, s := range [...]string{h.contentType, h.encoding, h.language, h.disposition, h.cacheControl, h.md5} {
		b = appendString(b, s)
	}
	b = appendPairs(b, r.metadata)
	if flags&hasTags != 0 {
		b = appendPairs(b, r.tags)
	}
	if flags&hasTier != 0 {
		b = binary.AppendUvarint(appendString(b, r.tier.name), uint64(r.tier.changed))
	}
	if flags&hasLease != 0 {
		b = r.lease.append(b)
	}
	if flags&hasCopy != 0 {
		c := &r.copy
		for _, s := range [...]string{c.id, c.source, c.status, c.description} {
			b = appendString(b, s)
		}
		b = binary.AppendUvarint(b, uint64(c.copied))
		b = binary.AppendUvarint(b, uint64(c.total))
		b = binary.AppendUvarint(b, uint64(c.finished))
	}
	if flags&hasCounters != 0 {
		b = binary.AppendUvarint(binary.AppendUvarint(b, uint64(r.sequence)), uint64(r.blocks))
	}
	if flags&hasBody != 0 {
		b = appendString(b, r.body)
	}
	return b
}

// decode reads a record. The inline body is a part of b.
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
	f := fields{rest: string(b[fixed : fixed+n])}
	*r = record{kind: kind(b[1]), sealed: flags&isSealed != 0, inline: b[fixed+n:]}
	r.etag, r.created, r.size = ticks(f.uint()), ticks(f.uint()), int64(f.uint())
	h := &r.headers
	for _, s := range [...]*string{&h.contentType, &h.encoding, &h.language, &h.disposition, &h.cacheControl, &h.md5} {
		*s = f.string()
	}
	r.metadata = f.pairs()
	if flags&hasTags != 0 {
		r.tags = f.pairs()
	}
	if flags&hasTier != 0 {
		r.tier = tier{f.string(), ticks(f.uint())}
	}
	if flags&hasLease != 0 {
		r.lease = f.lease()
	}
	if flags&hasCopy != 0 {
		r.copy = copyState{f.string(), f.string(), f.string(), f.string(), int64(f.uint()), int64(f.uint()), ticks(f.uint())}
	}
	if flags&hasCounters != 0 {
		r.sequence, r.blocks = int64(f.uint()), int64(f.uint())
	}
	if flags&hasBody != 0 {
		r.body = f.string()
	}
	if f.bad || f.rest != "" {
		return errRecord
	}
	return nil
}

func appendString(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

func appendPairs(b []byte, pairs []pair) []byte {
	b = binary.AppendUvarint(b, uint64(len(pairs)))
	for _, p := range pairs {
		b = appendString(appendString(b, p.name), p.value)
	}
	return b
}

// fields cuts encoded values off a string; bad says that one was malformed.
type fields struct {
	rest string
	bad  bool
}

func (f *fields) uint() uint64 {
	var n uint64
	for i := 0; i < len(f.rest) && i < binary.MaxVarintLen64; i++ {
		c := f.rest[i]
		n |= uint64(c&0x7F) << (7 * i)
		if c < 0x80 {
			f.rest = f.rest[i+1:]
			return n
		}
	}
	f.bad, f.rest = true, ""
	return 0
}

func (f *fields) string() string {
	n := f.uint()
	if n > uint64(len(f.rest)) {
		f.bad, f.rest = true, ""
		return ""
	}
	s := f.rest[:n]
	f.rest = f.rest[n:]
	return s
}

func (f *fields) pairs() []pair {
	n := f.uint()
	if n > uint64(len(f.rest)) {
		f.bad, f.rest = true, ""
	}
	if n == 0 || f.bad {
		return nil
	}
	pairs := make([]pair, n)
	for i := range pairs {
		pairs[i] = pair{f.string(), f.string()}
	}
	return pairs
}
