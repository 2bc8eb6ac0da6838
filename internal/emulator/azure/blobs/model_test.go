package blobs_test

import (
	"bytes"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/storespec/storespec/internal/emulator/azure"
	"github.com/storespec/storespec/internal/emulator/engine"
)

// serve sends a request to the front without a socket.
func (m *emulator) serve(method, target string, body []byte, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, "/"+azure.DevelopmentAccount+target, bytes.NewReader(body))
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		r.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	m.server.Config.Handler.ServeHTTP(w, r)
	return w
}

// rows counts what an account keeps besides its catalogue.
func (m *emulator) rows(t interface{ Fatal(...any) }) (n int) {
	it, err := m.engine.Iter(m.account.Data.Data().Range())
	if err != nil {
		t.Fatal(err)
	}
	for ok := it.First(); ok; ok = it.Next() {
		n++
	}
	if err := it.Close(); err != nil {
		t.Fatal(err)
	}
	return n
}

// modelBlob is what a blob should be.
type modelBlob struct {
	modelDeleted
	kind      string
	data      []byte
	blocks    map[string][]byte // committed
	staged    map[string][]byte
	snapshots map[string][]byte
}

// sizes are those at which a body changes its place: the row, a chunk's row, a file.
var sizes = []int{0, 1, 100, 4096, 4097, 65 << 10, 1<<20 + 1}

// TestModel runs random operations on a few blobs and compares them with a simple model. At the end
// everything is deleted, and no row and no file may be left.
func TestModel(t *testing.T) {
	m := start(t, engine.Options{}, true)
	if raceEnabled { // a third of the rounds, each of which takes fifteen times as long
		checks := flag.Lookup("rapid.checks")
		before := checks.Value.String()
		defer func() { _ = checks.Value.Set(before) }()
		_ = checks.Value.Set("33")
	}
	round := 0
	rapid.Check(t, func(r *rapid.T) {
		round++
		w := &world{m: m, t: r, container: fmt.Sprintf("/round-%d", round), blobs: map[string]*modelBlob{},
			keeps: rapid.Bool().Draw(r, "soft delete")}
		w.retain(t)
		w.do(201, "PUT", "?restype=container", nil)
		r.Repeat(map[string]func(*rapid.T){
			"put": w.put, "stage": w.stage, "commit": w.commit, "append": w.append, "snapshot": w.snapshot,
			"copy": w.copy, "delete": w.delete, "undelete": w.undelete, "get": w.get, "check": w.check,
		})
		w.check(r)
		if rapid.Bool().Draw(r, "delete the container") {
			w.do(202, "DELETE", "?restype=container", nil)
		} else {
			w.empty()
			w.expire()
		}
		if n := m.rows(r); n != 0 {
			r.Fatalf("%d rows are left", n)
		}
		if left := files(t, m.engine); len(left) != 0 {
			r.Fatalf("left: %v", left)
		}
	})
}

type world struct {
	m         *emulator
	t         *rapid.T
	container string
	blobs     map[string]*modelBlob
	keeps     bool // soft delete is on
}

func (w *world) do(status int, method, target string, body []byte, headers ...string) *httptest.ResponseRecorder {
	a := w.m.serve(method, w.container+target, body, headers...)
	if a.Code != status {
		w.t.Fatalf("%s %s: %d %s, want %d", method, target, a.Code, a.Header().Get("x-ms-error-code"), status)
	}
	return a
}

func (w *world) name(r *rapid.T) string {
	return rapid.SampledFrom([]string{"a", "b", "c"}).Draw(r, "blob")
}

func (w *world) bytes(r *rapid.T, least int) []byte {
	size := rapid.SampledFrom(sizes).Draw(r, "size")
	data := noise(max(size, least))
	if len(data) > 0 {
		data[0] = rapid.Byte().Draw(r, "first byte")
	}
	return data
}

func (w *world) blob(name string) *modelBlob {
	b := w.blobs[name]
	if b == nil {
		b = &modelBlob{blocks: map[string][]byte{}, staged: map[string][]byte{}, snapshots: map[string][]byte{}}
		w.blobs[name] = b
	}
	return b
}

