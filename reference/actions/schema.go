package actions

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// The columns of the design's only table. Unless stated otherwise, the type is Edm.String.
const (
	columnPartition = "PartitionKey"  // lower(trim(owner)): an owner's records share a partition
	columnRow       = "RowKey"        // lower(trim(name))
	columnSynced    = "LastSyncedUtc" // Edm.DateTime: when the payload was last written
	columnHash      = "PayloadHash"   // SHA-256 of the payload's canonical JSON, lower hex
	columnWrite     = "WriteId"       // identifies the write, so that one whose answer was lost is recognized

	// The payload's canonical JSON, if it fits in a text column; otherwise this column is absent, and the two below are
	// used.
	columnPayload  = "PayloadJson"
	columnEncoding = "PayloadEncoding" // encodingGzip
	columnPart     = "PayloadZ"        // PayloadZ0, PayloadZ1, …: Edm.Binary, together the gzipped payload
)

// stored is a row as it is read, by the names above. It is written by columns (packing.go), always as a whole.
type stored struct {
	PartitionKey    string
	RowKey          string
	LastSyncedUtc   time.Time
	PayloadHash     string
	WriteID         string `json:"WriteId"`
	PayloadJSON     string `json:"PayloadJson"`
	PayloadEncoding string
	ETag            string `json:"odata.etag"` // of the version that was read; not a column
}

// typed returns the name of the JSON field that gives the type of a column that is not a text.
func typed(column string) string { return column + "@odata.type" }

// encodingGzip is the only PayloadEncoding.
const encodingGzip = "gzip"

// Limits of the Table service (REST documentation, "Understanding the Table service data model").
const (
	maxKey      = 512     // UTF-16 units of a key: 1 KiB
	maxText     = 1 << 15 // UTF-16 units of a text column: 64 KiB
	maxPart     = 1 << 16 // bytes of a binary column
	maxEntity   = 1 << 20 // bytes of an entity, keys and names of columns included
	maxPageSize = 1000    // entities of a page of a query
)

// key identifies a record's row.
type key struct{ partition, row string }

// quoted reports whether the key contains an apostrophe.
func (k key) quoted() bool { return strings.Contains(k.partition+k.row, "'") }

// row is a row of the table as it was read, or as it will be written.
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

// timestamp returns an instant as formatted in answers and columns: to the tick, so that no two writes look the same.
func timestamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.0000000Z") }

// following returns the row that replaces old, or the first one when old is nil. LastSyncedUtc moves with every write
// (GA-CHG-3), even when this server's clock is behind that of the server that wrote last.
func (r record) following(old *row, now time.Time, writeID string) *row {
	next := &row{key: r.key, synced: now, hash: r.hash, payload: r.payload, writeID: writeID}
	if old != nil {
		next.etag = old.etag
		if earliest := old.synced.Add(tick); now.Before(earliest) {
			next.synced = earliest
		}
	}
	return next
}

// metadata is what answers add to a record.
type metadata struct {
	PartitionKey  string `json:"partitionKey"`
	RowKey        string `json:"rowKey"`
	PayloadHash   string `json:"payloadHash"`
	LastSyncedUtc string `json:"lastSyncedUtc"`
	ETag          string `json:"etag"`
}

// record returns the row as it appears in answers and archives: the payload with _metadata at its end. Sent again, it
// counts as unchanged. Errors: errCorrupt when the row was read without a valid payload.
func (r *row) record() ([]byte, error) {
	if !bytes.HasPrefix(r.payload, []byte(`{"`)) || !bytes.HasSuffix(r.payload, []byte("}")) {
		return nil, fmt.Errorf("%w: its payload is not a JSON object", errCorrupt)
	}
	about, _ := json.Marshal(metadata{r.partition, r.row, r.hash, timestamp(r.synced), r.etag}) // texts only
	whole := append(make([]byte, 0, len(r.payload)+len(about)+len(metadataField)+4), r.payload[:len(r.payload)-1]...)
	whole = append(whole, `,"`+metadataField+`":`...)
	return append(append(whole, about...), '}'), nil
}

// Blobs, all in one container. A blob's name contains no key verbatim: a path segment may not be as long as a key.

// historyBlob holds a version of a record as an answer had it: one that was touched, which changes its ETag but
// neither its time nor its hash, is another.
func historyBlob(r *row, content []byte) string {
	return fmt.Sprintf("history/%s/%s/%s-%x.json", segment(r.partition), segment(r.row), blobTime(r.synced),
		sha256.Sum256(content))
}

// purgedBlob names the blob with the rows that a purge deletes, as lines of NDJSON.
func purgedBlob(began time.Time, purge string, number int) string {
	return fmt.Sprintf("purged/%s-%s/%06d.ndjson", blobTime(began), purge, number)
}

// maxSegment keeps both halves of a key within a blob name's 1,024 characters.
const maxSegment = 200

// segment returns half of a key as a part of a blob's name: letters, digits, - and _ as they are, any other byte as
// ~HH, and the SHA-256 of one that is too long.
func segment(half string) string {
	var name strings.Builder
	for _, b := range []byte(half) {
		if strings.IndexByte("abcdefghijklmnopqrstuvwxyz0123456789-_", b) >= 0 {
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
