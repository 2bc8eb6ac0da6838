package main

import (
	"bytes"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/storespec/storespec/internal/host/command"
)

// In help, every flag that takes a value names it: a type of Go says nothing about what to write there.
func TestEveryFlagNamesItsValue(t *testing.T) {
	named := regexp.MustCompile(`^('Name: value'|[A-Z][A-Z=:/]*)$`)
	unset := func(string) (string, bool) { return "", false }
	root := (&app{Env: command.Env{Stdout: io.Discard, Stderr: io.Discard, LookupEnv: unset}}).root()
	seen := 0
	var visit func(*cobra.Command)
	visit = func(cmd *cobra.Command) {
		cmd.Flags().VisitAll(func(flag *pflag.Flag) {
			value, _ := pflag.UnquoteUsage(flag)
			if seen++; flag.Value.Type() == "bool" && value == "" {
				return
			}
			if !named.MatchString(value) {
				t.Errorf("%s --%s shows its value as %q", cmd.CommandPath(), flag.Name, value)
			}
		})
		for _, sub := range cmd.Commands() {
			if cmd.Name() != "completion" { // cobra's own
				visit(sub)
			}
		}
	}
	visit(root)
	if seen < 100 {
		t.Errorf("only %d flags were seen", seen)
	}
}

func TestArgumentsThatAreNotUnderstood(t *testing.T) {
	const verify = "storespec verify SYSTEM... [flags] [--url URL | -- COMMAND...]; see --help"
	for _, test := range []struct{ args, message, hint string }{
		{"verify familyscheduler --parallel x", `invalid --parallel "x": want a whole number`, verify},
		{"verify familyscheduler --parallel 99999999999999999999",
			`invalid --parallel "99999999999999999999": want a number that fits 64 bits`, verify},
		{"verify familyscheduler --seed -1", `invalid --seed "-1": want a whole number, 0 or more`, verify},
		{"verify familyscheduler --tls=x", `invalid --tls "x": want true or false`, verify},
		{"verify familyscheduler --budget-time 3", `invalid --budget-time "3": want a duration such as 250ms or 3m`,
			verify},
		{"explore familyscheduler --minutes x", `invalid --minutes "x": want a number`,
			"storespec explore SYSTEM [flags] [--url URL | -- COMMAND...]; see --help"},
		{`verify familyscheduler --without a"b`, `invalid --without "a\"b": want a list such as one,two`, verify},
		{"verify familyscheduler --faults sometimes", `invalid --faults "sometimes": want none, default or full`, ""},
		{"verify familyscheduler --faults ful", `invalid --faults "ful": want none, default or full`,
			"did you mean full?"},
		{"verify familyscheduler --budgets ignore", `invalid --budgets "ignore": want warn or fail`, ""},
		{"trace --fail-on n+2 -- true", `invalid --fail-on "n+2": want scan or n+1`, "did you mean n+1?"},
		{"verify --url", "--url needs a value: --url URL", verify},
		{"verify --pararel 2", "unknown flag --pararel", "did you mean --parallel?"},
		{"verify -parallel 2", "unknown flag -parallel", "did you mean --parallel?"},
		{"verify -x", "unknown flag -x", verify},
		{"verify --=x", "bad flag syntax: --=x", verify},
		{"verfy --faults none", `unknown command "storespec verfy"`, "did you mean storespec verify?"},
		{"frobnicate", `unknown command "storespec frobnicate"`, "storespec --help lists commands and flags"},
		{"actions lod --url x", `unknown command "storespec actions lod"`, "did you mean storespec actions load?"},
		{"completion bsh", `unknown command "storespec completion bsh"`, "did you mean storespec completion bash?"},
		{"compare a", "NEW is missing", "storespec compare OLD NEW [flags]; see --help"},
		{"report", "FILE.ndjson... is missing", "storespec report FILE.ndjson... [flags]; see --help"},
		{"emulate x", `storespec emulate does not take the argument "x"`,
			"storespec emulate [flags]; see --help"},
		{"verify familyschedular", `unknown system "familyschedular"`, "did you mean familyscheduler?"},
		{"vacuity action", `unknown system "action"`, "did you mean actions?"},
	} {
		var stdout, stderr bytes.Buffer
		status := run(strings.Fields(test.args), &stdout, &stderr)
		want := "storespec: " + test.message + "\n"
		if test.hint != "" {
			want += "hint: " + test.hint + "\n"
		}
		if got := stderr.String(); status != command.StatusUsage || got != want || stdout.Len() > 0 {
			t.Errorf("storespec %s: status %d\n%s%swant status 2 and\n%s", test.args, status, stdout.String(),
				got, want)
		}
	}
}
