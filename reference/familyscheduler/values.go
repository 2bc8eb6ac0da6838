package familyscheduler

import (
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/storespec/storespec/reference/web"
)

// The formats of what clients send and of what is stored. All limits count code points unless they say bytes.
const (
	maxGroupName   = 60
	maxDisplayName = 40
	maxRole        = 40
	maxDesc        = 4000
	maxMessage     = 4000
	maxMemberKey   = 256 // bytes; a key of the Table service holds 1 KiB, and escaping at most triples a text
)

// idPattern is the form of every id a client may send in a body or a query.
var idPattern = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

// linkIDPattern is the form of a sign-in token's jti, which names a blob and a file.
var linkIDPattern = regexp.MustCompile(`^[A-Za-z0-9_-]{1,128}$`)

var timezonePattern = regexp.MustCompile(`^[A-Za-z0-9_+/-]{1,64}$`)

// timestamp is the stored form of an instant: YYYY-MM-DDTHH:mm:ss.fffZ.
func timestamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

// parseTime reads RFC 3339 with an offset, strictly.
func parseTime(text string) (time.Time, error) {
	var t time.Time
	err := t.UnmarshalText([]byte(text))
	return t, err
}

// parseStart parses an appointment's start: an instant in whole seconds, whose year in UTC has four digits.
func parseStart(text string) (start time.Time, ok bool) {
	start, err := parseTime(text)
	start = start.UTC()
	return start, err == nil && start.Nanosecond() == 0 && start.Year() >= 1 && start.Year() <= 9999
}

// startTimestamp is the stored form of a start: whole seconds.
func startTimestamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05Z") }

// cleanName trims a name and collapses its white space; ok is false unless 1 to max code points are left, none of them
// a control character.
func cleanName(text string, max int) (name string, ok bool) {
	name = strings.Join(strings.Fields(text), " ")
	length := utf8.RuneCountInString(name)
	return name, length >= 1 && length <= max && strings.IndexFunc(name, isControl) < 0
}

// The functions below read one field of a body; their errors are 400 bad_request and name the field, never its value.
// What is not a text is read as the empty one, which is not a name, address, id or start.

func nameField(body web.Object, field string, max int) (string, error) {
	text, _ := body.String(field)
	name, ok := cleanName(text, max)
	if !ok {
		return "", web.BadRequest(field + " must be a name, neither empty nor too long")
	}
	return name, nil
}

func emailField(body web.Object, field string) (string, error) {
	text, _ := body.String(field)
	email, ok := normalizeEmail(text)
	if !ok {
		return "", web.BadRequest(field + " must be an e-mail address")
	}
	return email, nil
}

func idField(body web.Object, field string) (string, error) {
	text, _ := body.String(field)
	if !idPattern.MatchString(text) {
		return "", web.BadRequest(field + " must be an id")
	}
	return text, nil
}

func startField(body web.Object, field string) (time.Time, error) {
	text, _ := body.String(field)
	start, ok := parseStart(text)
	if !ok {
		return time.Time{}, web.BadRequest(field + " must be a time with an offset, in whole seconds (RFC 3339)")
	}
	return start, nil
}

func textField(body web.Object, field string, max int) (string, error) {
	text, ok := body.String(field)
	if !ok || utf8.RuneCountInString(text) > max {
		return "", web.BadRequest(field + " must be a text that is not too long")
	}
	return text, nil
}

// nullable returns a column's value for an answer: null if absent.
func nullable(text string) any {
	if text == "" {
		return nil
	}
	return text
}
