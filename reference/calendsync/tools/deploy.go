package tools

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/storespec/storespec/internal/host/command"
	"github.com/storespec/storespec/reference/calendsync"
)

func (c commands) deployCommand() *cobra.Command {
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
		Args: command.Takes(),
	}
	cmd.Flags().BoolVar(&force, "force", false, "do not ask")
	cmd.Flags().BoolVar(&destroy, "destroy", false, "delete the table with everything in it")
	return c.tool(cmd, func(ctx context.Context, t *tableTools, _ []string) error {
		there, err := t.Look(ctx)
		if err != nil {
			return err
		}
		fmt.Fprint(c.Stdout, t.plan)
		t.leaving = "nothing was changed; the same command can be run again"
		confirm := func(question string) error {
			if !force {
				if err := c.confirm(ctx, question); err != nil {
					return err
				}
			}
			t.leaving = "run the same command again, and it waits until the table is ready, or gone"
			return nil
		}
		if destroy {
			return c.destroy(ctx, t, there, confirm)
		}
		return c.deploy(ctx, t, there, confirm)
	})
}

// deploy creates the table, unless it is there.
func (c commands) deploy(ctx context.Context, t *tableTools, there calendsync.Existing,
	confirm func(string) error) error {
	if there.Exists && len(there.Differs) > 0 {
		c.showDifferences(there)
		fmt.Fprintf(c.Stderr, "storespec: the table %s is not that of the design; nothing was changed\n"+
			"hint: --table-name NAME takes another; --destroy deletes this one, with everything in it\n", t.table)
		return command.Ended(command.StatusBroken)
	}
	if !there.Exists {
		fmt.Fprintln(c.Stdout, "to create:")
		for _, line := range calendsync.Shape() {
			fmt.Fprintf(c.Stdout, "  %s\n", line)
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
		fmt.Fprintf(c.Stdout, "the table %s is created\n", t.table)
	default:
		fmt.Fprintf(c.Stdout, "the table %s exists already, in the shape of the design; nothing was changed\n",
			t.table)
	}
	return nil
}

func (c commands) showDifferences(there calendsync.Existing) {
	fmt.Fprintln(c.Stdout, "the table that is there has another shape:")
	for _, line := range there.Differs {
		fmt.Fprintf(c.Stdout, "  %s\n", line)
	}
}

// destroy deletes the table, if it is there.
func (c commands) destroy(ctx context.Context, t *tableTools, there calendsync.Existing,
	confirm func(string) error) error {
	if !there.Exists {
		fmt.Fprintf(c.Stdout, "table %s does not exist; nothing was changed\n", t.table)
		return nil
	}
	if !there.Deleting {
		if len(there.Differs) > 0 {
			c.showDifferences(there)
		}
		n, all, err := t.Items(ctx, there)
		if err != nil {
			return err
		}
		count := fmt.Sprintf("%d items", n)
		if !all {
			count = "about " + count + ", or more"
		}
		fmt.Fprintf(c.Stdout, "to delete: the table %s with its indexes, %s\n", t.table, count)
		if err := confirm(fmt.Sprintf("Delete the table %s with %s?", t.table, count)); err != nil {
			return err
		}
	}
	if _, err := t.Destroy(ctx); err != nil { // it may be gone by now
		return err
	}
	fmt.Fprintf(c.Stdout, "the table %s is deleted\n", t.table)
	return nil
}

// confirm asks a question, and returns an error unless the answer is yes.
func (c commands) confirm(ctx context.Context, question string) error {
	if !command.IsTerminal(c.Stderr) || !command.IsTerminal(os.Stdin) {
		return command.Misused("there is no terminal to ask on; nothing was changed",
			"pass --force to go ahead without being asked")
	}
	fmt.Fprintf(c.Stderr, "%s [y/N] ", question)
	answers := make(chan string, 1)
	go func() { // a read cannot be interrupted; it ends with the process
		answer, err := bufio.NewReader(os.Stdin).ReadString('\n')
		if err != nil {
			fmt.Fprintln(c.Stderr) // the question has no line end yet
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
	fmt.Fprintln(c.Stderr, "storespec: not confirmed; nothing was changed")
	return command.Ended(command.StatusBroken)
}
