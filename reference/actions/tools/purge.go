package tools

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/storespec/storespec/internal/host/command"
	"github.com/storespec/storespec/internal/store/account"
	"github.com/storespec/storespec/reference/actions"
)

// day is the unit in which people count the age of records.
const day = 24 * time.Hour

// purgeOptions holds the command line of actions purge.
type purgeOptions struct {
	olderThan  string
	live       string
	unchanged  bool
	dryRun     bool
	every      string
	container  string
	connection string
	table      string

	age, pause time.Duration // parsed from olderThan and every; no pause: run once
}

func (c commands) purgeCommand() *cobra.Command {
	var o purgeOptions
	cmd := &cobra.Command{
		Use:   "purge --older-than 90d [--live FILE.ndjson | --unchanged]",
		Short: "Archive stale records to blobs, then delete them",
		Long: `purge works directly on the table. It considers records that were last written longer ago than an age.
Age alone is not enough, since a record that is loaded again unchanged is not written. Of the old records, purge
deletes those that are missing from a file of all live ones (--live), or all of them (--unchanged). With neither
it only counts them.

Each record is archived before it is deleted, and deleted only if nobody has written it in the meantime. A crash
in between loses nothing: the same command finishes the work. An archive is NDJSON that actions load accepts.

The connection string is taken from ACTIONS_TABLE_CONNECTION or AzureWebJobsStorage. With REDIS_URL, what is
deleted is also removed from the cache.

Exit status: 0 done (with --every: also ended by Ctrl-C between two purges), 2 the command was not understood,
3 the store or a file could not be used, 130 interrupted.`,
		Example: `  storespec actions purge --older-than 90d --live actions.ndjson --dry-run
  storespec actions purge --older-than 90d --live actions.ndjson --every 24h`,
		Args: command.Takes(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			config, err := o.check(c.Env)
			if err != nil {
				return err
			}
			return c.purge(cmd.Context(), config, o)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&o.olderThan, "older-than", "", "only consider records older than `AGE`, such as 90d or 36h")
	flags.StringVar(&o.live, "live", "",
		"NDJSON `FILE` of all records that still exist; old records that are not in it are deleted")
	flags.BoolVar(&o.unchanged, "unchanged", false, "delete all old records")
	flags.BoolVar(&o.dryRun, "dry-run", false, "only count; delete nothing")
	flags.StringVar(&o.every, "every", "",
		"purge again after each `DURATION`, such as 24h, until Ctrl-C; the file of --live is read again each time")
	flags.StringVar(&o.container, "archive-container", "actions-archive",
		"blob container `NAME` for the archives; it is created if it is missing")
	flags.StringVar(&o.connection, "connection", "",
		"`CONNECTION` string to use instead of the environment's; other users of this machine can see it")
	flags.StringVar(&o.table, "table", "", "table `NAME` (default: ACTIONS_TABLE_NAME, or actions)")
	return cmd
}

// check rejects invalid options and returns the configuration of the server whose records are purged.
func (o *purgeOptions) check(env *command.Env) (config actions.Config, err error) {
	switch {
	case o.olderThan == "":
		return config, command.Misused("no age is given", "--older-than AGE, such as 90d")
	case o.live != "" && o.unchanged:
		return config, command.Misused("--live and --unchanged cannot be combined", "leave one of them out")
	}
	if o.age, err = readAge("--older-than", o.olderThan); err != nil {
		return config, err
	}
	if o.every != "" {
		if o.pause, err = readAge("--every", o.every); err != nil {
			return config, err
		}
	}
	if info, err := os.Stat(o.live); o.live != "" && (err != nil || !info.Mode().IsRegular()) {
		return config, command.Misused(fmt.Sprintf("--live %s is not a file", o.live), "a file with one record a line")
	}
	given := map[string]string{
		"ACTIONS_TABLE_CONNECTION": o.connection, "AzureWebJobsStorage": o.connection,
		"ACTIONS_TABLE_NAME": o.table, "ACTIONS_HISTORY_CONTAINER": o.container,
	}
	config, err = actions.FromEnv(func(name string) string { return cmp.Or(given[name], env.Getenv(name)) })
	if err != nil {
		text := strings.ReplaceAll(err.Error(), "ACTIONS_HISTORY_CONTAINER", "--archive-container")
		return config, command.Misused(text, "set ACTIONS_TABLE_CONNECTION to the connection string")
	}
	config.TableConnection = account.Explicit(config.TableConnection)
	config.BlobConnection = account.Explicit(config.BlobConnection)
	config.Storage, err = env.Transport()
	return config, err
}

// readAge reads a duration such as 90d, 36h or 1h30m, above 0.
func readAge(flag, text string) (time.Duration, error) {
	age, err := time.ParseDuration(text)
	if days, found := strings.CutSuffix(text, "d"); found {
		var n uint64
		n, err = strconv.ParseUint(days, 10, 16) // 179 years
		age = time.Duration(n) * day
	}
	if err != nil || age <= 0 {
		return 0, command.Misused(fmt.Sprintf("%s %s is not a duration above 0", flag, text), "such as 90d or 36h")
	}
	return age, nil
}

// purge purges once or repeatedly. An error ends a single purge; a repeated one only reports it.
func (c commands) purge(ctx context.Context, config actions.Config, o purgeOptions) error {
	for {
		err := c.purgeOnce(ctx, config, o)
		if o.pause == 0 || ctx.Err() != nil {
			return err
		}
		if err != nil {
			command.Explain(c.Stderr, err, command.Hint(err))
		}
		timer := time.NewTimer(o.pause)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return nil // the normal way to end
		}
	}
}

