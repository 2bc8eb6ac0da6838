package steps

import (
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
		{`(\w+) is an active member of (\d+) more groups?`, `Given Ana is an active member of 16 more groups`,
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
		{`(\w+) is the id of a group that does not exist`, `Given Nowhere is the id of a group that does not exist`,
			func(w *World) any {
				return func(name string) error { w.groups[name] = "grp-none-" + w.tag; return nil }
			}},
	}
}

// group is the id of a group of the scenario.
func (w *World) group(name string) string {
	id, ok := w.groups[name]
	if !ok {
		id = "grp-" + name + "-" + w.tag
		w.groups[name] = id
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
	if _, known := w.groups[group]; !known {
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

func (w *World) moreGroups(name string, count int) error {
	for i := range count {
		if err := w.isMember(name, "active member", fmt.Sprintf("%sGroup%02d", name, i)); err != nil {
			return err
		}
	}
	return nil
}

// isGuest gives somebody a grace session scoped to the group, and a guest's rows in it.
func (w *World) isGuest(name, group string, validFor time.Duration) error {
	p := w.person(name)
	p.gsid, p.email = "gs-"+p.name+"-"+w.tag, ""
	if _, known := w.groups[group]; !known {
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
