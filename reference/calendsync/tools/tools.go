package tools

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/joho/godotenv"
	"github.com/spf13/cobra"

	"github.com/storespec/storespec/internal/host/command"
	"github.com/storespec/storespec/reference/calendsync"
)

// commands are the tools in the surroundings they run in.
type commands struct{ *command.Env }

// Command groups the commands that work on the table of the design calendsync.
func Command(env *command.Env) *cobra.Command {
	c := commands{env}
	cmd := &cobra.Command{
		Use:   "dynamodb",
		Short: "Create, fill, repair and delete the table of the design calendsync",
		Long: `dynamodb works on the table of the design calendsync, in DynamoDB or in an emulator of it. Servers of
the design, in any language, may go on serving meanwhile. It is for this table only, not for any other.

The environment is the server's: AWS_ENDPOINT_URL, AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, and
DYNAMODB_TABLE_NAME (default calendsync; --table-name overrides it). Variables that are not set are read from
.env.local in the current directory, if that exists:

  AWS_ENDPOINT_URL=http://localhost:8000
  AWS_REGION=us-east-1
  AWS_ACCESS_KEY_ID=local
  AWS_SECRET_ACCESS_KEY=local

Each command can be interrupted at any time. Run it again, and it finishes its work.

Exit status: 0 done, or nothing to do; 1 the table has another shape, or data that is in the way, or the answer
was no; 2 the command, a variable or a file was not understood, or there was no terminal to ask on; 3 the
table could not be used; 130 interrupted.`,
		Example: `  storespec emulate --dynamodb :8000 --data ./dynamodb
  storespec dynamodb deploy
  storespec dynamodb migrate old.json --owner 550e8400-e29b-41d4-a716-446655440001
  storespec dynamodb seed --calendar-id 550e8400-e29b-41d4-a716-446655440002`,
	}
	return command.Group(cmd, c.deployCommand(), c.seedCommand(), c.migrateCommand(), c.repairCommand())
}

// tableTools works on the table, and says where that is.
type tableTools struct {
	*calendsync.Tools
	table string
	host  string // of the endpoint: never its user or its password
	plan  string // the first lines of each plan

	line    *command.Line
	begun   bool   // Report was called
	unit    string // what it counts
	leaving string // what to say if the command does not come to its end
}

// tool sets a command up that works on the table.
func (c commands) tool(cmd *cobra.Command,
	run func(context.Context, *tableTools, []string) error) *cobra.Command {
	var table string
	cmd.Flags().StringVar(&table, "table-name", "", "`NAME` of the table (default: DYNAMODB_TABLE_NAME, or calendsync)")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		t, err := c.open(table)
		if err != nil {
			return err
		}
		defer t.Close()
		err = run(cmd.Context(), t, args)
		t.line.Clear()
		return c.end(cmd, t, err)
	}
	return cmd
}

// end returns the error of a command with its exit status.
func (c commands) end(cmd *cobra.Command, t *tableTools, err error) error {
	var said command.StatusError
	switch {
	case err == nil, errors.As(err, &said), errors.As(err, new(*command.UsageError)):
		return err
	case cmd.Context().Err() != nil:
		fmt.Fprintln(c.Stderr, "storespec: interrupted: "+t.leaving)
		return command.Ended(command.StatusInterrupted)
	}
	err = fmt.Errorf("dynamodb %s: %w", cmd.Name(), err)
	if there, is := errors.AsType[calendsync.Problems](err); is {
		c.showProblems(fmt.Sprintf("the table %s has data that is in the way", t.table), there)
		return command.Ended(command.StatusBroken)
	}
	if errors.Is(err, calendsync.ErrOtherShape) {
		command.Explain(c.Stderr, err, command.Hint(err))
		return command.Ended(command.StatusBroken)
	}
	if t.begun {
		err = fmt.Errorf("%w\n%s", err, t.leaving)
	}
	return err
}

// showProblems reports each problem on a line.
func (c commands) showProblems(what string, list calendsync.Problems) {
	fmt.Fprintf(c.Stderr, "storespec: %s; nothing was written:\n", what)
	for _, problem := range list {
		fmt.Fprintf(c.Stderr, "  %s\n", problem)
	}
}

