package familyscheduler

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/storespec/storespec/reference/account"
	"github.com/storespec/storespec/reference/web"
)

// An ignite session is a gathering: a code (the session's id) that people of the group, and guests without an account,
// join while it is open. It is one blob, session.json. current.json in the same folder names the latest one, so that
// two people who start at the same time get the same session.

const (
	igniteOpen   = "OPEN"
	igniteClosed = "CLOSED"
)

// igniteSession is familyscheduler/groups/<groupId>/ignite/<sessionId>/session.json.
type igniteSession struct {
	SessionID       string   `json:"sessionId"`
	GroupID         string   `json:"groupId"`
	Status          string   `json:"status"`
	CreatedAt       string   `json:"createdAt"`
	ClosedAt        string   `json:"closedAt,omitempty"`
	JoinedPersonIDs []string `json:"joinedPersonIds"` // memberKeys, in the order they joined
	etag            string
}

// currentIgnite is familyscheduler/groups/<groupId>/ignite/current.json: a claim of an id, and the claimed session.
type currentIgnite struct {
	SessionID string `json:"sessionId"`
	etag      string
	session   *igniteSession // nil: not created yet
}

// startIgnite is POST /api/ignite/start {groupId, sessionId?}: it answers with the open session if there is one.
func (s gatherings) startIgnite(ctx context.Context, c *call, in *access) (web.Reply, error) {
	if c.body.Has("sessionId") {
		sessionID, err := idField(c.body, "sessionId")
		if err != nil {
			return nil, err
		}
		named, err := s.openIgnite(ctx, in.groupID, sessionID)
		if err != nil {
			return nil, err
		}
		return igniteReply(named), nil
	}
	session, err := s.findOrOpenIgnite(ctx, in.groupID)
	if err != nil {
		return nil, err
	}
	return igniteReply(session), nil
}

// findOrOpenIgnite first writes current.json, which claims the id; session.json then makes the session real. A request
// that finds a claim without a session completes it, so a crash in between does not block anything.
func (s gatherings) findOrOpenIgnite(ctx context.Context, groupID string) (*igniteSession, error) {
	found, _, err := account.Change[currentIgnite]{
		Rounds: maxAttempts,
		Read:   func() (*currentIgnite, error) { return s.readCurrent(ctx, groupID) },
		Decide: func(now *currentIgnite) (*currentIgnite, error) {
			switch {
			case now == nil || now.session != nil && now.session.Status != igniteOpen:
				return &currentIgnite{SessionID: s.newID()}, nil
			case now.session == nil:
				return now, nil
			}
			return nil, nil
		},
		Write: func(now, next *currentIgnite) (err error) {
			if next != now {
				if err := s.claimIgnite(ctx, groupID, now, next); err != nil {
					return err
				}
			}
			next.session, err = s.createIgnite(ctx, groupID, next.SessionID)
			return err
		},
	}.Do(ctx)
	if err != nil {
		return nil, err
	}
	return found.session, nil
}

// readCurrent returns nil if no session was ever opened.
func (s gatherings) readCurrent(ctx context.Context, groupID string) (*currentIgnite, error) {
	doc, err := s.store.readBlob(ctx, currentIgniteBlob(groupID))
	if doc == nil {
		return nil, err
	}
	current := &currentIgnite{etag: doc.etag}
	if err := doc.decode(current); err != nil {
		return nil, err
	}
	current.session, err = s.readIgnite(ctx, groupID, current.SessionID)
	return current, err
}

// claimIgnite replaces an old claim, which is nil if there was none.
func (s gatherings) claimIgnite(ctx context.Context, groupID string, old, next *currentIgnite) error {
	if old == nil {
		return s.store.createJSON(ctx, currentIgniteBlob(groupID), next)
	}
	return s.store.replaceJSON(ctx, currentIgniteBlob(groupID), next, old.etag)
}

// createIgnite creates a claimed session; account.ErrChanged when another request already has.
func (s gatherings) createIgnite(ctx context.Context, groupID, sessionID string) (*igniteSession, error) {
	session := &igniteSession{
		SessionID: sessionID, GroupID: groupID, Status: igniteOpen,
		CreatedAt: timestamp(s.now()), JoinedPersonIDs: []string{},
	}
	return session, s.store.createJSON(ctx, igniteBlob(groupID, sessionID), session)
}

// closeIgnite is POST /api/ignite/close {groupId, sessionId}; a closed one stays unchanged.
func (s gatherings) closeIgnite(ctx context.Context, c *call, in *access) (web.Reply, error) {
	sessionID, err := idField(c.body, "sessionId")
	if err != nil {
		return nil, err
	}
	session, err := s.knownIgnite(ctx, in.groupID, sessionID)
	if err != nil {
		return nil, err
	}
	session, err = s.changeIgnite(ctx, session, func(session *igniteSession) bool {
		if session.Status == igniteClosed {
			return false
		}
		session.Status, session.ClosedAt = igniteClosed, timestamp(s.now())
		return true
	})
	if err != nil {
		return nil, err
	}
	return igniteReply(session), nil
}

