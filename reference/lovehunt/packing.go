package lovehunt

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"fmt"
	"io"
	"maps"
	"strconv"
	"strings"

	"github.com/storespec/storespec/reference/account"
)

// A text that does not fit in a column is compressed, written in base64, and split (LH-ERR-2): the column of its name
// is then absent, and huntJsonGz0, huntJsonGz1, … hold the parts.
const packedSuffix = "Gz"

// pack returns the columns of a text, and drops those that an earlier text of this name left in the row. Errors:
// account.ErrTooLarge when an entity does not hold it.
func pack(columns map[string]string, name, text string) (map[string]string, error) {
	packed := maps.Clone(columns)
	if packed == nil {
		packed = map[string]string{}
	}
	unpacked(packed, name)
	if len(text) <= maxText { // bytes, of which a text never has fewer than UTF-16 units
		packed[name] = text
		return packed, nil
	}
	var data bytes.Buffer
	writer := gzip.NewWriter(&data)
	_, _ = io.WriteString(writer, text) // a buffer accepts everything
	_ = writer.Close()
	encoded := base64.StdEncoding.EncodeToString(data.Bytes())
	if rest := 1 << 16; 2*len(encoded) > maxEntity-rest {
		return nil, fmt.Errorf("storing a record: %w: %d characters", account.ErrTooLarge, len(encoded))
	}
	for i := 0; len(encoded) > 0; i++ {
		n := min(maxText, len(encoded))
		packed[name+packedSuffix+strconv.Itoa(i)], encoded = encoded[:n], encoded[n:]
	}
	return packed, nil
}

// unpacked removes the columns of a text.
func unpacked(columns map[string]string, name string) {
	maps.DeleteFunc(columns, func(column, _ string) bool {
		number, part := strings.CutPrefix(column, name+packedSuffix)
		_, err := strconv.Atoi(number)
		return column == name || part && err == nil
	})
}

// text returns the text of a column or of its parts; ok is false when it is absent or cannot be unpacked.
func (r *row) text(name string) (text string, ok bool) {
	if text, ok = r.columns[name]; ok {
		return text, true
	}
	var encoded strings.Builder
	for i := 0; ; i++ {
		part, more := r.columns[name+packedSuffix+strconv.Itoa(i)]
		if !more {
			break
		}
		encoded.WriteString(part)
	}
	data, err := base64.StdEncoding.DecodeString(encoded.String())
	if err != nil {
		return "", false
	}
	reader, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return "", false
	}
	whole, err := io.ReadAll(reader)
	return string(whole), err == nil
}
