package target

import "time"

// Zone returns a time zone whose date now differs from UTC's: a server that takes local dates or times for those in UTC
// is wrong there.
func Zone(now time.Time) string {
	if now.UTC().Hour() < 11 {
		return "Etc/GMT+12" // UTC-12, as POSIX counts: the day before
	}
	return "Pacific/Kiritimati" // UTC+14: the day after
}
