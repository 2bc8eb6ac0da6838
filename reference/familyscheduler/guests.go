package familyscheduler

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/storespec/storespec/reference/web"
)

// graceLasts is how long a guest's session reaches its group.
const graceLasts = 30 * time.Minute

// guest is a person without an account who joins an open ignite session.
type guest struct {
	groupID string
	name    string
	email   string // profile data only, "" if not given; never an identity
	session *igniteSession
}

// joinAsGuest is POST /api/ignite/join without a session header: {groupId, sessionId, name, email?}. The guest becomes
// an active member with keys of its own, and gets a session for this group only, valid for 30 minutes.
//
// The session is written last: until then no one can act as this guest.
func (s gatherings) joinAsGuest(ctx context.Context, c *call) (web.Reply, error) {
	g, err := s.admitGuest(ctx, c)
	if err != nil {
		return nil, err
	}
	gsid, sessionID, now := s.newID(), s.newID(), s.now()
	memberKey, userKey := guestPrefix+gsid, guestUserKey(gsid)
	err = s.insertNew(ctx, tableUserProfiles, &profileRow{
		entity: profileKey(memberKey), DisplayName: g.name, Email: g.email, CreatedAt: timestamp(now),
		UpdatedAt: timestamp(now),
	})
	if err != nil {
		return nil, err
	}
	err = s.people.addMember(ctx, g.groupID, &memberRow{
		entity: memberEntityKey(g.groupID, userKey), UserKey: userKey, MemberKey: memberKey,
		membership: membership{Status: statusActive, JoinedAt: timestamp(now), UpdatedAt: timestamp(now)},
	})
	if err != nil {
		return nil, err
	}
	if err := s.countAsJoined(ctx, g.session, memberKey); err != nil {
		return nil, err
	}
	expires := timestamp(now.Add(graceLasts))
	grace, err := json.Marshal(session{
		V: 1, Kind: kindGrace, CreatedAt: timestamp(now), ExpiresAt: expires, ScopeGroupID: g.groupID, GSID: gsid,
	})
	if err != nil {
		return nil, fmt.Errorf("encoding a session: %w", err)
	}
	if err := s.store.writeBlob(ctx, sessionBlob(sessionID), typeJSON, grace); err != nil {
		return nil, err
	}
	return web.OK{"sessionId": sessionID, "expiresAt": expires, "memberKey": memberKey}, nil
}

// admitGuest is the guests' gate: it requires a name and an open ignite session of a group that is not deleted; any
// other request gets a 403, whatever the reason. An e-mail whose member was removed from this group is a 403 too.
func (s gatherings) admitGuest(ctx context.Context, c *call) (*guest, error) {
	groupID, err := idField(c.body, "groupId")
	if err != nil {
		return nil, err
	}
	name, badName := nameField(c.body, "name", maxDisplayName)
	sessionID, badSession := idField(c.body, "sessionId")
	if badName != nil || badSession != nil {
		return nil, notAllowed()
	}
	session, err := s.openIgnite(ctx, groupID, sessionID)
	if refused := new(web.Error); errors.As(err, &refused) {
		return nil, notAllowed()
	}
	if err != nil {
		return nil, err
	}
	group, err := s.store.group(ctx, groupID)
	if err != nil {
		return nil, err
	}
	if group == nil || group.IsDeleted {
		return nil, notAllowed()
	}
	if !c.body.Has("email") {
		return &guest{groupID: groupID, name: name, session: session}, nil
	}
	email, err := emailField(c.body, "email")
	if err != nil {
		return nil, err
	}
	row, err := s.store.member(ctx, groupID, userKeyOf(email))
	if err != nil {
		return nil, err
	}
	if row != nil && row.Status == statusRemoved {
		return nil, notAllowed()
	}
	return &guest{groupID: groupID, name: name, email: email, session: session}, nil
}
