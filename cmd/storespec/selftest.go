package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/storespec/storespec/internal/host/command"
	"github.com/storespec/storespec/internal/prove/selftest"
	"github.com/storespec/storespec/internal/results/report"
)

// selftestOptions holds the command line of selftest.
type selftestOptions struct {
	*app

	only     []string
	times    int
	parallel int
	list     bool
	show     bool
	json     bool
}

func (a *app) selftestCommand() *cobra.Command {
	o := selftestOptions{app: a}
	cmd := &cobra.Command{
		Use:   "selftest",
		Short: "Check storespec itself against servers whose verdict is known",
		Long: `selftest runs storespec on a small design against a set of servers: correct ones that are hard to
judge, such as one that writes after its answers or polls its store, and wrong ones. It compares each
verdict with the expected one: the exit status, the outcome of every scenario, and the messages. Without
node, the servers in Node are skipped.

Exit status: 0 every verdict is as expected, 1 one is not, 2 the command was not understood, 130 interrupted.`,
		Example: `  storespec selftest
  storespec selftest --only polls --show
  storespec selftest --times 20`,
		Args: command.Takes(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			cases, err := o.cases()
			if err != nil {
				return err
			}
			if o.list {
				return a.listCases(cases)
			}
			return o.selftest(cmd.Context(), cases)
		},
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&o.only, "only", nil, "only this `CASE` (repeatable); --list names them")
	flags.IntVar(&o.times, "times", 1, "run each case `N` times")
	flags.IntVar(&o.parallel, "parallel", 4, "run `N` cases at once")
	flags.BoolVar(&o.list, "list", false, "list the cases and run none")
	flags.BoolVar(&o.json, "json", false, "write one JSON document")
	flags.BoolVar(&o.show, "show", false, "show the whole report of each case, not only of those that differ")
	cmd.AddCommand(a.selftestServerCommand())
	return cmd
}

// selftestServerCommand is the server of the kit, so that an installed storespec needs no other program.
func (a *app) selftestServerCommand() *cobra.Command {
	return &cobra.Command{
		Use: "serve [BEHAVIOR...]", Short: "Serve the design of the self-test", Hidden: true,
		RunE: func(cmd *cobra.Command, words []string) error {
			return selftest.Serve(cmd.Context(), words, a.Getenv, a.Stderr)
		},
	}
}

// cases returns the selected cases.
func (o *selftestOptions) cases() ([]selftest.Case, error) {
	all := selftest.Cases()
	for _, name := range o.only {
		if names := selftest.Names(all); !slices.Contains(names, name) {
			err := command.UnknownName("case", name, names)
			if usage, ok := errors.AsType[*command.UsageError](err); ok && usage.Hint == "" {
				usage.Hint = "storespec selftest --list names them"
			}
			return nil, err
		}
	}
	switch {
	case o.times < 1:
		return nil, command.Misused(fmt.Sprintf("invalid --times %d: want at least 1", o.times), "")
	case o.parallel < 1:
		return nil, command.Misused(fmt.Sprintf("invalid --parallel %d: want at least 1", o.parallel), "")
	case len(o.only) == 0:
		return all, nil
	}
	return slices.DeleteFunc(all, func(c selftest.Case) bool { return !slices.Contains(o.only, c.Name) }), nil
}

func (a *app) listCases(cases []selftest.Case) error {
	for _, c := range cases {
		if _, err := fmt.Fprintf(a.Stdout, "%-20s %s\n", c.Name, c.Shows); err != nil {
			return err
		}
	}
	return nil
}

// selftest runs cases and reports each. The error says that one is not as expected, or that the kit could not be used.
func (o selftestOptions) selftest(ctx context.Context, cases []selftest.Case) (err error) {
	program, err := os.Executable()
	if err != nil {
		return fmt.Errorf("find storespec itself: %w", err)
	}
	kit, err := selftest.Open(program)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, kit.Close()) }()
	var results []selftest.Result
	for run := range o.times {
		for result, err := range kit.RunAll(ctx, cases, o.parallel) {
			if err != nil {
				return err
			}
			results = append(results, result)
			if o.json {
				continue
			}
			number := 0
			if o.times > 1 {
				number = run + 1
			}
			if err := result.Text(o.Stdout, number, o.show); err != nil {
				return err
			}
		}
	}
	summary := selftest.Sum(results)
	if o.json {
		err = report.WriteJSON(o.Stdout, map[string][]selftest.Result{"cases": results})
	} else {
		_, err = fmt.Fprintln(o.Stdout, summary)
	}
	if err == nil && summary.Differ > 0 {
		return command.StatusError(command.StatusBroken)
	}
	return err
}
