package familyscheduler

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/cucumber/godog"

	"github.com/storespec/storespec/internal/run/matching"
	"github.com/storespec/storespec/internal/run/system"
	"github.com/storespec/storespec/internal/scenario"
)

// Times that scenarios set up, so that a Then step can distinguish an unchanged time from a new one.
const (
	createdAt = "2026-01-02T08:00:00Z"
	invitedAt = "2026-01-05T08:00:00Z"
	joinedAt  = "2026-01-06T09:30:00Z"
	removedAt = "2026-02-01T10:00:00Z"
	deletedAt = "2026-03-01T10:00:00Z"
	purgeAt   = "2026-03-31T10:00:00Z"
)

// groups returns the steps that set up the groups of familyscheduler and their members, and read both membership
// tables.
func groups() []scenario.Step {
	return []scenario.Step{
		scenario.On(`(\w+) is (?:an|a) (active member|invited member|removed member) of (\w+)`,
			`Given Ana is an active member of Family`, isMember).Keeps("$3"),
		scenario.On(`(\w+) is signed in and was invited to (\w+)`, `Given Ben is signed in and was invited to Family`,
			func(ctx context.Context, stage *scenario.Stage, people *scenario.People, names *scenario.Names, name,
				group string) error {
				return isMember(ctx, stage, people, names, name, "invited member", group)
			}).Keeps("$2"),
		scenario.On(`the group (\w+) exists`, `Given the group Family exists`,
			func(ctx context.Context, stage *scenario.Stage, people *scenario.People, names *scenario.Names,
				group string) error {
				return groupExists(ctx, stage, people, names, group, group)
			}).Keeps("$1"),
		scenario.On(`the group (\w+) is named "([^"]+)"`, `Given the group Family is named "The Smiths"`, groupExists).
			Keeps("$1").Literal(2),
		scenario.On(`the group (\w+) was deleted`, `Given the group Family was deleted`, groupDeleted).Keeps("$1"),
		scenario.On(`(\w+) has (\d+) more active members?`, `Given Family has 64 more active members`, moreMembers).
			Keeps("$1", "${1}Member#"),
		scenario.On(`(\w+) is (?:an|a) (active member|invited member|removed member) of (\d+) more groups?`,
			`Given Ana is an active member of 16 more groups`, moreGroups).Keeps("${1}Group#"),
		scenario.On(`(\w+) is a guest of (\w+)`, `Given Gus is a guest of Family`, isGuest(30*time.Minute)).
			Keeps("$2", "${1}AsGuest"),
		scenario.On(`(\w+) was a guest of (\w+) until a moment ago`,
			`Given Gus was a guest of Family until a moment ago`, isGuest(-time.Second)).
			Keeps("$2", "${1}AsGuest"),
		scenario.On(`state\.json of (\w+) lists (\w+) among people and members`,
			`Given state.json of Family lists Ben among people and members`, stateLists).Keeps("$1"),
		scenario.On(`state\.json of (\w+) is`,
			"Given state.json of Family is\n\"\"\"\n{\"people\":[],\"members\":[],\"appointments\":[]}\n\"\"\"",
			stateIs).Keeps("$1"),
		scenario.On(`every group of the answer opens for (\w+)`, `Then every group of the answer opens for Ben`,
			everyGroupOpens).Sends(2),
		scenario.On(`(\w+) is (active|invited|removed) in both tables of (\w+)`,
			`Then Ben is active in both tables of Family`, agree).Keeps("$3"),
		scenario.On(`(\w+) is (active|invited) or removed in both tables of (\w+)`,
			`Then Ben is active or removed in both tables of Family`,
			func(ctx context.Context, stage *scenario.Stage, people *scenario.People, names *scenario.Names, name,
				status,
				group string) error {
				if agree(ctx, stage, people, names, name, status, group) == nil {
					return nil
				}
				return agree(ctx, stage, people, names, name, "removed", group)
			}).Keeps("$3"),
		scenario.On(`(\w+) is the id of a group that does not exist`,
			`Given Nowhere is the id of a group that does not exist`,
			func(_ context.Context, names *scenario.Names, name string) error {
				names.NewID(name)
				return nil
			}).Keeps("$1"),
		scenario.On(`(\w+) was invited to (\w+) (\d+) (minute|hour|day)s? ago`,
			`Given Ana was invited to Family 3 days ago`, invitedAgo).Keeps("$2"),
	}
}

// groupID returns the id of a group of the scenario.
func groupID(names *scenario.Names, name string) string {
	id, ok := names.Kept(name)
	if !ok {
		id = names.NewID(name)
	}
	return id
}

