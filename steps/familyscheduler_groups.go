package steps

import (
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/cucumber/godog"
)

// Times that scenarios lay out, so that a Then step can tell a kept time from a new one.
const (
	createdAt = "2026-01-02T08:00:00Z"
	invitedAt = "2026-01-05T08:00:00Z"
	joinedAt  = "2026-01-06T09:30:00Z"
	removedAt = "2026-02-01T10:00:00Z"
	deletedAt = "2026-03-01T10:00:00Z"
	purgeAt   = "2026-03-31T10:00:00Z"
)

// groupSteps lays out the groups of familyscheduler and who belongs to them, and reads both tables of memberships back.
func groupSteps() []Step {
	return []Step{
		{`(\w+) is (?:an|a) (active member|invited member|removed member) of (\w+)`, `Given Ana is an active member of Family`,
			func(w *World) any { return w.isMember }},
		{`(\w+) is signed in and was invited to (\w+)`, `Given Ben is signed in and was invited to Family`,
			func(w *World) any {
				return func(name, group string) error { return w.isMember(name, "invited member", group) }
			}},
		{`the group (\w+) exists`, `Given the group Family exists`,
			func(w *World) any { return func(group string) error { return w.groupExists(group, group) } }},
		{`the group (\w+) is named "([^"]+)"`, `Given the group Family is named "The Smiths"`,
			func(w *World) any { return w.groupExists }},
		{`the group (\w+) was deleted`, `Given the group Family was deleted`,
			func(w *World) any { return w.groupDeleted }},
		{`(\w+) has (\d+) more active members?`, `Given Family has 64 more active members`,
			func(w *World) any { return w.moreMembers }},
		{`(\w+) is (?:an|a) (active member|invited member|removed member) of (\d+) more groups?`, `Given Ana is an active member of 16 more groups`,
			func(w *World) any { return w.moreGroups }},
		{`(\w+) is a guest of (\w+)`, `Given Gus is a guest of Family`,
			func(w *World) any {
				return func(name, group string) error { return w.isGuest(name, group, 30*time.Minute) }
			}},
		{`(\w+) was a guest of (\w+) until a moment ago`, `Given Gus was a guest of Family until a moment ago`,
			func(w *World) any {
				return func(name, group string) error { return w.isGuest(name, group, -time.Second) }
			}},
		{`state\.json of (\w+) lists (\w+) among people and members`, `Given state.json of Family lists Ben among people and members`,
			func(w *World) any { return w.stateLists }},
		{`state\.json of (\w+) is`, "Given state.json of Family is\n\"\"\"\n{\"people\":[],\"members\":[],\"appointments\":[]}\n\"\"\"",
			func(w *World) any { return w.stateIs }},
		{`every group of the answer opens for (\w+)`, `Then every group of the answer opens for Ben`,
			func(w *World) any { return w.everyGroupOpens }},
		{`(\w+) is (active|invited|removed) in both tables of (\w+)`, `Then Ben is active in both tables of Family`,
			func(w *World) any { return w.agree }},
		{`(\w+) is (active|invited) or removed in both tables of (\w+)`, `Then Ben is active or removed in both tables of Family`,
			func(w *World) any {
				return func(name, status, group string) error {
					if w.agree(name, status, group) == nil {
						return nil
					}
					return w.agree(name, "removed", group)
				}
			}},
		{`(\w+) is the id of a group that does not exist`, `Given Nowhere is the id of a group that does not exist`,
			func(w *World) any {
				return func(name string) error { w.kept[name] = "grp-none-" + w.tag; return nil }
			}},
		{`(\w+) was invited to (\w+) (\d+) days? ago`, `Given Ana was invited to Family 3 days ago`,
			func(w *World) any { return w.invitedAgo }},
	}
}

// group is the id of a group of the scenario.
func (w *World) group(name string) string {
	id, ok := w.kept[name]
	if !ok {
		id = "grp-" + name + "-" + w.tag
		w.kept[name] = id
	}
	return id
}

