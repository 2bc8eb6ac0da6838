package familyscheduler

import (
	"errors"

	"github.com/storespec/storespec/reference/account"
	"github.com/storespec/storespec/reference/web"
)

// getProfile is GET /api/user/profile; without a row everything the row would say is null.
func (s *Server) getProfile(c *call) (web.Reply, error) {
	row, err := s.store.profile(c.ctx, c.who.memberKey)
	if err != nil {
		return nil, err
	}
	return profileReply(c.who, row), nil
}

// putProfile is PUT /api/user/profile {displayName, timezone?}; a timezone that is absent stays as it was.
func (s *Server) putProfile(c *call) (web.Reply, error) {
	name, err := nameField(c.body, "displayName", maxDisplayName)
	if err != nil {
		return nil, err
	}
	timezone, ok := c.body.String("timezone")
	if !ok || timezone != "" && !timezonePattern.MatchString(timezone) {
		return nil, web.BadRequest("timezone must be the name of a time zone")
	}
	row, err := s.changeProfile(c, func(row *profileRow) {
		row.DisplayName = name
		if timezone != "" {
			row.Timezone = timezone
		}
		if c.who.email != "" {
			row.Email = c.who.email
		}
	})
	if err != nil {
		return nil, err
	}
	return profileReply(c.who, row), nil
}

func profileReply(who identity, row *profileRow) web.Reply {
	if row == nil {
		row = &profileRow{}
	}
	email := who.email
	if who.isGuest() {
		email = row.Email
	}
	return web.OK{
		"email":       nullable(email),
		"displayName": nullable(row.DisplayName),
		"timezone":    nullable(row.Timezone),
		"hasPhoto":    row.PhotoKey != "",
	}
}

// changeProfile reads the caller's profile, changes it and writes it: one read and one write, again when another request
// wins. A person's first profile counts as a new user.
func (s *Server) changeProfile(c *call, change func(*profileRow)) (*profileRow, error) {
	row, err := s.writeProfile(c, change)
	if err != nil || row.OpID != c.op || !isPerson(c.who.memberKey) {
		return row, err
	}
	return row, s.countMetric(c, row.CreatedAt, newUsers)
}

func (s *Server) writeProfile(c *call, change func(*profileRow)) (*profileRow, error) {
	for range maxAttempts {
		row, err := s.store.profile(c.ctx, c.who.memberKey)
		if err != nil {
			return nil, err
		}
		now := timestamp(s.now())
		write := mergeRow
		if row == nil {
			row = &profileRow{entity: profileKey(c.who.memberKey), CreatedAt: now, OpID: c.op}
			write = insertRow
		}
		change(row)
		row.UpdatedAt = now
		if err := write(c.ctx, s.store, tableUserProfiles, row); !errors.Is(err, account.ErrChanged) {
			return row, err
		}
	}
	return nil, conflict()
}
