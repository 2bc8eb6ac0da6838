package steps

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/cucumber/godog"
)

func hostileSteps() []Step {
	return []Step{
		{`(\w+) is refused each of these, and nothing is written`, "Then Ana is refused each of these, and nothing is written\n| what | request | body | answer |\n| a name of 61 letters | POST /api/group/create | {\"groupName\":\"{61×a}\"} | 400 bad_request |",
			func(w *World) any { return w.refused }},
	}
}

// A text that a feature file cannot hold as it is: {61×a} is a text so many times, {byte ff} a byte.
var (
	repeated = regexp.MustCompile(`\{(\d+)×([^{}]+)\}`)
	rawByte  = regexp.MustCompile(`\{byte ([0-9a-f]{2})\}`)
)

// unfold writes out repeated texts and raw bytes.
func unfold(text string) (string, error) {
	text = rawByte.ReplaceAllStringFunc(text, func(match string) string {
		value, err := strconv.ParseUint(rawByte.FindStringSubmatch(match)[1], 16, 8)
		if err != nil {
			return match // the pattern leaves two hex digits only
		}
		return string([]byte{byte(value)})
	})
	var failed error
	text = repeated.ReplaceAllStringFunc(text, func(match string) string {
		parts := repeated.FindStringSubmatch(match)
		count, err := strconv.Atoi(parts[1])
		if err != nil || count > maxAnswer/len(parts[2]) {
			failed = fmt.Errorf("%s times a text is more than a request may hold here", parts[1])
			return ""
		}
		return strings.Repeat(parts[2], count)
	})
	return text, failed
}

// refused sends each request of a table and compares each answer: all that differ are told, each by what it is.
func (w *World) refused(name string, table *godog.Table) error {
	if len(table.Rows) < 2 || len(table.Rows[0].Cells) != 4 {
		return fmt.Errorf("the table needs the columns what, request, body and answer, and a row")
	}
	first := len(w.exchanges)
	var broken []error
	for _, row := range table.Rows[1:] {
		if err := w.refuses(name, row.Cells[1].Value, row.Cells[2].Value, row.Cells[3].Value); err != nil {
			broken = append(broken, fmt.Errorf("%s: %w", row.Cells[0].Value, err))
			if _, given := errors.AsType[*UnresponsiveError](err); given {
				break // each further row would be waited for in vain
			}
		}
	}
	if err := w.settle(); err != nil {
		return err
	}
	for _, e := range w.exchanges[first:] {
		broken = append(broken, e.wrote(e.calls()))
	}
	return errors.Join(broken...)
}

func (w *World) refuses(name, request, body, answer string) error {
	method, path, _ := strings.Cut(request, " ")
	if err := w.writeOut(&body); err != nil {
		return err
	}
	path, err := w.address(path)
	if err != nil {
		return err
	}
	if path, err = unfold(path); err != nil {
		return err
	}
	status, code, _ := strings.Cut(answer, " ")
	number, err := strconv.Atoi(status)
	if err != nil {
		return fmt.Errorf("the answer %q is not like 400 bad_request", answer)
	}
	e, err := w.send(w.caller(name), method, path, body)
	if err != nil {
		return err
	}
	return e.is(number, code)
}