// open opens the tools with the server's environment. table replaces DYNAMODB_TABLE_NAME.
func (c commands) open(table string) (*tableTools, error) {
	getenv, err := c.withLocalFile(map[string]string{"DYNAMODB_TABLE_NAME": table})
	if err != nil {
		return nil, err
	}
	config, err := calendsync.FromEnv(getenv)
	if err != nil {
		return nil, command.Misused(err.Error(),
			"set it, or write it to "+localFile+" in this directory: storespec dynamodb --help shows an example")
	}
	if !tableForm.MatchString(config.Table) {
		return nil, command.Misused(fmt.Sprintf("%q is not the name of a table", config.Table),
			"3 to 255 letters, digits, dots, hyphens and underscores: --table-name, or DYNAMODB_TABLE_NAME")
	}
	if config.Storage, err = c.Transport(); err != nil {
		return nil, err
	}
	endpoint, err := url.Parse(config.Endpoint)
	if err != nil {
		return nil, command.Misused("AWS_ENDPOINT_URL is not a URL", "such as http://localhost:8000")
	}
	t := &tableTools{Tools: calendsync.NewTools(config, time.Now), table: config.Table, host: endpoint.Host,
		line: c.Line(), leaving: "run the same command again, and it goes on where this one ended"}
	t.plan = fmt.Sprintf("table     %s\nendpoint  %s, region %s\n", t.table, t.host, config.Region)
	t.Report = func(done, total int) {
		t.begun = true
		t.line.Progress(done, total, t.unit)
	}
	return t, nil
}

// tableForm is DynamoDB's rule for names of tables (Developer Guide, "Naming rules").
var tableForm = regexp.MustCompile(`^[A-Za-z0-9_.-]{3,255}$`)

// localFile holds variables of the environment, as the design has it.
const localFile = ".env.local"

// localNames are the variables that the file may hold, and all that is read from it.
func localNames() []string {
	return []string{"AWS_ENDPOINT_URL", "AWS_REGION", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY",
		"DYNAMODB_TABLE_NAME"}
}

// withLocalFile returns what looks variables up: those given, then the environment, then the local file. The file is
// not read unless it can add something: scenarios run with an environment of their own, in any directory.
func (c commands) withLocalFile(given map[string]string) (func(string) string, error) {
	getenv := func(name string) string {
		if value := given[name]; value != "" {
			return value
		}
		return c.Getenv(name)
	}
	names := localNames()
	if !slices.ContainsFunc(names, func(name string) bool { return getenv(name) == "" }) {
		return getenv, nil
	}
	local, err := readLocalFile()
	return func(name string) string {
		if value := getenv(name); value != "" || !slices.Contains(names, name) {
			return value
		}
		return local[name]
	}, err
}

// readLocalFile reads the local file, if there is one. Errors name a line, and quote nothing: it holds secrets.
func readLocalFile() (map[string]string, error) {
	content, err := os.ReadFile(localFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, command.Misused(fmt.Sprintf("%s cannot be read: %v", localFile, errors.Unwrap(err)), "")
	}
	variables, err := parseLocal(string(content))
	if err == nil {
		return variables, nil
	}
	// The library does not say where it failed: it is behind the longest beginning that can be read.
	lines := slices.Collect(strings.Lines(string(content)))
	good := len(lines) - 1
	for ; good > 0; good-- {
		if _, err := parseLocal(strings.Join(lines[:good], "")); err == nil {
			break
		}
	}
	return nil, command.Misused(fmt.Sprintf("%s:%d: this line cannot be read", localFile, good+1),
		"each line sets one variable: NAME=value, or NAME=\"value\"; # begins a comment")
}

var (
	variableForm  = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
	errNoVariable = errors.New("this is not a variable")
)

// parseLocal parses variables. The library also takes what no one means: a line without =, a name with a space.
func parseLocal(content string) (map[string]string, error) {
	variables, err := godotenv.Unmarshal(content)
	for name := range variables {
		if !variableForm.MatchString(name) {
			return nil, errNoVariable
		}
	}
	return variables, err
}
