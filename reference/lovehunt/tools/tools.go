package tools

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/storespec/storespec/internal/host/command"
	"github.com/storespec/storespec/internal/store/account"
	"github.com/storespec/storespec/reference/lovehunt"
)

// commands are the tools in the surroundings they run in.
type commands struct{ *command.Env }

// Command groups the commands that migrate and keep the data of the system lovehunt.
func Command(env *command.Env) *cobra.Command {
	c := commands{env}
	cmd := &cobra.Command{
		Use:   "lovehunt",
		Short: "Migrate, compare, repair, back up and archive the data of the system lovehunt",
		Long: `lovehunt works on the stores of a server of the system lovehunt, in any language, while it serves. Its
environment is the server's: AZURE_STORAGE_CONNECTION_STRING, BLOB_CONTAINER, and MIGRATION_PHASE, which says
which store is right.

Each command can be ended at any time. The same command finishes its work.

Exit status: 0 done, 1 verify found records that do not agree, 2 the command was not understood, 3 a store or a
file could not be used, 130 interrupted.`,
	}
	return command.Group(cmd, c.migrateCommand(), c.verifyCommand(), c.repairCommand(), c.backupCommand(),
		c.restoreCommand(), c.archiveCommand(), c.cleanupCommand())
}

// tool returns a command that works with the tools.
func (c commands) tool(use, short, long string, more map[string]*string,
	run func(context.Context, *lovehunt.Tools) error) *cobra.Command {
	return &cobra.Command{
		Use: use, Short: short, Long: long, Args: command.Takes(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			tools, err := c.open(more)
			if err != nil {
				return err
			}
			defer tools.Close()
			line := c.Line()
			tools.Report = func(p lovehunt.Progress) {
				line.Progress(p.Done, p.Total, fmt.Sprintf("organizations, %d hunts", p.Hunts))
			}
			err = run(cmd.Context(), tools)
			line.Clear()
			return err
		},
	}
}