// founder returns the user key of whoever created the groups of the scenario.
func founder(people *scenario.People) string { return system.UserKey("founder-" + people.Tag()) }

func groupExists(ctx context.Context, stage *scenario.Stage, people *scenario.People, names *scenario.Names, name,
	shown string) error {
	id := groupID(names, name)
	return stage.Lane().Data.PutRow(ctx, "Groups", "group", id, map[string]any{
		"groupId": id, "groupName": shown, "createdAt": createdAt, "updatedAt": createdAt,
		"createdByUserKey": founder(people), "isDeleted": false,
	})
}

func groupDeleted(ctx context.Context, stage *scenario.Stage, people *scenario.People, names *scenario.Names,
	name string) error {
	id := groupID(names, name)
	return stage.Lane().Data.PutRow(ctx, "Groups", "group", id, map[string]any{
		"groupId": id, "groupName": name, "createdAt": createdAt, "updatedAt": deletedAt,
		"createdByUserKey": founder(people), "isDeleted": true,
		"deletedAt": deletedAt, "deletedByUserKey": founder(people), "purgeAfterAt": purgeAt,
	})
}

// isMember signs a person in and writes their row in both tables, and the group's row if this is the first mention of
// the group in the scenario.
func isMember(ctx context.Context, stage *scenario.Stage, people *scenario.People, names *scenario.Names, name,
	membership, group string) error {
	p := people.Person(name)
	if p.Session == "" {
		if err := signIn(ctx, stage, people, name, time.Hour); err != nil {
			return err
		}
	}
	if _, known := names.Kept(group); !known {
		if err := groupExists(ctx, stage, people, names, group, group); err != nil {
			return err
		}
	}
	return putMember(ctx, stage, p, membership, groupID(names, group))
}

func putMember(ctx context.Context, stage *scenario.Stage, p *scenario.Person, membership, groupID string) error {
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
	return putMembership(ctx, stage, p, groupID, columns)
}

// putMembership writes a membership to both tables.
func putMembership(ctx context.Context, stage *scenario.Stage, p *scenario.Person, groupID string,
	columns map[string]any) error {
	columns["userKey"], columns["memberKey"] = p.UserKey(), memberKey(p)
	if p.Email != "" {
		columns["email"] = p.Email
	}
	if err := stage.Lane().Data.PutRow(ctx, "GroupMembers", groupID, p.UserKey(), columns); err != nil {
		return err
	}
	for _, name := range []string{"userKey", "memberKey", "email"} {
		delete(columns, name)
	}
	columns["groupId"] = groupID
	return stage.Lane().Data.PutRow(ctx, "UserGroups", p.UserKey(), groupID, columns)
}

func moreMembers(ctx context.Context, stage *scenario.Stage, people *scenario.People, names *scenario.Names,
	group string, count int) error {
	for i := range count {
		if err := putMember(ctx, stage, people.Person(fmt.Sprintf("%sMember%d", group, i)), "active member",
			groupID(names, group)); err != nil {
			return err
		}
	}
	return nil
}

func moreGroups(ctx context.Context, stage *scenario.Stage, people *scenario.People, names *scenario.Names, name,
	membership string, count int) error {
	for i := range count {
		if err := isMember(ctx, stage, people, names, name, membership,
			fmt.Sprintf("%sGroup%02d", name, i)); err != nil {
			return err
		}
	}
	return nil
}

// isGuest returns the function of a step that gives a person a grace session limited to the group, and a guest's rows
// in it.
func isGuest(validFor time.Duration) any {
	return func(ctx context.Context, stage *scenario.Stage, people *scenario.People, names *scenario.Names, name,
		group string) error {
		p := people.Person(name)
		guest := names.NewID(p.Name + "AsGuest")
		p.Identity, p.Email = "guest:"+guest, ""
		if _, known := names.Kept(group); !known {
			if err := groupExists(ctx, stage, people, names, group, group); err != nil {
				return err
			}
		}
		id := groupID(names, group)
		if err := putMember(ctx, stage, p, "active member", id); err != nil {
			return err
		}
		return openSession(ctx, stage, p, session{Kind: "igniteGrace", ScopeGroupID: id, GSID: guest}, validFor)
	}
}

func statePath(groupID string) string { return "familyscheduler/groups/" + groupID + "/state.json" }

