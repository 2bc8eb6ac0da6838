package verify

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	messages "github.com/cucumber/messages/go/v34"
)

// stubs returns the servers that a rule may declare it passes on; package vacuity runs them.
func stubs() []string { return []string{"200", "403", "404", "recording"} }

var vacuousLine = regexp.MustCompile(`^Passes on the stub (\S+):\s*(.*)$`)

// vacuous reads why a rule may pass on stubs, from lines of its description such as "Passes on the stub 403: it is
// about refusals".
func vacuous(file string, rule *messages.Rule) (map[string]string, error) {
	found := map[string]string{}
	for line := range strings.Lines(rule.Description) {
		m := vacuousLine.FindStringSubmatch(strings.TrimSpace(line))
		if m == nil {
			continue
		}
		stub, reason := m[1], m[2]
		wrong := ""
		switch {
		case !slices.Contains(stubs(), stub):
			wrong = fmt.Sprintf("the rule names the stub %s; there are %s", stub, strings.Join(stubs(), ", "))
		case reason == "":
			wrong = "the rule does not say why it passes on the stub " + stub
		case found[stub] != "":
			wrong = "the rule says twice why it passes on the stub " + stub
		}
		if wrong != "" {
			return nil, refuse(file, rule.Location, "%s", wrong)
		}
		found[stub] = reason
	}
	return found, nil
}