func (w *World) groupExists(name, shown string) error {
	id := w.group(name)
	return w.active().data.putRow(w.ctx, "Groups", "group", id, map[string]any{
		"groupId": id, "groupName": shown, "createdAt": createdAt, "updatedAt": createdAt,
		"createdByUserKey": "founder-" + w.tag, "isDeleted": false,
	})
}

func (w *World) groupDeleted(name string) error {
	id := w.group(name)
	return w.active().data.putRow(w.ctx, "Groups", "group", id, map[string]any{
		"groupId": id, "groupName": name, "createdAt": createdAt, "updatedAt": deletedAt,
		"createdByUserKey": "founder-" + w.tag, "isDeleted": true,
		"deletedAt": deletedAt, "deletedByUserKey": "founder-" + w.tag, "purgeAfterAt": purgeAt,
	})
}

// isMember signs somebody in and writes their row in both tables, and the group's row when this is
// the first the scenario hears of the group.
func (w *World) isMember(name, membership, group string) error {
	p := w.person(name)
	if p.session == "" {
		if err := w.signIn(name, time.Hour); err != nil {
			return err
		}
	}
	if _, known := w.kept[group]; !known {
		if err := w.groupExists(group, group); err != nil {
			return err
		}
	}
	return w.putMember(p, membership, w.group(group))
}

func (w *World) putMember(p *person, membership, groupID string) error {
	columns := map[string]any{"invitedAt": invitedAt, "updatedAt": invitedAt}
	switch membership {
	case "active member":
		columns["status"], columns["joinedAt"], columns["updatedAt"] = "active", joinedAt, joinedAt
	case "invited member":
		columns["status"] = "invited"
	case "removed member":
		columns["status"], columns["joinedAt"] = "removed", joinedAt
		columns["removedAt"], columns["updatedAt"] = removedAt, removedAt
	default:
		return fmt.Errorf("a membership is active, invited or removed, not %q", membership)
	}
	return w.putMembership(p, groupID, columns)
}

// putMembership writes a membership to both tables.
func (w *World) putMembership(p *person, groupID string, columns map[string]any) error {
	columns["userKey"], columns["memberKey"] = p.userKey(), p.memberKey()
	if p.gsid == "" {
		columns["email"] = p.email
	}
	if err := w.active().data.putRow(w.ctx, "GroupMembers", groupID, p.userKey(), columns); err != nil {
		return err
	}
	for _, name := range []string{"userKey", "memberKey", "email"} {
		delete(columns, name)
	}
	columns["groupId"] = groupID
	return w.active().data.putRow(w.ctx, "UserGroups", p.userKey(), groupID, columns)
}

func (w *World) moreMembers(group string, count int) error {
	for i := range count {
		if err := w.putMember(w.person(fmt.Sprintf("%sMember%d", group, i)), "active member", w.group(group)); err != nil {
			return err
		}
	}
	return nil
}

func (w *World) moreGroups(name, membership string, count int) error {
	for i := range count {
		if err := w.isMember(name, membership, fmt.Sprintf("%sGroup%02d", name, i)); err != nil {
			return err
		}
	}
	return nil
}

// isGuest gives somebody a grace session scoped to the group, and a guest's rows in it.
func (w *World) isGuest(name, group string, validFor time.Duration) error {
	p := w.person(name)
	p.gsid, p.email = "gs-"+p.name+"-"+w.tag, ""
	if _, known := w.kept[group]; !known {
		if err := w.groupExists(group, group); err != nil {
			return err
		}
	}
	if err := w.putMember(p, "active member", w.group(group)); err != nil {
		return err
	}
	return w.openSession(p, session{Kind: "igniteGrace", ScopeGroupID: w.group(group), GSID: p.gsid}, validFor)
}

func statePath(groupID string) string { return "familyscheduler/groups/" + groupID + "/state.json" }

