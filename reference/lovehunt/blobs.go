package lovehunt

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/storespec/storespec/reference/account"
	"github.com/storespec/storespec/reference/web"
)

// content is a blob with records, as it was before the migration: AppData, or an organization with its hunts.
type content struct {
	etag  string
	whole web.Object        // without hunts
	hunts []json.RawMessage // of an organization
}

// contentOf reads a blob; nil when there is none. Errors: errSchema when it is not a JSON object, or its hunts are not
// a list.
func (s *store) contentOf(ctx context.Context, name string) (*content, error) {
	doc, err := s.blob(ctx, name)
	if doc == nil {
		return nil, err
	}
	whole, err := web.ParseObject(doc.data)
	if err != nil {
		return nil, errSchema
	}
	c := &content{etag: doc.etag, whole: whole}
	if whole.Has("hunts") && json.Unmarshal(whole["hunts"], &c.hunts) != nil {
		return nil, errSchema
	}
	delete(whole, "hunts")
	return c, nil
}

// writeContent writes a blob that was read, or a new one. Errors: account.ErrChanged.
func (s *store) writeContent(ctx context.Context, p place, c *content) error {
	whole := web.Object{}
	for name, value := range c.whole {
		whole[name] = value
	}
	if p.kind != kindApp {
		whole["hunts"], _ = json.Marshal(append([]json.RawMessage{}, c.hunts...)) // parsed before; none: []
	}
	return s.writeBlob(ctx, p.blob(), encoded(whole), c.etag)
}

// find returns the record at a place of the blob; nil when it is not there. Of two hunts with one id the first counts.
// Errors: errSchema.
func (c *content) find(p place) (*record, error) {
	if c.etag == "" {
		return nil, nil
	}
	stored := encoded(c.whole)
	if p.kind == kindHunt {
		at := c.position(p.huntID)
		if at < 0 {
			return nil, nil
		}
		stored = c.hunts[at]
	}
	data, older, err := p.current(stored)
	if err != nil {
		return nil, err
	}
	return &record{data: data, older: older}, nil
}

// position is where a hunt is in the list, -1 if nowhere.
func (c *content) position(huntID string) int {
	return slices.IndexFunc(c.hunts, func(hunt json.RawMessage) bool { return huntIDIn(hunt) == huntID })
}

// huntIDIn returns the id of a hunt in a blob; old ones have none, and it follows from their name and date.
func huntIDIn(stored json.RawMessage) string {
	hunt, _ := web.ParseObject(stored) // what is not an object has no name either
	if id := text(hunt, columnHuntID); id != "" {
		return id
	}
	name, start := text(hunt, columnName), text(hunt, columnStart)
	if name == "" {
		name, start = text(hunt, "name"), text(hunt, "date")
	}
	return huntIDOf(name, start)
}

// put replaces or adds a record; nil data removes a hunt.
func (c *content) put(p place, data web.Object) {
	if p.kind != kindHunt {
		c.whole = data
		return
	}
	at := c.position(p.huntID)
	switch {
	case data == nil:
		c.hunts = slices.DeleteFunc(c.hunts, func(hunt json.RawMessage) bool { return huntIDIn(hunt) == p.huntID })
	case at >= 0:
		c.hunts[at] = encoded(data)
	default:
		c.hunts = append(c.hunts, encoded(data))
	}
}

// beforeWrite reads a record's blob in dual-write, before its row is written: mirror replaces that version of the blob
// only. Nobody can then have written the blob from a newer row in between. nil in the other phases.
func (s *records) beforeWrite(ctx context.Context, p place) (*content, error) {
	if !s.phase().writesBoth() {
		return nil, nil
	}
	return s.blobOf(ctx, p)
}

// blobOf reads a record's blob; a new one, without an ETag, when there is none.
func (s *records) blobOf(ctx context.Context, p place) (*content, error) {
	blob, err := s.store.contentOf(ctx, p.blob())
	if blob == nil {
		blob = &content{}
	}
	return blob, err
}

// mirror brings a record's blob up to date with its row, after the row was written. data is the row's, nil for a
// deleted hunt; before is the blob as it was before that. If others have written the blob since, for this record or for
// another one of the organization, blob and row are read again, in this order.
func (s *records) mirror(ctx context.Context, p place, data web.Object, before *content) error {
	again := before == nil
	_, _, err := account.Change[content]{
		Rounds: maxRounds, Pause: true,
		Read: func() (*content, error) {
			if !again {
				again = true
				return before, nil
			}
			blob, err := s.blobOf(ctx, p)
			if err != nil {
				return nil, err
			}
			data, err = s.rowData(ctx, p)
			return blob, err
		},
		Decide: func(now *content) (*content, error) {
			if data == nil && (p.kind != kindHunt || now.etag == "") { // only hunts are removed
				return nil, nil
			}
			now.put(p, data)
			return now, nil
		},
		Write: func(_, next *content) error { return s.store.writeContent(ctx, p, next) },
	}.Do(ctx)
	return err
}

// rowData is the data of a record's row; nil if there is none, or only the mark of its deletion.
func (s *records) rowData(ctx context.Context, p place) (web.Object, error) {
	found, err := s.fromRow(ctx, p)
	if found == nil {
		return nil, err
	}
	return found.data, nil
}