func (w *world) put(r *rapid.T) {
	name, data := w.name(r), w.bytes(r, 0)
	w.do(201, "PUT", "/"+name, data, "x-ms-blob-type: BlockBlob")
	b := w.blob(name)
	w.overwritten(b, "BlockBlob")
	b.kind, b.data, b.blocks, b.staged = "BlockBlob", data, map[string][]byte{}, map[string][]byte{}
}

func (w *world) append(r *rapid.T) {
	name := w.name(r)
	b := w.blob(name)
	if b.kind != "AppendBlob" {
		w.do(201, "PUT", "/"+name, nil, "x-ms-blob-type: AppendBlob")
		w.overwritten(b, "AppendBlob")
		b.kind, b.data, b.blocks, b.staged = "AppendBlob", nil, map[string][]byte{}, map[string][]byte{}
	}
	data := w.bytes(r, 1)
	w.do(201, "PUT", "/"+name+"?comp=appendblock", data)
	b.data = append(append([]byte(nil), b.data...), data...)
}

var blockIDs = []string{"AAAA", "BBBB", "CCCC"}

func (w *world) stage(r *rapid.T) {
	name := w.name(r)
	b := w.blob(name)
	id, data := rapid.SampledFrom(blockIDs).Draw(r, "id"), w.bytes(r, 1)
	if b.kind == "AppendBlob" {
		w.do(409, "PUT", "/"+name+"?comp=block&blockid="+id, data)
		return
	}
	w.do(201, "PUT", "/"+name+"?comp=block&blockid="+id, data)
	if b.kind == "" {
		w.overwritten(b, "BlockBlob")
	}
	b.staged[id] = data
}

func (w *world) commit(r *rapid.T) {
	name := w.name(r)
	b := w.blob(name)
	if b.kind == "AppendBlob" {
		return
	}
	list, data, blocks, known := "<BlockList>", []byte(nil), map[string][]byte{}, true
	for _, id := range rapid.SliceOfN(rapid.SampledFrom(blockIDs), 0, 5).Draw(r, "ids") {
		list += "<Latest>" + id + "</Latest>"
		block, ok := b.staged[id]
		if !ok {
			block, ok = b.blocks[id]
		}
		known = known && ok
		data, blocks[id] = append(data, block...), block
	}
	list += "</BlockList>"
	if !known {
		w.do(400, "PUT", "/"+name+"?comp=blocklist", []byte(list))
		return
	}
	w.do(201, "PUT", "/"+name+"?comp=blocklist", []byte(list))
	w.overwritten(b, "BlockBlob")
	b.kind, b.data, b.blocks, b.staged = "BlockBlob", data, blocks, map[string][]byte{}
}

func (w *world) snapshot(r *rapid.T) {
	name := w.name(r)
	b := w.blob(name)
	if b.kind == "" {
		w.do(404, "PUT", "/"+name+"?comp=snapshot", nil)
		return
	}
	a := w.do(201, "PUT", "/"+name+"?comp=snapshot", nil)
	b.snapshots[a.Header().Get("x-ms-snapshot")] = b.data
}

func (w *world) copy(r *rapid.T) {
	from, to := w.name(r), rapid.SampledFrom([]string{"a", "b", "c", "d"}).Draw(r, "to")
	source := "x-ms-copy-source: http://example.com/" + azure.DevelopmentAccount + w.container + "/" + from
	src, dst := w.blob(from), w.blob(to)
	switch {
	case src.kind == "":
		w.do(404, "PUT", "/"+to, nil, source)
	case dst.kind != "" && dst.kind != src.kind:
		w.do(409, "PUT", "/"+to, nil, source)
	default:
		w.do(202, "PUT", "/"+to, nil, source)
		copied := *src
		w.overwritten(dst, src.kind)
		src = &copied // which may be the same blob
		dst.kind, dst.data, dst.blocks, dst.staged = src.kind, src.data, src.blocks, map[string][]byte{}
	}
}

