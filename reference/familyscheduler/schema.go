package familyscheduler

import (
	"strings"
	"time"
)

// The tables of the design, in its order. All of them are created on first use (E2 in docs/designs/familyscheduler.md:
// the design defines ten and lists eight for provisioning).
const (
	tableGroups                  = "Groups"
	tableUserGroups              = "UserGroups"
	tableGroupMembers            = "GroupMembers"
	tableAppointmentsIndex       = "AppointmentsIndex"
	tableDailyMetrics            = "DailyMetrics"
	tableUserDailyUsage          = "UserDailyUsage"
	tableUserDailyUsageByModel   = "UserDailyUsageByModel"
	tableDailyUsageByModel       = "DailyUsageByModel"
	tableAppointmentParticipants = "AppointmentParticipants"
	tableUserProfiles            = "UserProfiles"
)

func allTables() []string {
	return []string{
		tableGroups, tableUserGroups, tableGroupMembers, tableAppointmentsIndex, tableDailyMetrics, tableUserDailyUsage,
		tableUserDailyUsageByModel, tableDailyUsageByModel, tableAppointmentParticipants, tableUserProfiles,
	}
}

// The columns used to find rows.
const (
	columnPartition     = "PartitionKey"
	columnRow           = "RowKey"
	columnTimestamp     = "Timestamp" // the store's own; no row type contains it, and it is never written
	columnMemberKey     = "memberKey"
	columnAppointmentID = "appointmentId"
)

const (
	partitionOfGroups = "group"   // every row of Groups is in this partition
	rowOfProfile      = "profile" // the only row key of UserProfiles
)

// Values of the status columns.
const (
	statusActive     = "active" // for memberships and appointments
	statusInvited    = "invited"
	statusRemoved    = "removed"
	statusCanceled   = "canceled"
	statusAssigned   = "assigned"
	statusUnassigned = "unassigned"
)

// retention is how long deleted items are kept: purgeAfterAt = deletedAt + 30 days of 86,400 s.
const retention = 30 * 24 * time.Hour

// The row types below define the columns of the tables: a field's tag is the column's name, and its type gives the
// column's:
//
//	string  Edm.String
//	bool    Edm.Boolean
//	int32   Edm.Int32
//
// A "time" is a text, YYYY-MM-DDTHH:mm:ss.fffZ (timestamp). A column that is null in the design is absent from the row:
// omitempty. Columns that others have added are kept (wholeRow).

// entity holds what every row has.
type entity struct {
	PartitionKey string // built by the key functions below, as is RowKey
	RowKey       string
	ETag         string `json:"odata.etag,omitempty"` // of the version read, "" for a new row; never stored
	asRead       string // the row as it was read, so that unknown columns can be written back
}

func (e *entity) header() *entity { return e }

// deletion is the soft delete of the design: rows are marked, never deleted.
type deletion struct {
	IsDeleted        bool   `json:"isDeleted"`
	DeletedAt        string `json:"deletedAt,omitempty"`        // a time; absent, as below, unless it is deleted
	DeletedByUserKey string `json:"deletedByUserKey,omitempty"` // who deleted it
	PurgeAfterAt     string `json:"purgeAfterAt,omitempty"`     // a time: deletedAt plus the retention
}

func deletedNow(now time.Time, userKey string) deletion {
	return deletion{
		IsDeleted: true, DeletedAt: timestamp(now), DeletedByUserKey: userKey,
		PurgeAfterAt: timestamp(now.Add(retention)),
	}
}

// groupRow is a row of Groups (FS-SCH-1).
type groupRow struct {
	entity
	GroupID          string `json:"groupId"`          // its row key, as created
	GroupName        string `json:"groupName"`        // cleaned (cleanName)
	CreatedAt        string `json:"createdAt"`        // a time
	UpdatedAt        string `json:"updatedAt"`        // the time of the last rename, deletion or restoration
	CreatedByUserKey string `json:"createdByUserKey"` // who created the group
	OpID             string `json:"opId,omitempty"`   // the operation that last changed it
	deletion
}

func groupKey(groupID string) entity {
	return entity{PartitionKey: partitionOfGroups, RowKey: escapeKey(groupID)}
}

// memberRow is a row of GroupMembers, which decides who is a member (FS-SCH-3).
type memberRow struct {
	entity
	UserKey   string `json:"userKey"`             // whose membership it is
	Email     string `json:"email,omitempty"`     // normalized; absent for guests
	MemberKey string `json:"memberKey,omitempty"` // absent means auth:{userKey}; joins the roster to UserProfiles
	OpID      string `json:"opId,omitempty"`      // the operation that put it into its current state
	membership
}

