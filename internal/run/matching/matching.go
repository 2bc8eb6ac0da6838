package matching

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Missing is the value of a member that an object lacks.
type Missing struct{}

var (
	eitherNumber = regexp.MustCompile(`^\d+(?: or \d+)+$`)
	daysAfter    = regexp.MustCompile(`^(\d+) days after (\w+)$`)
	fromNow      = regexp.MustCompile(`^(\d+) minutes from now$`)
	timeAfter    = regexp.MustCompile(`^a time after (\S+)$`)
	isoUTC       = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$`)
)

// Matches compares a value of an answer or a row with a cell of a table. In addition to literal values a cell may say:
// number N (which a text does not match) · N or N, of numbers · absent · absent or null · <cell> or absent · nothing,
// which is absent, null or empty · anything · a time, about now · any time · a time after <time> · N minutes from now,
// give or take one · N days after <sibling>. sibling returns another member of the same object. Times are compared as
// instants.
func Matches(found any, want string, sibling func(string) any) error {
	_, absent := found.(Missing)
	switch want {
	case "absent", "absent or null":
		if absent || found == nil && want == "absent or null" {
			return nil
		}
		return isNot(Brief(found), want)
	case "anything":
		if text, isText := found.(string); absent || found == nil || isText && text == "" {
			return fmt.Errorf("is absent, null or empty")
		}
		return nil
	case "nothing":
		if text, isText := found.(string); absent || found == nil || isText && text == "" {
			return nil
		}
		return isNot(Brief(found), "absent, null or empty")
	case "a time":
		return aboutNow(found, time.Now())
	case "any time":
		_, err := Instant(found)
		return err
	}
	if cell, may := strings.CutSuffix(want, " or absent"); may {
		if absent {
			return nil
		}
		return Matches(found, cell, sibling)
	}
	if absent {
		return isNot("absent", want)
	}
	if number, is := found.(json.Number); is && eitherNumber.MatchString(want) {
		if slices.Contains(strings.Split(want, " or "), number.String()) {
			return nil
		}
		return isNot(number.String(), want)
	}
	if m := daysAfter.FindStringSubmatch(want); m != nil {
		return matchesDaysAfter(found, m[1], m[2], sibling)
	}
	if m := fromNow.FindStringSubmatch(want); m != nil {
		return matchesFromNow(found, m[1], time.Now())
	}
	if m := timeAfter.FindStringSubmatch(want); m != nil {
		return matchesAfter(found, m[1])
	}
	if number, isNumber := strings.CutPrefix(want, "number "); isNumber {
		if seen, ok := found.(json.Number); ok && seen.String() == number {
			return nil
		}
	} else if same(found, want) {
		return nil
	}
	return isNot(Brief(found), want)
}

// Instant reads a time as the designs store it, such as 2026-01-31T12:00:00Z: a text, in UTC. The error says what was
// found instead.
func Instant(found any) (time.Time, error) {
	text, ok := found.(string)
	if !ok || !isoUTC.MatchString(text) {
		return time.Time{}, isNot(Brief(found), "a UTC time like 2026-01-31T12:00:00Z")
	}
	return time.Parse(time.RFC3339Nano, text)
}

func matchesDaysAfter(found any, days, name string, sibling func(string) any) error {
	count, err := strconv.Atoi(days)
	if err != nil {
		return err
	}
	from, err := Instant(sibling(name))
	if err != nil {
		return fmt.Errorf("cannot be judged: %s %w", name, err)
	}
	at, err := Instant(found)
	if err != nil {
		return err
	}
	if got := at.Sub(from); got != time.Duration(count)*24*time.Hour {
		return fmt.Errorf("is %v after %s, not %d days", got, name, count)
	}
	return nil
}

// recent is how far a time may be from now: much longer than a scenario takes, and much less than the difference
// between UTC and the zone that a server is started in.
const recent = 10 * time.Minute

// aboutNow accepts a time that a server has taken from its clock in the scenario. A local time labeled as UTC is not.
func aboutNow(found any, now time.Time) error {
	at, err := Instant(found)
	if err != nil {
		return err
	}
	switch off := at.Sub(now).Round(time.Minute); {
	case off > recent:
		return fmt.Errorf("is %v after now, not about now", off)
	case off < -recent:
		return fmt.Errorf("is %v before now, not about now", -off)
	}
	return nil
}

// matchesFromNow allows a minute for the time between the request and now, and for clock differences.
func matchesFromNow(found any, minutes string, now time.Time) error {
	count, err := strconv.Atoi(minutes)
	if err != nil {
		return err
	}
	at, err := Instant(found)
	if err != nil {
		return err
	}
	if off := at.Sub(now) - time.Duration(count)*time.Minute; off.Abs() > time.Minute {
		return fmt.Errorf("is %v from now, not %d minutes", at.Sub(now).Round(time.Second), count)
	}
	return nil
}

func matchesAfter(found any, earlier string) error {
	from, err := Instant(earlier)
	if err != nil {
		return fmt.Errorf("cannot be judged: what it is compared with %w", err)
	}
	at, err := Instant(found)
	if err == nil && !at.After(from) {
		err = isNot(Brief(found), "a time after "+earlier)
	}
	return err
}

// same compares a decoded JSON value with a cell's text.
func same(found any, want string) bool {
	switch value := found.(type) {
	case nil:
		return want == "null"
	case bool:
		return want == strconv.FormatBool(value)
	case json.Number:
		return want == value.String()
	case string:
		if unquoted, err := strconv.Unquote(want); err == nil && strings.HasPrefix(want, `"`) {
			want = unquoted
		}
		if value == want {
			return true
		}
		a, errA := time.Parse(time.RFC3339Nano, value)
		b, errB := time.Parse(time.RFC3339Nano, want)
		return errA == nil && errB == nil && a.Equal(b)
	default:
		return MustJSON(value) == want
	}
}
