package blobs

import "bytes"

// listRows walks the rows that a list of blobs may show, in the order of the list. The walk is at the current one.
type listRows struct {
	*walk
	live, gone *walk // gone is nil unless soft-deleted rows are shown
	// ahead are the walks that have a row at which they wait.
	liveAhead, goneAhead, started bool
}

func (c *call) listRows(l *listPage, start string) *listRows {
	r := &listRows{live: c.shelf.walk(blobRows, c.id, l.prefix, start)}
	r.walk = r.live
	if l.include["deleted"] && c.shelf.gone.Load() {
		r.gone = c.shelf.walk(goneRows, c.id, l.prefix, start)
	}
	return r
}

// next moves to the next row.
func (r *listRows) next() bool {
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
