package report

import (
	"regexp"
	"strings"

	"github.com/storespec/storespec/internal/events"
	"github.com/storespec/storespec/internal/shell"
	"github.com/storespec/storespec/steps"
)

// curl is a command that sends a request once more, to a server in $SERVER. Sessions and what else is confidential are
// for the reader to fill in.
func curl(run events.Run, r steps.Exchange) string {
	words := []string{"curl -i"}
	if strings.ContainsAny(r.Path, "[]{}") {
		words = append(words, "-g") // curl reads them as several addresses
	}
	words = append(words, "-X", shell.Word(r.Method))
	if run.Asked.Started == "url" {
		words = append(words, shell.Word(run.Result.Target+r.Path+r.Query))
	} else {
		words = append(words, `"$SERVER"`+shell.Word(r.Path+r.Query))
	}
	for _, header := range r.Caller {
		words = append(words, "-H", toFillIn(header, r.Person))
	}
	if r.Type != "" {
		words = append(words, "-H", shell.Word("Content-Type: "+r.Type))
	}
	if r.Body != "" {
		words = append(words, "-d", shell.Word(r.Body))
	}
	return strings.Join(words, " ")
}

var (
	braced    = regexp.MustCompile(`\{(\w+)\}`)
	notInName = regexp.MustCompile(`\W`)
)

// toFillIn is a header as a word of a shell, with variables in place of what stands in braces, such as
// 'x-session-id: '"$SESSION_OF_ANA".
func toFillIn(header, person string) string {
	word, from := "", 0
	for _, at := range braced.FindAllStringSubmatchIndex(header, -1) {
		variable := notInName.ReplaceAllString(strings.ToUpper(header[at[2]:at[3]]+"_of_"+person), "_")
		word += shell.Word(header[from:at[0]]) + `"$` + variable + `"`
		from = at[1]
	}
	if from < len(header) {
		word += shell.Word(header[from:])
	}
	return word
}

// replayCommand is a command that runs one case again.
func replayCommand(run events.Run, c steps.BrokenCase) string {
	words := append([]string{"storespec", "verify", run.System, "--replay", c.Replay}, run.Asked.Flags...)
	if len(run.Asked.Command) > 0 {
		words = append(append(words, "--"), run.Asked.Command...)
	}
	for i, word := range words {
		words[i] = shell.Word(word)
	}
	return strings.Join(words, " ")
}
