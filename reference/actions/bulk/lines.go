package bulk

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// maxLine is the longest line that is sent: no server accepts a body above 10 MiB.
const maxLine = 10 << 20

// byteOrderMark begins a file that some editors have saved.
const byteOrderMark = "\ufeff"

// errTooLong is why a line was not kept.
var errTooLong = fmt.Errorf("longer than %d MiB", maxLine>>20)

// line is one line of the input.
type line struct {
	number int64 // from 1
	end    int64 // offset of the next line
	text   []byte
	err    error // errTooLong; text is nil then
}

// lineReader reads lines one by one, and retains none.
type lineReader struct {
	input  *bufio.Reader
	number int64
	offset int64
}

func newLineReader(input io.Reader, number, offset int64) *lineReader {
	return &lineReader{bufio.NewReaderSize(input, 128<<10), number, offset}
}

// next returns the next line without its line break; io.EOF after the last. The caller owns the text.
func (r *lineReader) next() (line, error) {
	var text []byte
	tooLong := false
	for {
		part, err := r.input.ReadSlice('\n')
		r.offset += int64(len(part))
		if tooLong = tooLong || len(text)+len(part) > maxLine; tooLong {
			text = nil
		} else {
			text = append(text, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil && !errors.Is(err, io.EOF):
			return line{}, fmt.Errorf("read line %d: %w", r.number+1, err)
		case err != nil && len(text) == 0 && !tooLong:
			return line{}, io.EOF
		}
		r.number++
		read := line{number: r.number, end: r.offset, text: bytes.TrimRight(text, "\r\n")}
		if tooLong {
			read.err = errTooLong
		}
		if read.number == 1 {
			read.text = bytes.TrimPrefix(read.text, []byte(byteOrderMark))
		}
		return read, nil
	}
}

// record is a line that can be sent.
type record struct {
	line        int64
	owner, name string // as keys: these are what the server compares
	text        []byte
}

// readRecord reads the required parts of a line. Errors say what the line lacks, without quoting it.
func readRecord(l line) (record, error) {
	if l.err != nil {
		return record{}, l.err
	}
	if bytes.HasPrefix(l.text, []byte(byteOrderMark)) { // that of the first line is gone
		return record{}, errors.New("it begins with a byte order mark (U+FEFF), as after joining two files")
	}
	if !utf8.Valid(l.text) {
		return record{}, errors.New("not UTF-8")
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(l.text, &fields); err != nil {
		if syntax := (*json.SyntaxError)(nil); errors.As(err, &syntax) {
			return record{}, fmt.Errorf("not JSON: byte %d is not expected", syntax.Offset)
		}
		return record{}, errors.New("not a JSON object")
	}
	if fields == nil {
		return record{}, errors.New("not a JSON object")
	}
	owner, err := key(fields, "owner")
	if err != nil {
		return record{}, err
	}
	name, err := key(fields, "name")
	return record{line: l.number, owner: owner, name: name, text: l.text}, err
}

// key returns a field as a key (GA-KEY-1): ASCII white space is trimmed and A–Z lowered.
func key(fields map[string]json.RawMessage, name string) (string, error) {
	raw, ok := fields[name]
	if !ok {
		return "", fmt.Errorf("%s is missing", name)
	}
	var value any
	if err := json.Unmarshal(raw, &value); err != nil {
		return "", fmt.Errorf("%s: not JSON", name)
	}
	text, ok := value.(string)
	if text = strings.Trim(text, " \t\n\v\f\r"); !ok || text == "" {
		return "", fmt.Errorf("%s is not text", name)
	}
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, text), nil
}
