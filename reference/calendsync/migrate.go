package calendsync

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/storespec/storespec/reference/web"
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

// Counts returns how many items a migration has.
func (m *Migration) Counts() Counts {
	return Counts{len(m.users), len(m.calendars), len(m.memberships), len(m.entries)}
}

// ReadMigration reads {"users": [{id, name, email}], "calendars": [{id, name, color, description}], "entries":
// [{id, calendarId, title, …}], "memberships": [{calendarId, userId, role}]}. An older storage may have no memberships:
// then owner is the id of the user who owns every calendar. The error names everything that is wrong, not the first
// thing alone.
func ReadMigration(data []byte, owner string) (*Migration, error) {
	file, err := web.ParseObject(data)
	if err != nil {
		return nil, fmt.Errorf("the file is not one JSON object with users, calendars and entries: %w", err)
	}
	r := migrationReader{known: map[string]string{}}
	r.each(file, "users", r.user)
	r.each(file, "calendars", r.calendar)
	switch has := file.Has("memberships"); {
	case has && owner != "":
		r.refuse("the file has memberships: leave the owner of all calendars out")
	case has:
		r.each(file, "memberships", r.membership)
	case r.known[owner] != "users":
		r.refuse("the file has no memberships: name one of its users as the owner of all calendars")
	default:
		for _, k := range r.calendars {
			r.memberships = append(r.memberships, membership{calendar: k.id, user: owner, role: roleOwner})
		}
	}
	r.each(file, "entries", r.entry)
	r.count()
	return &r.Migration, errors.Join(r.wrong...)
}

// migrationReader reads a file, and gathers what is wrong with it.
type migrationReader struct {
	Migration
	known map[string]string // "users", "calendars" or "entries", by the id; and e-mails
	wrong []error
}

func (r *migrationReader) refuse(format string, args ...any) {
	r.wrong = append(r.wrong, fmt.Errorf(format, args...))
}

// each reads the objects of a list.
func (r *migrationReader) each(file web.Object, list string, read func(*call) error) {
	var elements []json.RawMessage
	if err := json.Unmarshal(file[list], &elements); err != nil {
		r.refuse("%s is missing, or is not a list", list)
	}
	for i, element := range elements {
		body, err := web.ParseObject(element)
		if err == nil {
			err = read(&call{body: body})
		}
		var refused *web.Error
		if errors.As(err, &refused) {
			r.refuse("%s[%d]: %s", list, i, refused.Message)
		} else if err != nil {
			r.refuse("%s[%d]: %w", list, i, err)
		}
	}
}

// id reads the id of an element, which no other has.
func (r *migrationReader) id(c *call, list string) (string, error) {
	id, is := c.body.String("id")
	if !is || !isUUID(id) {
		return "", errors.New("id is not a UUID v4 in lower case")
	}
	return id, r.only(id, list, "id")
}

// only remembers a value that no other element may have.
func (r *migrationReader) only(value, list, name string) error {
	if r.known[value] != "" {
		return fmt.Errorf("another element has the same %s", name)
	}
	r.known[value] = list
	return nil
}

// refers reads a field that is the id of an element of a list.
func (r *migrationReader) refers(c *call, name, list string) (string, error) {
	id, _ := c.body.String(name)
	if r.known[id] != list {
		return "", fmt.Errorf("%s is not the id of one of the %s", name, list)
	}
	return id, nil
}

func (r *migrationReader) user(c *call) error {
	u, err := c.readUser()
	if err != nil {
		return err
	}
	if u.id, err = r.id(c, "users"); err != nil {
		return err
	}
	r.users = append(r.users, u)
	if u.provider != "" {
		if err := r.only(providerKey(u.provider, u.subject).partition, "accounts", "providerSubject"); err != nil {
			return err
		}
	}
	return r.only(emailKey(u.email).partition, "e-mails", "email")
}

func (r *migrationReader) calendar(c *call) error {
	k, err := c.readCalendar()
	if err != nil {
		return err
	}
	k.id, err = r.id(c, "calendars")
	r.calendars = append(r.calendars, k)
	return err
}

func (r *migrationReader) membership(c *call) (err error) {
	var m membership
	if m.role, err = c.readRole(); err != nil {
		return err
	}
	if m.calendar, err = r.refers(c, "calendarId", "calendars"); err != nil {
		return err
	}
	if m.user, err = r.refers(c, "userId", "users"); err != nil {
		return err
	}
	r.memberships = append(r.memberships, m)
	return r.only(m.calendar+m.user, "memberships", "the pair of calendarId and userId")
}

func (r *migrationReader) entry(c *call) error {
	e, err := c.readEntry()
	if err != nil {
		return err
	}
	if e.id, err = r.id(c, "entries"); err != nil {
		return err
	}
	r.entries = append(r.entries, e)
	_, err = r.refers(c, "calendarId", "calendars")
	return err
}

// count counts the owners of each calendar, which has at least one.
func (r *migrationReader) count() {
	owners := map[string]int64{}
	for _, m := range r.memberships {
		if m.role == roleOwner {
			owners[m.calendar]++
		}
	}
	for i := range r.calendars {
		k := &r.calendars[i]
		if k.owners = owners[k.id]; k.owners == 0 && len(r.wrong) == 0 {
			r.refuse("calendars[%d]: no membership makes anybody its owner", i)
		}
	}
}

// Migrate writes everything that is not there: users with their guards, memberships, calendars, entries. What is there
// stays as it is, so that it can be run again. written counts what was written; users count one each. Errors: storage;
// an e-mail that somebody else has who is not in the file.
func (t *Tools) Migrate(ctx context.Context, m *Migration) (written int, _ error) {
	if err := t.hasTable(ctx); err != nil {
		return 0, err
	}
	h := begun(t.server.timestamp())
	for i, u := range m.users {
		u.history = h
		is, err := t.migrateUser(ctx, u)
		if err != nil {
			return written, fmt.Errorf("users[%d]: %w", i, err)
		}
		if is {
			written++
		}
	}
	var items []item
	for _, one := range m.memberships {
		one.history = h
		items = append(items, one.item())
	}
	for _, k := range m.calendars {
		k.history = h
		items = append(items, k.item())
	}
	for _, e := range m.entries {
		e.history = h
		items = append(items, e.item())
	}
	n, err := t.writeMissing(ctx, items)
	return written + n, err
}

// migrateUser writes a user that is not there.
func (t *Tools) migrateUser(ctx context.Context, u user) (written bool, _ error) {
	if _, found, err := t.server.user(ctx, u.id); err != nil || found {
		return false, err
	}
	err := t.server.store.together(ctx, u.creation()...)
	if errors.As(err, new(failedCheck)) {
		err = errors.New("somebody else has the same e-mail address, or the same account of the provider")
	}
	return err == nil, err
}
