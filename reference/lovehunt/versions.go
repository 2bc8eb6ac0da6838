package lovehunt

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"regexp"
	"strconv"
	"time"

	"github.com/storespec/storespec/reference/web"
)

// The versions of the schema:
//
//	1.0.0  a hunt has name and date; an organization has name
//	1.1.0  a hunt has huntName, startDate, endDate and status; an organization has orgName
//	1.2.0  each record says its schemaVersion
const (
	currentVersion = "1.2.0"
	fieldVersion   = "schemaVersion"
)

// errSchema: stored data is not what any version of the schema has. It is answered 422.
var errSchema = errors.New("stored data does not match the schema")

// The statuses of the design; any other one of small letters and dashes is kept.
const (
	statusDraft  = "draft"
	statusActive = "active"
)

var (
	slugForm   = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$`)
	statusForm = regexp.MustCompile(`^[a-z-]{1,32}$`)
	idForm     = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]{0,126}[a-z0-9])?$`)
	notInSlug  = regexp.MustCompile(`[^a-z0-9]+`)
)

func isSlug(text string) bool { return slugForm.MatchString(text) }

func isDate(text string) bool {
	at, err := time.Parse(time.DateOnly, text)
	return err == nil && at.Year() >= 1
}

const (
	maxName = 200 // UTF-16 units would do as well: the column holds 32,768
	maxSpan = 31  // days of a hunt
)

// current parses stored data and brings it to the current version. older reports whether it was of an older one, or
// lacked what the server sets, such as a status. Errors: errSchema.
func (p place) current(stored []byte) (data web.Object, older bool, err error) {
	data, err = web.ParseObject(stored)
	if err != nil {
		return nil, false, errSchema
	}
	version, ok := data.String(fieldVersion)
	switch version {
	case currentVersion:
		before := maps.Clone(data)
		p.complete(data)
		older = !maps.EqualFunc(before, data, func(a, b json.RawMessage) bool { return bytes.Equal(a, b) })
	case "", "1.0.0", "1.1.0":
		older = true
		p.upgrade(data)
	default:
		ok = false
	}
	if !ok || p.invalid(data) != "" {
		return nil, false, errSchema
	}
	return data, older, nil
}

// upgrade renames what older versions named otherwise, and adds what they did not have.
func (p place) upgrade(data web.Object) {
	rename := func(from, to string) {
		if value, ok := data[from]; ok && !data.Has(to) {
			data[to] = value
			delete(data, from)
		}
	}
	switch p.kind {
	case kindOrg:
		rename("name", columnOrgName)
	case kindHunt:
		rename("name", columnName)
		if date, ok := data["date"]; ok && !data.Has(columnStart) {
			data[columnEnd] = date
			rename("date", columnStart)
		}
		if !data.Has(columnStatus) {
			set(data, columnStatus, statusActive)
		}
	}
	p.complete(data)
}

// complete sets what the server knows better than any client: who the record is, and its version.
func (p place) complete(data web.Object) {
	switch p.kind {
	case kindOrg:
		delete(data, "hunts") // Hunts is the truth
		set(data, "slug", p.slug)
	case kindHunt:
		set(data, columnHuntID, p.huntID)
		if !data.Has(columnStatus) {
			set(data, columnStatus, statusDraft)
		}
	}
	set(data, fieldVersion, currentVersion)
}

// invalid says what is wrong with data, "" if nothing is. It quotes no part of it.
func (p place) invalid(data web.Object) string {
	switch p.kind {
	case kindOrg:
		return invalidName(data, columnOrgName)
	case kindHunt:
		return invalidHunt(data)
	}
	return ""
}

func invalidName(data web.Object, field string) string {
	if name, ok := data.String(field); !ok || name == "" || len(name) > maxName {
		return field + " must be a text of 1 to " + strconv.Itoa(maxName) + " bytes"
	}
	return ""
}

func invalidHunt(data web.Object) string {
	if wrong := invalidName(data, columnName); wrong != "" {
		return wrong
	}
	start, end := text(data, columnStart), text(data, columnEnd)
	switch {
	case !isDate(start) || !isDate(end):
		return "startDate and endDate must be dates such as 2024-07-15"
	case end < start:
		return "endDate is before startDate"
	case len(dates(start, end)) > maxSpan:
		return "a hunt may last 31 days at most"
	}
	if status, ok := data.String(columnStatus); !ok || data.Has(columnStatus) && !statusForm.MatchString(status) {
		return "status must be 1 to 32 small letters and dashes"
	}
	return ""
}
