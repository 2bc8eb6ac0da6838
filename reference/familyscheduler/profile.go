package familyscheduler

import (
	"context"

	"github.com/storespec/storespec/reference/account"
	"github.com/storespec/storespec/reference/web"
)

// getProfile is GET /api/user/profile; without a row all its fields are null.
func (s profiles) getProfile(ctx context.Context, c *call) (web.Reply, error) {
	row, err := s.store.profile(ctx, c.who.memberKey)
	if err != nil {
		return nil, err
	}
	return profileReply(c.who, row), nil
}

// putProfile is PUT /api/user/profile {displayName, timezone?}; without a timezone the old one stays.
func (s profiles) putProfile(ctx context.Context, c *call) (web.Reply, error) {
	name, err := nameField(c.body, "displayName", maxDisplayName)
	if err != nil {
		return nil, err
	}
	timezone, ok := c.body.String("timezone")
	if !ok || c.body.Has("timezone") && !timezonePattern.MatchString(timezone) {
		return nil, web.BadRequest("timezone must be the name of a time zone")
	}
	row, err := s.changeProfile(ctx, c, func(row *profileRow) {
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

// changeProfile reads the caller's profile, changes it and writes it: one read and one write. A person's first profile
// counts as a new user.
func (s profiles) changeProfile(ctx context.Context, c *call, change func(*profileRow)) (*profileRow, error) {
	row, err := s.writeProfile(ctx, c, change)
	if err != nil || row.OpID != c.op || !isPerson(c.who.memberKey) {
		return row, err
	}
	return row, s.countMetric(ctx, c, row.CreatedAt, newUsers)
}

func (s profiles) writeProfile(ctx context.Context, c *call, change func(*profileRow)) (*profileRow, error) {
	row, _, err := account.Change[profileRow]{
		Rounds: maxAttempts,
		Read:   func() (*profileRow, error) { return s.store.profile(ctx, c.who.memberKey) },
		Decide: func(row *profileRow) (*profileRow, error) {
			now := timestamp(s.now())
			if row == nil {
				row = &profileRow{entity: profileKey(c.who.memberKey), CreatedAt: now, OpID: c.op}
			}
			change(row)
			row.UpdatedAt = now
			return row, nil
		},
		Write: func(_, next *profileRow) error { return writeRow(ctx, s.store, tableUserProfiles, next, merge) },
	}.Do(ctx)
	return row, err
}
