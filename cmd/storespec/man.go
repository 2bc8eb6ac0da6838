package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strings"
	"time"

	"github.com/cpuguy83/go-md2man/v2/md2man"
	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"github.com/storespec/storespec/internal/host/atomicfile"
	"github.com/storespec/storespec/internal/host/command"
)

// docsCommand is for people who package storespec.
func (a *app) docsCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "docs", Short: "Write documentation for a package", Hidden: true}
	cmd.AddCommand(&cobra.Command{
		Use:     "man DIR",
		Short:   "Write man pages below a directory: man1 for the commands, man7 for the guides",
		Example: "  storespec docs man /usr/local/share/man",
		Args:    command.Takes("DIR"),
		RunE: func(cmd *cobra.Command, args []string) error {
			one, seven := filepath.Join(args[0], "man1"), filepath.Join(args[0], "man7")
			if err := errors.Join(os.MkdirAll(one, 0o755), os.MkdirAll(seven, 0o755)); err != nil {
				return command.Misused(fmt.Sprintf("docs man cannot write to %s: %s", args[0], atomicfile.Cause(err)),
					"")
			}
			made := built()
			root := cmd.Root()
			root.DisableAutoGenTag = true // it would make two builds differ
			header := &doc.GenManHeader{Title: "STORESPEC", Section: "1", Source: "storespec", Manual: "storespec",
				Date: &made}
			if err := errors.Join(doc.GenManTree(root, header, one), writeGuides(root, seven, made)); err != nil {
				return fmt.Errorf("write man pages to %s: %w", args[0], err)
			}
			return nil
		},
	})
	return cmd
}

// writeGuides writes each help topic as a page of section 7.
func writeGuides(root *cobra.Command, into string, made time.Time) error {
	for _, c := range root.Commands() {
		if !c.IsAdditionalHelpTopicCommand() {
			continue
		}
		file := filepath.Join(into, "storespec-"+c.Name()+".7")
		if err := os.WriteFile(file, md2man.Render([]byte(manual(root, c, made))), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// toGuide matches a link from one guide to another, toSection a link within a guide.
var (
	toGuide   = regexp.MustCompile(`\[([^\]]+)\]\((?:\.\./\w+/)?([\w-]+)\.md[^)]*\)`)
	toSection = regexp.MustCompile(`\[([^\]]+)\]\(#[^)]*\)`)
)

// manual returns a guide as the source of a man page: with its header, and with page names instead of links.
func manual(root, topic *cobra.Command, made time.Time) string {
	_, text, _ := strings.Cut(topic.Long, "\n") // after the title
	text = toGuide.ReplaceAllStringFunc(text, func(link string) string {
		m := toGuide.FindStringSubmatch(link)
		page := "**storespec-" + topicName(root, m[2]) + "**(7)"
		if strings.TrimSuffix(m[1], ".md") == m[2] {
			return page
		}
		return m[1] + " (" + page + ")"
	})
	text = toSection.ReplaceAllString(text, "$1")
	return fmt.Sprintf("%% \"STORESPEC-%s\" \"7\" \"%s\" \"storespec\" \"storespec\"\n\n# NAME\n\nstorespec-%s - "+
		"%s\n\n# DESCRIPTION\n%s",
		strings.ToUpper(topic.Name()), made.Format("Jan 2006"), topic.Name(), topic.Short, text)
}

// built returns the time of the commit that the binary was built from, so that the same source gives the same pages; if
// it is unknown, the zero time.
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
