package report

import (
	"fmt"
	"strings"

	"github.com/storespec/storespec/internal/events"
	"github.com/storespec/storespec/internal/shell"
	"github.com/storespec/storespec/steps"
)

// curl is a command that sends a request once more, to a server in $SERVER. Sessions and what else is confidential are
// for the reader to fill in.
func curl(run events.Run, r steps.Exchange) string {
	server := "$SERVER"
	if run.Asked.Started == "url" {
		server = run.Result.Target
	}
	command := fmt.Sprintf(`curl -i -X %s "%s%s"`, r.Method, server, r.Path+r.Query)
	if r.Session != "" {
		command += fmt.Sprintf(` -H "%s: $SESSION_OF_%s"`, r.Session, strings.ToUpper(r.Person))
	}
	if r.Body != "" {
		command += " -H 'Content-Type: application/json' -d " + shell.Word(r.Body)
	}
	return command
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