func (w *world) delete(r *rapid.T) {
	name := w.name(r)
	b := w.blob(name)
	switch {
	case b.kind == "":
		w.do(404, "DELETE", "/"+name, nil)
	case len(b.snapshots) > 0 && rapid.Bool().Draw(r, "only the blob"):
		w.do(409, "DELETE", "/"+name, nil)
	default:
		w.do(202, "DELETE", "/"+name, nil, "x-ms-delete-snapshots: include")
		w.deleted(name, b)
	}
}

// get reads ranges of everything there is.
func (w *world) get(r *rapid.T) {
	for name, b := range w.blobs {
		if len(b.data) == 0 {
			continue
		}
		from := rapid.IntRange(0, len(b.data)-1).Draw(r, "from")
		to := rapid.IntRange(from, len(b.data)-1).Draw(r, "to")
		a := w.do(206, "GET", "/"+name, nil, fmt.Sprintf("x-ms-range: bytes=%d-%d", from, to))
		if !bytes.Equal(a.Body.Bytes(), b.data[from:to+1]) {
			r.Fatalf("%s: bytes %d to %d differ", name, from, to)
		}
	}
}

// check reads everything there is.
func (w *world) check(r *rapid.T) {
	for name, b := range w.blobs {
		if b.kind == "" {
			w.do(404, "GET", "/"+name, nil)
		} else if a := w.do(200, "GET", "/"+name, nil); !bytes.Equal(a.Body.Bytes(), b.data) {
			r.Fatalf("%s holds %d bytes that differ from %d", name, a.Body.Len(), len(b.data))
		}
		for snapshot, data := range b.snapshots {
			if a := w.do(200, "GET", "/"+name+"?snapshot="+snapshot, nil); !bytes.Equal(a.Body.Bytes(), data) {
				r.Fatalf("snapshot %s of %s differs", snapshot, name)
			}
		}
	}
	w.checkList(r)
}

func (w *world) empty() {
	for name, b := range w.blobs {
		if b.kind == "" { // perhaps uncommitted blocks
			w.do(201, "PUT", "/"+name, nil, "x-ms-blob-type: BlockBlob")
		}
		w.do(202, "DELETE", "/"+name, nil, "x-ms-delete-snapshots: include")
	}
}

// TestAtTheSameTime lets many clients work on the same blobs. Every read sees one of the bodies that
// were put, whole, and nothing is left at the end.
func TestAtTheSameTime(t *testing.T) {
	m := start(t, engine.Options{}, true)
	m.serve("PUT", "/cont?restype=container", nil)
	bodies := [][]byte{noise(10), noise(100_000), noise(1<<20 + 5), noise(2 << 20)}
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for i := range 30 {
				blob := fmt.Sprintf("/cont/b%d", (g+i)%2)
				switch (g + i) % 5 {
				case 0, 1:
					m.serve("PUT", blob, bodies[(g*7+i)%len(bodies)], "x-ms-blob-type: BlockBlob")
				case 2:
					m.serve("PUT", "/cont/b0", nil, "x-ms-copy-source: http://example.com/"+azure.DevelopmentAccount+
						"/cont/b1")
				case 3:
					m.serve("DELETE", blob, nil)
				case 4:
					a := m.serve("GET", blob, nil)
					if a.Code != http.StatusNotFound && !isOneOf(a.Body.Bytes(), bodies) {
						t.Errorf("status %d, %d bytes that no one put", a.Code, a.Body.Len())
					}
				}
			}
		})
	}
	wg.Wait()
	m.serve("DELETE", "/cont?restype=container", nil)
	if n := m.rows(t); n != 0 {
		t.Errorf("%d rows are left", n)
	}
	if left := files(t, m.engine); len(left) != 0 {
		t.Errorf("left: %v", left)
	}
}

func isOneOf(b []byte, of [][]byte) bool {
	for _, one := range of {
		if bytes.Equal(b, one) {
			return true
		}
	}
	return false
}
