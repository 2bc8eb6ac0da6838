package blobs

import (
	"crypto/sha256"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"
)

func TestParseRange(t *testing.T) {
	for _, c := range []struct {
		name, value string
		want        span
		ok          bool
	}{
		{"closed", "bytes=0-9", span{0, 10}, true},
		{"one byte", "bytes=5-5", span{5, 6}, true},
		{"open", "bytes=5-", span{5, openEnd}, true},
		{"suffix is not a range", "bytes=-5", span{}, false},
		{"several are not a range", "bytes=0-1,3-4", span{}, false},
		{"another unit", "pages=0-1", span{}, false},
		{"backwards", "bytes=5-4", span{}, false},
		{"signs", "bytes=+1-+2", span{}, false},
		{"too large", "bytes=0-99999999999999999999", span{}, false},
		{"the largest number", "bytes=0-9223372036854775807", span{}, false},
		{"empty", "", span{}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, ok := parseRange(c.value)
			if got != c.want || ok != c.ok {
				t.Fatalf("parseRange(%q) = %v, %v, want %v, %v", c.value, got, ok, c.want, c.ok)
			}
		})
	}
}

func TestConditions(t *testing.T) {
	const etag = ticks(638000000005000000) // half a second after a whole one
	own := etag.quoted()
	before, at, after := (etag - 1e7).http(), etag.http(), (etag + 1e7).http()
	for _, c := range []struct {
		name        string
		headers     []string
		read, write int // the status of the problem; 0: none
		missing     int // of a write where there is nothing
	}{
		{"none", nil, 0, 0, 0},
		{"its own ETag", []string{"If-Match", own}, 0, 0, 412},
		{"another", []string{"If-Match", `"0x8D00"`}, 412, 412, 412},
		{"one of several", []string{"If-Match", `"0x8D00", ` + own}, 0, 0, 412},
		{"a star", []string{"If-Match", "*"}, 0, 0, 412},
		{"not its own", []string{"If-None-Match", own}, 304, 412, 0},
		{"not another", []string{"If-None-Match", `"0x8D00"`}, 0, 0, 0},
		{"not a star", []string{"If-None-Match", "*"}, 400, 412, 0},
		{"modified since earlier", []string{"If-Modified-Since", before}, 0, 0, 0},
		{"modified since then", []string{"If-Modified-Since", at}, 304, 412, 0},
		{"unmodified since then", []string{"If-Unmodified-Since", at}, 0, 0, 0},
		{"unmodified since earlier", []string{"If-Unmodified-Since", before}, 412, 412, 0},
		{"unmodified since later", []string{"If-Unmodified-Since", after}, 0, 0, 0},
		{"one of two is enough to read", []string{"If-None-Match", own, "If-Modified-Since", before}, 0, 412, 0},
		{"both fail", []string{"If-None-Match", own, "If-Modified-Since", at}, 304, 412, 0},
		{"a tag", []string{"X-Ms-If-Tags", `"a" = '1'`}, 0, 0, 412},
		{"another value", []string{"X-Ms-If-Tags", `"a" = '2'`}, 412, 412, 412},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := http.Header{}
			for i := 0; i < len(c.headers); i += 2 {
				h.Set(c.headers[i], c.headers[i+1])
			}
			parsed, p := parseConditions(h, ownConditions())
			if p != nil {
				t.Fatal(p)
			}
			tags := []pair{{"a", "1"}}
			for _, got := range []struct {
				what string
				want int
				p    error
			}{
				{"read", c.read, asError(parsed.read(etag, tags))},
				{"write", c.write, asError(parsed.write(true, etag, tags))},
				{"write of nothing", c.missing, asError(parsed.write(false, 0, nil))},
			} {
				if status := statusOf(got.p); status != got.want {
					t.Errorf("%s: %v, want %d", got.what, got.p, got.want)
				}
			}
		})
	}
}

func TestTagExpression(t *testing.T) {
	tags := []pair{{"a", "1"}, {"b c", "x y"}, {"d", "2024-01-02"}}
	for _, c := range []struct {
		where      string
		valid      bool
		searchable bool
		holds      bool
	}{
		{`a = '1'`, true, true, true},
		{`"a"='1'`, true, true, true},
		{`"b c" = 'x y' AND a = '1'`, true, true, true},
		{`d >= '2024-01-01' and d < '2024-02-01'`, true, true, true},
		{`a = '2' OR a = '1'`, true, false, true},
		{`a = '2' OR a = '1' AND d = 'x'`, true, false, false},
		{`a <> '1'`, true, false, false},
		{`none <> '1'`, true, false, true},
		{`none = '1'`, true, true, false},
		{`@container = 'c' AND a = '1'`, true, true, false},
		{`@container > 'c'`, true, false, false},
		{``, false, false, false},
		{`a`, false, false, false},
		{`a =`, false, false, false},
		{`a = 1`, false, false, false},
		{`a = '1' AND`, false, false, false},
		{`a = '1' b = '2'`, false, false, false},
		{`a = 'unterminated`, false, false, false},
		{`a = '!'`, false, false, false},
		{`(a = '1')`, true, false, true},
		{`(a = '2' OR a = '1') AND d > '2'`, true, false, true},
		{`(a = '2' OR a = '1') AND (none = '' OR d < '2')`, true, false, false},
		{`a > '0' AND a <= '1'`, true, true, true},
		{`a > '0' AND a >= '1'`, true, false, true},
		{`(a = '1'`, false, false, false},
		{`a = '1')`, false, false, false},
		{`()`, false, false, false},
		{strings.Repeat("(", 100) + `a = '1'` + strings.Repeat(")", 100), true, false, true},
		{strings.Repeat("(", 101) + `a = '1'` + strings.Repeat(")", 101), false, false, false},
	} {
		t.Run(c.where, func(t *testing.T) {
			e, err := parseTagExpression(c.where)
			if (err == nil) != c.valid {
				t.Fatalf("error %v", err)
			}
			if err != nil {
				return
			}
			if _, searchable := e.search(); searchable != c.searchable || e.holds(tags) != c.holds {
				t.Fatalf("searchable %v, holds %v", searchable, e.holds(tags))
			}
		})
	}
}

