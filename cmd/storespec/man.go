package main

import (
	"fmt"
	"os"
	"runtime/debug"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

// docsCommand is for those who package storespec.
func (a *app) docsCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "docs", Short: "Write documentation for a package", Hidden: true}
	cmd.AddCommand(&cobra.Command{
		Use:     "man DIR",
		Short:   "Write a man page for each command into a directory",
		Example: "  storespec docs man /usr/local/share/man/man1",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := os.MkdirAll(args[0], 0o755); err != nil {
				return &usageError{fmt.Sprintf("docs man cannot write to %s: %s", args[0], cause(err)), ""}
			}
			made := built()
			root := cmd.Root()
			root.DisableAutoGenTag = true // it would make two builds differ
			header := &doc.GenManHeader{Title: "STORESPEC", Section: "1", Source: "storespec", Manual: "storespec", Date: &made}
			if err := doc.GenManTree(root, header, args[0]); err != nil {
				return fmt.Errorf("write man pages to %s: %w", args[0], err)
			}
			return nil
		},
	})
	return cmd
}

// built is the time of the commit that the binary was built from, so that the same source gives the same pages; without one
// it is the beginning of time.
func built() time.Time {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, setting := range info.Settings {
			if at, err := time.Parse(time.RFC3339, setting.Value); setting.Key == "vcs.time" && err == nil {
				return at
			}
		}
	}
	return time.Unix(0, 0).UTC()
}
