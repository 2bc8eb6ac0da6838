package calendsync

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/storespec/storespec/reference/web"
)

// ReadMigration reads {"users": [{id, name, email}], "calendars": [{id, name, color, description}], "entries":
// [{id, calendarId, title, …}], "memberships": [{calendarId, userId, role}]}. An older storage may have no memberships:
// then owner is the id of the user who owns every calendar. The error is Problems: everything that is wrong, not the
// first thing alone.
func ReadMigration(data []byte, owner string) (*Migration, error) {
	file, err := web.ParseObject(data)
	if err != nil {
		return nil, Problems{"the file is not one JSON object with users, calendars and entries: " +
			malformed(data, err)}
	}
	r := migrationReader{known: map[string]string{}, unread: map[string]bool{}}
	r.each(file, "users", r.user)
	r.each(file, "calendars", r.calendar)
	switch has := file.Has("memberships"); {
	case has && owner != "":
		r.refuse("the file has memberships: leave the owner of all calendars out")
	case has:
		r.each(file, "memberships", r.membership)
	case r.known[owner] != "users" && !r.unread["users"]:
		r.refuse("the file has no memberships: name one of its users as the owner of all calendars")
	default:
		for _, k := range r.calendars {
			r.memberships = append(r.memberships, membership{calendar: k.id, user: owner, role: roleOwner})
		}
	}
	r.each(file, "entries", r.entry)
	r.count()
	if len(r.wrong) > 0 {
		return nil, r.wrong
	}
	return &r.Migration, nil
}

// malformed says where a text stops being JSON, if that is what is wrong with it.
func malformed(data []byte, err error) string {
	var syntax *json.SyntaxError
	if !errors.As(json.Unmarshal(data, new(any)), &syntax) {
		return err.Error()
	}
	read := data[:min(int(syntax.Offset), len(data))]
	return fmt.Sprintf("line %d, column %d: %v", 1+bytes.Count(read, []byte("\n")),
		len(read)-1-bytes.LastIndexByte(read, '\n'), err)
}

// migrationReader reads a file, and gathers what is wrong with it.
type migrationReader struct {
	Migration
	known  map[string]string // "users", "calendars" or "entries", by the id; and e-mails
	unread map[string]bool   // lists that are missing: what refers to them cannot be checked
	wrong  Problems
}

func (r *migrationReader) refuse(format string, args ...any) {
	r.wrong = append(r.wrong, fmt.Sprintf(format, args...))
}

// each reads the objects of a list. read returns what is wrong with one; nil errors count for nothing.
func (r *migrationReader) each(file web.Object, list string, read func(*call) []error) {
	var elements []json.RawMessage
	if err := json.Unmarshal(file[list], &elements); err != nil {
		r.refuse("%s is missing, or is not a list", list)
		r.unread[list] = true
	}
	for i, element := range elements {
		body, err := web.ParseObject(element)
		wrong := []error{err}
		if err == nil {
			wrong = read(&call{body: body})
		}
		for _, err := range wrong {
			var refused *web.Error
			if errors.As(err, &refused) {
				r.refuse("%s[%d]: %s", list, i, refused.Message)
			} else if err != nil {
				r.refuse("%s[%d]: %v", list, i, err)
			}
		}
	}
}

// id reads the id of an element, which no other has. It is read first: what refers to an element is right even if
// something else is wrong with that.
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
	if r.known[id] != list && !r.unread[list] {
		return "", fmt.Errorf("%s is not the id of one of the %s", name, list)
	}
	return id, nil
}

func (r *migrationReader) user(c *call) []error {
	id, wrongID := r.id(c, "users")
	u, err := c.readUser()
	if err != nil {
		return []error{wrongID, err}
	}
	u.id = id
	r.users = append(r.users, u)
	wrong := []error{wrongID, r.only(emailKey(u.email).partition, "e-mails", "email")}
	if u.provider != "" {
		wrong = append(wrong, r.only(u.accountKey().partition, "accounts", "providerSubject"))
	}
	return wrong
}

func (r *migrationReader) calendar(c *call) []error {
	id, wrongID := r.id(c, "calendars")
	k, err := c.readCalendar()
	k.id = id
	r.calendars = append(r.calendars, k)
	return []error{wrongID, err, fits(k.item())}
}

func (r *migrationReader) membership(c *call) []error {
	var m membership
	var wrongRole, wrongCalendar, wrongUser error
	m.role, wrongRole = c.readRole()
	m.calendar, wrongCalendar = r.refers(c, "calendarId", "calendars")
	m.user, wrongUser = r.refers(c, "userId", "users")
	wrong := []error{wrongRole, wrongCalendar, wrongUser}
	if wrongCalendar == nil && wrongUser == nil {
		wrong = append(wrong, r.only(m.calendar+m.user, "memberships", "the pair of calendarId and userId"))
	}
	r.memberships = append(r.memberships, m)
	return wrong
}

func (r *migrationReader) entry(c *call) []error {
	id, wrongID := r.id(c, "entries")
	e, err := c.readEntry()
	if err != nil {
		return []error{wrongID, err}
	}
	e.id = id
	r.entries = append(r.entries, e)
	_, unknown := r.refers(c, "calendarId", "calendars")
	return []error{wrongID, unknown, fits(e.item())}
}

// maxItem is how many bytes an item may have (Developer Guide, "Service, account, and table quotas").
const maxItem = 400 << 10

// fits reports an item that is too large, before anything is written. Its timestamps are not set yet.
func fits(i item) error {
	begun("2024-01-15T10:30:00Z").into(i)
	if size(i) > maxItem {
		return errors.New("it is too large: an item may have 400 KiB")
	}
	return nil
}

// size returns how large DynamoDB takes a value to be (Developer Guide, "Item sizes and formats").
func size(value any) int {
	switch value := value.(type) {
	case string:
		return len(value)
	case int64:
		return 2 // of up to two digits; the numbers here are
	case item:
		total := 0
		for name, each := range value {
			total += len(name) + size(each)
			if inner, is := each.(item); is {
				total += 3 + len(inner)
			}
		}
		return total
	}
	return 1 // NULL, BOOL
}

// count counts the owners of each calendar, which has at least one.
func (r *migrationReader) count() {
	owners := map[string]int64{}
	for _, m := range r.memberships {
		if m.role == roleOwner {
			owners[m.calendar]++
		}
	}
	readable := len(r.wrong) == 0
	for i := range r.calendars {
		k := &r.calendars[i]
		if k.owners = owners[k.id]; k.owners == 0 && readable {
			r.refuse("calendars[%d]: no membership makes a user its owner", i)
		}
	}
}
