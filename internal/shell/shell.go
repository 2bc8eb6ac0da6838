// Package shell writes words of a command that somebody is to type, or to paste.
package shell

import (
	"regexp"
	"strings"
)

// plain is a word that no shell reads as anything else.
var plain = regexp.MustCompile(`^[\pL\pN_./:,@%+-][\pL\pN_./:=,@%+-]*$`)

// Word is a text as one word of a POSIX shell: as it stands where that is enough, else in quotes.
func Word(text string) string {
	if plain.MatchString(text) {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
