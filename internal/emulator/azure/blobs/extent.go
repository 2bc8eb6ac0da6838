package blobs

import (
	"crypto/rand"
	"encoding/binary"
	"fmt"

	"github.com/storespec/storespec/internal/emulator/engine"
)

// extent is a part of a body: the bytes from start to end are those of a chunk starting at offset. Bytes outside all
// extents are zero (in page blobs only).
type extent struct {
	start, end int64
	offset     int64
	chunk      string
	block      string // the id of a committed block, as sent; empty for others
}

// extentKey is the key of an extent's row. It contains the end, not the start, so that the first row at or after n+1 is
// the extent that contains byte n, if there is one.
func (s *shelf) extentKey(dst []byte, body string, end int64) []byte {
	var number [8]byte
	binary.BigEndian.PutUint64(number[:], uint64(end))
	return engine.AppendPart(s.space.Key(dst, extentRows, body), number[:])
}

func (x *extent) value() []byte {
	c := coder{writing: true, out: make([]byte, 0, 64)}
	x.code(&c)
	return c.out
}

func (x *extent) code(c *coder) {
	c.numbers(&x.start, &x.end, &x.offset)
	c.texts(&x.chunk, &x.block)
}

func decodeExtent(value []byte) (extent, error) {
	c, x := coder{rest: string(value)}, extent{}
	x.code(&c)
	if c.bad || x.start >= x.end {
		return x, fmt.Errorf("extent: %w", errRecord)
	}
	return x, nil
}

// newBody returns a new name for a body's extents.
func newBody() string { return rand.Text() }

// setExtent writes an extent's row and counts its chunk.
func (c *change) setExtent(body string, x extent) {
	c.set(c.shelf.extentKey(nil, body, x.end), x.value())
	c.use(x.chunk)
}

// dropExtent removes an extent's row.
func (c *change) dropExtent(body string, x extent) {
	c.delete(c.shelf.extentKey(nil, body, x.end))
	c.drop(x.chunk)
}

// dropBody removes all extents of a body.
func (c *change) dropBody(body string) {
	if body == "" {
		return
	}
	c.fail(c.shelf.eachExtent(body, span{0, openEnd}, func(x extent) { c.drop(x.chunk) }))
	c.deleteRange(c.shelf.space.Range(extentRows, body))
}

// copyBody copies the extents of a body, if there is one, to a new one; they share the chunks.
func (c *change) copyBody(from string) (to string) {
	if from == "" {
		return ""
	}
	to = newBody()
	c.fail(c.shelf.eachExtent(from, span{0, openEnd}, func(x extent) { c.setExtent(to, x) }))
	return to
}

// eachExtent calls do with the extents of a body that overlap a range, in order.
func (s *shelf) eachExtent(body string, within span, do func(extent)) error {
	if body == "" {
		return nil
	}
	lower, upper := s.space.Range(extentRows, body)
	from := s.extentKey(nil, body, within.start+1)
	return s.engine.Each(lower, upper, from, func(_, value []byte) (bool, error) {
		x, err := decodeExtent(value)
		if err != nil || x.start >= within.end {
			return false, err
		}
		do(x)
		return true, nil
	})
}

// extents lists the extents of a body that overlap a range.
func (s *shelf) extents(body string, within span) (list []extent, err error) {
	err = s.eachExtent(body, within, func(x extent) { list = append(list, x) })
	return list, err
}

// stagedBlock is an uncommitted block.
type stagedBlock struct {
	id    string // as sent, in base64
	chunk string
	size  int64
	key   string // the SHA-256 of its customer-provided key; empty: none
}

func (b *stagedBlock) value() []byte {
	c := coder{writing: true}
	b.code(&c)
	return c.out
}

func (b *stagedBlock) code(c *coder) {
	c.numbers(&b.size)
	c.texts(&b.chunk)
	if c.more() {
		c.texts(&b.key)
	}
}

func decodeStaged(id string, value []byte) (stagedBlock, error) {
	c, b := coder{rest: string(value)}, stagedBlock{id: id}
	b.code(&c)
	if c.bad {
		return b, fmt.Errorf("staged block: %w", errRecord)
	}
	return b, nil
}

// stagedAt returns when a blob's last uncommitted block was written; 0 if all are committed.
func (s *shelf) stagedAt(container, blob string) (ticks, error) {
	if !s.staged.Load() {
		return 0, nil
	}
	value, found, err := s.engine.Get(s.space.Key(nil, blobRows, container, blob, stagedMark), nil)
	if err != nil || !found || len(value) != 8 { // an earlier version wrote no time
		return 0, err
	}
	return ticks(binary.BigEndian.Uint64(value)), nil
}

// stagedBlocks lists a blob's uncommitted blocks, by id.
func (s *shelf) stagedBlocks(container, blob string) (list []stagedBlock, err error) {
	if !s.staged.Load() {
		return nil, nil
	}
	err = s.eachStaged(container, blob, func(b stagedBlock) bool {
		list = append(list, b)
		return true
	})
	return list, err
}

// eachStaged calls do with a blob's uncommitted blocks, by id, until it returns false.
func (s *shelf) eachStaged(container, blob string, do func(stagedBlock) bool) error {
	lower, upper := s.space.Range(stagedRows, container, blob)
	return s.engine.Each(lower, upper, nil, func(key, value []byte) (bool, error) {
		parts, err := s.space.Parts(key)
		if err != nil || len(parts) != 4 {
			return false, fmt.Errorf("staged block: %w", errRecord)
		}
		b, err := decodeStaged(parts[3], value)
		return err == nil && do(b), err
	})
}

// dropStaged removes a blob's uncommitted blocks.
func (c *change) dropStaged(container, blob string) {
	if !c.shelf.staged.Load() {
		return
	}
	blocks, err := c.shelf.stagedBlocks(container, blob)
	c.fail(err)
	for i := range blocks {
		c.drop(blocks[i].chunk)
	}
	c.deleteRange(c.shelf.space.Range(stagedRows, container, blob))
	c.delete(c.shelf.space.Key(nil, blobRows, container, blob, stagedMark))
}
