package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/storespec/storespec/docs"
	"github.com/storespec/storespec/internal/host/command"
)

// guide is appended to the name of a guide that shares its name with a command, since help for that name shows the
// command's flags.
const guide = "-guide"

// topic is a guide of docs/ as help shows it.
type topic struct{ folder, name, title, text string }

// topics returns the guides. Scenarios run hundreds of commands in one process, so the files are read once.
var topics = sync.OnceValue(func() (all []topic) {
	for _, folder := range docs.Folders {
		for _, name := range folder.Guides {
			text, err := docs.Files.ReadFile(folder.Name + "/" + name + ".md")
			if err != nil {
				panic(err) // embedded files can always be read
			}
			title, _, _ := strings.Cut(string(text), "\n")
			all = append(all, topic{folder.Name, name, strings.TrimPrefix(title, "# "), string(text)})
		}
	}
	return all
})

// moved gives the guide that now has the text of a guide of an earlier version.
var moved = map[string]string{
	"what-it-is":              "what-it-finds",
	"project-file":            "own-design",
	"editor":                  "own-design",
	"contracts":               "own-design",
	"migration-rules":         "write-a-rule",
	"vacuity-guide":           "mutants",
	"validate-your-server":    "verify-your-server",
	"fit-your-server":         "verify-your-server",
	"emulate-guide":           "emulators",
	"familyscheduler-storage": "familyscheduler",
	"operations":              "familyscheduler",
	"errata":                  "familyscheduler", // and the guide of each other design
	"actions-load":            "actions",
}

// addTopics makes the guides of docs/ help topics: cobra lists a command that cannot run as a topic. The commands must
// already be registered.
func addTopics(root *cobra.Command) {
	for _, guide := range topics() {
		root.AddCommand(&cobra.Command{Use: topicName(root, guide.name), Short: guide.title, Long: guide.text})
	}
	before, rest, _ := strings.Cut(root.UsageTemplate(), "{{if .HasHelpSubCommands}}")
	_, after, _ := strings.Cut(rest, "{{end}}{{if .HasAvailableSubCommands}}")
	root.SetUsageTemplate(before + "{{if .HasHelpSubCommands}}" + topicList(root) +
		"{{end}}{{if .HasAvailableSubCommands}}" + after)
	root.SetHelpCommand(helpCommand())
}

// topicList returns the topics as storespec --help lists them, by folder.
func topicList(root *cobra.Command) string {
	var list strings.Builder
	list.WriteString("\n\nTopics (storespec help TOPIC):")
	for _, folder := range docs.Folders {
		fmt.Fprintf(&list, "\n\n  %s", folder.Title)
		for _, guide := range topics() {
			if guide.folder == folder.Name {
				fmt.Fprintf(&list, "\n    %-26s %s", topicName(root, guide.name), guide.title)
			}
		}
	}
	return list.String()
}

// topicName returns the name under which help lists the guide called name.
func topicName(root *cobra.Command, name string) string {
	if slices.ContainsFunc(root.Commands(),
		func(c *cobra.Command) bool { return c.Name() == name && !c.IsAdditionalHelpTopicCommand() }) {
		return name + guide
	}
	return name
}

// helpCommand is cobra's, with topics; it fails for what is neither a command nor a topic.
func helpCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND | TOPIC]",
		Short: "Help about a command or a topic",
		Long:  "help prints the help of a command, or one of the guides that storespec --help lists as topics.",
		ValidArgsFunction: func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			var found []string
			for _, c := range cmd.Root().Commands() {
				if len(args) == 0 && !c.Hidden {
					found = append(found, cobra.CompletionWithDesc(c.Name(), c.Short))
				}
			}
			return found, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 && moved[args[0]] != "" {
				name := topicName(cmd.Root(), moved[args[0]])
				fmt.Fprintf(cmd.ErrOrStderr(), "storespec: the topic %s is now in storespec help %s\n", args[0], name)
				args = []string{name}
			}
			found, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				var known []string
				for _, c := range cmd.Root().Commands() {
					if !c.Hidden {
						known = append(known, c.Name())
					}
				}
				unknown := command.UnknownName("topic", strings.Join(args, " "), known)
				if usage, ok := errors.AsType[*command.UsageError](unknown); ok && usage.Hint == "" {
					usage.Hint = "storespec --help lists commands and topics"
				}
				return unknown
			}
			if found.Runnable() || found.HasSubCommands() {
				found.InitDefaultHelpFlag()
				return found.Help()
			}
			_, err = fmt.Fprint(cmd.OutOrStdout(), found.Long)
			return err
		},
	}
}
