package lovehunt

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"time"
)

// Tools works on what servers have stored, while they serve: it migrates, compares, repairs, backs up and cleans. Each
// tool can be ended at any storage call, and finishes its work when it is run again.
//
//	migrate.go   copies blobs to tables
//	compare.go   compares the two stores, and HuntIndex with Hunts
//	repair.go    makes them equal again
//	backup.go    writes the tables to a stream, and back
//	archive.go   puts the old blobs aside
type Tools struct {
	server *Server
	// Report is called with what has been done, one call at a time. nil: it is not.
	Report func(Progress)

	mu   sync.Mutex
	seen Progress
}

// Progress is how far a tool is.
type Progress struct {
	Done, Total int // organizations
	Hunts       int // looked at
}

// groupSize is how many organizations are worked on together: the rows that they have on one date are one partition of
// HuntIndex, and written together.
const groupSize = 100

// NewTools returns tools for the servers that have this configuration. In tables-only it must name the blobs too.
// Errors: those of New.
func NewTools(config Config, now func() time.Time, log *slog.Logger) (*Tools, error) {
	config.tools = true
	s, err := newServer(config, now, log)
	if err != nil {
		return nil, err
	}
	return &Tools{server: s}, nil
}

// Close closes idle connections.
func (t *Tools) Close() { t.server.store.close() }

func (t *Tools) progress(change func(*Progress)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	change(&t.seen)
	if t.Report != nil {
		t.Report(t.seen)
	}
}

// eachGroup calls do with the organizations, up to groupSize at a time.
func (t *Tools) eachGroup(ctx context.Context, slugs []string, do func(context.Context, []string) error) error {
	t.progress(func(p *Progress) { *p = Progress{Total: len(slugs)} })
	for group := range slices.Chunk(slugs, groupSize) {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := do(ctx, group); err != nil {
			return err
		}
		t.progress(func(p *Progress) { p.Done += len(group) })
	}
	return nil
}

// blobSlugs lists the organizations that have a blob.
func (t *Tools) blobSlugs(ctx context.Context) (slugs []string, err error) {
	names, err := t.server.store.orgBlobs(ctx)
	for _, name := range names {
		if slug, ok := slugOf(name); ok {
			slugs = append(slugs, slug)
		}
	}
	return slugs, err
}

// blob reads a blob; broken: it exists and cannot be read.
func (t *Tools) blob(ctx context.Context, name string) (blob *content, broken bool, err error) {
	blob, err = t.server.store.contentOf(ctx, name)
	if errors.Is(err, errSchema) {
		return nil, true, nil
	}
	return blob, false, err
}

// slugs lists the organizations of either store.
func (t *Tools) slugs(ctx context.Context) ([]string, error) {
	slugs, err := t.blobSlugs(ctx)
	if err != nil {
		return nil, err
	}
	rows, err := t.server.orgRows(ctx)
	for _, r := range rows {
		slugs = append(slugs, r.partition)
	}
	slices.Sort(slugs)
	return slices.Compact(slugs), err
}

// orgRows are an organization's rows in tables.
type orgRows struct {
	slug  string
	org   *row            // nil: none
	hunts map[string]*row // by id, marks of deletion included
}

func (o *orgRows) migrated() bool { return o.org != nil && o.org.columns[columnMigrated] != "" }

func (t *Tools) rowsOf(ctx context.Context, slug string) (*orgRows, error) {
	org, err := t.server.rowAt(ctx, orgPlace(slug))
	if err != nil {
		return nil, err
	}
	rows, err := t.server.huntRows(ctx, slug)
	found := &orgRows{slug: slug, org: org, hunts: map[string]*row{}}
	for _, r := range rows {
		found.hunts[r.key] = r
	}
	return found, err
}

// isMark reports whether a row of Hunts only marks a deletion.
func isMark(r *row) bool { return r.columns[columnDeleted] != "" }

// Cleanup removes the hunts past their retention, or only counts them. Errors: account.ErrUnavailable.
func (t *Tools) Cleanup(ctx context.Context, dryRun bool) (removed int, err error) {
	return t.server.cleanOnce(ctx, dryRun)
}
