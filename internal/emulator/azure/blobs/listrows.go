package blobs

import "bytes"

// listRows walks the rows that a list of blobs may show, in the order of the list. The walk is at the current one.
type listRows struct {
	*walk
	live, gone *walk // gone is nil if no soft-deleted rows matter
	// whether the walks have a row at which they wait, once they were started.
	liveAhead, goneAhead, started bool
	orphans                       *orphans // nil: they are not shown
}

func newListRows(c *call, l *listPage, start string) *listRows {
	r := &listRows{live: c.shelf.walk(blobRows, c.id, l.prefix, start)}
	r.walk = r.live
	orphaned := l.include["deletedwithversions"]
	if (l.include["deleted"] || orphaned) && c.shelf.gone.Load() {
		r.gone = c.shelf.walk(goneRows, c.id, l.prefix, start)
	}
	if orphaned {
		r.orphans = &orphans{now: c.now, row: walk{table: orphanRow, version: baseMark}}
	}
	return r
}

// next moves to the next row.
func (r *listRows) next() bool {
	if r.orphans == nil {
		return r.step()
	}
	if ok, back := r.orphans.resume(r); back {
		return r.orphans.follow(r, ok)
	}
	return r.orphans.follow(r, r.step())
}

func (r *listRows) step() bool {
	if r.gone == nil {
		return r.live.next()
	}
	if !r.started || r.walk == r.live {
		r.liveAhead = r.live.next()
	}
	if !r.started || r.walk == r.gone {
		r.goneAhead = r.gone.next()
	}
	r.started = true
	return r.choose()
}

// skip moves to the first row whose name does not begin with a prefix of the current name.
func (r *listRows) skip(s *shelf, container, prefix string) bool {
	if r.orphans == nil {
		return r.jump(s, container, prefix)
	}
	ok, back := r.orphans.resume(r)
	if !back || ok && bytes.HasPrefix(r.name, []byte(prefix)) {
		ok = r.jump(s, container, prefix)
	}
	r.orphans.some = false
	return r.orphans.follow(r, ok)
}

func (r *listRows) jump(s *shelf, container, prefix string) bool {
	if r.gone == nil {
		return r.live.skip(s, container, prefix)
	}
	inside := func(w *walk, ahead bool) bool { return ahead && bytes.HasPrefix(w.name, []byte(prefix)) }
	if inside(r.live, r.liveAhead) {
		r.liveAhead = r.live.skip(s, container, prefix)
	}
	if inside(r.gone, r.goneAhead) {
		r.goneAhead = r.gone.skip(s, container, prefix)
	}
	return r.choose()
}

// choose makes the first of the rows that are ahead the current one.
func (r *listRows) choose() bool {
	r.walk = r.live
	if r.goneAhead && (!r.liveAhead || r.gone.before(r.live)) {
		r.walk = r.gone
	}
	return r.live.err == nil && r.gone.err == nil && (r.liveAhead || r.goneAhead)
}

// before reports whether the current row of w is before that of another walk.
func (w *walk) before(other *walk) bool {
	if order := bytes.Compare(w.name, other.name); order != 0 {
		return order < 0
	}
	return w.version < other.version
}

// close ends the walk and returns its first error.
func (r *listRows) close() error {
	r.live.close()
	if r.gone == nil {
		return r.live.err
	}
	r.gone.close()
	if r.live.err != nil {
		return r.live.err
	}
	return r.gone.err
}

// orphanRow is the table of the rows that orphans add.
const orphanRow = "orphan"

// orphans adds a row for each blob that was deleted, and has versions: where the blob would be.
type orphans struct {
	now     ticks
	row     walk // with the record of the last version
	some    bool // row is one of the current name, which has had no blob so far
	after   *walk
	afterOK bool
}

// resume goes from an added row back to the one that follows it, and reports whether there is one. back is false if no
// added row is the current one.
func (o *orphans) resume(r *listRows) (ok, back bool) {
	if r.walk != &o.row {
		return false, false
	}
	r.walk, o.some = o.after, false
	return o.afterOK, true
}

// follow looks at the current row, if there is one, and puts an added one before it when a name has ended without a
// blob.
func (o *orphans) follow(r *listRows, ok bool) bool {
	w := r.walk
	if o.some && (!ok || !bytes.Equal(w.name, o.row.name)) {
		o.after, o.afterOK = w, ok
		r.walk = &o.row
		return true
	}
	switch {
	case !ok:
		return false
	case w.table == blobRows && w.version == baseMark:
		o.some = false
	case isVersion(w.version) && (w.table == blobRows || !w.expired(o.now)):
		rec, err := w.record()
		if err != nil {
			w.err = err
			return false
		}
		o.some, o.row.name, o.row.rec = true, append(o.row.name[:0], w.name...), *rec
		o.row.rec.size, o.row.rec.inline = 0, nil // it is a list's entry, and nothing of it can be read
	}
	return true
}
