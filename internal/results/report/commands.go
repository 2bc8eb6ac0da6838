package report

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/storespec/storespec/internal/host/shell"
	"github.com/storespec/storespec/internal/scenario"
	"github.com/storespec/storespec/internal/scenario/cases"
)

// curl returns a command that repeats a request, to a server in $SERVER. The reader must set variables for sessions and
// other confidential values. A body that reports leave out is in a file next to the script, if there is one.
func (r *Run) curl(sent scenario.Exchange, script string) string {
	header := slices.Concat(sent.Caller, sent.Set)
	if sent.Type != "" {
		header = append(header, "Content-Type: "+sent.Type)
	}
	if own := sent.Own; own != nil {
		sent.Method, sent.Path, sent.Query, sent.Body, header = own.Method, own.Path, own.Query, own.Body, own.Header
	}
	words := []string{"curl -i"}
	if strings.ContainsAny(sent.Path, "[]{}") {
		words = append(words, "-g") // otherwise curl expands them into several addresses
	}
	words = append(words, "-X", shell.Word(sent.Method))
	if r.Asked.Started == "url" {
		words = append(words, toFillIn(r.Result.Target+sent.Path, sent.Query, sent.Person))
	} else {
		words = append(words, `"$SERVER"`+toFillIn(sent.Path, sent.Query, sent.Person))
	}
	for _, line := range header {
		words = append(words, "-H", toFillIn("", line, sent.Person))
	}
	switch file, is := strings.CutSuffix(script, ".sh"); {
	case sent.Body == scenario.LeftOut && is:
		words = append(words, "--data-binary", shell.Word("@"+file+".body"))
	case sent.Body != "":
		words = append(words, "-d", toFillIn("", sent.Body, sent.Person))
	}
	return strings.Join(words, " ")
}

var (
	// braced matches what a reader fills in, such as {session}, and a character that is repeated, such as {1000×a}.
	braced    = regexp.MustCompile(`\{(?:([\pL_][\w-]*)|(\d+)×([^{}]))\}`)
	notInName = regexp.MustCompile(`\W`)
)

// toFillIn returns two texts as one shell word. In the second, variables replace what is in braces, such as
// 'x-session-id: '"$SESSION_OF_ANA", and commands replace repeated characters.
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
func (r *Run) replayCommand(c cases.BrokenCase) string {
	return again([]string{"storespec", "verify", r.System, "--replay", c.Replay}, r.Asked.Flags, r.Asked.Command)
}

// again returns a command of storespec with its flags and, if there is one, the command of the server.
func again(words, flags, server []string) string {
	words = slices.Concat(words, flags)
	if len(server) > 0 {
		words = append(append(words, "--"), server...)
	}
	return shell.Command(words)
}
