package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/storespec/storespec/internal/store/account"
	"github.com/storespec/storespec/reference/lovehunt"
)

// lovehuntCommand groups the commands that migrate and keep the data of the system lovehunt, besides verifying its
// server.
func (a *app) lovehuntCommand() *cobra.Command {
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
	return group(cmd, a.migrateCommand(), a.compareStoresCommand(), a.repairCommand(), a.backupCommand(),
		a.restoreCommand(), a.archiveCommand(), a.cleanupCommand())
}

// lovehuntTool returns a command that works with the tools.
func (a *app) lovehuntTool(use, short, long string, more map[string]*string,
	run func(context.Context, *lovehunt.Tools) error) *cobra.Command {
	return &cobra.Command{
		Use: use, Short: short, Long: long, Args: takes(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			tools, err := a.lovehuntTools(more)
			if err != nil {
				return err
			}
			defer tools.Close()
			line := a.progress("lovehunt")
			var shown time.Time
			tools.Report = func(p lovehunt.Progress) {
				if now := time.Now(); p.Done == p.Total || now.Sub(shown) > showEvery {
					shown = now
					line.write("%s", organizationsText(p))
				}
			}
			err = run(cmd.Context(), tools)
			line.clear()
			return err
		},
	}
}

// showEvery is how often a progress line changes.
const showEvery = 100 * time.Millisecond

// organizationsText is a bar, and how many organizations and hunts have been looked at.
func organizationsText(p lovehunt.Progress) string {
	return fmt.Sprintf("%s %d of %d organizations, %d hunts", bar(p.Done, p.Total), p.Done, p.Total, p.Hunts)
}

