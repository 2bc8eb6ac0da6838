package calendsync

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Migration is what an older storage had, read and checked.
type Migration struct {
	users       []user
	calendars   []calendar
	memberships []membership
	entries     []entry
}

// Counts is how many items there are of each entity, in this order.
type Counts struct{ Users, Calendars, Memberships, Entries int }

// Total is how many items there are.
func (c Counts) Total() int { return c.Users + c.Calendars + c.Memberships + c.Entries }

// Counts returns how many items a migration has.
func (m *Migration) Counts() Counts {
	return Counts{len(m.users), len(m.calendars), len(m.memberships), len(m.entries)}
}

// Problems is what is wrong with a migration, each with its place in the file, such as users[3]. It is an error.
type Problems []string

func (p Problems) Error() string { return strings.Join(p, "\n") }

// Compare returns how many items of a migration the table has already, of each entity; it writes nothing. Errors:
// Problems for what cannot be written next to what the table has; those of Plan, ErrNoTable; storage.
func (t *Tools) Compare(ctx context.Context, m *Migration) (there Counts, _ error) {
	if err := t.hasTable(ctx); err != nil {
		return there, err
	}
	var wrong Problems
	known := map[string]bool{} // the users who are there: they stay as they are
	all, done := m.places(&there), 0
	for some := range slices.Chunk(all, maxBatchGet) {
		keys := make([]key, len(some))
		for i, p := range some {
			keys[i] = p.key
		}
		found, err := t.server.store.batchGet(ctx, keys)
		if err != nil {
			return there, err
		}
		for _, p := range some {
			switch i := found[p.key]; {
			case i == nil:
			case p.counts == nil:
				if !known[p.user] {
					wrong = append(wrong, fmt.Sprintf("%s[%d]: %s", p.list, p.at, somebodyElse))
				}
			case calendarOf(i).deleting != "":
				wrong = append(wrong, fmt.Sprintf("%s[%d]: the calendar is being deleted: repair the table first",
					p.list, p.at))
			default:
				*p.counts++
				known[p.user] = true
			}
		}
		done += len(some)
		t.report(done, len(all))
	}
	if len(wrong) > 0 {
		return there, wrong
	}
	return there, nil
}

// place is an item that a migration writes, and the element of the file that it is for.
type place struct {
	list   string
	at     int
	key    key
	user   string // of a user, and of its guards
	counts *int   // how many such items are there; nil: a guard, which is to be absent unless the user is there
}

// places lists the items that a migration writes.
func (m *Migration) places(there *Counts) (all []place) {
	for i, u := range m.users {
		for n, w := range u.creation() {
			p := place{"users", i, w.put.key(), u.id, nil}
			if n == 0 {
				p.counts = &there.Users
			}
			all = append(all, p)
		}
	}
	for i, k := range m.calendars {
		all = append(all, place{"calendars", i, calendarKey(k.id), "", &there.Calendars})
	}
	for i, one := range m.memberships {
		all = append(all, place{"memberships", i, memberKey(one.calendar, one.user), "", &there.Memberships})
	}
	for i, e := range m.entries {
		all = append(all, place{"entries", i, entryKey(e.id), "", &there.Entries})
	}
	return all
}

// somebodyElse says why a user cannot be written.
const somebodyElse = "another user has the same e-mail address, or the same account of the provider"

// Migrate writes everything that is not there: users with their guards, calendars, memberships, entries. What belongs
// to a calendar is written once the calendar is there, so that Repair may run meanwhile. What is there stays as it is,
// so that Migrate can be run again. written counts what was written; users count one each. Errors: those of Plan,
// ErrNoTable; storage; an e-mail of a user who is not in the file.
func (t *Tools) Migrate(ctx context.Context, m *Migration) (written int, _ error) {
	if err := t.hasTable(ctx); err != nil {
		return 0, err
	}
	h, total := begun(t.server.timestamp()), m.Counts().Total()
	for i, u := range m.users {
		u.history = h
		is, err := t.migrateUser(ctx, u)
		if err != nil {
			return written, fmt.Errorf("users[%d]: %w", i, err)
		}
		if is {
			written++
		}
		t.report(i+1, total)
	}
	var calendars, belongings []item
	for _, k := range m.calendars {
		k.history = h
		calendars = append(calendars, k.item())
	}
	for _, one := range m.memberships {
		one.history = h
		belongings = append(belongings, one.item())
	}
	for _, e := range m.entries {
		e.history = h
		belongings = append(belongings, e.item())
	}
	done := len(m.users)
	for _, items := range [][]item{calendars, belongings} {
		n, err := t.writeMissing(ctx, items, done, total)
		written += n
		if err != nil {
			return written, err
		}
		done += len(items)
	}
	return written, nil
}

// migrateUser writes a user that is not there.
func (t *Tools) migrateUser(ctx context.Context, u user) (written bool, _ error) {
	if _, found, err := t.server.user(ctx, u.id); err != nil || found {
		return false, err
	}
	err := t.server.store.together(ctx, u.creation()...)
	if errors.As(err, new(failedCheck)) {
		err = errors.New(somebodyElse)
	}
	return err == nil, err
}
