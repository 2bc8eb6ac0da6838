package report

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/storespec/storespec/internal/host/shell"
	"github.com/storespec/storespec/internal/results/events"
	"github.com/storespec/storespec/internal/scenario"
	"github.com/storespec/storespec/internal/scenario/cases"
	"github.com/storespec/storespec/internal/verify"
)

// byHand shows how to send the request that failed again.
func (t *text) byHand(result verify.ScenarioResult, request scenario.Exchange) {
	t.line(2, "by hand: %s", curl(t.run, request, result.Script))
	switch {
	case result.Script == "" && request.Body == scenario.LeftOut:
		t.line(2, "its body is too long to show here: --by-hand DIR writes it to a file")
	case result.Script != "":
		t.line(2, "with its rows and a server: sh %s", shell.Word(result.Script))
	}
}

// curl returns a command that repeats a request, to a server in $SERVER. The reader must set variables for sessions and
// other confidential values. A body that reports leave out is in a file beside the script, if there is one.
func curl(run events.Run, r scenario.Exchange, script string) string {
	header := slices.Concat(r.Caller, r.Set)
	if r.Type != "" {
		header = append(header, "Content-Type: "+r.Type)
	}
	if own := r.Own; own != nil {
		r.Method, r.Path, r.Query, r.Body, header = own.Method, own.Path, own.Query, own.Body, own.Header
	}
	words := []string{"curl -i"}
	if strings.ContainsAny(r.Path, "[]{}") {
		words = append(words, "-g") // otherwise curl expands them into several addresses
	}
	words = append(words, "-X", shell.Word(r.Method))
	if run.Asked.Started == "url" {
		words = append(words, toFillIn(run.Result.Target+r.Path, r.Query, r.Person))
	} else {
		words = append(words, `"$SERVER"`+toFillIn(r.Path, r.Query, r.Person))
	}
	for _, line := range header {
		words = append(words, "-H", toFillIn("", line, r.Person))
	}
	switch file, is := strings.CutSuffix(script, ".sh"); {
	case r.Body == scenario.LeftOut && is:
		words = append(words, "--data-binary", shell.Word("@"+file+".body"))
	case r.Body != "":
		words = append(words, "-d", toFillIn("", r.Body, r.Person))
	}
	return strings.Join(words, " ")
}

var (
	// braced matches what a reader fills in, such as {session}, and a character that is repeated, such as {1000×a}.
	braced    = regexp.MustCompile(`\{(?:([\pL_][\w-]*)|(\d+)×([^{}]))\}`)
	notInName = regexp.MustCompile(`\W`)
)

// toFillIn returns two texts as one shell word. In the second, variables are in place of what is in braces, such as
// 'x-session-id: '"$SESSION_OF_ANA", and commands in place of repeated characters.
func toFillIn(plain, text, person string) string {
	word, from := "", 0
	for _, at := range braced.FindAllStringSubmatchIndex(text, -1) {
		if before := plain + text[from:at[0]]; before != "" {
			word += shell.Word(before)
		}
		plain, from = "", at[1]
		if at[2] < 0 {
			word += fmt.Sprintf(`"$(head -c %s /dev/zero | tr '\0' %s)"`, text[at[4]:at[5]],
				shell.Word(text[at[6]:at[7]]))
			continue
		}
		word += `"$` + notInName.ReplaceAllString(strings.ToUpper(text[at[2]:at[3]]+"_of_"+person), "_") + `"`
	}
	if after := plain + text[from:]; after != "" || word == "" {
		word += shell.Word(after)
	}
	return word
}

// replayCommand returns a command to paste that runs one case again.
func replayCommand(run events.Run, c cases.BrokenCase) string {
	words := append([]string{"storespec", "verify", run.System, "--replay", c.Replay}, run.Asked.Flags...)
	if len(run.Asked.Command) > 0 {
		words = append(append(words, "--"), run.Asked.Command...)
	}
	return shell.Command(words)
}