// userGroupRow is a row of UserGroups: the same membership, found by its user (FS-SCH-2).
type userGroupRow struct {
	entity
	GroupID string `json:"groupId"` // the group
	membership
}

// membership holds the columns shared by both tables.
type membership struct {
	Status    string `json:"status"`              // invited, active or removed
	InvitedAt string `json:"invitedAt,omitempty"` // the time of the invitation, kept after it is accepted
	JoinedAt  string `json:"joinedAt,omitempty"`  // the time since when, or of a membership that ended
	RemovedAt string `json:"removedAt,omitempty"` // the time of the removal
	UpdatedAt string `json:"updatedAt"`           // the time of the last of these
}

func memberEntityKey(groupID, userKey string) entity {
	return entity{PartitionKey: escapeKey(groupID), RowKey: escapeKey(userKey)}
}

func userGroupKey(userKey, groupID string) entity {
	return entity{PartitionKey: escapeKey(userKey), RowKey: escapeKey(groupID)}
}

func (m *memberRow) memberKey() string {
	if m.MemberKey != "" {
		return m.MemberKey
	}
	return authPrefix + m.UserKey
}

// appointmentRow is a row of AppointmentsIndex: what a list shows (FS-SCH-4). The appointment itself is its blob.
type appointmentRow struct {
	entity
	AppointmentID  string `json:"appointmentId"`            // names the blob
	StartTime      string `json:"startTime"`                // in whole seconds (startTimestamp)
	Status         string `json:"status"`                   // active or canceled
	HasScan        bool   `json:"hasScan"`                  // there is a scan
	ScanCapturedAt string `json:"scanCapturedAt,omitempty"` // the time when it came
	ScanExt        string `json:"scanExt,omitempty"`        // which scan/scan.<ext> is the current one
	CreatedAt      string `json:"createdAt"`                // a time
	UpdatedAt      string `json:"updatedAt"`                // the time of the last change of the row or of the blob
	deletion
}

// appointmentKey sorts by start time: YYYYMMDDHHmmssZ|appointmentId. start is in UTC (parseStart).
func appointmentKey(groupID string, start time.Time, appointmentID string) entity {
	return entity{
		PartitionKey: escapeKey(groupID),
		RowKey:       start.Format("20060102150405Z") + "|" + escapeKey(appointmentID),
	}
}

// participantRow is a row of AppointmentParticipants (FS-SCH-9).
type participantRow struct {
	entity
	Status     string  `json:"status"`               // assigned or unassigned
	Role       *string `json:"role,omitempty"`       // what the person does there, as free text; empty: nothing special
	AssignedAt string  `json:"assignedAt,omitempty"` // the time of the last assignment
	AssignedBy string  `json:"assignedBy,omitempty"` // the memberKey of the person who assigned them
	UpdatedAt  string  `json:"updatedAt"`            // a time
}

func participantKey(groupID, appointmentID, memberKey string) entity {
	return entity{
		PartitionKey: "g:" + escapeKey(groupID) + "|a:" + escapeKey(appointmentID),
		RowKey:       "m:" + escapeKey(memberKey),
	}
}

// profileRow is a row of UserProfiles (FS-SCH-10).
type profileRow struct {
	entity
	DisplayName string `json:"displayName,omitempty"` // cleaned (cleanName)
	PhotoKey    string `json:"photoKey,omitempty"`    // the name of the photo's blob
	Email       string `json:"email,omitempty"`       // normalized; of a guest who gave one, that
	Timezone    string `json:"timezone,omitempty"`    // a name such as Europe/Berlin
	CreatedAt   string `json:"createdAt"`             // a time
	UpdatedAt   string `json:"updatedAt"`             // a time
	OpID        string `json:"opId,omitempty"`        // the operation that created it
}

func profileKey(memberKey string) entity {
	return entity{PartitionKey: escapeKey(memberKey), RowKey: rowOfProfile}
}

// counted holds what every counter row has besides its counters. Days and months are in UTC.
type counted struct {
	UpdatedAt string `json:"updatedAt"`           // a time
	RecentOps string `json:"recentOps,omitempty"` // operation ids separated by spaces, the newest last (note)
}