// TestMetadataHeaders has the case in which Azure sends them: the SDK for Python looks for exactly that.
func TestMetadataHeaders(t *testing.T) {
	h := http.Header{}
	setMetadata(h, []pair{{"color", "red"}, {"size", "1"}})
	if want := (http.Header{"x-ms-meta-color": {"red"}, "x-ms-meta-size": {"1"}}); !reflect.DeepEqual(h, want) {
		t.Errorf("%v, want %v", h, want)
	}
}

func TestRecordRoundTrip(t *testing.T) {
	full := record{
		kind: appendBlob, etag: 638e15, created: 637e15, size: 99, sequence: 7, blocks: 8, sealed: true, body: "b",
		headers:  contentHeaders{"t", "e", "l", "d", "c", strings.Repeat("m", 16)},
		metadata: []pair{{"a", "1"}, {"b", ""}}, tags: []pair{{"t", "v"}}, tier: tier{"Archive", 5, "Cool", true},
		lease: lease{"id", infiniteLease, 3, 4}, copy: copyState{"id", "src", "success", "why", 1, 2, 3},
		key: strings.Repeat("k", sha256.Size), version: 6, ended: 7, inline: []byte("inline"),
	}
	for name, want := range map[string]record{"full": full, "empty": {kind: blockBlob, inline: []byte{}}} {
		t.Run(name, func(t *testing.T) {
			encoded := want.append(nil)
			var got record
			if err := got.decode(encoded); err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got, want) {
				t.Fatalf("got %+v\nwant %+v", got, want)
			}
			for n := range encoded[:len(encoded)-len(want.inline)] {
				if err := got.decode(encoded[:n]); err == nil {
					t.Fatalf("%d of %d bytes were taken for a record", n, len(encoded))
				}
			}
		})
	}
	container := containerRecord{"id", 5, "blob", []pair{{"a", "1"}}, lease{"id", 15, 3, 4}, "<x/>"}
	var got containerRecord
	if err := got.decode(container.append(nil)); err != nil || !reflect.DeepEqual(got, container) {
		t.Fatalf("%+v, %v", got, err)
	}
}

func TestTicks(t *testing.T) {
	at := time.Date(2026, 11, 20, 16, 53, 12, 345678900, time.UTC)
	n := ticksOf(at)
	if !n.time().Equal(at) {
		t.Fatalf("%v, want %v", n.time(), at)
	}
	if n.snapshot() != "2026-11-20T16:53:12.3456789Z" {
		t.Fatal(n.snapshot())
	}
	if back, ok := parseSnapshot(n.snapshot()); !ok || back != n {
		t.Fatalf("%v, want %v", back, n)
	}
	if !strings.HasPrefix(n.etag(), "0x8") || len(n.etag()) != 17 {
		t.Fatal(n.etag())
	}
	var c clock
	if one, two := c.Next(ticksOf(at)), c.Next(ticksOf(at.Add(-time.Hour))); two != one+1 {
		t.Fatalf("%d after %d", two, one)
	}
}

func TestContainerNames(t *testing.T) {
	for name, code := range map[string]string{
		"abc": "", "a-b-c": "", "$root": "", "$web": "", strings.Repeat("a", 63): "", "123": "",
		"ab": "OutOfRangeInput", strings.Repeat("a", 64): "OutOfRangeInput",
		"Abc": "InvalidResourceName", "-abc": "InvalidResourceName", "abc-": "InvalidResourceName",
		"a--b": "InvalidResourceName",
		"a_b":  "InvalidResourceName", "$other": "InvalidResourceName",
	} {
		got := ""
		if p := checkContainerName(name); p != nil {
			got = p.Code
		}
		if got != code {
			t.Errorf("%s: %q, want %q", name, got, code)
		}
	}
}

func TestDiffPages(t *testing.T) {
	x := func(start, end, offset int64, chunk string) extent {
		return extent{start: start, end: end, offset: offset, chunk: chunk}
	}
	before := []extent{x(0, 100, 0, "a"), x(200, 300, 0, "b")}
	now := []extent{x(0, 40, 0, "a"), x(40, 60, 0, "c"), x(60, 100, 60, "a"), x(250, 300, 50, "b"), x(400, 500, 0, "d")}
	got := diffPages(before, now, span{0, 600})
	want := []pageSpan{{span{40, 60}, false}, {span{200, 250}, true}, {span{400, 500}, false}}
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("%v, want %v", got, want)
	}
}

func TestMarkers(t *testing.T) {
	list, p := decodeMarker(encodeMarker("name", baseMark), 2)
	if p != nil || !reflect.DeepEqual(list, []string{"name", baseMark}) {
		t.Fatalf("%v, %v", list, p)
	}
	for _, bad := range []string{"garbage", "2!", "2!4!!!!!", encodeMarker("one"), encodeMarker("a", "b") + "x"} {
		if _, p := decodeMarker(bad, 2); p == nil || p.Code != "OutOfRangeInput" {
			t.Errorf("%q: %v", bad, p)
		}
	}
}
