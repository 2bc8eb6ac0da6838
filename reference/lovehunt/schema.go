package lovehunt

import (
	"maps"
	"slices"
	"strings"
	"time"
)

// The design's four tables. Every column is Edm.String. No column is called timestamp or etag, which the design lists
// too: the store has both of its own.
const (
	tableApp   = "AppRegistry"
	tableOrgs  = "Organizations"
	tableHunts = "Hunts"
	tableIndex = "HuntIndex"
)

func allTables() []string { return []string{tableApp, tableOrgs, tableHunts, tableIndex} }

// The columns. Keys: AppRegistry app / config · Organizations slug / org · Hunts slug / huntId · HuntIndex date /
// slug:huntId (LH-SCH-1 to LH-SCH-4).
const (
	columnPartition = "PartitionKey"
	columnRow       = "RowKey"
	columnVersion   = "schemaVersion" // on all four; the design's principle, although its tables list it on two

	columnApp  = "appDataJson" // AppData
	columnOrg  = "orgDataJson" // the organization without its hunts
	columnHunt = "huntJson"    // the hunt; absent on a row that only marks a deletion

	columnOrgName  = "orgName"
	columnMigrated = "migratedAt" // extra, on Organizations: all hunts of the organization are in tables

	columnName   = "huntName"
	columnStart  = "startDate"
	columnEnd    = "endDate"
	columnStatus = "status"

	columnDeleted = "deletedAt"    // extra, on Hunts: deleted before the organization was migrated
	columnDates   = "indexedDates" // extra, on Hunts: the dates that may have rows in HuntIndex, separated by commas

	columnSlug   = "orgSlug"
	columnHuntID = "huntId"
)

const (
	appPartition = "app"
	appRow       = "config"
	orgRow       = "org"
)

// Limits of the Table service (REST documentation, "Understanding the Table service data model").
const (
	maxText        = 1 << 15 // UTF-16 units of a column: 64 KiB
	maxEntity      = 1 << 20 // bytes of an entity
	maxData        = 1 << 20 // bytes of a record's JSON (LH-ERR-2)
	maxTransaction = 100     // rows of an entity group transaction
)

// row is a row of any table.
type row struct {
	table, partition, key string
	etag                  string            // of the version that was read; "" for a new row
	columns               map[string]string // without the keys
}

// with returns the row with other columns; those it does not name stay.
func (r row) with(columns map[string]string) *row {
	kept := maps.Clone(r.columns)
	if kept == nil {
		kept = map[string]string{}
	}
	maps.Copy(kept, columns)
	return &row{r.table, r.partition, r.key, r.etag, kept}
}

// dates returns the days from start to end, both included, as YYYY-MM-DD. Both are valid dates.
func dates(start, end string) (all []string) {
	at, _ := time.Parse(time.DateOnly, start)
	last, _ := time.Parse(time.DateOnly, end)
	for ; !at.After(last); at = at.AddDate(0, 0, 1) {
		all = append(all, at.Format(time.DateOnly))
	}
	return all
}

// indexed returns the dates that may have a row in HuntIndex for a row of Hunts.
func (r *row) indexed() []string {
	var all []string
	if list := r.columns[columnDates]; list != "" {
		all = strings.Split(list, ",")
	}
	return union(all, span(r))
}

// indexKey is the RowKey of a hunt in HuntIndex.
func indexKey(slug, huntID string) string { return slug + ":" + huntID }

// Filters. literal is a text in OData.
func literal(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }

func equal(column, text string) string { return column + " eq " + literal(text) }

// begins selects the rows in whose column a text begins with prefix: a range, so that the store compares (LH-ORG-3).
func begins(column, prefix string) string {
	return column + " ge " + literal(prefix) + " and " + column + " lt " + literal(prefix+"\uffff")
}

// all joins filters; empty ones are left out.
func all(filters ...string) string {
	return strings.Join(slices.DeleteFunc(filters, func(f string) bool { return f == "" }), " and ")
}

// Blobs, in one container, as they were before the migration.
const (
	blobApp    = "app.json"
	orgsPrefix = "orgs/"
)

// orgBlob names an organization's blob: the organization with its hunts in the list hunts.
func orgBlob(slug string) string { return orgsPrefix + slug + ".json" }

// slugOf is the organization of a blob; ok is false for a blob of another kind.
func slugOf(blob string) (slug string, ok bool) {
	slug, ok = strings.CutSuffix(strings.TrimPrefix(blob, orgsPrefix), ".json")
	return slug, ok && isSlug(slug)
}
