package actions

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/storespec/storespec/reference/account"
)

// columns returns the row as an entity in JSON (GA-SIZ-1): the payload as text if it fits in a text column, otherwise
// compressed and split. Errors: account.ErrTooLarge when the entity would be larger than the service allows.
func (r *row) columns() ([]byte, error) {
	entity := map[string]any{
		columnPartition: r.partition, columnRow: r.row, columnHash: r.hash, columnWrite: r.writeID,
		columnSynced: timestamp(r.synced), typed(columnSynced): "Edm.DateTime",
	}
	// The service's size formula: 4 bytes, the keys, and for each column 8, its name and its value (REST documentation,
	// "Designing a scalable partitioning strategy"), including Timestamp.
	size := 4 + 2*(units(r.partition)+units(r.row)) + textSize(columnHash, units(r.hash)) +
		textSize(columnWrite, units(r.writeID)) + 2*(8+8+2*len(columnSynced))
	if n := units(string(r.payload)); n <= maxText {
		entity[columnPayload] = string(r.payload)
		size += textSize(columnPayload, n)
	} else {
		parts, n := pack(r.payload)
		maps.Copy(entity, parts)
		size += n
	}
	if size > maxEntity {
		return nil, fmt.Errorf("storing a record: %w: %d bytes of at most %d", account.ErrTooLarge, size, maxEntity)
	}
	data, err := json.Marshal(entity)
	if err != nil {
		return nil, fmt.Errorf("encoding a row: %w", err)
	}
	return data, nil
}

// pack compresses the payload with gzip into as many binary columns as it needs, and returns their size together with
// that of PayloadEncoding.
func pack(payload []byte) (parts map[string]any, size int) {
	var packed bytes.Buffer
	writer := gzip.NewWriter(&packed)
	_, _ = writer.Write(payload) // a buffer accepts everything
	_ = writer.Close()
	parts = map[string]any{columnEncoding: encodingGzip}
	size = textSize(columnEncoding, len(encodingGzip))
	for i := 0; packed.Len() > 0; i++ {
		name, part := columnPart+strconv.Itoa(i), packed.Next(maxPart)
		parts[name] = base64.StdEncoding.EncodeToString(part)
		parts[typed(name)] = "Edm.Binary"
		size += 8 + 2*len(name) + 4 + len(part)
	}
	return parts, size
}

// textSize returns the size of a text column.
func textSize(name string, units int) int { return 8 + 2*len(name) + 4 + 2*units }

// units returns a text's length in UTF-16 code units, which is what the service counts.
func units(text string) int {
	n := 0
	for _, r := range text {
		n += utf16.RuneLen(r)
	}
	return n
}

// maxUnpacked bounds the size of an uncompressed payload: canonical JSON makes a body's numbers at most five times
// longer.
const maxUnpacked = 6 * maxBody

// errCorrupt: a row does not have the content that the design specifies.
var errCorrupt = errors.New("malformed row")

// decodeRow decodes an entity. etag is used if the entity contains none. Errors: errCorrupt.
func decodeRow(data []byte, etag string) (*row, error) {
	var s stored
	if err := json.Unmarshal(data, &s); err != nil {
		return nil, fmt.Errorf("%w: its columns have other types than the design's", errCorrupt)
	}
	if etag == "" {
		etag = s.ETag
	}
	r := &row{
		key: key{s.PartitionKey, s.RowKey}, etag: etag, synced: s.LastSyncedUtc.UTC(), hash: s.PayloadHash,
		payload: []byte(s.PayloadJSON), writeID: s.WriteID,
	}
	if s.PayloadEncoding == "" {
		return r, nil
	}
	var err error
	r.payload, err = unpack(data, s.PayloadEncoding)
	return r, err
}

// unpack joins and decompresses the parts of a payload.
func unpack(entity []byte, encoding string) ([]byte, error) {
	var columns map[string]json.RawMessage
	if encoding != encodingGzip || json.Unmarshal(entity, &columns) != nil {
		return nil, fmt.Errorf("%w: its payload has an unknown encoding", errCorrupt)
	}
	var packed []byte
	for i := 0; ; i++ {
		column, more := columns[columnPart+strconv.Itoa(i)]
		if !more {
			break
		}
		var part []byte
		if err := json.Unmarshal(column, &part); err != nil {
			return nil, fmt.Errorf("%w: a part of its payload is not binary", errCorrupt)
		}
		packed = append(packed, part...)
	}
	reader, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, fmt.Errorf("%w: its payload is not compressed", errCorrupt)
	}
	payload, err := io.ReadAll(io.LimitReader(reader, maxUnpacked+1))
	if err != nil || len(payload) > maxUnpacked || !utf8.Valid(payload) {
		return nil, fmt.Errorf("%w: its payload cannot be decompressed", errCorrupt)
	}
	return payload, nil
}
