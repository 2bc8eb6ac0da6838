package familyscheduler

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/storespec/storespec/reference/account"
	"github.com/storespec/storespec/reference/web"
)

// An ignite session is a gathering: a code (the session's id) that people of the group, and guests without an account,
// join while it is open. It is one blob, session.json. current.json in the same folder names the one opened last, so
// that two people who start at once get the same.

const (
	igniteOpen   = "OPEN"
	igniteClosed = "CLOSED"
)

// igniteSession is familyscheduler/groups/<groupId>/ignite/<sessionId>/session.json.
type igniteSession struct {
	V               int      `json:"v"`
	SessionID       string   `json:"sessionId"`
	GroupID         string   `json:"groupId"`
	Status          string   `json:"status"`
	CreatedAt       string   `json:"createdAt"`
	CreatedBy       string   `json:"createdBy"` // memberKey
	ClosedAt        string   `json:"closedAt,omitempty"`
	JoinedPersonIDs []string `json:"joinedPersonIds"` // memberKeys, in the order they joined
	etag            string
}

// currentIgnite is familyscheduler/groups/<groupId>/ignite/current.json.
type currentIgnite struct {
	SessionID string `json:"sessionId"`
}

// startIgnite is POST /api/ignite/start {groupId, sessionId?}: it answers with the open session where there is one.
func (s *Server) startIgnite(c *call, in *access) (web.Reply, error) {
	if c.body.Has("sessionId") {
		sessionID, err := idField(c.body, "sessionId")
		if err != nil {
			return nil, err
		}
		named, err := s.openIgnite(c.ctx, in.groupID, sessionID)
		if err != nil {
			return nil, err
		}
		return igniteReply(named), nil
	}
	session, err := s.findOrOpenIgnite(c, in.groupID)
	if err != nil {
		return nil, err
	}
	return igniteReply(session), nil
}

// findOrOpenIgnite: current.json is written first and claims the id; session.json makes it real. Whoever finds a claim
// without a session completes it, so a crash in between leaves nothing that is in the way.
func (s *Server) findOrOpenIgnite(c *call, groupID string) (*igniteSession, error) {
	for range maxAttempts {
		claimed, err := s.store.readBlob(c.ctx, currentIgniteBlob(groupID))
		if err != nil {
			return nil, err
		}
		if claimed != nil {
			var current currentIgnite
			if err := claimed.decode(&current); err != nil {
				return nil, err
			}
			session, err := s.readIgnite(c.ctx, groupID, current.SessionID)
			if err != nil {
				return nil, err
			}
			if session == nil {
				session, err = s.createIgnite(c, groupID, current.SessionID)
			}
			if err != nil || session != nil && session.Status == igniteOpen {
				return session, err
			}
			if session == nil { // somebody else completed it
				continue
			}
		}
		sessionID := s.newID()
		won, err := s.claimIgnite(c.ctx, groupID, sessionID, claimed)
		if err != nil {
			return nil, err
		}
		if !won {
			continue
		}
		if session, err := s.createIgnite(c, groupID, sessionID); session != nil || err != nil {
			return session, err
		}
	}
	return nil, conflict()
}

func (s *Server) claimIgnite(ctx context.Context, groupID, sessionID string, old *document) (won bool, err error) {
	data, err := json.Marshal(currentIgnite{SessionID: sessionID})
	if err != nil {
		return false, fmt.Errorf("encoding a claim: %w", err)
	}
	if old == nil {
		return s.store.createBlob(ctx, currentIgniteBlob(groupID), data)
	}
	return s.store.replaceBlob(ctx, currentIgniteBlob(groupID), data, old.etag)
}

// createIgnite is nil when somebody else has created the session.
func (s *Server) createIgnite(c *call, groupID, sessionID string) (*igniteSession, error) {
	session := &igniteSession{
		V: 1, SessionID: sessionID, GroupID: groupID, Status: igniteOpen,
		CreatedAt: timestamp(s.now()), CreatedBy: c.who.memberKey, JoinedPersonIDs: []string{},
	}
	data, err := json.Marshal(session)
	if err != nil {
		return nil, fmt.Errorf("encoding an ignite session: %w", err)
	}
	created, err := s.store.createBlob(c.ctx, igniteBlob(groupID, sessionID), data)
	if err != nil || !created {
		return nil, err
	}
	return session, nil
}

