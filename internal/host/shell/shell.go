// Package shell writes words of a command for a user to type or paste.
package shell

import (
	"regexp"
	"strconv"
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

// Mask stands for what is confidential in a command. Command makes it a variable to be set by the person who
// runs the command.
const Mask = "…"

var (
	lastName = regexp.MustCompile(`([A-Za-z][\w.-]*)\W*$`) // what a masked value is called
	notName  = regexp.MustCompile(`\W`)
)

// Command returns words as a command to paste into a POSIX shell. In place of each Mask is a variable called like what
// was masked, such as TOKEN for --token=…, and the shell runs nothing as long as that is not set.
func Command(words []string) string {
	var b strings.Builder
	named := map[string]int{}
	for i, word := range words {
		if i > 0 {
			b.WriteByte(' ')
		}
		parts := strings.Split(word, Mask)
		for j, part := range parts {
			if part != "" || len(parts) == 1 {
				b.WriteString(Word(part))
			}
			if j == len(parts)-1 {
				break
			}
			if part == "" && j == 0 && i > 0 && strings.HasPrefix(words[i-1], "-") {
				part = words[i-1]
			}
			b.WriteString(`"${` + variable(part, named) + `:?}"`)
		}
	}
	return b.String()
}

// variable returns the name of a variable for what stands behind a text. The second of a name gets a number.
func variable(before string, named map[string]int) string {
	name := "SECRET"
	if m := lastName.FindStringSubmatch(before); m != nil {
		name = notName.ReplaceAllString(strings.ToUpper(m[1]), "_")
	}
	if named[name]++; named[name] > 1 {
		name += "_" + strconv.Itoa(named[name])
	}
	return name
}

// confiding is a name whose value may be confidential: by a part of it, by one of its words, by its end, or as a whole.
const confiding = `(?:[\w.-]*(?:secret|token|passw|passphrase|pwd|credential|signature|authorization|cookie)[\w.-]*` +
	`|(?:[\w.-]*[_.-])?(?:keys?|pass|auth|dsn|conn|connstr|connections?|connectionstrings?|sas|jwts?|salt|pin)` +
	`(?:[_.-][\w.-]*)?` +
	`|[\w.-]*(?:key|pass|auth|dsn|connection|connection[-_.]?string)|sig|code)`

var confidingName = regexp.MustCompile(`(?i)^` + confiding + `$`)

// Confidential reports whether the value of a variable may be confidential, by the variable's name.
func Confidential(name string) bool { return confidingName.MatchString(name) }

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
