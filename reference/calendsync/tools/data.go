package tools

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/storespec/storespec/internal/host/command"
	"github.com/storespec/storespec/reference/calendsync"
)

func (c commands) seedCommand() *cobra.Command {
	var g calendsync.Seeding
	cmd := &cobra.Command{
		Use:   "seed --calendar-id UUID",
		Short: "Write sample entries to a calendar of the design calendsync",
		Long: `seed writes entries of every kind to a calendar that is in the table: two per day, half of them before a
day and half after it. The same flags give the same entries, and existing ones stay as they are: to finish an
interrupted seed, run it again. The default of --highlighted-day changes at midnight; name the day
if you want to run it again tomorrow.`,
		Example: `  storespec dynamodb seed --calendar-id 550e8400-e29b-41d4-a716-446655440002
  storespec dynamodb seed --calendar-id 550e8400-e29b-41d4-a716-446655440002 --highlighted-day 2024-06-15 --count 200`,
		Args: command.Takes(),
	}
	flags := cmd.Flags()
	flags.StringVar(&g.Calendar, "calendar-id", "", "`UUID` of the calendar")
	flags.StringVar(&g.Around, "highlighted-day", "", "`DAY` in the middle, such as 2024-06-15 (default: today in UTC)")
	flags.IntVar(&g.Count, "count", 50, "how many entries: `N`")
	cmd.PreRunE = func(*cobra.Command, []string) error {
		if g.Calendar == "" {
			return command.Misused("no calendar is named", "--calendar-id UUID")
		}
		if g.Around == "" {
			g.Around = calendsync.Today(time.Now())
		}
		if err := g.Check(); err != nil {
			return command.Misused(err.Error(), "storespec dynamodb seed --help shows examples")
		}
		return nil
	}
	return c.tool(cmd, func(ctx context.Context, t *tableTools, _ []string) error {
		first, last := g.Days()
		fmt.Fprintf(c.Stdout, "%sto write:  %d entries for calendar %s, beginning on %s to %s\n", t.plan, g.Count,
			g.Calendar, first, last)
		t.unit = "entries"
		written, err := t.Seed(ctx, g)
		if errors.Is(err, calendsync.ErrNoCalendar) {
			return command.Misused(fmt.Sprintf("calendar %s not found in table %s", g.Calendar, t.table),
				"nothing was written; a server of the design, or storespec dynamodb migrate, creates calendars")
		}
		if err != nil {
			return err
		}
		t.line.Clear()
		fmt.Fprintf(c.Stdout, "%d entries written, %d existed already\n", written, g.Count-written)
		return nil
	})
}

func (c commands) migrateCommand() *cobra.Command {
	var owner string
	cmd := &cobra.Command{
		Use:   "migrate FILE [--owner USER]",
		Short: "Copy the data of an older storage to the table of the design calendsync",
		Long: `migrate writes the users, calendars, memberships and entries of a file to the table. The file is one
JSON object:

  {"users":       [{"id", "name", "email", "provider"?, "providerSubject"?}],
   "calendars":   [{"id", "name", "color", "description"}],
   "memberships": [{"calendarId", "userId", "role"}],
   "entries":     [{"id", "calendarId", "title", "description", "location", "date", "color", "kind"}]}

If the older storage has no memberships, leave them out; --owner then says which user owns all calendars.

The whole file is checked first, and compared with the table: if anything is wrong, each problem is listed with
its place, and nothing is written. Existing items stay as they are: to finish an interrupted migration, run it
again.`,
		Example: `  storespec dynamodb migrate old.json --owner 550e8400-e29b-41d4-a716-446655440001
  storespec dynamodb migrate old-with-memberships.json --table-name my-test-table`,
		Args: command.Takes("FILE"),
	}
	cmd.Flags().StringVar(&owner, "owner", "",
		"id of the `USER` who owns all calendars if the file has no memberships")
	return c.tool(cmd, func(ctx context.Context, t *tableTools, args []string) error {
		return c.migrate(ctx, t, args[0], owner)
	})
}

func (c commands) migrate(ctx context.Context, t *tableTools, path, owner string) error {
	content, err := os.ReadFile(path)
	if err != nil {
		return command.Misused(err.Error(), "a file with one JSON object: storespec dynamodb migrate --help")
	}
	m, err := calendsync.ReadMigration(content, owner)
	if wrong, is := errors.AsType[calendsync.Problems](err); is {
		c.showProblems(path+" cannot be migrated", wrong)
		return command.Ended(command.StatusUsage)
	}
	if err != nil {
		return err
	}
	t.unit = "items compared"
	there, err := t.Compare(ctx, m)
	if err != nil {
		return err
	}
	t.line.Clear()
	all := m.Counts()
	fmt.Fprintf(c.Stdout, "%sto write, of %s:\n", t.plan, path)
	for _, one := range []struct {
		name        string
		all, stands int
	}{
		{"users", all.Users, there.Users}, {"calendars", all.Calendars, there.Calendars},
		{"memberships", all.Memberships, there.Memberships}, {"entries", all.Entries, there.Entries},
	} {
		fmt.Fprintf(c.Stdout, "  %d of %d %s\n", one.all-one.stands, one.all, one.name)
	}
	t.unit = "items"
	written, err := t.Migrate(ctx, m)
	if err != nil {
		return err
	}
	t.line.Clear()
	fmt.Fprintf(c.Stdout, "%d items written, %d existed already\n", written, all.Total()-written)
	return nil
}

func (c commands) repairCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "repair",
		Short: "Finish interrupted deletions of calendars of the design calendsync",
		Long: `repair removes what interrupted deletions left behind: calendars that are marked as being deleted, and
entries and memberships whose calendar is marked or gone. It reads the whole table, and changes nothing else.`,
		Example: "  storespec dynamodb repair",
		Args:    command.Takes(),
	}
	return c.tool(cmd, func(ctx context.Context, t *tableTools, _ []string) error {
		t.unit = "calendars"
		removed, err := t.Repair(ctx)
		if removed > 0 || err == nil {
			t.line.Clear()
			fmt.Fprintf(c.Stdout, "%d items removed\n", removed)
		}
		return err
	})
}
