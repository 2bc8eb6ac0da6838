package lovehunt

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/storespec/storespec/reference/account"
)

// Comparison is what Compare has found: how many records agree, and what is wrong with the others.
type Comparison struct {
	Records int // AppData, organizations and hunts of either store, and rows of HuntIndex
	Agree   int
	Wrong   []Disagreement // in the order of their places
}

// Disagreement is one record that is not as it must be in the configured phase.
type Disagreement struct {
	Place string // "organization vail", "hunt vail/fair", "index 2024-07-15 vail:fair"
	What  string

	at   place // of a record
	row  *row  // of HuntIndex
	same bool  // the blob must be equal too
}

// Share is the share of the records that agree, from 0 to 1; 1 if there are none.
func (c *Comparison) Share() float64 {
	if c.Records == 0 {
		return 1
	}
	return float64(c.Agree) / float64(c.Records)
}

// What is wrong with a record.
const (
	notMigrated  = "not migrated: only a blob has it"
	lags         = "the blob differs from the row"
	blobHas      = "deleted, but its blob has it"
	blobLacks    = "no blob has it"
	rowDiffers   = "its columns differ from its JSON"
	unreadable   = "it does not match the schema"
	indexLacks   = "HuntIndex lacks it"
	indexDiffers = "HuntIndex has another name or status"
	indexExtra   = "HuntIndex points at a hunt that is not on that date"
)

// compared is one run of Compare.
type compared struct {
	*Tools
	same  bool // both stores must be equal
	all   []Disagreement
	count int
	days  map[string]*indexDay
}

// Compare compares every record of both stores, and every row of HuntIndex with its hunt. In the phases that write
// blobs, both must be equal; in the later ones a row may be newer than its blob, and nothing may be only in a blob.
func (t *Tools) Compare(ctx context.Context) (*Comparison, error) {
	return t.compare(ctx, t.server.phase() == blobOnly || t.server.phase().writesBoth())
}

func (t *Tools) compare(ctx context.Context, same bool) (*Comparison, error) {
	c := &compared{Tools: t, same: same, days: map[string]*indexDay{}}
	if err := c.app(ctx); err != nil {
		return nil, err
	}
	slugs, err := t.slugs(ctx)
	if err != nil {
		return nil, err
	}
	if err := t.eachGroup(ctx, slugs, c.group); err != nil {
		return nil, err
	}
	if err := c.index(ctx); err != nil {
		return nil, err
	}
	slices.SortStableFunc(c.all, func(a, b Disagreement) int { return cmp.Compare(a.Place, b.Place) })
	return &Comparison{Records: c.count, Agree: c.count - len(c.all), Wrong: c.all}, nil
}

func (c *compared) app(ctx context.Context) error {
	p := appPlace()
	blob, broken, err := c.blob(ctx, p.blob())
	if err != nil {
		return err
	}
	now, err := c.server.rowAt(ctx, p)
	if err != nil {
		return err
	}
	c.judge(p, blob, broken, now, false)
	return nil
}

func (c *compared) group(ctx context.Context, slugs []string) error {
	rows, blobs, broken := make([]*orgRows, len(slugs)), make([]*content, len(slugs)), make([]bool, len(slugs))
	err := account.InParallel(len(slugs), func(i int) (err error) {
		if blobs[i], broken[i], err = c.blob(ctx, orgBlob(slugs[i])); err != nil {
			return err
		}
		rows[i], err = c.rowsOf(ctx, slugs[i])
		return err
	})
	if err != nil {
		return err
	}
	for i, slug := range slugs {
		c.organization(slug, rows[i], blobs[i], broken[i])
	}
	return nil
}

func (c *compared) organization(slug string, rows *orgRows, blob *content, broken bool) {
	c.judge(orgPlace(slug), blob, broken, rows.org, false)
	places := map[place]bool{}
	if blob != nil {
		for _, p := range blob.places(slug) {
			places[p] = true
		}
	}
	for id, r := range rows.hunts {
		places[huntPlace(slug, id)] = true
		addDays(c.days, huntPlace(slug, id), r)
	}
	for p := range places {
		c.judge(p, blob, false, rows.hunts[p.huntID], rows.migrated())
	}
	c.progress(func(p *Progress) { p.Hunts += len(places) })
}

// judge compares a record's blob with its row. Of a migrated organization, a hunt without a row was deleted.
func (c *compared) judge(p place, blob *content, broken bool, now *row, migrated bool) {
	var inBlob, inTables *record
	var noBlob, noRow error
	if blob != nil {
		inBlob, noBlob = blob.find(p)
	}
	if now != nil && !isMark(now) {
		inTables, noRow = p.decode(now)
	}
	what := ""
	switch {
	case broken, noBlob != nil, noRow != nil:
		what = unreadable
	case inBlob == nil && inTables == nil:
		return
	case inTables == nil && now == nil && !migrated:
		what = notMigrated
	case inTables != nil && !p.repeats(now, inTables.data):
		what = rowDiffers
	case !c.same: // a row may be newer than its blob
	case inTables == nil:
		what = blobHas
	case inBlob == nil:
		what = blobLacks
	case inBlob.etag() != inTables.etag():
		what = lags
	}
	c.count++
	if what != "" {
		c.all = append(c.all, Disagreement{Place: p.String(), What: what, at: p, same: c.same})
	}
}

// index compares every row of HuntIndex.
func (c *compared) index(ctx context.Context) error {
	if !c.server.phase().readsTables() {
		return nil
	}
	rows, err := c.server.store.query(ctx, tableIndex, "")
	if err != nil {
		return err
	}
	missing := map[string]map[string]*row{}
	for date, day := range c.days {
		missing[date] = maps.Clone(day.want)
		c.count += len(day.want)
	}
	wrong := func(r *row, what string) {
		c.all = append(c.all, Disagreement{
			Place: fmt.Sprintf("index %s %s", r.partition, r.key), What: what, row: r,
		})
	}
	for _, r := range rows {
		want := missing[r.partition][r.key]
		delete(missing[r.partition], r.key)
		if want == nil {
			c.count++
			wrong(r, indexExtra)
		} else if !maps.Equal(want.columns, r.columns) {
			wrong(r, indexDiffers)
		}
	}
	for _, day := range missing {
		for _, r := range day {
			wrong(r, indexLacks)
		}
	}
	return nil
}

// String names a place as people write it.
func (p place) String() string {
	switch p.kind {
	case kindApp:
		return "AppData"
	case kindOrg:
		return "organization " + p.slug
	default:
		return "hunt " + p.slug + "/" + p.huntID
	}
}
