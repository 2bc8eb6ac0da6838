package blobs

import (
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"strings"

	"github.com/storespec/storespec/internal/emulator/engine"
)

// extent is a part of a body: the bytes from start to end are those of a chunk from offset on. What no
// extent covers is zero (in page blobs only).
type extent struct {
	start, end int64
	offset     int64
	chunk      string
	block      string // the id of a committed block, as sent; empty for others
}

// key is the row of an extent. It has the end, not the start, so that the first row at or after n+1 is
// the extent in which byte n is, if there is one.
func (s *shelf) extentKey(dst []byte, body string, end int64) []byte {
	var number [8]byte
	binary.BigEndian.PutUint64(number[:], uint64(end))
	return engine.AppendPart(s.space.Key(dst, extentRows, body), number[:])
}

func (x *extent) value() []byte {
	b := make([]byte, 0, 64)
	b = binary.AppendUvarint(b, uint64(x.start))
	b = binary.AppendUvarint(b, uint64(x.end))
	b = binary.AppendUvarint(b, uint64(x.offset))
	return appendString(appendString(b, x.chunk), x.block)
}

func decodeExtent(value []byte) (extent, error) {
	f := fields{rest: string(value)}
	x := extent{start: int64(f.uint()), end: int64(f.uint()), offset: int64(f.uint()), chunk: f.string(), block: f.string()}
	if f.bad || x.start >= x.end {
		return x, fmt.Errorf("extent: %w", errRecord)
	}
	return x, nil
}

// newBody names a body's extents.
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
	err := c.shelf.eachExtent(body, span{0, openEnd}, func(x extent) { c.drop(x.chunk) })
	c.fail(err)
	c.deleteRange(c.shelf.space.Range(extentRows, body))
}

// copyBody gives a body the extents of another one; the chunks are shared.
func (c *change) copyBody(from, to string) {
	c.fail(c.shelf.eachExtent(from, span{0, openEnd}, func(x extent) { c.setExtent(to, x) }))
}

// eachExtent calls do with the extents of a body that overlap a range, in order.
func (s *shelf) eachExtent(body string, within span, do func(extent)) error {
	if body == "" {
		return nil
	}
	it, err := s.engine.Iter(s.space.Range(extentRows, body))
	if err != nil {
		return err
	}
	for ok := it.SeekGE(s.extentKey(nil, body, within.start+1)); ok; ok = it.Next() {
		value, err := it.Value()
		if err != nil {
			_ = it.Close() // the same error
			return err
		}
		x, err := decodeExtent(value)
		if err != nil {
			_ = it.Close() // the row is the error
			return err
		}
		if x.start >= within.end {
			break
		}
		do(x)
	}
	return it.Close()
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
}

func (b *stagedBlock) value() []byte {
	return appendString(binary.AppendUvarint(nil, uint64(b.size)), b.chunk)
}

func decodeStaged(id string, value []byte) (stagedBlock, error) {
	f := fields{rest: string(value)}
	b := stagedBlock{id: id, size: int64(f.uint()), chunk: f.string()}
	if f.bad {
		return b, fmt.Errorf("staged block: %w", errRecord)
	}
	return b, nil
}

// stagedBlocks lists a blob's uncommitted blocks, by id.
func (s *shelf) stagedBlocks(container, blob string) ([]stagedBlock, error) {
	if !s.staged.Load() {
		return nil, nil
	}
	it, err := s.engine.Iter(s.space.Range(stagedRows, container, blob))
	if err != nil {
		return nil, err
	}
	var list []stagedBlock
	for ok := it.First(); ok; ok = it.Next() {
		b, err := s.stagedAt(it)
		if err != nil {
			_ = it.Close() // the row is the error
			return nil, err
		}
		list = append(list, b)
	}
	return list, it.Close()
}

func (s *shelf) stagedAt(it *engine.Iter) (stagedBlock, error) {
	parts, err := s.space.Parts(it.Key())
	if err != nil || len(parts) != 4 {
		return stagedBlock{}, fmt.Errorf("staged block: %w", errRecord)
	}
	value, err := it.Value()
	if err != nil {
		return stagedBlock{}, err
	}
	return decodeStaged(strings.Clone(parts[3]), value)
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
