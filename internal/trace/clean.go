package trace

import (
	"strings"
	"unicode"

	"github.com/storespec/storespec/internal/run/lane"
)

// clean makes a text of the program's safe to show: without e-mails, and without terminal control characters, which
// blob names may contain.
func clean(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return '·'
	}, text)
	return lane.ScrubEmails(text)
}
