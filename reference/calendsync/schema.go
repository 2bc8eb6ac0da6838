package calendsync

import "encoding/json"

// The attributes of items. A user, a calendar, a membership and an entry have an entityType; sessions and guards, which
// only serve this server, have none.
const (
	pk, sk         = "PK", "SK"
	gsi1PK, gsi1SK = "GSI1PK", "GSI1SK" // a user's calendars; a calendar's entries by date
	gsi2PK, gsi2SK = "GSI2PK", "GSI2SK" // a user by e-mail
	gsi3PK, gsi3SK = "GSI3PK", "GSI3SK" // a user by provider; absent without one
	attrType       = "entityType"
	attrID         = "id"
	attrName       = "name"
	attrEmail      = "email"
	attrProvider   = "provider"
	attrSubject    = "providerSubject"
	attrColor      = "color"
	attrAbout      = "description"
	attrCalendar   = "calendarId"
	attrUser       = "userId"
	attrRole       = "role"
	attrTitle      = "title"
	attrLocation   = "location"
	attrDate       = "date"
	attrKind       = "kind"
	attrCreated    = "createdAt"
	attrUpdated    = "updatedAt"
	attrVersion    = "version"    // of every entity: counts its changes, from 1
	attrOwners     = "owners"     // of a calendar: how many there are
	attrDeleting   = "deletingAt" // of a calendar that is being deleted
	// attrRequest names the request that made a membership, if that had an Idempotency-Key, or that created an entry or
	// toggled it last.
	attrRequest = "requestId"
	attrExpires = "expiresAt" // of a session
)

// The values of entityType.
const (
	typeUser       = "USER"
	typeCalendar   = "CALENDAR"
	typeMembership = "MEMBERSHIP"
	typeEntry      = "ENTRY"
)

// The beginnings of keys.
const (
	userPrefix     = "USER#"
	calendarPrefix = "CAL#"
	memberPrefix   = "MEMBER#"
	entryPrefix    = "ENTRY#"
	emailPrefix    = "EMAIL#"
	providerPrefix = "PROV#"
	sessionPrefix  = "SESSION#"
	// afterAll sorts behind every id of an entry.
	afterAll = "~"
)

// index is an index of the table, by the names of its key attributes; the zero value is the table itself.
type index struct{ name, partition, sort string }

func table() index { return index{"", pk, sk} }
func gsi1() index  { return index{"GSI1", gsi1PK, gsi1SK} }
func gsi2() index  { return index{"GSI2", gsi2PK, gsi2SK} }
func gsi3() index  { return index{"GSI3", gsi3PK, gsi3SK} }

// maxSortKey is how many bytes a sort key may have (Developer Guide, "Service, account, and table quotas").
const maxSortKey = 1024

// key is the primary key of an item.
type key struct{ partition, sort string }

// alone is the key of an item that has its partition to itself.
func alone(text string) key { return key{text, text} }

func userKey(id string) key     { return alone(userPrefix + id) }
func calendarKey(id string) key { return alone(calendarPrefix + id) }
func entryKey(id string) key    { return alone(entryPrefix + id) }
func sessionKey(id string) key  { return alone(sessionPrefix + id) }
func emailKey(email string) key { return alone(emailPrefix + email) }
func providerKey(provider, subject string) key {
	return alone(providerPrefix + provider + "#" + subject)
}
func memberKey(calendar, user string) key { return key{calendarPrefix + calendar, memberPrefix + user} }

// item is an item of the table: attributes of the types string, int64, bool, nil (NULL) and item (M).
type item map[string]any

func (k key) item() item { return item{pk: k.partition, sk: k.sort} }

// key returns the primary key.
func (i item) key() key { return key{i.text(pk), i.text(sk)} }

// text returns an attribute of type S; "" if it is something else or absent.
func (i item) text(name string) string {
	text, _ := i[name].(string)
	return text
}

// optional returns an attribute of type S; nil if it is NULL or absent.
func (i item) optional(name string) *string {
	if text, is := i[name].(string); is {
		return &text
	}
	return nil
}

// number returns an attribute of type N; 0 if it is something else or absent.
func (i item) number(name string) int64 {
	n, _ := i[name].(int64)
	return n
}

// orNull returns a text, or NULL.
func orNull(text *string) any {
	if text == nil {
		return nil
	}
	return *text
}

// history is what every entity has.
type history struct {
	created, updated string // ISO 8601, UTC
	version          int64
}

func begun(now string) history { return history{now, now, 1} }

func (h history) into(i item) item {
	i[attrCreated], i[attrUpdated], i[attrVersion] = h.created, h.updated, h.version
	return i
}

