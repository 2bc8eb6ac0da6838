package blobs

import (
	"bufio"
	"bytes"
	"errors"
	"hash/crc64"
	"io"
	"strings"
	"testing"
)

// FuzzStructured reads any bytes as a structured message, and what was written as one.
func FuzzStructured(f *testing.F) {
	s := &Service{crc: crc64.MakeTable(crcPolynomial)}
	wrap := func(content []byte) []byte {
		var b bytes.Buffer
		if err := s.wrap(inlineSource(content))(&b, span{0, int64(len(content))}); err != nil {
			f.Fatal(err)
		}
		return b.Bytes()
	}
	read := func(message []byte) ([]byte, error) {
		return io.ReadAll(&messageReader{from: bufio.NewReader(bytes.NewReader(message)), table: s.crc,
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
	s := &Service{crc: crc64.MakeTable(crcPolynomial)}
	content := []byte(strings.Repeat("0123456789", 3))
	var b bytes.Buffer
	if err := s.wrap(inlineSource(content))(&b, span{0, int64(len(content))}); err != nil {
		t.Fatal(err)
	}
	check := func(message []byte, what string) {
		t.Helper()
		_, err := io.ReadAll(&messageReader{from: bufio.NewReader(bytes.NewReader(message)), table: s.crc, length: -1})
		if !errors.Is(err, errStructure) && !errors.Is(err, errChecksum) && !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%s: error %v", what, err)
		}
	}
	for i := range b.Bytes() {
		changed := bytes.Clone(b.Bytes())
		changed[i] ^= 0x10
		check(changed, "changed")
		check(b.Bytes()[:i], "cut")
	}
}
