package blobs

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/storespec/storespec/internal/emulator/azure"
)

// FuzzStructured reads any bytes as a structured message, and what was written as one.
func FuzzStructured(f *testing.F) {
	wrap := func(content []byte) []byte {
		var b bytes.Buffer
		if err := wrap(inlineSource(content))(&b, span{0, int64(len(content))}); err != nil {
			f.Fatal(err)
		}
		return b.Bytes()
	}
	read := func(message []byte) ([]byte, error) {
		return io.ReadAll(&messageReader{from: bufio.NewReader(bytes.NewReader(message)),
			length: int64(len(message))})
	}
	f.Add([]byte("content"))
	f.Add(wrap([]byte("content")))
	f.Add(wrap(nil))
	f.Fuzz(func(t *testing.T, data []byte) {
		if content, err := read(data); err == nil && !bytes.Equal(wrap(content), data) && len(content) > 0 &&
			data[11] == 1 {
			t.Errorf("%q is read as %q, which is written as %q", data, content, wrap(content))
		}
		message := wrap(data)
		if int64(len(message)) != structuredLength(int64(len(data))) {
			t.Errorf("%d bytes are announced as %d", len(message), structuredLength(int64(len(data))))
		}
		content, err := read(message)
		if err != nil || !bytes.Equal(content, data) {
			t.Errorf("%q, %v from %q", content, err, data)
		}
	})
}

// A message that was changed or cut anywhere is not read to its end.
func TestStructuredIsChecked(t *testing.T) {
	content := []byte(strings.Repeat("0123456789", 3))
	var b bytes.Buffer
	if err := wrap(inlineSource(content))(&b, span{0, int64(len(content))}); err != nil {
		t.Fatal(err)
	}
	check := func(message []byte, what string, at int) {
		t.Helper()
		_, err := io.ReadAll(&messageReader{from: bufio.NewReader(bytes.NewReader(message)), length: -1})
		if !errors.Is(err, errStructure) && !errors.Is(err, errChecksum) && !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%s at %d: error %v", what, at, err)
		}
		if errors.Is(err, io.EOF) {
			t.Errorf("%s at %d: %v counts as the end", what, at, err)
		}
	}
	for i := range b.Bytes() {
		changed := bytes.Clone(b.Bytes())
		changed[i] ^= 0x10
		check(changed, "changed", i)
		check(b.Bytes()[:i], "cut", i)
		check(announced(b.Bytes()[:i]), "cut, and announced so", i)
	}
}

// announced returns a message that says of itself how long it is.
func announced(message []byte) []byte {
	message = bytes.Clone(message)
	if len(message) >= messageHeadSize {
		binary.LittleEndian.PutUint64(message[1:], uint64(len(message)))
	}
	return message
}

// A body is received only if its message is complete: without the checksums after its content it is not.
func TestReceiveCutMessage(t *testing.T) {
	s := &Service{}
	content := []byte("0123456789")
	var b bytes.Buffer
	if err := wrap(inlineSource(content))(&b, span{0, int64(len(content))}); err != nil {
		t.Fatal(err)
	}
	for _, cut := range []int{0, 1, checksumSize, checksumSize + 1, 2 * checksumSize, b.Len()} {
		message := announced(b.Bytes()[:b.Len()-cut])
		c := &call{Request: &azure.Request{}, s: s}
		got, p := receiveFrom(c, &messageReader{from: bufio.NewReader(bytes.NewReader(message)),
			length: int64(len(message))}, int64(len(content)), memoryLimit, memoryLimit, digests{}, http.Header{})
		if received := p == nil; received != (cut == 0) {
			t.Errorf("without its last %d bytes: problem %v", cut, p)
		}
		s.release(got)
	}
}