// igniteMeta is GET and POST /api/ignite/meta, for closed sessions too; it writes nothing.
func (s gatherings) igniteMeta(ctx context.Context, c *call, in *access) (web.Reply, error) {
	sessionID, err := c.id("sessionId")
	if err != nil {
		return nil, err
	}
	session, err := s.knownIgnite(ctx, in.groupID, sessionID)
	if err != nil {
		return nil, err
	}
	return igniteReply(session), nil
}

// joinIgnite is POST /api/ignite/join with a session: an invited caller becomes active, and then counts as joined.
func (s gatherings) joinIgnite(ctx context.Context, c *call, in *access) (web.Reply, error) {
	sessionID, err := idField(c.body, "sessionId")
	if err != nil {
		return nil, err
	}
	session, err := s.openIgnite(ctx, in.groupID, sessionID)
	if err != nil {
		return nil, err
	}
	row, err := s.people.acceptInvitation(ctx, c, in)
	if err != nil {
		return nil, err
	}
	if err := s.countAsJoined(ctx, session, c.who.memberKey); err != nil {
		return nil, err
	}
	return web.OK{
		"groupId": in.groupID, "status": row.Status, "joinedAt": nullable(row.JoinedAt), "memberKey": c.who.memberKey,
	}, nil
}

// countAsJoined adds a person to a session that was open when the request arrived.
func (s gatherings) countAsJoined(ctx context.Context, session *igniteSession, memberKey string) error {
	_, err := s.changeIgnite(ctx, session, func(session *igniteSession) bool {
		if slices.Contains(session.JoinedPersonIDs, memberKey) {
			return false
		}
		session.JoinedPersonIDs = append(session.JoinedPersonIDs, memberKey)
		return true
	})
	if errors.Is(err, account.ErrChanged) { // the membership was written: the client repeats
		return fmt.Errorf("%w: an ignite session keeps changing", account.ErrUnavailable)
	}
	return err
}

// changeIgnite changes a session that was just read. change reports whether there is anything to write.
func (s gatherings) changeIgnite(ctx context.Context, known *igniteSession,
	change func(*igniteSession) bool) (*igniteSession, error) {
	session, _, err := account.Change[igniteSession]{
		Rounds: maxAttempts,
		Read:   func() (*igniteSession, error) { return s.knownIgnite(ctx, known.GroupID, known.SessionID) },
		Decide: func(session *igniteSession) (*igniteSession, error) {
			if !change(session) {
				return nil, nil
			}
			return session, nil
		},
		Write: func(now, next *igniteSession) error {
			return s.store.replaceJSON(ctx, igniteBlob(next.GroupID, next.SessionID), next, now.etag)
		},
	}.From(ctx, known)
	return session, err
}

// readIgnite returns nil if there is no such session.
func (s gatherings) readIgnite(ctx context.Context, groupID, sessionID string) (*igniteSession, error) {
	doc, err := s.store.readBlob(ctx, igniteBlob(groupID, sessionID))
	if doc == nil {
		return nil, err
	}
	session := &igniteSession{}
	if err := doc.decode(session); err != nil {
		return nil, err
	}
	session.GroupID, session.SessionID, session.etag = groupID, sessionID, doc.etag
	return session, nil
}

// knownIgnite errors: 404 ignite_not_found.
func (s gatherings) knownIgnite(ctx context.Context, groupID, sessionID string) (*igniteSession, error) {
	session, err := s.readIgnite(ctx, groupID, sessionID)
	if err == nil && session == nil {
		err = notFound("ignite_not_found", "there is no such ignite session")
	}
	return session, err
}

// openIgnite errors: 404 ignite_not_found, 410 ignite_closed.
func (s gatherings) openIgnite(ctx context.Context, groupID, sessionID string) (*igniteSession, error) {
	session, err := s.knownIgnite(ctx, groupID, sessionID)
	if err == nil && session.Status != igniteOpen {
		return nil, &web.Error{Status: 410, Code: "ignite_closed", Message: "the ignite session is closed"}
	}
	return session, err
}

func igniteReply(session *igniteSession) web.Reply {
	return web.OK{
		"groupId":         session.GroupID,
		"sessionId":       session.SessionID,
		"status":          session.Status,
		"joinedCount":     len(session.JoinedPersonIDs),
		"joinedPersonIds": session.JoinedPersonIDs,
		"createdAt":       nullable(session.CreatedAt),
		"closedAt":        nullable(session.ClosedAt),
	}
}
