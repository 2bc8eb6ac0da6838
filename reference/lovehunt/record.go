package lovehunt

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/gowebpki/jcs"

	"github.com/storespec/storespec/reference/web"
)

// record is an AppData, an organization or a hunt.
type record struct {
	data  web.Object // in the current schema version; nil if row only marks a deletion
	row   *row       // in tables; nil if only a blob has the record
	older bool       // it is not stored as the current schema version stores it
}

// etag is the ETag of the contract: the quoted SHA-256 of the data's canonical JSON (RFC 8785), so that it depends
// neither on the store nor on the process (LH-CON-3).
func (r *record) etag() string { return etagOf(r.data) }

func etagOf(data web.Object) string {
	canonical, err := jcs.Transform(encoded(data))
	if err != nil { // a number that no double holds: the text itself is then the canonical form
		canonical = encoded(data)
	}
	sum := sha256.Sum256(canonical)
	return `"` + hex.EncodeToString(sum[:]) + `"`
}

// encoded is the data as JSON, its names sorted.
func encoded(data web.Object) []byte {
	text, err := json.Marshal(data)
	if err != nil {
		panic(fmt.Errorf("data that was parsed cannot be encoded: %T", err))
	}
	return text
}

// text returns a field's text; "" if it has none.
func text(data web.Object, name string) string {
	value, _ := data.String(name)
	return value
}

func set(data web.Object, name, value string) {
	data[name], _ = json.Marshal(value) // a text can always be encoded
}

// kind is what a record is.
type kind int

const (
	kindApp kind = iota
	kindOrg
	kindHunt
)

// place is where a record is, in both stores.
type place struct {
	kind   kind
	slug   string // of the organization
	huntID string
}

func appPlace() place                     { return place{kind: kindApp} }
func orgPlace(slug string) place          { return place{kind: kindOrg, slug: slug} }
func huntPlace(slug, huntID string) place { return place{kindHunt, slug, huntID} }

// key returns the record's key in tables.
func (p place) key() (table, partition, key string) {
	switch p.kind {
	case kindApp:
		return tableApp, appPartition, appRow
	case kindOrg:
		return tableOrgs, p.slug, orgRow
	default:
		return tableHunts, p.slug, p.huntID
	}
}

// column is the column with the record's JSON.
func (p place) column() string {
	return map[kind]string{kindApp: columnApp, kindOrg: columnOrg, kindHunt: columnHunt}[p.kind]
}

// blob is the blob that holds the record; a hunt is in its organization's.
func (p place) blob() string {
	if p.kind == kindApp {
		return blobApp
	}
	return orgBlob(p.slug)
}

// rowOf returns the row that replaces now, which is nil for a new one, with data. Errors: account.ErrTooLarge.
func (p place) rowOf(data web.Object, now *row) (*row, error) {
	next := &row{}
	if now != nil {
		next = now.with(nil)
	}
	next.table, next.partition, next.key = p.key()
	columns, err := pack(next.columns, p.column(), string(encoded(data)))
	if err != nil {
		return nil, err
	}
	columns[columnVersion] = currentVersion
	for _, name := range p.filtered() {
		columns[name] = text(data, name)
	}
	if p.kind == kindHunt {
		delete(columns, columnDeleted)
	}
	next.columns = columns
	return next, nil
}

// filtered are the columns that repeat fields of the JSON, for filters and for HuntIndex.
func (p place) filtered() []string {
	return map[kind][]string{
		kindOrg:  {columnOrgName},
		kindHunt: {columnName, columnStart, columnEnd, columnStatus},
	}[p.kind]
}

// repeats reports whether those columns say what the data says.
func (p place) repeats(r *row, data web.Object) bool {
	return !slices.ContainsFunc(p.filtered(), func(name string) bool { return r.columns[name] != text(data, name) })
}

// whole is a row as the current version stores its record, whatever its columns say; the row itself if no one can read
// it, or it only marks a deletion.
func (p place) whole(r *row) *row {
	if r == nil {
		return nil
	}
	found, err := p.decode(r)
	if err != nil || !found.older {
		return r
	}
	next, err := p.rowOf(found.data, r)
	if err != nil {
		return r
	}
	return next
}

// decode reads a row as a record. Errors: errSchema.
func (p place) decode(r *row) (*record, error) {
	if _, deleted := r.columns[columnDeleted]; deleted && p.kind == kindHunt {
		return &record{row: r}, nil
	}
	text, ok := r.text(p.column())
	if !ok {
		return nil, errSchema
	}
	data, older, err := p.current([]byte(text))
	if err != nil {
		return nil, err
	}
	return &record{data: data, row: r, older: older || !p.repeats(r, data)}, nil
}
