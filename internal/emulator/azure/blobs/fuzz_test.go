package blobs

import (
	"bytes"
	"encoding/xml"
	"net/http"
	"strings"
	"testing"

	"github.com/storespec/storespec/internal/emulator/engine"
)

func FuzzBlockList(f *testing.F) {
	f.Add([]byte(`<?xml version="1.0"?><BlockList><Latest>AAAA</Latest><Committed>AAAB</Committed></BlockList>`))
	f.Add([]byte(`<BlockList/>`))
	f.Add([]byte(`<BlockList><Latest>***</Latest>`))
	f.Fuzz(func(t *testing.T, data []byte) {
		list, p := parseBlockList(data)
		if p != nil {
			if p.Status != 400 {
				t.Fatalf("status %d", p.Status)
			}
			return
		}
		// What was understood can be said again.
		var b strings.Builder
		b.WriteString("<BlockList>")
		for _, ref := range list {
			b.WriteString("<" + ref.list + ">")
			_ = xml.EscapeText(&b, []byte(ref.id))
			b.WriteString("</" + ref.list + ">")
		}
		b.WriteString("</BlockList>")
		again, p := parseBlockList([]byte(b.String()))
		if p != nil || len(again) != len(list) {
			t.Fatalf("%v: %v", p, b.String())
		}
	})
}

func FuzzRange(f *testing.F) {
	f.Add("bytes=0-9", int64(5))
	f.Add("bytes=5-", int64(5))
	f.Fuzz(func(t *testing.T, value string, size int64) {
		if size < 0 {
			return
		}
		s, partial, p := readRange(http.Header{"Range": {value}}, size)
		switch {
		case p != nil && p.Status != 416:
			t.Fatalf("status %d", p.Status)
		case p == nil && (s.start < 0 || s.end > size || partial && s.length() <= 0):
			t.Fatalf("%v of %d", s, size)
		}
	})
}

// FuzzTagExpression parses any text. Every clause of what is parsed has a name and an operator, and a search finds
// what the expression holds for.
func FuzzTagExpression(f *testing.F) {
	f.Add(`(a = '1' OR (b <> '2')) AND c = '3'`)
	f.Add(`"a b" >= '1' AND @container = 'x' OR c <> 'd'`)
	f.Add(`a > '0' AND a <= '1'`)
	f.Fuzz(func(t *testing.T, where string) {
		e, err := parseTagExpression(where)
		if err != nil {
			return
		}
		checkClauses(t, e, 0)
		search, ok := e.search()
		for _, tags := range [][]pair{nil, {{"a", "1"}}, {{"a", "1"}, {"c", "3"}}} {
			if holds := e.holds(tags); ok && search.holds(tags) != holds {
				t.Fatalf("%s for %v: %t, and in a search %t", where, tags, holds, !holds)
			}
		}
	})
}

// checkClauses checks an expression within others, down to its clauses.
func checkClauses(t *testing.T, e *tagExpression, depth int) {
	if depth > 2*(maxDepth+1) { // OR and AND at each depth of parentheses
		t.Fatalf("more than %d expressions within each other", depth)
	}
	for _, part := range e.parts {
		checkClauses(t, part, depth+1)
	}
	c := e.clause
	complete := c.name != "" && c.operator != "" && strings.Trim(c.operator, "<=>") == ""
	if isClause := len(e.parts) == 0; isClause != complete || !isClause && c != (tagClause{}) {
		t.Fatalf("%d parts, and the clause %+v", len(e.parts), c)
	}
}

func FuzzBatch(f *testing.F) {
	f.Add("multipart/mixed; boundary=b",
		[]byte("--b\r\nContent-Type: application/http\r\nContent-ID: 0\r\n\r\nDELETE /a/b HTTP/1.1\r\nx-ms-date: "+
			"now\r\n\r\n--b--\r\n"))
	f.Add("multipart/mixed; boundary=b", []byte("--b\r\n\r\nPUT /a/b?comp=tier HTTP/1.1\r\n\r\n--b--"))
	f.Fuzz(func(t *testing.T, contentType string, body []byte) {
		parts, err := parseBatch(contentType, body)
		if err != nil {
			return
		}
		if len(parts) == 0 || len(parts) > maxBatch {
			t.Fatalf("%d parts", len(parts))
		}
		for _, p := range parts {
			if p.request.Method != http.MethodDelete && p.request.Method != http.MethodPut ||
				strings.ContainsAny(p.contentID, "\r\n") {
				t.Fatalf("%+v", p)
			}
		}
	})
}

// FuzzPages writes and clears ranges of a page blob and compares the result with plain bytes.
func FuzzPages(f *testing.F) {
	f.Add([]byte{0, 3, 1, 2, 4, 0, 5, 1, 1})
	f.Fuzz(func(t *testing.T, script []byte) {
		if len(script) > 120 {
			return
		}
		e, err := engine.Open(engine.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer e.Close()
		account := e.Account("fuzz")
		s, err := newShelf(e, account, account.Data(), false, false)
		if err != nil {
			t.Fatal(err)
		}
		const size = 32
		want := make([]byte, size)
		for i := 0; i+2 < len(script); i += 3 {
			start := int64(script[i] % size)
			end := min(size, start+1+int64(script[i+1]%8))
			ch := s.change()
			if err := ch.clearRange("body", span{start, end}); err != nil {
				t.Fatal(err)
			}
			letter := script[i+2]
			for at := start; at < end; at++ {
				want[at] = letter
			}
			if letter != 0 {
				b := &body{data: bytes.Repeat([]byte{letter}, int(end-start))}
				ch.setExtent("body", extent{start: start, end: end, chunk: ch.add(b)})
			}
			if err := ch.commit(); err != nil {
				t.Fatal(err)
			}
			ch.discard()
		}
		extents, err := s.extents("body", span{0, size})
		if err != nil {
			t.Fatal(err)
		}
		got := make([]byte, size)
		used := map[string]bool{}
		for _, x := range extents {
			data, found, err := e.Get(s.space.Key(nil, chunkRows, x.chunk), nil)
			if err != nil || !found {
				t.Fatalf("chunk of %+v: %v, %v", x, found, err)
			}
			copy(got[x.start:x.end], data[x.offset:])
			used[x.chunk] = true
		}
		if !bytes.Equal(got, want) {
			t.Fatalf("got  %v\nwant %v", got, want)
		}
		if n := countRowsOf(t, s, chunkRows); n != len(used) {
			t.Fatalf("%d chunks are kept, %d are used", n, len(used))
		}
	})
}

// countRowsOf counts the rows of a kind.
func countRowsOf(t testing.TB, s *shelf, kind string) (n int) {
	t.Helper()
	it, err := s.engine.Iter(s.space.Range(kind))
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
