package watch

import (
	"strings"
	"unicode"

	"github.com/storespec/storespec/internal/wire"
	"github.com/storespec/storespec/steps"
)

// clean makes a text of the program's fit to be shown: without e-mails, and without what a terminal obeys, which blob names
// may hold.
func clean(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return '·'
	}, text)
	return steps.ScrubEmails(text)
}

// cleaned is a call whose texts are fit to be shown.
func cleaned(call wire.Call) wire.Call {
	for _, text := range []*string{&call.Resource, &call.Partition, &call.Row, &call.Blob, &call.Filter, &call.Prefix, &call.Conditional} {
		*text = clean(*text)
	}
	inner := call.Inner
	call.Inner = nil
	for _, one := range inner {
		call.Inner = append(call.Inner, cleaned(one))
	}
	return call
}