func historyOf(i item) history {
	return history{i.text(attrCreated), i.text(attrUpdated), i.number(attrVersion)}
}

type user struct {
	id, name, email   string // the e-mail in lower case
	provider, subject string // "": none
	history
}

func (u user) item() item {
	i := userKey(u.id).item()
	i[attrType], i[attrID], i[attrName], i[attrEmail] = typeUser, u.id, u.name, u.email
	i[gsi2PK], i[gsi2SK] = emailPrefix+u.email, userPrefix+u.id
	if u.provider != "" {
		i[attrProvider], i[attrSubject] = u.provider, u.subject
		i[gsi3PK], i[gsi3SK] = u.accountKey().partition, userPrefix+u.id
	}
	return u.into(i)
}

// accountKey is the key of the user's account at a provider.
func (u user) accountKey() key { return providerKey(u.provider, u.subject) }

func userOf(i item) user {
	return user{i.text(attrID), i.text(attrName), i.text(attrEmail), i.text(attrProvider), i.text(attrSubject),
		historyOf(i)}
}

// guard is the item that makes a key unique: an index cannot.
func guard(at key, user string) item {
	i := at.item()
	i[attrUser] = user
	return i
}

type calendar struct {
	id, name, color string
	about           *string
	owners          int64
	deleting        string // since when; "": it is not being deleted
	history
}

func (c calendar) item() item {
	i := calendarKey(c.id).item()
	i[attrType], i[attrID], i[attrName], i[attrColor], i[attrAbout] = typeCalendar, c.id, c.name, c.color,
		orNull(c.about)
	i[attrOwners] = c.owners
	return c.into(i)
}

func calendarOf(i item) calendar {
	return calendar{i.text(attrID), i.text(attrName), i.text(attrColor), i.optional(attrAbout), i.number(attrOwners),
		i.text(attrDeleting), historyOf(i)}
}

type membership struct {
	calendar, user string
	role           role
	request        string // "": made without an Idempotency-Key
	history
}

func (m membership) item() item {
	i := memberKey(m.calendar, m.user).item()
	i[gsi1PK], i[gsi1SK] = userPrefix+m.user, calendarPrefix+m.calendar
	i[attrType], i[attrCalendar], i[attrUser], i[attrRole] = typeMembership, m.calendar, m.user, string(m.role)
	if m.request != "" {
		i[attrRequest] = m.request
	}
	return m.into(i)
}

func membershipOf(i item) membership {
	return membership{i.text(attrCalendar), i.text(attrUser), role(i.text(attrRole)), i.text(attrRequest), historyOf(i)}
}

type entry struct {
	id, calendar, title, date, color string
	about, location                  *string
	kind                             kind
	request                          string // the last toggle, or what created it; "": not known
	history
}

func (e entry) item() item {
	i := entryKey(e.id).item()
	i[gsi1PK], i[gsi1SK] = calendarPrefix+e.calendar, entryPrefix+e.date+"#"+e.id
	i[attrType], i[attrID], i[attrCalendar], i[attrTitle] = typeEntry, e.id, e.calendar, e.title
	i[attrAbout], i[attrLocation], i[attrDate], i[attrColor] = orNull(e.about), orNull(e.location), e.date, e.color
	i[attrKind] = e.kind.item()
	if e.request != "" {
		i[attrRequest] = e.request
	}
	return e.into(i)
}

func entryOf(i item) entry {
	return entry{id: i.text(attrID), calendar: i.text(attrCalendar), title: i.text(attrTitle), date: i.text(attrDate),
		color: i.text(attrColor), about: i.optional(attrAbout), location: i.optional(attrLocation),
		kind: kindOf(i[attrKind]), request: i.text(attrRequest), history: historyOf(i)}
}

// The attributes of a kind.
const (
	kindType      = "type"
	kindStart     = "start"
	kindEnd       = "end"
	kindCompleted = "completed"
)

func (k kind) item() item {
	i := item{kindType: k.Type}
	switch k.Type {
	case timed, multiDay:
		i[kindStart], i[kindEnd] = k.Start, k.End
	case task:
		i[kindCompleted] = *k.Completed
	}
	return i
}

// kindOf reads a kind: a map, or the text in JSON that servers before this one wrote.
func kindOf(stored any) (k kind) {
	switch stored := stored.(type) {
	case item:
		k = kind{Type: stored.text(kindType), Start: stored.text(kindStart), End: stored.text(kindEnd)}
		if done, is := stored[kindCompleted].(bool); is {
			k.Completed = &done
		}
	case string:
		_ = json.Unmarshal([]byte(stored), &k) // what cannot be read is a kind without a type
	}
	return k
}
