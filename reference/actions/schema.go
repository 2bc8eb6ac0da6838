package actions

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// The columns of the one table of the design.
const (
	columnPartition = "PartitionKey"  // lower(trim(owner)): an owner's records lie together
	columnRow       = "RowKey"        // lower(trim(name))
	columnSynced    = "LastSyncedUtc" // Edm.DateTime: when the payload was written last
	columnHash      = "PayloadHash"   // SHA-256 of the payload's canonical JSON, lower hex
	columnPayload   = "PayloadJson"   // that JSON, when a text column holds it; else it is absent, and there are:
	columnEncoding  = "PayloadEncoding"
	columnPart      = "PayloadZ" // PayloadZ0, PayloadZ1, …: Edm.Binary, one after the other the payload by gzip
	columnWrite     = "WriteId"  // names the write, so that one whose answer was lost is recognized
)

// encodingGzip is the only PayloadEncoding there is.
const encodingGzip = "gzip"

// Limits of the Table service (REST documentation, "Understanding the Table service data model").
const (
	maxKey      = 512     // UTF-16 units of a key: 1 KiB
	maxText     = 1 << 15 // UTF-16 units of a text column: 64 KiB
	maxPart     = 1 << 16 // bytes of a binary column
	maxEntity   = 1 << 20 // bytes of an entity, keys and names of columns included
	maxPageSize = 1000    // entities of a page of a query
)

// key is where a record lies.
type key struct{ partition, row string }

// quoted reports whether an apostrophe is in the key.
func (k key) quoted() bool { return strings.Contains(k.partition+k.row, "'") }

// row is a row of the table as it was read, or as it is to be written.
type row struct {
	key
	etag    string // of the version that was read
	synced  time.Time
	hash    string
	payload []byte // canonical JSON
	writeID string
}

// tick is the resolution of an Edm.DateTime.
const tick = 100 * time.Nanosecond

// timestamp is the form of an instant in answers and in columns: to the tick, so that no two writes look like one.
func timestamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.0000000Z") }

// following is the row that replaces old, or the first one when old is nil. LastSyncedUtc moves with every write (CHG-3),
// also when this server's clock is behind that of the one which wrote before.
func (r record) following(old *row, now time.Time, writeID string) *row {
	now = now.UTC().Truncate(tick)
	if old != nil && !now.After(old.synced) {
		now = old.synced.Add(tick)
	}
	next := &row{key: r.key, synced: now, hash: r.hash, payload: r.payload, writeID: writeID}
	if old != nil {
		next.etag = old.etag
	}
	return next
}

// metadata is what answers say about a record.
type metadata struct {
	PartitionKey  string `json:"partitionKey"`
	RowKey        string `json:"rowKey"`
	PayloadHash   string `json:"payloadHash"`
	LastSyncedUtc string `json:"lastSyncedUtc"`
	ETag          string `json:"etag"`
}

// record is the row as answers and archives have it: the payload with _metadata at its end. Sent again, it is unchanged.
// Errors: errCorrupt when the row was read without a payload that could be one.
func (r *row) record() ([]byte, error) {
	if !bytes.HasPrefix(r.payload, []byte(`{"`)) || !bytes.HasSuffix(r.payload, []byte("}")) {
		return nil, fmt.Errorf("%w: its payload is no JSON object", errCorrupt)
	}
	about, _ := json.Marshal(metadata{r.partition, r.row, r.hash, timestamp(r.synced), r.etag}) // texts only
	whole := append(make([]byte, 0, len(r.payload)+len(about)+len(metadataField)+4), r.payload[:len(r.payload)-1]...)
	whole = append(whole, `,"`+metadataField+`":`...)
	return append(append(whole, about...), '}'), nil
}

// Blobs, all in one container. A blob's name holds no key as it is: a segment of it may not be as long as a key.

// historyBlob holds a version of a record as an answer had it: one that somebody touched, which changes its ETag but
// neither its time nor its hash, is another.
func historyBlob(r *row, content []byte) string {
	return fmt.Sprintf("history/%s/%s/%s-%x.json", segment(r.partition), segment(r.row), blobTime(r.synced), sha256.Sum256(content))
}

// purgedBlob holds rows that a purge deletes, as lines of NDJSON.
func purgedBlob(began time.Time, purge string, number int) string {
	return fmt.Sprintf("purged/%s-%s/%06d.ndjson", blobTime(began), purge, number)
}

// maxSegment keeps both halves of a key within a blob's name of 1,024 characters.
const maxSegment = 200

// segment is half of a key as a part of a blob's name: letters, digits, - and _ as they are, any other byte as ~HH, and
// the SHA-256 of one that is too long.
func segment(half string) string {
	var name strings.Builder
	for _, b := range []byte(half) {
		if 'a' <= b && b <= 'z' || '0' <= b && b <= '9' || b == '-' || b == '_' {
			name.WriteByte(b)
		} else {
			fmt.Fprintf(&name, "~%02X", b)
		}
	}
	if name.Len() > maxSegment {
		return fmt.Sprintf("~~%x", sha256.Sum256([]byte(half)))
	}
	return name.String()
}

func blobTime(t time.Time) string { return t.UTC().Format("20060102T150405.0000000Z") }