// open opens the tools with the server's environment. more replaces variables.
func (c commands) open(more map[string]*string) (*lovehunt.Tools, error) {
	config, err := lovehunt.FromEnv(func(name string) string {
		if value := more[name]; value != nil && *value != "" {
			return *value
		}
		return c.Getenv(name)
	})
	if err != nil {
		return nil, command.Misused(err.Error(), "the environment is that of the server: storespec help lovehunt-guide")
	}
	config.Connection = account.Explicit(config.Connection)
	if config.Storage, err = c.Transport(); err != nil {
		return nil, err
	}
	log := slog.New(slog.NewTextHandler(c.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	tools, err := lovehunt.NewTools(config, time.Now, log)
	if err != nil {
		return nil, command.Misused(err.Error(), "tools need both stores, in every phase")
	}
	return tools, nil
}

func (c commands) migrateCommand() *cobra.Command {
	return c.tool("migrate", "Copy what blobs have and tables lack",
		`migrate copies AppData, organizations and hunts from blobs to tables, with the rows of HuntIndex. An existing
row wins, except in blob-only: there the blob is the truth. When all hunts of an organization are in
tables, its row says so (migratedAt), and servers need not ask its blob any more; not in blob-only, where the
blob may still change: migrate once more in dual-write.

A second run writes nothing. Run one migrate at a time; servers may go on writing.`, nil,
		func(ctx context.Context, t *lovehunt.Tools) error {
			r, err := t.Migrate(ctx)
			fmt.Fprintf(c.Stdout, "%d organizations, %d hunts and %d rows of the index written; %d organizations "+
				"marked as migrated\n", r.Organizations, r.Hunts, r.Index, r.Marked)
			if r.Invalid > 0 {
				fmt.Fprintf(c.Stdout, "%d records match no version of the schema and stay in their blobs:\n",
					r.Invalid)
				for _, name := range r.InvalidIn {
					fmt.Fprintf(c.Stdout, "  %s\n", name)
				}
			}
			return working("migrate", err)
		})
}

// shownDisagreements is how many records are named: the count says the rest.
const shownDisagreements = 20

func (c commands) verifyCommand() *cobra.Command {
	return c.tool("verify", "Compare every record of both stores, and the index",
		`verify compares every record of the blobs with its row, and HuntIndex with Hunts, and prints the share that
agrees. In blob-only and dual-write both stores must be equal; in tables-first and tables-only rows may be newer
than blobs, and nothing may be only in a blob. It writes nothing.`, nil,
		func(ctx context.Context, t *lovehunt.Tools) error {
			found, err := t.Compare(ctx)
			if err != nil {
				return working("verify", err)
			}
			c.showDisagreements(found.Wrong)
			fmt.Fprintf(c.Stdout, "%d of %d records agree: %s\n", found.Agree, found.Records, percent(found.Share()))
			if len(found.Wrong) > 0 {
				return command.Ended(command.StatusBroken)
			}
			return nil
		})
}

// percent does not round to 100 % what is less.
func percent(share float64) string {
	text := fmt.Sprintf("%.2f %%", 100*share)
	if share < 1 && strings.HasPrefix(text, "100") {
		return "99.99 %"
	}
	return text
}

func (c commands) showDisagreements(wrong []lovehunt.Disagreement) {
	for i, one := range wrong {
		if i == shownDisagreements {
			fmt.Fprintf(c.Stdout, "… and %d more\n", len(wrong)-i)
			return
		}
		fmt.Fprintf(c.Stdout, "%s: %s\n", one.Place, one.What)
	}
}

func (c commands) repairCommand() *cobra.Command {
	var to string
	cmd := c.tool("repair", "Make the index follow the hunts, and blobs follow the rows",
		`repair corrects what verify finds: HuntIndex follows Hunts, and deletions that were begun are finished. In
dual-write, blobs follow the rows too. --to blob writes blobs in every phase: run it, with the servers stopped,
before a step back from tables-first or tables-only.`, nil,
		func(ctx context.Context, t *lovehunt.Tools) error {
			mended, err := t.Repair(ctx, to == "blob")
			c.showDisagreements(mended)
			fmt.Fprintf(c.Stdout, "%d records repaired\n", len(mended))
			return working("repair", err)
		})
	cmd.Flags().StringVar(&to, "to", "",
		"`STORE` that is to follow: blob (default: HuntIndex alone, and blobs in dual-write)")
	cmd.PreRunE = func(*cobra.Command, []string) error {
		if to != "" && to != "blob" {
			return command.Misused(fmt.Sprintf("--to %s is not a store that repair can write", to), "--to blob")
		}
		return nil
	}
	return cmd
}

func (c commands) archiveCommand() *cobra.Command {
	return c.tool("archive", "Archive the old blobs, when nothing needs them",
		`archive copies each blob to archive/ in the same container, and deletes the original when the copy is there.
It works in tables-only, and only if verify finds that every record agrees.`, nil,
		func(ctx context.Context, t *lovehunt.Tools) error {
			moved, err := t.Archive(ctx)
			if moved > 0 || err == nil {
				fmt.Fprintf(c.Stdout, "%d blobs archived in archive/\n", moved)
			}
			return working("archive", err)
		})
}

func (c commands) cleanupCommand() *cobra.Command {
	var dryRun bool
	var days string
	cmd := c.tool("cleanup", "Remove hunts past their retention",
		`cleanup removes the hunts that ended longer ago than RETENTION_DAYS, or --days, with their rows in HuntIndex:
what a server with RETENTION_DAYS does by itself each day.`,
		map[string]*string{"RETENTION_DAYS": &days},
		func(ctx context.Context, t *lovehunt.Tools) error {
			removed, err := t.Cleanup(ctx, dryRun)
			if dryRun {
				fmt.Fprintf(c.Stdout, "%d hunts are past their retention; a dry run: nothing is removed\n", removed)
			} else {
				fmt.Fprintf(c.Stdout, "%d hunts removed\n", removed)
			}
			return working("cleanup", err)
		})
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "count, and remove nothing")
	cmd.Flags().StringVar(&days, "days", "", "`DAYS` after a hunt's last day, instead of RETENTION_DAYS")
	cmd.PreRunE = func(*cobra.Command, []string) error {
		if days == "" && c.Getenv("RETENTION_DAYS") == "" {
			return command.Misused("no retention is given", "--days DAYS or RETENTION_DAYS, such as 365")
		}
		return nil
	}
	return cmd
}

// working says what a tool was doing when it failed.
func working(what string, err error) error {
	if err == nil || errors.Is(err, context.Canceled) {
		return err
	}
	return fmt.Errorf("lovehunt %s: %w", what, err)
}
