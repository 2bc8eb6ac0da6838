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

// Mask stands for what is confidential in a command. Who runs it again fills it in.
const Mask = "…"

// confiding is a name whose value may be confidential: by a part of it, by its end, or as a whole.
const confiding = `(?:[\w.-]*(?:secret|token|passw|passphrase|pwd|credential|signature|authorization|cookie)[\w.-]*` +
	`|[\w.-]*(?:key|connection|connection[-_.]?string)|sas|sig|code)`

var (
	namedFlag = regexp.MustCompile(`(?i)^--?` + confiding + `$`) // its value is the next word
	// a flag or a variable with its value, a word alone
	named = regexp.MustCompile(`(?i)^((?:--?)?` + confiding + `=)\S+$`)
	// within is a name and a value in a longer text: a connection string, an address, JSON, a header, a command.
	within = regexp.MustCompile(`(?i)(\b` + confiding +
		`\b["']?\s*[=:]\s*(?:(?:Bearer|Basic|SharedKey|SharedKeyLite)\s+)?)(?:"[^"]*"|'[^']*'|[^\s;&"',}]+)`)
	flagIn = regexp.MustCompile(`(?i)((?:^|\s)--?` + confiding + `\s+)(?:"[^"]*"|'[^']*'|[^\s;&"'-][^\s;&"']*)`)
	user   = regexp.MustCompile(`(\w://)(?:[^\s/:@]*:[^\s"']*|[^\s/@]+)@`)
	eMail  = regexp.MustCompile(`[\w.+-]+@(?:[\w-]+\.)+[A-Za-z]{2,}`)
)

// Masked is the words of a command, as a report may repeat them: without the values of what by its name is a key, a
// secret, a token, a password or a connection string, without the user of an address, and without e-mails. A secret
// that stands there under no such name stays.
func Masked(words []string) []string {
	masked := make([]string, len(words))
	for i, word := range words {
		switch {
		case i > 0 && namedFlag.MatchString(words[i-1]) && !strings.HasPrefix(word, "-"):
			masked[i] = Mask
		case named.MatchString(word):
			masked[i] = named.ReplaceAllString(word, "${1}"+Mask)
		default:
			masked[i] = MaskedText(word)
		}
	}
	return masked
}

// MaskedText is a text that may repeat a command, without the same.
func MaskedText(text string) string {
	text = user.ReplaceAllString(text, "${1}"+Mask+"@")
	text = within.ReplaceAllString(text, "${1}"+Mask)
	text = flagIn.ReplaceAllString(text, "${1}"+Mask)
	return eMail.ReplaceAllString(text, Mask)
}
