package steps

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// missing is what an object has for a member it lacks.
type missing struct{}

var (
	daysAfter = regexp.MustCompile(`^(\d+) days after (\w+)$`)
	fromNow   = regexp.MustCompile(`^(\d+) minutes from now$`)
	timeAfter = regexp.MustCompile(`^a time after (\S+)$`)
	isoUTC    = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$`)
)

// matches compares a value of an answer or a row with a cell of a table. Beside literal values a
// cell may say: number N (which a text is not) · absent · absent or null · anything · a time · a time after <time> · N minutes from now, give or take
// one · N days after <sibling>. sibling gives another member of the same object. Times are compared as instants.
func matches(found any, want string, sibling func(string) any) error {
	_, absent := found.(missing)
	switch want {
	case "absent":
		if !absent {
			return isNot(brief(found), "absent")
		}
		return nil
	case "absent or null":
		if !absent && found != nil {
			return isNot(brief(found), "absent or null")
		}
		return nil
	case "anything":
		if text, isText := found.(string); absent || found == nil || isText && text == "" {
			return fmt.Errorf("is absent, null or empty")
		}
		return nil
	case "a time":
		_, err := instant(found)
		return err
	}
	if absent {
		return isNot("absent", want)
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
		return isNot(brief(found), want)
	}
	if same(found, want) {
		return nil
	}
	return isNot(brief(found), want)
}

func instant(found any) (time.Time, error) {
	text, ok := found.(string)
	if !ok || !isoUTC.MatchString(text) {
		if found == (missing{}) {
			return time.Time{}, isNot("absent", "a UTC time like 2026-01-31T12:00:00Z")
		}
		return time.Time{}, isNot(brief(found), "a UTC time like 2026-01-31T12:00:00Z")
	}
	return time.Parse(time.RFC3339Nano, text)
}

func matchesDaysAfter(found any, days, name string, sibling func(string) any) error {
	count, err := strconv.Atoi(days)
	if err != nil {
		return err
	}
	from, err := instant(sibling(name))
	if err != nil {
		return fmt.Errorf("cannot be judged: %s %w", name, err)
	}
	at, err := instant(found)
	if err != nil {
		return err
	}
	if got := at.Sub(from); got != time.Duration(count)*24*time.Hour {
		return fmt.Errorf("is %v after %s, not %d days", got, name, count)
	}
	return nil
}

// matchesFromNow takes a minute for the time between the request and now, and for a clock that differs.
func matchesFromNow(found any, minutes string, now time.Time) error {
	count, err := strconv.Atoi(minutes)
	if err != nil {
		return err
	}
	at, err := instant(found)
	if err != nil {
		return err
	}
	if off := at.Sub(now) - time.Duration(count)*time.Minute; off.Abs() > time.Minute {
		return fmt.Errorf("is %v from now, not %d minutes", at.Sub(now).Round(time.Second), count)
	}
	return nil
}

func matchesAfter(found any, earlier string) error {
	from, err := instant(earlier)
	if err != nil {
		return fmt.Errorf("cannot be judged: what it is compared with %w", err)
	}
	at, err := instant(found)
	if err == nil && !at.After(from) {
		err = isNot(brief(found), "a time after "+earlier)
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
		return mustJSON(value) == want
	}
}
