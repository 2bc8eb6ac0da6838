package actions

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
)

// Live is the set of keys of records that still exist at their source. The zero value is empty.
type Live struct {
	keys map[[16]byte]struct{} // the beginning of each key's SHA-256: a million of them take some 40 MB
}

// ReadLive reads the keys of records as lines of NDJSON; empty lines are ignored. A line that is not a record is an
// error that gives its line number, since its record would otherwise be purged.
func ReadLive(lines io.Reader) (*Live, error) {
	live := &Live{keys: map[[16]byte]struct{}{}}
	reader := bufio.NewReaderSize(lines, 1<<16)
	for number := 1; ; number++ {
		line, err := readLine(reader)
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
		unmarked, marked := bytes.CutPrefix(line, []byte("\ufeff")) // some editors begin a file with it
		if marked && number > 1 {
			return nil, fmt.Errorf("line %d: it begins with a byte order mark (U+FEFF), as after joining two files",
				number)
		}
		line = unmarked
		if len(bytes.TrimSpace(line)) > 0 {
			record, refused := parseRecord(line)
			if refused != nil {
				return nil, fmt.Errorf("line %d: %s", number, refused.Message)
			}
			live.keys[fingerprint(record.key)] = struct{}{}
		}
		if errors.Is(err, io.EOF) {
			return live, nil
		}
	}
}

// readLine reads to the end of a line, or of the text (io.EOF); a line may not be longer than a request's body.
func readLine(reader *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := reader.ReadSlice('\n')
		if line = append(line, part...); len(line) > maxBody {
			return nil, errors.New("the line is too long")
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}

// Len returns the number of keys.
func (l *Live) Len() int { return len(l.keys) }

func (l *Live) has(k key) bool {
	_, ok := l.keys[fingerprint(k)]
	return ok
}

func fingerprint(k key) [16]byte {
	sum := sha256.Sum256([]byte(k.partition + "/" + k.row)) // keys never contain a slash
	return [16]byte(sum[:16])
}
