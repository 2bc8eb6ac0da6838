package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/storespec/storespec/internal/host/command"
	"github.com/storespec/storespec/internal/prove/selftest"
	"github.com/storespec/storespec/internal/run/system"
)

// completer returns the completions of the word being typed, for the shells.
type completer = func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective)

// complete registers the possible arguments and flags of all commands for shell completion.
func complete(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	// cobra takes an unknown shell for a call for help
	if scripts, _, err := root.Find([]string{"completion"}); err == nil {
		command.Group(scripts)
	}
	flags := map[string]completer{
		"store":   only(storeNames),
		"budgets": only(func() []string { return []string{"fail", "warn"} }),
		"fail-on": only(suspicions),
		"only":    only(func() []string { return selftest.Names(selftest.Cases()) }),
		"rule":    ruleIDs,
		"without": capabilityNames,
	}
	for _, cmd := range root.Commands() {
		if strings.Contains(cmd.Use, "SYSTEM") && cmd.ValidArgsFunction == nil {
			cmd.ValidArgsFunction = systemNames
		}
		for name, completes := range flags {
			if cmd.Flags().Lookup(name) == nil {
				continue
			}
			if err := cmd.RegisterFlagCompletionFunc(name, completes); err != nil {
				panic(err) // a flag is registered once
			}
		}
	}
}

// only completes from a fixed list.
func only(list func() []string) completer {
	return func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return list(), cobra.ShellCompDirectiveNoFileComp
	}
}

// featuresOf returns the directory of a command's --features, or "" if it has none.
func featuresOf(cmd *cobra.Command) string {
	if flag := cmd.Flags().Lookup("features"); flag != nil {
		return flag.Value.String()
	}
	return ""
}

func systemNames(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	list, err := designsOf(featuresOf(cmd)).Chosen(nil)
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	left := slices.DeleteFunc(system.Names(list), func(name string) bool { return slices.Contains(args, name) })
	return left, cobra.ShellCompDirectiveDefault // files too: after -- comes the server's command
}

func ruleIDs(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	_, loaded, err := designsOf(featuresOf(cmd)).Rules(args)
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	var ids []string
	for _, catalogue := range loaded {
		for _, rule := range catalogue.Rules {
			ids = append(ids, cobra.CompletionWithDesc(rule.ID, rule.Name))
		}
	}
	return ids, cobra.ShellCompDirectiveNoFileComp
}

func capabilityNames(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	list, err := designsOf(featuresOf(cmd)).Chosen(args)
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	var found []string
	for _, s := range list {
		for _, c := range s.Capabilities {
			found = append(found, cobra.CompletionWithDesc(c.Name, c.Description))
		}
	}
	return found, cobra.ShellCompDirectiveNoFileComp
}
