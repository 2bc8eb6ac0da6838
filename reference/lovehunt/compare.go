package lovehunt

import (
	"cmp"
	"context"
	"errors"
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

	at  place
	row *row // of HuntIndex; nil for other records
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
	unreadable   = "it does not match the schema"
	indexLacks   = "HuntIndex lacks it"
	indexDiffers = "HuntIndex has another name or status"
	indexExtra   = "HuntIndex points at a hunt that is not on that date"
)

// compared is one run of Compare.
type compared struct {
	*Tools
	all   []Disagreement
	count int
	days  map[string]*indexDay
}

// Compare compares every record of both stores, and every row of HuntIndex with its hunt. In the phases that write
// blobs, both must be equal; in the later ones a row may be newer than its blob, and nothing may be only in a blob.
func (t *Tools) Compare(ctx context.Context) (*Comparison, error) {
	c := &compared{Tools: t, days: map[string]*indexDay{}}
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
	blob, err := c.server.store.contentOf(ctx, p.blob())
	if err != nil && !errors.Is(err, errSchema) {
		return err
	}
	table, partition, key := p.key()
	now, failed := c.server.store.row(ctx, table, partition, key)
	if failed != nil {
		return failed
	}
	c.judge(p, blob, err != nil, now, false)
	return nil
}

func (c *compared) group(ctx context.Context, slugs []string) error {
	rows, blobs, broken := make([]*orgRows, len(slugs)), make([]*content, len(slugs)), make([]bool, len(slugs))
	err := account.InParallel(len(slugs), func(i int) (err error) {
		if blobs[i], err = c.server.store.contentOf(ctx, orgBlob(slugs[i])); errors.Is(err, errSchema) {
			broken[i], err = true, nil
		}
		if err == nil {
			rows[i], err = c.rowsOf(ctx, slugs[i])
		}
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
	migrated := rows.migrated()
	c.judge(orgPlace(slug), blob, broken, rows.org, migrated)
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
	for _, p := range slices.SortedFunc(maps.Keys(places), func(a, b place) int {
		return cmp.Compare(a.huntID, b.huntID)
	}) {
		c.judge(p, blob, false, rows.hunts[p.huntID], migrated)
	}
	c.progress(func(p *Progress) { p.Hunts += len(places) })
}

// judge compares a record's blob with its row.
func (c *compared) judge(p place, blob *content, broken bool, now *row, migrated bool) {
	var inBlob, inTables *record
	var err error
	if blob != nil {
		inBlob, err = blob.find(p)
		broken = broken || err != nil
	}
	deleted := p.kind == kindHunt && migrated && now == nil
	if now != nil {
		inTables, err = p.decode(now)
		broken = broken || err != nil
		deleted = err == nil && inTables.data == nil
	}
	if inBlob == nil && (inTables == nil || deleted) && !broken {
		return
	}
	c.count++
	what := ""
	same := c.server.phase() == blobOnly || c.server.phase() == dualWrite // both stores must be equal
	switch {
	case broken:
		what = unreadable
	case deleted && same:
		what = blobHas
	case deleted:
	case inTables == nil:
		what = notMigrated
	case inBlob == nil && same:
		what = blobLacks
	case inBlob != nil && same && inBlob.etag() != inTables.etag():
		what = lags
	}
	if what != "" {
		c.all = append(c.all, Disagreement{Place: p.String(), What: what, at: p})
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
			at: huntPlace(r.columns[columnSlug], r.columns[columnHuntID]),
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
