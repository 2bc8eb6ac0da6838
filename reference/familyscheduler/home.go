package familyscheduler

import (
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/storespec/storespec/reference/web"
)

// home is GET /: the dashboard of whoever is signed in, by cookie or by x-session-id, and the marketing page for all
// others. A sign-in link leads here too (?token=…): opening it redeems nothing, since mail programs open links on their
// own; the button it shows does.
func (s *Server) home(c *call) (web.Reply, error) {
	query := c.Request.URL.Query()
	if query.Has("token") {
		return s.marketing(c, view{Token: query.Get("token")})
	}
	sessionID := c.Request.Header.Get("x-session-id")
	if sessionID == "" {
		sessionID = c.browserSession()
	}
	var refused *web.Error
	switch err := s.authenticateBy(c, sessionID); {
	case errors.As(err, &refused) && refused.Status == http.StatusUnauthorized:
		return s.marketing(c, view{Sent: query.Has("sent")})
	case err != nil:
		return nil, err
	}
	return s.dashboardPage(c, sessionID)
}

func (s *Server) marketing(c *call, v view) (web.Reply, error) {
	v.Name, v.Title = "marketing", "Family Scheduler: one calendar for everybody who matters"
	return s.render(c.Exchange, http.StatusOK, v)
}

// pageGroup is a group as the dashboard shows it.
type pageGroup struct {
	ID, Name, Status string
	Since            *since // of the invitation or the membership; nil when that is not known
}

// Invited: the group waits for an answer.
func (g pageGroup) Invited() bool { return g.Status == statusInvited }

// dashboardPage costs what GET /api/me/groups costs.
func (s *Server) dashboardPage(c *call, sessionID string) (web.Reply, error) {
	listed, err := s.dashboard(c)
	if err != nil {
		return nil, err
	}
	groups := make([]pageGroup, len(listed))
	for i, g := range listed {
		at := g.row.JoinedAt
		if g.row.Status == statusInvited {
			at = g.row.InvitedAt
		}
		groups[i] = pageGroup{ID: g.row.GroupID, Name: g.name, Status: g.row.Status, Since: sinceTime(at, s.now())}
	}
	return s.render(c.Exchange, http.StatusOK, view{
		Name: "DashboardHomePage", Title: "Your groups", Groups: groups,
		Email: c.who.email, CSRF: s.csrfToken(sessionID),
	})
}

// since is a moment in the past, for people.
type since struct{ At, Day, Age string }

func sinceTime(stored string, now time.Time) *since {
	at, err := parseTime(stored)
	if err != nil {
		return nil
	}
	at = at.UTC()
	return &since{At: at.Format(time.RFC3339), Day: at.Format("2 January 2006"), Age: age(now.Sub(at))}
}

// age says how long ago something was, in whole units.
func age(d time.Duration) string {
	switch day := 24 * time.Hour; {
	case d < time.Minute:
		return "just now"
	case d < time.Hour:
		return ago(int(d/time.Minute), "minute")
	case d < day:
		return ago(int(d/time.Hour), "hour")
	default:
		return ago(int(d/day), "day")
	}
}

func ago(n int, unit string) string {
	if n == 1 {
		return "1 " + unit + " ago"
	}
	return fmt.Sprintf("%d %ss ago", n, unit)
}

// askForLink is the form of the marketing page.
func (s *Server) askForLink(c *call) (web.Reply, error) {
	if _, err := s.requestLink(c); err != nil {
		return nil, err
	}
	return web.SeeOther("/?sent"), nil
}

// signInByLink is the button that a sign-in link leads to.
func (s *Server) signInByLink(c *call) (web.Reply, error) {
	if _, _, err := s.redeem(c); err != nil {
		return nil, err
	}
	return web.SeeOther("/"), nil
}

// signOut ends the session for everybody who has its id, not only for this browser.
func (s *Server) signOut(c *call) (web.Reply, error) {
	if err := s.store.deleteBlob(c.ctx, sessionBlob(c.browserSession())); err != nil {
		return nil, err
	}
	c.setSession("", time.Unix(1, 0))
	return web.SeeOther("/"), nil
}

// joinFromPage is the accept button of an invitation.
func (s *Server) joinFromPage(c *call) (web.Reply, error) {
	groupID, err := c.id("groupId")
	if err != nil {
		return nil, err
	}
	in, err := s.gate(c, groupID, membersAndInvited)
	if err != nil {
		return nil, err
	}
	if _, err := s.join(c, in); err != nil {
		return nil, err
	}
	return web.SeeOther("/"), nil
}