// closeIgnite is POST /api/ignite/close {groupId, sessionId}; a closed one stays as it is.
func (s *Server) closeIgnite(c *call, in *access) (web.Reply, error) {
	sessionID, err := idField(c.body, "sessionId")
	if err != nil {
		return nil, err
	}
	session, err := s.knownIgnite(c.ctx, in.groupID, sessionID)
	if err != nil {
		return nil, err
	}
	session, err = s.changeIgnite(c.ctx, session, func(session *igniteSession) bool {
		if session.Status == igniteClosed {
			return false
		}
		session.Status, session.ClosedAt = igniteClosed, timestamp(s.now())
		return true
	})
	if errors.Is(err, account.ErrChanged) {
		return nil, conflict()
	}
	if err != nil {
		return nil, err
	}
	return igniteReply(session), nil
}

// igniteMeta is GET and POST /api/ignite/meta, of a closed session too; it writes nothing.
func (s *Server) igniteMeta(c *call, in *access) (web.Reply, error) {
	sessionID, err := c.id("sessionId")
	if err != nil {
		return nil, err
	}
	session, err := s.knownIgnite(c.ctx, in.groupID, sessionID)
	if err != nil {
		return nil, err
	}
	return igniteReply(session), nil
}

// joinIgnite is POST /api/ignite/join with a session: an invited caller becomes active, and then counts as joined.
func (s *Server) joinIgnite(c *call, in *access) (web.Reply, error) {
	sessionID, err := idField(c.body, "sessionId")
	if err != nil {
		return nil, err
	}
	session, err := s.openIgnite(c.ctx, in.groupID, sessionID)
	if err != nil {
		return nil, err
	}
	row, err := s.acceptInvitation(c, in)
	if err != nil {
		return nil, err
	}
	if err := s.countAsJoined(c.ctx, session, c.who.memberKey); err != nil {
		return nil, err
	}
	return web.OK{
		"groupId": in.groupID, "status": row.Status, "joinedAt": nullable(row.JoinedAt), "memberKey": c.who.memberKey,
	}, nil
}

// countAsJoined adds a person to a session that was open when the request came.
func (s *Server) countAsJoined(ctx context.Context, session *igniteSession, memberKey string) error {
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

// changeIgnite writes a session that was just read, and again from a new read when another request wins. change says
// whether there is anything to write. account.ErrChanged when others keep winning.
func (s *Server) changeIgnite(ctx context.Context, session *igniteSession, change func(*igniteSession) bool) (*igniteSession, error) {
	for range maxAttempts {
		if !change(session) {
			return session, nil
		}
		data, err := json.Marshal(session)
		if err != nil {
			return nil, fmt.Errorf("encoding an ignite session: %w", err)
		}
		won, err := s.store.replaceBlob(ctx, igniteBlob(session.GroupID, session.SessionID), data, session.etag)
		if won || err != nil {
			return session, err
		}
		if session, err = s.knownIgnite(ctx, session.GroupID, session.SessionID); err != nil {
			return nil, err
		}
	}
	return nil, account.ErrChanged
}

// readIgnite is nil when there is no such session.
func (s *Server) readIgnite(ctx context.Context, groupID, sessionID string) (*igniteSession, error) {
	doc, err := s.store.readBlob(ctx, igniteBlob(groupID, sessionID))
	if doc == nil || err != nil {
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
func (s *Server) knownIgnite(ctx context.Context, groupID, sessionID string) (*igniteSession, error) {
	session, err := s.readIgnite(ctx, groupID, sessionID)
	if err == nil && session == nil {
		err = &web.Error{Status: 404, Code: "ignite_not_found", Message: "there is no such ignite session"}
	}
	return session, err
}

// openIgnite errors: 404 ignite_not_found, 410 ignite_closed.
func (s *Server) openIgnite(ctx context.Context, groupID, sessionID string) (*igniteSession, error) {
	session, err := s.knownIgnite(ctx, groupID, sessionID)
	if err == nil && session.Status != igniteOpen {
		return nil, &web.Error{Status: 410, Code: "ignite_closed", Message: "the ignite session is closed"}
	}
	return session, err
}

func igniteReply(session *igniteSession) web.Reply {
	joined := session.JoinedPersonIDs
	if joined == nil {
		joined = []string{}
	}
	return web.OK{
		"groupId":         session.GroupID,
		"sessionId":       session.SessionID,
		"status":          session.Status,
		"joinedCount":     len(joined),
		"joinedPersonIds": joined,
		"createdAt":       nullable(session.CreatedAt),
		"closedAt":        nullable(session.ClosedAt),
	}
}
