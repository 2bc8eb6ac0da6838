package blobs

import (
	"fmt"

	"github.com/storespec/storespec/internal/emulator/engine"
)

// walk iterates over the rows of a container's blobs in order: by name, then snapshots and previous versions from the
// oldest on, then the mark of uncommitted blocks, then the blob.
type walk struct {
	space   engine.Space
	table   string // blobRows or goneRows
	it      *engine.Iter
	started bool
	err     error

	// The current row. next overwrites name.
	name    []byte
	version string
	rec     record
	deleted deletion // of goneRows, once record was called
	part    []byte
	from    []byte
}

// walk starts at the first name in a table that has the prefix and is not below start.
func (s *shelf) walk(table, container, prefix, start string) *walk {
	w := &walk{space: s.space, table: table}
	_, upper := s.space.Range(table, container)
	w.from = s.nameKey(table, container, max(prefix, start))
	w.it, w.err = s.engine.Iter(w.from, upper)
	return w
}

// nameKey returns the common prefix of the keys of all names that begin with a prefix.
func (s *shelf) nameKey(table, container, prefix string) []byte {
	key := s.space.Key(nil, table, container, prefix)
	return key[:len(key)-2] // without the end of the part
}

// next moves to the next row.
func (w *walk) next() bool {
	if w.err != nil {
		return false
	}
	ok := false
	if w.started {
		ok = w.it.Next()
	} else {
		w.started = true
		ok = w.it.First()
	}
	return ok && w.parse()
}

// skip moves to the first row whose name does not begin with a prefix of the current name.
func (w *walk) skip(s *shelf, container, prefix string) bool {
	if w.err != nil {
		return false
	}
	key := s.nameKey(w.table, container, prefix)
	for len(key) > 0 && key[len(key)-1] == 0xFF {
		key = key[:len(key)-1]
	}
	key[len(key)-1]++
	return w.it.SeekGE(key) && w.parse()
}

func (w *walk) parse() bool {
	rest, ok := w.space.Trim(w.it.Key())
	var err error
	for i := 0; i < 4 && err == nil && ok; i++ {
		part := &w.part
		if i == 2 {
			part = &w.name
		}
		*part, rest, err = engine.NextPart((*part)[:0], rest)
	}
	if err != nil || !ok || len(rest) > 0 {
		w.err = fmt.Errorf("blob row: %w", errRecord)
		return false
	}
	switch string(w.part) { // the two common values need no allocation
	case baseMark:
		w.version = baseMark
	case stagedMark:
		w.version = stagedMark
	default:
		w.version = string(w.part)
	}
	return true
}

// record decodes the row; the result is valid until next.
func (w *walk) record() (*record, error) {
	if w.table == orphanRow {
		return &w.rec, nil
	}
	value, err := w.it.Value()
	if err == nil && w.table == goneRows {
		w.deleted, value, err = decodeDeletion(value)
	}
	if err == nil {
		err = w.rec.decode(value)
	}
	if err != nil {
		return nil, fmt.Errorf("blob row: %w", err)
	}
	return &w.rec, nil
}

// expired reports whether the row, of goneRows, has gone for good by a time.
func (w *walk) expired(now ticks) bool {
	value, err := w.it.Value()
	if err != nil {
		return false // record reports it
	}
	d, _, err := decodeDeletion(value)
	return err == nil && now >= d.until
}

// close ends the walk. If the walk had no error before, its error is then the engine's.
func (w *walk) close() {
	if w.it == nil {
		return
	}
	if err := w.it.Close(); err != nil && w.err == nil {
		w.err = err
	}
	w.it = nil
}