// lovehuntTools opens the tools with the server's environment. more replaces variables.
func (a *app) lovehuntTools(more map[string]*string) (*lovehunt.Tools, error) {
	config, err := lovehunt.FromEnv(func(name string) string {
		if value := more[name]; value != nil && *value != "" {
			return *value
		}
		return a.getenv(name)
	})
	if err != nil {
		return nil, &usageError{err.Error(), "the environment is that of the server: storespec help lovehunt"}
	}
	config.Connection = account.Explicit(config.Connection)
	if config.Storage, err = trusting(a.getenv("SSL_CERT_FILE")); err != nil {
		return nil, err
	}
	log := slog.New(slog.NewTextHandler(a.stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	tools, err := lovehunt.NewTools(config, time.Now, log)
	if err != nil {
		return nil, &usageError{err.Error(), "tools need both stores, in every phase"}
	}
	return tools, nil
}

func (a *app) migrateCommand() *cobra.Command {
	return a.lovehuntTool("migrate", "Copy what blobs have and tables lack",
		`migrate copies AppData, organizations and hunts from blobs to tables, with the rows of HuntIndex. A row that
is there wins, except in blob-only: there the blob is the truth. When all hunts of an organization are in
tables, its row says so (migratedAt), and servers need not ask its blob any more; not in blob-only, where the
blob may still change: migrate once more in dual-write.

A second run writes nothing. Run one migrate at a time; servers may go on writing.`, nil,
		func(ctx context.Context, t *lovehunt.Tools) error {
			r, err := t.Migrate(ctx)
			fmt.Fprintf(a.stdout, "%d organizations, %d hunts and %d rows of the index written; %d organizations "+
				"marked as migrated\n", r.Organizations, r.Hunts, r.Index, r.Marked)
			if r.Invalid > 0 {
				fmt.Fprintf(a.stdout, "%d records match no version of the schema and stay in their blobs:\n",
					r.Invalid)
				for _, name := range r.InvalidIn {
					fmt.Fprintf(a.stdout, "  %s\n", name)
				}
			}
			return working("migrate", err)
		})
}

// shownDisagreements is how many records are named: the count says the rest.
const shownDisagreements = 20

func (a *app) compareStoresCommand() *cobra.Command {
	return a.lovehuntTool("verify", "Compare every record of both stores, and the index",
		`verify compares every record of the blobs with its row, and HuntIndex with Hunts, and prints the share that
agrees. In blob-only and dual-write both stores must be equal; in tables-first and tables-only rows may be newer
than blobs, and nothing may be only in a blob. It writes nothing.`, nil,
		func(ctx context.Context, t *lovehunt.Tools) error {
			found, err := t.Compare(ctx)
			if err != nil {
				return working("verify", err)
			}
			a.showDisagreements(found.Wrong)
			fmt.Fprintf(a.stdout, "%d of %d records agree: %s\n", found.Agree, found.Records, percent(found.Share()))
			if len(found.Wrong) > 0 {
				return ended(statusBroken)
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

func (a *app) showDisagreements(wrong []lovehunt.Disagreement) {
	for i, one := range wrong {
		if i == shownDisagreements {
			fmt.Fprintf(a.stdout, "… and %d more\n", len(wrong)-i)
			return
		}
		fmt.Fprintf(a.stdout, "%s: %s\n", one.Place, one.What)
	}
}

func (a *app) repairCommand() *cobra.Command {
	var to string
	cmd := a.lovehuntTool("repair", "Make the index follow the hunts, and blobs follow the rows",
		`repair mends what verify finds: HuntIndex follows Hunts, and deletions that were begun are finished. In
dual-write, blobs follow the rows too. --to blob writes blobs in every phase: run it, with the servers stopped,
before a step back from tables-first or tables-only.`, nil,
		func(ctx context.Context, t *lovehunt.Tools) error {
			mended, err := t.Repair(ctx, to == "blob")
			a.showDisagreements(mended)
			fmt.Fprintf(a.stdout, "%d records mended\n", len(mended))
			return working("repair", err)
		})
	cmd.Flags().StringVar(&to, "to", "",
		"`STORE` that is to follow: blob (default: HuntIndex alone, and blobs in dual-write)")
	cmd.PreRunE = func(*cobra.Command, []string) error {
		if to != "" && to != "blob" {
			return &usageError{fmt.Sprintf("--to %s is not a store that repair can write", to), "--to blob"}
		}
		return nil
	}
	return cmd
}

func (a *app) archiveCommand() *cobra.Command {
	return a.lovehuntTool("archive", "Put the old blobs aside, when nothing needs them",
		`archive copies each blob to archive/ in the same container, and deletes the original when the copy is there.
It works in tables-only, and only if verify finds that every record agrees.`, nil,
		func(ctx context.Context, t *lovehunt.Tools) error {
			moved, err := t.Archive(ctx)
			if moved > 0 || err == nil {
				fmt.Fprintf(a.stdout, "%d blobs put aside in archive/\n", moved)
			}
			return working("archive", err)
		})
}

func (a *app) cleanupCommand() *cobra.Command {
	var dryRun bool
	var days string
	cmd := a.lovehuntTool("cleanup", "Remove hunts past their retention",
		`cleanup removes the hunts that ended longer ago than RETENTION_DAYS, or --days, with their rows in HuntIndex:
what a server with RETENTION_DAYS does by itself each day.`,
		map[string]*string{"RETENTION_DAYS": &days},
		func(ctx context.Context, t *lovehunt.Tools) error {
			removed, err := t.Cleanup(ctx, dryRun)
			if dryRun {
				fmt.Fprintf(a.stdout, "%d hunts are past their retention; a dry run: nothing is removed\n", removed)
			} else {
				fmt.Fprintf(a.stdout, "%d hunts removed\n", removed)
			}
			return working("cleanup", err)
		})
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "count, and remove nothing")
	cmd.Flags().StringVar(&days, "days", "", "`DAYS` after a hunt's last day, in place of RETENTION_DAYS")
	cmd.PreRunE = func(*cobra.Command, []string) error {
		if days == "" && a.getenv("RETENTION_DAYS") == "" {
			return &usageError{"no retention is given", "--days DAYS or RETENTION_DAYS, such as 365"}
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
