package actions

import (
	"regexp"
	"strings"
	"time"
)

// instant is RFC 3339, section 5.6: date-time. Its letters may be small.
var instant = regexp.MustCompile(
	`^(\d{4}-\d{2}-\d{2})[Tt](\d{2}:\d{2}):(\d{2})(\.\d+)?([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)$`)

// inUTC writes a text that wholly is an instant with its offset as YYYY-MM-DDTHH:MM:SS[.fraction]Z, with every digit of
// the fraction but zeros at its end (GA-CAN-3). ok is false for any other text, and for an instant whose year in UTC
// has not four digits.
func inUTC(text string) (utc string, ok bool) {
	parts := instant.FindStringSubmatch(text)
	if parts == nil {
		return "", false
	}
	day, minute, second, fraction, offset := parts[1], parts[2], parts[3], parts[4], strings.ToUpper(parts[5])
	// Offsets are whole minutes, so that the seconds stay as they are.
	at, err := time.Parse("2006-01-02T15:04Z07:00", day+"T"+minute+offset)
	if err != nil {
		return "", false
	}
	at = at.UTC()
	// A leap second ends a day in UTC (RFC 3339, section 5.7).
	if second > "60" || second == "60" && at.Format("15:04") != "23:59" || at.Year() < 0 || at.Year() > 9999 {
		return "", false
	}
	return at.Format("2006-01-02T15:04:") + second + strings.TrimRight(strings.TrimRight(fraction, "0"), ".") + "Z",
		true
}
