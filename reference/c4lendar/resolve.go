package c4lendar

import (
	"regexp"
	"strings"
)

// refForm is a reference as people write it: at least the characters that they were told.
var refForm = regexp.MustCompile(`^(?:EVT-)?([` + crockford + `]{8,26})$`)

// refOf returns the beginning of a uid that a text refers to, in any case, with EVT- or without.
func refOf(text string) (start string, ok bool) {
	found := refForm.FindStringSubmatch(strings.ToUpper(strings.TrimSpace(text)))
	if found == nil {
		return "", false
	}
	return found[1], true
}

// startingWith returns the events that a reference can mean, the newest first.
func startingWith(events []recent, start string) (found []recent) {
	for _, one := range events {
		if strings.HasPrefix(one.BotEventUID, start) {
			found = append(found, one)
		}
	}
	return found
}

// byTitle returns the events whose title contains a text in any case, the newest first; all of them for no text.
func byTitle(events []recent, text string) (found []recent) {
	for _, one := range events {
		if text == "" || one.EventTitle != nil && strings.Contains(folded(*one.EventTitle), folded(text)) {
			found = append(found, one)
		}
	}
	return found
}

// folded removes differences of case, those of a final sigma too.
func folded(text string) string { return strings.ToLower(strings.ToUpper(text)) }
