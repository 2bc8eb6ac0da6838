package blobs_test

import (
	"bytes"
	"encoding/xml"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// modelDeleted is what is soft-deleted of a blob.
type modelDeleted struct {
	base   *modelBlob
	hidden [][]byte // the contents of snapshots
}

// retain sets the account to keep what is deleted, or not to.
func (w *world) retain(t *testing.T) {
	days := ""
	if w.keeps {
		days = "1"
	}
	w.m.retain(t, days, "")
}

// overwritten is what becomes of a blob, or of a deleted one, that a new one of a kind replaces.
func (w *world) overwritten(b *modelBlob, kind string) {
	switch base := b.base; {
	case b.kind != "" && w.keeps:
		b.hidden = append(b.hidden, b.data)
	case b.kind == "" && base != nil && base.kind == kind:
		b.base, b.hidden = nil, append(b.hidden, base.data)
	case b.kind == "" && base != nil:
		b.modelDeleted = modelDeleted{}
	}
}

// deleted is what becomes of a blob that is deleted with its snapshots.
func (w *world) deleted(name string, b *modelBlob) {
	delete(w.blobs, name)
	if !w.keeps {
		return
	}
	old := *b
	left := w.blob(name)
	left.base, left.hidden = &old, b.hidden
	for _, data := range b.snapshots {
		left.hidden = append(left.hidden, data)
	}
}

// undelete restores a blob. The names of snapshots that a write has made are learned from the list.
func (w *world) undelete(r *rapid.T) {
	name := w.name(r)
	b := w.blob(name)
	if b.kind == "" && b.base == nil {
		w.do(404, "PUT", "/"+name+"?comp=undelete", nil)
		return
	}
	w.do(200, "PUT", "/"+name+"?comp=undelete", nil)
	if b.kind == "" {
		b.kind, b.data, b.blocks = b.base.kind, b.base.data, b.base.blocks
	}
	want := b.hidden
	for _, data := range b.snapshots {
		want = append(want, data)
	}
	b.modelDeleted, b.snapshots = modelDeleted{}, map[string][]byte{}
	var got [][]byte
	for _, entry := range w.list(name, "snapshots") {
		if entry.Name == name && entry.Snapshot != "" {
			data := w.do(200, "GET", "/"+name+"?snapshot="+entry.Snapshot, nil).Body.Bytes()
			got, b.snapshots[entry.Snapshot] = append(got, data), data
		}
	}
	slices.SortFunc(want, bytes.Compare)
	slices.SortFunc(got, bytes.Compare)
	if !slices.EqualFunc(got, want, bytes.Equal) {
		r.Fatalf("%s has %d snapshots after it was restored, want %d, or their contents differ", name, len(got),
			len(want))
	}
}

type modelEntry struct {
	Name, Snapshot string
	Deleted        bool
}

func (w *world) list(prefix, include string) []modelEntry {
	a := w.do(200, "GET", "?restype=container&comp=list&prefix="+prefix+"&include="+include, nil)
	var l struct {
		Blobs []modelEntry `xml:"Blobs>Blob"`
	}
	if err := xml.Unmarshal([]byte(strings.TrimPrefix(a.Body.String(), "\ufeff")), &l); err != nil {
		w.t.Fatal(err)
	}
	return l.Blobs
}

// checkList compares the list of everything, deleted or not, with the model.
func (w *world) checkList(r *rapid.T) {
	got, want := map[modelEntry]int{}, map[modelEntry]int{}
	for _, entry := range w.list("", "snapshots,deleted") {
		if entry.Deleted && entry.Snapshot != "" {
			entry.Snapshot = "deleted"
		}
		got[entry]++
	}
	for name, b := range w.blobs {
		if b.kind != "" {
			want[modelEntry{Name: name}]++
		}
		for snapshot := range b.snapshots {
			want[modelEntry{name, snapshot, false}]++
		}
		if b.base != nil {
			want[modelEntry{name, "", true}]++
		}
		if n := len(b.hidden); n > 0 {
			want[modelEntry{name, "deleted", true}] += n
		}
	}
	for entry := range want {
		if got[entry] != want[entry] {
			r.Fatalf("%+v is listed %d times, want %d", entry, got[entry], want[entry])
		}
	}
	if len(got) != len(want) {
		r.Fatalf("listed %v, want %v", got, want)
	}
}

// expire lets all that is soft-deleted go.
func (w *world) expire() {
	w.m.advance(pastOneDay)
	w.do(200, "GET", "?restype=container", nil)
}
