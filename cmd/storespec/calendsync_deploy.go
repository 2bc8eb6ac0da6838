package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/storespec/storespec/internal/host/terminal"
	"github.com/storespec/storespec/reference/calendsync"
)

func (a *app) deployCommand() *cobra.Command {
	var force, destroy bool
	cmd := &cobra.Command{
		Use:   "deploy [--destroy]",
		Short: "Create the table of the design calendsync, or delete it",
		Long: `deploy creates the table of the design calendsync with its three indexes, and waits until it is ready.
It says what it is about to do, and asks; without a terminal, pass --force. An existing table is never changed: if its
shape differs from the design's, deploy lists the differences and fails.

--destroy deletes the table with everything in it, and waits until it is gone. It asks in the same way.`,
		Example: `  storespec dynamodb deploy
  storespec dynamodb deploy --force --table-name my-test-table
  storespec dynamodb deploy --destroy`,
		Args: takes(),
	}
	cmd.Flags().BoolVar(&force, "force", false, "do not ask")
	cmd.Flags().BoolVar(&destroy, "destroy", false, "delete the table with everything in it")
	return a.calendsyncTool(cmd, func(ctx context.Context, t *calendsyncTools, _ []string) error {
		there, err := t.Look(ctx)
		if err != nil {
			return err
		}
		fmt.Fprint(a.stdout, t.plan)
		t.leaving = "nothing was changed; the same command can be run again"
		confirm := func(question string) error {
			if !force {
				if err := a.confirm(ctx, question); err != nil {
					return err
				}
			}
			t.leaving = "run the same command again, and it waits until the table is ready, or gone"
			return nil
		}
		if destroy {
			return a.destroy(ctx, t, there, confirm)
		}
		return a.deploy(ctx, t, there, confirm)
	})
}

// deploy creates the table, unless it is there.
func (a *app) deploy(ctx context.Context, t *calendsyncTools, there calendsync.Existing,
	confirm func(string) error) error {
	if there.Exists && len(there.Differs) > 0 {
		a.showDifferences(there)
		fmt.Fprintf(a.stderr, "storespec: the table %s is not that of the design; nothing was changed\n"+
			"hint: --table-name NAME takes another; --destroy deletes this one, with everything in it\n", t.table)
		return statusError(statusBroken)
	}
	if !there.Exists {
		fmt.Fprintln(a.stdout, "to create:")
		for _, line := range calendsync.Shape() {
			fmt.Fprintf(a.stdout, "  %s\n", line)
		}
		if err := confirm(fmt.Sprintf("Create the table %s?", t.table)); err != nil {
			return err
		}
	}
	created, err := t.Deploy(ctx)
	switch {
	case err != nil:
		return err
	case created:
		fmt.Fprintf(a.stdout, "the table %s is created\n", t.table)
	default:
		fmt.Fprintf(a.stdout, "the table %s is there already, in the shape of the design; nothing was changed\n",
			t.table)
	}
	return nil
}

func (a *app) showDifferences(there calendsync.Existing) {
	fmt.Fprintln(a.stdout, "the table that is there has another shape:")
	for _, line := range there.Differs {
		fmt.Fprintf(a.stdout, "  %s\n", line)
	}
}

// destroy deletes the table, if it is there.
func (a *app) destroy(ctx context.Context, t *calendsyncTools, there calendsync.Existing,
	confirm func(string) error) error {
	if !there.Exists {
		fmt.Fprintf(a.stdout, "table %s does not exist; nothing was changed\n", t.table)
		return nil
	}
	if !there.Deleting {
		if len(there.Differs) > 0 {
			a.showDifferences(there)
		}
		n, all, err := t.Items(ctx, there)
		if err != nil {
			return err
		}
		count := fmt.Sprintf("%d items", n)
		if !all {
			count = "about " + count + ", or more"
		}
		fmt.Fprintf(a.stdout, "to delete: the table %s with its indexes, %s\n", t.table, count)
		if err := confirm(fmt.Sprintf("Delete the table %s with %s?", t.table, count)); err != nil {
			return err
		}
	}
	if _, err := t.Destroy(ctx); err != nil { // it may be gone by now
		return err
	}
	fmt.Fprintf(a.stdout, "the table %s is deleted\n", t.table)
	return nil
}

// confirm asks a question, and returns an error unless the answer is yes.
func (a *app) confirm(ctx context.Context, question string) error {
	if !isTerminal(a.stderr) || !isTerminal(os.Stdin) {
		return &usageError{"without a terminal nobody can be asked; nothing was changed",
			"pass --force to go ahead without being asked"}
	}
	fmt.Fprintf(a.stderr, "%s [y/N] ", question)
	answers := make(chan string, 1)
	go func() { // a read cannot be interrupted; it ends with the process
		answer, err := bufio.NewReader(os.Stdin).ReadString('\n')
		if err != nil {
			fmt.Fprintln(a.stderr) // the question has no line end yet
		}
		answers <- strings.ToLower(strings.TrimSpace(answer))
	}()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case answer := <-answers:
		if answer == "y" || answer == "yes" {
			return nil
		}
	}
	fmt.Fprintln(a.stderr, "storespec: not confirmed; nothing was changed")
	return statusError(statusBroken)
}

// isTerminal reports whether somebody sits at the other end of a stream.
func isTerminal(stream any) bool {
	_, is := terminal.Columns(stream)
	return is
}
