package familyscheduler

import (
	"context"

	"github.com/storespec/storespec/reference/account"
	"github.com/storespec/storespec/reference/web"
)

// spent is what one call of the model used.
type spent struct{ tokensIn, tokensOut, errors int }

// countUsage adds a call of the model to its three rows, which are written in parallel: 1 read and 1 write each.
func (s assistant) countUsage(ctx context.Context, c *call, used spent) error {
	day, model, userKey := dayOf(s.now()), s.config.OpenAIModel, c.who.userKey
	byModel := func(row *modelUsageRow) {
		plus(&row.Calls, 1)
		plus(&row.TokensIn, used.tokensIn)
		plus(&row.TokensOut, used.tokensOut)
		plus(&row.Errors, used.errors)
	}
	counts := []func() error{
		func() error {
			return count(ctx, s.Server, tableUserDailyUsage, userUsageKey(userKey, day), c.op, func(row *userUsageRow) {
				plus(&row.Calls, 1)
				plus(&row.TokensIn, used.tokensIn)
				plus(&row.TokensOut, used.tokensOut)
				plus(&row.Errors, used.errors)
			})
		},
		func() error {
			return count(ctx, s.Server, tableUserDailyUsageByModel, userModelUsageKey(userKey, day, model), c.op,
				byModel)
		},
		func() error {
			return count(ctx, s.Server, tableDailyUsageByModel, modelUsageKey(day, model), c.op, byModel)
		},
	}
	return account.InParallel(len(counts), func(i int) error { return counts[i]() })
}

// usage is GET /api/usage: what the caller used today and this month, UTC. The month is one range of one partition.
func (s assistant) usage(ctx context.Context, c *call) (web.Reply, error) {
	if err := c.noGuests(); err != nil {
		return nil, err
	}
	today := dayOf(s.now())
	rows, err := s.store.usageOf(ctx, c.who.userKey, monthOf(today))
	if err != nil {
		return nil, err
	}
	var day, month usageTotal
	for _, row := range rows {
		month.add(row)
		if row.RowKey == today {
			day.add(row)
		}
	}
	return web.OK{"today": day.reply("date", today), "month": month.reply("month", monthOf(today))}, nil
}

// usageTotal is a sum of days; it may exceed what a column holds.
type usageTotal struct{ calls, tokensIn, tokensOut, errors int64 }

func (t *usageTotal) add(row *userUsageRow) {
	t.calls += int64(row.Calls)
	t.tokensIn += int64(row.TokensIn)
	t.tokensOut += int64(row.TokensOut)
	t.errors += int64(row.Errors)
}

func (t usageTotal) reply(period, name string) map[string]any {
	return map[string]any{
		period: name, "calls": t.calls, "tokensIn": t.tokensIn, "tokensOut": t.tokensOut, "errors": t.errors,
	}
}
