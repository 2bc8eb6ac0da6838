package familyscheduler

import (
	"strings"
	"time"
)

// The tables of the design, in its order. All of them are created on first use (E2: the design defines ten and lists
// eight for provisioning).
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

const (
	partitionOfGroups = "group"   // every row of Groups lies in this partition
	rowOfProfile      = "profile" // the only row key of UserProfiles
)

// Values of the status columns.
const (
	statusActive     = "active" // of a membership and of an appointment
	statusInvited    = "invited"
	statusRemoved    = "removed"
	statusCanceled   = "canceled"
	statusAssigned   = "assigned"
	statusUnassigned = "unassigned"
)

// retention is how long something deleted is kept: purgeAfterAt = deletedAt + 30 days of 86,400 s.
const retention = 30 * 24 * time.Hour

// A column that is null in the design is absent from the row: omitempty throughout.

// entity is what every row has.
type entity struct {
	PartitionKey string
	RowKey       string
	ETag         string `json:"odata.etag,omitempty"` // of the version read; never stored
	asRead       string // the row as it was read, so that columns nobody here knows can be written back
}

func (e *entity) header() *entity { return e }

// deletion is the soft delete of the design: rows are marked, never deleted.
type deletion struct {
	IsDeleted        bool   `json:"isDeleted"`
	DeletedAt        string `json:"deletedAt,omitempty"`
	DeletedByUserKey string `json:"deletedByUserKey,omitempty"`
	PurgeAfterAt     string `json:"purgeAfterAt,omitempty"`
}

func deletedNow(now time.Time, userKey string) deletion {
	return deletion{
		IsDeleted: true, DeletedAt: timestamp(now), DeletedByUserKey: userKey, PurgeAfterAt: timestamp(now.Add(retention)),
	}
}

// groupRow is a row of Groups.
type groupRow struct {
	entity
	GroupID          string `json:"groupId"`
	GroupName        string `json:"groupName"`
	CreatedAt        string `json:"createdAt"`
	UpdatedAt        string `json:"updatedAt"`
	CreatedByUserKey string `json:"createdByUserKey"`
	OpID             string `json:"opId,omitempty"` // the operation that changed it last
	deletion
}

func groupKey(groupID string) entity {
	return entity{PartitionKey: partitionOfGroups, RowKey: escapeKey(groupID)}
}

// memberRow is a row of GroupMembers, which decides who is a member.
type memberRow struct {
	entity
	UserKey   string `json:"userKey"`
	Email     string `json:"email,omitempty"`     // absent for guests
	MemberKey string `json:"memberKey,omitempty"` // absent means auth:{userKey}; joins the roster to UserProfiles
	OpID      string `json:"opId,omitempty"`      // the operation that made it what it is
	membership
}

// userGroupRow is a row of UserGroups: the same membership, found by its user.
type userGroupRow struct {
	entity
	GroupID string `json:"groupId"`
	membership
}

// membership is what both tables say.
type membership struct {
	Status    string `json:"status"`
	InvitedAt string `json:"invitedAt,omitempty"`
	JoinedAt  string `json:"joinedAt,omitempty"`
	RemovedAt string `json:"removedAt,omitempty"`
	UpdatedAt string `json:"updatedAt"`
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

// appointmentRow is a row of AppointmentsIndex: what a list shows. The appointment itself is its blob.
type appointmentRow struct {
	entity
	AppointmentID  string `json:"appointmentId"`
	StartTime      string `json:"startTime"`
	Status         string `json:"status"`
	HasScan        bool   `json:"hasScan"`
	ScanCapturedAt string `json:"scanCapturedAt,omitempty"`
	ScanExt        string `json:"scanExt,omitempty"` // which scan/scan.<ext> is the current one
	CreatedAt      string `json:"createdAt"`
	UpdatedAt      string `json:"updatedAt"`
	deletion
}

// appointmentKey sorts by start time: YYYYMMDDHHmmssZ|appointmentId.
func appointmentKey(groupID string, start time.Time, appointmentID string) entity {
	return entity{
		PartitionKey: escapeKey(groupID),
		RowKey:       start.UTC().Format("20060102150405Z") + "|" + escapeKey(appointmentID),
	}
}

// participantRow is a row of AppointmentParticipants.
type participantRow struct {
	entity
	Status     string `json:"status"`
	Role       string `json:"role,omitempty"`
	AssignedAt string `json:"assignedAt,omitempty"`
	AssignedBy string `json:"assignedBy,omitempty"`
	UpdatedAt  string `json:"updatedAt"`
}

func participantKey(groupID, appointmentID, memberKey string) entity {
	return entity{
		PartitionKey: "g:" + escapeKey(groupID) + "|a:" + escapeKey(appointmentID),
		RowKey:       "m:" + escapeKey(memberKey),
	}
}

// profileRow is a row of UserProfiles.
type profileRow struct {
	entity
	DisplayName string `json:"displayName,omitempty"`
	PhotoKey    string `json:"photoKey,omitempty"` // name of the blob
	Email       string `json:"email,omitempty"`
	Timezone    string `json:"timezone,omitempty"`
	CreatedAt   string `json:"createdAt"`
	UpdatedAt   string `json:"updatedAt"`
	OpID        string `json:"opId,omitempty"` // the operation that created it
}

func profileKey(memberKey string) entity {
	return entity{PartitionKey: escapeKey(memberKey), RowKey: rowOfProfile}
}

// Blobs, all in one container. Names hold ids and memberKeys, never an e-mail.
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

// currentIgniteBlob holds the id of the ignite session that was opened last.
func currentIgniteBlob(groupID string) string { return groupBlobs(groupID) + "ignite/current.json" }

func igniteBlob(groupID, sessionID string) string {
	return groupBlobs(groupID) + "ignite/" + escapeKey(sessionID) + "/session.json"
}

func photoBlob(groupID, sessionID, memberKey string) string {
	return groupBlobs(groupID) + "ignite/" + escapeKey(sessionID) + "/photos/" + escapeKey(memberKey)
}

// escapeKey makes any text fit for a key or a blob name: / \ # ? ~ and control characters become ~HH for each of their
// UTF-8 bytes, upper hex. So gpt-4o/2024#1 is gpt-4o~2F2024~231. (Azure refuses these characters in keys; ~ is escaped
// so that two texts never share a key.)
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
