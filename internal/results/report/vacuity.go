package report

import (
	"fmt"
	"io"

	"github.com/storespec/storespec/internal/prove/vacuity"
)

// Vacuity writes which rules of a system pass on servers that never touch a store, and why.
func Vacuity(w io.Writer, system string, stubs []vacuity.Stub) error {
	text := fmt.Sprintf("%s: rules against servers that never touch a store\n", system)
	for _, stub := range stubs {
		text += fmt.Sprintf("\nstub %s, which %s: %d rules fail, %d pass\n", stub.Name, stub.Description, stub.Failed,
			len(stub.Kept))
		if stub.Unprepared > 0 {
			text += fmt.Sprintf("  %d of those that fail do so because the stub cannot prepare their scenarios\n",
				stub.Unprepared)
		}
		for _, rule := range stub.NotJudged {
			text += fmt.Sprintf("  %s is not judged: ERROR: no scenario of it could be run to its end\n", rule)
		}
		for _, kept := range stub.Kept {
			reason := kept.Reason
			if reason == "" {
				reason = "ERROR: nothing says why"
			}
			text += fmt.Sprintf("  %s passes: %s\n", kept.Rule, reason)
		}
		for _, rule := range stub.Needless {
			text += fmt.Sprintf("  %s fails: ERROR: its description says that it passes\n", rule)
		}
	}
	_, err := io.WriteString(w, text)
	return err
}

// VacuityJSON writes the same as one JSON document, {"system":…,"stubs":[…]}.
func VacuityJSON(w io.Writer, system string, stubs []vacuity.Stub) error {
	return writeJSON(w, map[string]any{"system": system, "stubs": stubs})
}