// metricsRow is a row of DailyMetrics: what happened on one day (FS-SCH-5).
type metricsRow struct {
	entity
	NewUsers        int32 `json:"newUsers"`        // auth: profiles created
	NewGroups       int32 `json:"newGroups"`       // rows of Groups created
	NewAppointments int32 `json:"newAppointments"` // appointments created
	InvitesSent     int32 `json:"invitesSent"`     // memberships that became invited
	InvitesAccepted int32 `json:"invitesAccepted"` // memberships that went from invited to active
	counted
}

func metricsKey(day string) entity { return entity{PartitionKey: monthOf(day), RowKey: day} }

// userUsageRow is a row of UserDailyUsage: what one person used on one day (FS-SCH-6).
type userUsageRow struct {
	entity
	Calls     int32 `json:"openaiCalls"`     // calls of the model
	TokensIn  int32 `json:"openaiTokensIn"`  // tokens it was sent
	TokensOut int32 `json:"openaiTokensOut"` // tokens it answered with
	Errors    int32 `json:"openaiErrors"`    // calls that failed
	counted
}

func userUsageKey(userKey, day string) entity {
	return entity{PartitionKey: escapeKey(userKey), RowKey: day}
}

// modelUsageRow is a row of UserDailyUsageByModel (FS-SCH-7) and of DailyUsageByModel (FS-SCH-8): the same for one
// model, of one person or of all.
type modelUsageRow struct {
	entity
	Calls     int32 `json:"calls"` // the four as in userUsageRow
	TokensIn  int32 `json:"tokensIn"`
	TokensOut int32 `json:"tokensOut"`
	Errors    int32 `json:"errors"`
	counted
}

// The design uses # as the separator, which keys may not contain (E1 in docs/designs/familyscheduler.md).
func userModelUsageKey(userKey, day, model string) entity {
	return entity{PartitionKey: escapeKey(userKey) + "|" + day, RowKey: escapeKey(model)}
}

func modelUsageKey(day, model string) entity {
	return entity{PartitionKey: monthOf(day), RowKey: day + "|" + escapeKey(model)}
}

// dayOf returns a day as it appears in the counters' keys: YYYY-MM-DD, UTC.
func dayOf(t time.Time) string { return t.UTC().Format(time.DateOnly) }

// monthOf returns a day's month as YYYY-MM.
func monthOf(day string) string { return day[:len("2006-01")] }

// Blobs, all in one container. Names contain ids and memberKeys, never an e-mail.
const blobRoot = "familyscheduler/"

func sessionBlob(sessionID string) string { return blobRoot + "sessions/" + sessionID + ".json" }

func magicLinkBlob(jti string) string { return blobRoot + "magic-links/" + jti + ".json" }

func groupBlobs(groupID string) string { return blobRoot + "groups/" + escapeKey(groupID) + "/" }

func appointmentBlob(groupID, appointmentID string) string {
	return groupBlobs(groupID) + "appointments/" + escapeKey(appointmentID) + "/appointment.json"
}

func scanBlob(groupID, appointmentID, ext string) string {
	return groupBlobs(groupID) + "appointments/" + escapeKey(appointmentID) + "/scan/scan." + ext
}

// currentIgniteBlob holds the id of the latest ignite session.
func currentIgniteBlob(groupID string) string { return groupBlobs(groupID) + "ignite/current.json" }

func igniteBlob(groupID, sessionID string) string {
	return groupBlobs(groupID) + "ignite/" + escapeKey(sessionID) + "/session.json"
}

func photoBlob(groupID, sessionID, memberKey string) string {
	return groupBlobs(groupID) + "ignite/" + escapeKey(sessionID) + "/photos/" + escapeKey(memberKey)
}

// escapeKey makes any text valid in a key or a blob name: / \ # ? ~ and control characters become ~HH for each of their
// UTF-8 bytes, in upper-case hex. So gpt-4o/2024#1 becomes gpt-4o~2F2024~231. (Azure rejects these characters in keys;
// ~ is escaped so that two texts never share a key.)
func escapeKey(text string) string {
	const hexDigits = "0123456789ABCDEF"
	var key strings.Builder
	for _, r := range text {
		if !strings.ContainsRune(`/\#?~`, r) && !isControl(r) {
			key.WriteRune(r)
			continue
		}
		for _, b := range []byte(string(r)) {
			key.WriteByte('~')
			key.WriteByte(hexDigits[b>>4])
			key.WriteByte(hexDigits[b&15])
		}
	}
	return key.String()
}

// isControl: U+0000 to U+001F and U+007F to U+009F, the ranges the Table service refuses.
func isControl(r rune) bool { return r < 0x20 || 0x7f <= r && r <= 0x9f }
