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
type topic struct{ name, title, text string }

// topics returns the guides. Scenarios run commands by the hundred in one process, so the files are read once.
var topics = sync.OnceValue(func() (all []topic) {
	entries, err := docs.Files.ReadDir(".")
	if err != nil {
		panic(err) // embedded files can always be read
	}
	for _, entry := range entries {
		text, err := docs.Files.ReadFile(entry.Name())
		if err != nil {
			panic(err)
		}
		title, _, _ := strings.Cut(string(text), "\n")
		all = append(all, topic{strings.TrimSuffix(entry.Name(), ".md"), strings.TrimPrefix(title, "# "), string(text)})
	}
	return all
})

// addTopics makes the guides of docs/ help topics: cobra lists a command that cannot run as a topic. The commands must
// already be registered.
func addTopics(root *cobra.Command) {
	for _, guide := range topics() {
		root.AddCommand(&cobra.Command{Use: topicName(root, guide.name), Short: guide.title, Long: guide.text})
	}
	root.SetHelpCommand(helpCommand())
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