// purgeOnce purges and reports what was done, even when there is an error.
func (c commands) purgeOnce(ctx context.Context, config actions.Config, o purgeOptions) (err error) {
	options := actions.PurgeOptions{OlderThan: o.age, Unchanged: o.unchanged, DryRun: o.dryRun, Container: o.container}
	if o.live != "" {
		if options.Live, err = readLive(o.live); err != nil {
			return err
		}
	}
	log := slog.New(slog.NewTextHandler(c.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	report, err := actions.Purge(ctx, config, options, time.Now, rand.Text, log)
	if err == nil || report.Old > 0 {
		fmt.Fprintln(c.Stdout, o.line(report))
	}
	for _, name := range report.Archives {
		fmt.Fprintf(c.Stdout, "  %s/%s\n", o.container, name)
	}
	switch {
	case errors.Is(err, actions.ErrNoTable):
		return fmt.Errorf("there is no table %s, so there is nothing to purge; --table or ACTIONS_TABLE_NAME names "+
			"another", config.Table)
	case err != nil:
		return fmt.Errorf("purge table %s: %w", config.Table, err)
	}
	return nil
}

// readLive reads the file given by --live. A line that is not a record is an error in the command's input.
func readLive(path string) (live *actions.Live, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read --live: %w", err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	if live, err = actions.ReadLive(file); err != nil {
		return nil, command.Misused(fmt.Sprintf("--live %s: %v", path, err),
			"nothing was deleted: the record of that line would have been deleted by mistake")
	}
	if live.Len() == 0 { // a failed export looks like this
		return nil, command.Misused(fmt.Sprintf("--live %s contains no record, so every old record would be deleted",
			path),
			"if you mean that, use --unchanged")
	}
	return live, nil
}

// line returns one line on what a purge found and did.
func (o *purgeOptions) line(r actions.PurgeReport) string {
	text := fmt.Sprintf("%d records are older than %s", r.Old, o.olderThan)
	switch {
	case o.live != "":
		text += fmt.Sprintf(", %d of them are missing from %s", r.Stale, o.live)
	case !o.unchanged:
		return text + "; nothing is deleted without --live or --unchanged"
	}
	if o.dryRun {
		return text + "; a dry run: nothing is deleted"
	}
	text += fmt.Sprintf("; %d archived, %d deleted", r.Archived, r.Deleted)
	if r.Changed > 0 {
		text += fmt.Sprintf(", %d kept because they were written in the meantime", r.Changed)
	}
	return text
}
