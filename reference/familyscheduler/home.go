package familyscheduler

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/storespec/storespec/reference/web"
)

// home is GET /: the dashboard for signed-in users, by cookie or by x-session-id, and the marketing page for everyone
// else. A sign-in link leads here too (?token=…): opening it redeems nothing, since mail programs open links on their
// own; the button on the page does.
func (s site) home(ctx context.Context, c *call) (web.Reply, error) {
	query := c.Request.URL.Query()
	if query.Has("token") {
		return s.marketing(c, view{Token: query.Get("token")})
	}
	sessionID := c.Request.Header.Get(sessionHeader)
	if sessionID == "" {
		sessionID = c.browserSession()
	}
	var refused *web.Error
	switch err := s.authenticate(ctx, c, sessionID); {
	case errors.As(err, &refused): // 401
		return s.marketing(c, view{Sent: query.Has("sent")})
	case err != nil:
		return nil, err
	}
	return s.dashboardPage(ctx, c, sessionID)
}

func (s site) marketing(c *call, v view) (web.Reply, error) {
	v.Name, v.Title = "marketing", "Family Scheduler: one calendar for everybody who matters"
	return s.render(c.Exchange, http.StatusOK, v)
}

// pageGroup is a group as the dashboard shows it.
type pageGroup struct {
	ID, Name, Status string
	Since            *since // since the invitation or the membership; nil if unknown
}

// Invited reports whether the invitation has not been answered yet.
func (g pageGroup) Invited() bool { return g.Status == statusInvited }

// dashboardPage costs the same as GET /api/me/groups.
func (s site) dashboardPage(ctx context.Context, c *call, sessionID string) (web.Reply, error) {
	listed, err := s.groups.dashboard(ctx, c)
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

// since is a moment in the past, formatted for people.
type since struct{ At, Day, Age string }

func sinceTime(stored string, now time.Time) *since {
	at, err := parseTime(stored)
	if err != nil {
		return nil
	}
	at = at.UTC()
	return &since{At: at.Format(time.RFC3339), Day: at.Format("2 January 2006"), Age: age(now.Sub(at))}
}

// age returns how long ago something was, in whole units.
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

// askForLink handles the form of the marketing page.
func (s site) askForLink(ctx context.Context, c *call) (web.Reply, error) {
	if _, err := s.signIns.requestLink(ctx, c); err != nil {
		return nil, err
	}
	return web.SeeOther("/?sent"), nil
}

// signInByLink handles the button on the page of a sign-in link.
func (s site) signInByLink(ctx context.Context, c *call) (web.Reply, error) {
	if _, _, err := s.signIns.redeem(ctx, c); err != nil {
		return nil, err
	}
	return web.SeeOther("/"), nil
}

// signOut ends the session for everyone who has its id, not only for this browser. Its blob stays, without content:
// were it gone, the link that opened the session would open it again (redeem).
func (s site) signOut(ctx context.Context, c *call) (web.Reply, error) {
	if err := s.store.writeBlob(ctx, sessionBlob(c.browserSession()), typeJSON, []byte("{}")); err != nil {
		return nil, err
	}
	c.setSession("", time.Unix(1, 0))
	return web.SeeOther("/"), nil
}

// joinFromPage handles the accept button of an invitation.
func (s site) joinFromPage(ctx context.Context, c *call) (web.Reply, error) {
	groupID, err := c.id("groupId")
	if err != nil {
		return nil, err
	}
	in, err := s.gate(ctx, c, groupID, membersAndInvited)
	if err != nil {
		return nil, err
	}
	if _, err := s.people.join(ctx, c, in); err != nil {
		return nil, err
	}
	return web.SeeOther("/"), nil
}