func stateLists(ctx context.Context, stage *scenario.Stage, people *scenario.People, names *scenario.Names, group,
	name string) error {
	p := people.Person(name)
	entry := map[string]any{"personId": memberKey(p), "userKey": p.UserKey(), "memberKey": memberKey(p),
		"email": p.Email, "name": name, "status": "active"}
	state := map[string]any{"groupId": groupID(names, group), "people": []any{entry}, "members": []any{entry},
		"appointments": []any{}}
	return stage.Lane().Data.PutBlob(ctx, statePath(groupID(names, group)), []byte(matching.MustJSON(state)))
}

func stateIs(ctx context.Context, stage *scenario.Stage, names *scenario.Names, group string,
	document *godog.DocString) error {
	text, err := names.Expand(document.Content)
	if err != nil {
		return err
	}
	return stage.Lane().Data.PutBlob(ctx, statePath(groupID(names, group)), []byte(text))
}

// everyGroupOpens requests each group that the last answer lists.
func everyGroupOpens(ctx context.Context, people *scenario.People, requests *scenario.Requests, e *scenario.RoundTrip,
	name string) error {
	groups, _ := e.JSON("groups").([]any)
	for _, group := range groups {
		id, _ := matching.Lookup(group, "groupId")
		opened, err := requests.Send(ctx, people.Person(name), http.MethodGet,
			fmt.Sprintf("/api/group/meta?groupId=%v", id), "")
		if err != nil {
			return err
		}
		if err := opened.Is(http.StatusOK, ""); err != nil {
			return err
		}
	}
	return nil
}

// agree checks that GroupMembers and UserGroups agree on a membership: status and times. Both must say since when
// a person is active or removed: two missing columns would be equal.
func agree(ctx context.Context, stage *scenario.Stage, people *scenario.People, names *scenario.Names, name, status,
	group string) error {
	p, id := people.Person(name), groupID(names, group)
	members, err := stage.Lane().Data.Row(ctx, "GroupMembers", id, p.UserKey())
	if err != nil {
		return err
	}
	groups, err := stage.Lane().Data.Row(ctx, "UserGroups", p.UserKey(), id)
	if err != nil {
		return err
	}
	if members == nil || groups == nil {
		return matching.Differ(fmt.Sprintf("the rows of %s in GroupMembers and UserGroups of %s", name, group),
			matching.Presence(true)+
				", "+matching.Presence(true), matching.Presence(members != nil)+", "+matching.Presence(groups != nil),
			fmt.Sprintf("%s has a row in GroupMembers of %s: %t, in UserGroups: %t; not both", name, group,
				members != nil, groups != nil))
	}
	var wrong []error
	if got := members["status"].Is; got != status {
		wrong = append(wrong, matching.Differ(fmt.Sprintf("status of %s in GroupMembers of %s", name, group), status,
			matching.Brief(members.Column("status")),
			fmt.Sprintf("%s is %v in GroupMembers of %s, not %s", name, got, group, status)))
	}
	if column, ok := map[string]string{"active": "joinedAt", "removed": "removedAt"}[status]; ok {
		if _, err := matching.Instant(members.Column(column)); err != nil {
			wrong = append(wrong, matching.Placed(err, "%s of %s in GroupMembers of %s", column, name, group))
		}
	}
	for _, column := range []string{"status", "invitedAt", "joinedAt", "removedAt"} {
		if members[column].Is != groups[column].Is {
			wrong = append(wrong,
				matching.Differ(fmt.Sprintf("%s of %s in UserGroups of %s, as in GroupMembers", column, name, group),
					matching.Brief(members.Column(column)), matching.Brief(groups.Column(column)),
					fmt.Sprintf("%s of %s in %s is %v in GroupMembers and %v in UserGroups", column, name, group,
						members[column].Is, groups[column].Is)))
		}
	}
	return errors.Join(wrong...)
}

// invitedAgo sets up an invitation of a certain age.
func invitedAgo(ctx context.Context, stage *scenario.Stage, people *scenario.People, names *scenario.Names, name,
	group string, n int, unit string) error {
	if err := isMember(ctx, stage, people, names, name, "invited member", group); err != nil {
		return err
	}
	one := map[string]time.Duration{"minute": time.Minute, "hour": time.Hour, "day": 24 * time.Hour}[unit]
	// a little longer, so that it has not become less by the time a page says how long ago it was
	p, at := people.Person(name), scenario.Timestamp(time.Now().Add(-time.Duration(n)*one-one/24))
	columns := map[string]any{"status": "invited", "invitedAt": at, "updatedAt": at}
	return putMembership(ctx, stage, p, groupID(names, group), columns)
}