func (w *World) stateLists(group, name string) error {
	p := w.person(name)
	entry := map[string]any{"personId": p.memberKey(), "userKey": p.userKey(), "memberKey": p.memberKey(), "email": p.email, "name": name, "status": "active"}
	state := map[string]any{"groupId": w.group(group), "people": []any{entry}, "members": []any{entry}, "appointments": []any{}}
	return w.active().data.putBlob(w.ctx, statePath(w.group(group)), []byte(mustJSON(state)))
}

func (w *World) stateIs(group string, document *godog.DocString) error {
	text, err := w.expand(document.Content)
	if err != nil {
		return err
	}
	return w.active().data.putBlob(w.ctx, statePath(w.group(group)), []byte(text))
}

// everyGroupOpens asks for each group that the last answer lists.
func (w *World) everyGroupOpens(name string) error {
	e, err := w.last()
	if err != nil {
		return err
	}
	groups, _ := e.json("groups").([]any)
	for _, group := range groups {
		id, _ := lookup(group, "groupId")
		if _, err := w.send(w.person(name), http.MethodGet, fmt.Sprintf("/api/group/meta?groupId=%v", id), ""); err != nil {
			return err
		}
		if err := w.answerIs(http.StatusOK, ""); err != nil {
			return err
		}
	}
	return nil
}

// agree holds when GroupMembers and UserGroups tell the same of a membership: status and times. Both must tell since when
// somebody is active or removed: two columns that are not there would be equal.
func (w *World) agree(name, status, group string) error {
	p, id := w.person(name), w.group(group)
	members, err := w.active().data.row(w.ctx, "GroupMembers", id, p.userKey())
	if err != nil {
		return err
	}
	groups, err := w.active().data.row(w.ctx, "UserGroups", p.userKey(), id)
	if err != nil {
		return err
	}
	if members == nil || groups == nil {
		return &Difference{
			Where: fmt.Sprintf("the rows of %s in GroupMembers and UserGroups of %s", name, group), Expected: presence(true) + ", " + presence(true), Seen: presence(members != nil) + ", " + presence(groups != nil),
			text: fmt.Sprintf("%s has a row in GroupMembers of %s: %t, in UserGroups: %t; not both", name, group, members != nil, groups != nil),
		}
	}
	var wrong []error
	if got := members["status"]; got != status {
		wrong = append(wrong, &Difference{
			Where: fmt.Sprintf("status of %s in GroupMembers of %s", name, group), Expected: status, Seen: brief(members.column("status")),
			text: fmt.Sprintf("%s is %v in GroupMembers of %s, not %s", name, got, group, status),
		})
	}
	if column, ok := map[string]string{"active": "joinedAt", "removed": "removedAt"}[status]; ok {
		if _, err := instant(members.column(column)); err != nil {
			wrong = append(wrong, placed(err, "%s of %s in GroupMembers of %s", column, name, group))
		}
	}
	for _, column := range []string{"status", "invitedAt", "joinedAt", "removedAt"} {
		if members[column] != groups[column] {
			wrong = append(wrong, &Difference{
				Where: fmt.Sprintf("%s of %s in UserGroups of %s, as in GroupMembers", column, name, group), Expected: brief(members.column(column)), Seen: brief(groups.column(column)),
				text: fmt.Sprintf("%s of %s in %s is %v in GroupMembers and %v in UserGroups", column, name, group, members[column], groups[column]),
			})
		}
	}
	return errors.Join(wrong...)
}

// invitedAgo lays out an invitation of a certain age.
func (w *World) invitedAgo(name, group string, days int) error {
	if err := w.isMember(name, "invited member", group); err != nil {
		return err
	}
	p, at := w.person(name), timestamp(time.Now().Add(-time.Duration(days)*24*time.Hour-time.Hour))
	columns := map[string]any{"status": "invited", "invitedAt": at, "updatedAt": at}
	return w.putMembership(p, w.group(group), columns)
}
