package wire

import (
	"hash/maphash"
	"io"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestBodyTap(t *testing.T) {
	seed := maphash.MakeSeed()
	tap := func(length int64) (*bodyTap, *strings.Builder) {
		req := httptest.NewRequest("PUT", "/acc/c/b", strings.NewReader("content"))
		req.ContentLength = length
		sink := &strings.Builder{}
		return newBodyTap(req, sink, seed), sink
	}
	whole, _ := tap(7)
	_, _ = io.ReadAll(whole)
	_, known := whole.close()
	chunked, _ := tap(-1)
	_, _ = io.ReadAll(chunked)
	if _, digest := chunked.close(); digest != known || !digest.complete || digest.size != 7 {
		t.Errorf("a chunked body gives %+v, one of known length %+v", digest, known)
	}

	exact, sink := tap(7)
	_, _ = io.ReadFull(exact, make([]byte, 7)) // the end itself is not read
	if _, digest := exact.close(); digest != known || sink.String() != "content" {
		t.Errorf("read to its length: %+v, sink %q", digest, sink)
	}

	early, sink := tap(-1)
	_, _ = io.ReadFull(early, make([]byte, 3))
	size, digest := early.close()
	if _, err := io.ReadAll(early); err != nil { // http.Transport may read on
		t.Error(err)
	}
	if size != 3 || digest.complete || sink.String() != "con" {
		t.Errorf("closed early: %d bytes, %+v, sink %q", size, digest, sink)
	}
}
