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
	"slices"
	"strconv"
	"unicode/utf16"

	"github.com/storespec/storespec/reference/account"
)

// columns returns the row as an entity in JSON (GA-SIZ-1): the payload as text if it fits in a text column, otherwise
// compressed and split. Errors: account.ErrTooLarge when an entity does not hold it.
func (r *row) columns() ([]byte, error) {
	entity := map[string]any{
		columnPartition: r.partition, columnRow: r.row, columnHash: r.hash, columnWrite: r.writeID,
		columnSynced: timestamp(r.synced), typed(columnSynced): "Edm.DateTime",
	}
	if units(r.payload) <= maxText {
		entity[columnPayload] = string(r.payload)
	} else {
		parts, err := pack(r.payload)
		if err != nil {
			return nil, err
		}
		maps.Copy(entity, parts)
	}
	data, _ := json.Marshal(entity) // texts can always be encoded as JSON
	return data, nil
}

// maxRest is more than an entity with a compressed payload holds besides it: keys and other columns, and their names.
const maxRest = 4 << 10

// pack compresses the payload with gzip into as many binary columns as it needs. Errors: account.ErrTooLarge.
func pack(payload []byte) (parts map[string]any, err error) {
	var packed bytes.Buffer
	writer := gzip.NewWriter(&packed)
	_, _ = writer.Write(payload) // a buffer accepts everything
	_ = writer.Close()
	if packed.Len() > maxEntity-maxRest {
		return nil, fmt.Errorf("storing a record: %w: %d bytes of at most %d", account.ErrTooLarge, packed.Len(),
			maxEntity-maxRest)
	}
	parts = map[string]any{columnEncoding: encodingGzip}
	i := 0
	for part := range slices.Chunk(packed.Bytes(), maxPart) {
		name := columnPart + strconv.Itoa(i)
		parts[name] = base64.StdEncoding.EncodeToString(part)
		parts[typed(name)] = "Edm.Binary"
		i++
	}
	return parts, nil
}

// units returns a text's length in UTF-16 code units, which is what the service counts.
func units(text []byte) int {
	n := 0
	for _, r := range string(text) {
		n += utf16.RuneLen(r)
	}
	return n
}

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
		key: key{s.PartitionKey, s.RowKey}, etag: etag, synced: s.LastSyncedUtc, hash: s.PayloadHash,
		payload: []byte(s.PayloadJSON), writeID: s.WriteID,
	}
	var err error
	switch s.PayloadEncoding {
	case "":
	case encodingGzip:
		r.payload, err = unpack(data)
	default:
		err = fmt.Errorf("%w: its payload has an unknown encoding", errCorrupt)
	}
	return r, err
}

// unpack joins and decompresses the parts of a payload.
func unpack(entity []byte) ([]byte, error) {
	var columns map[string]json.RawMessage
	_ = json.Unmarshal(entity, &columns) // decodeRow has read it before
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
	payload, err := io.ReadAll(reader)
	if err != nil {
		return nil, fmt.Errorf("%w: its payload cannot be decompressed", errCorrupt)
	}
	return payload, nil
}
