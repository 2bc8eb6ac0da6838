package scenario

import (
	"encoding/json"
	"errors"
	"io"
	"regexp"
	"strings"
	"unicode/utf8"
)

var (
	requestWithJSON = regexp.MustCompile(`\b` + MethodAndPath + ` (\{ *["}])`)
	unquoted        = regexp.MustCompile(`\{[A-Za-z][\w.]*\}|\{\d+×[^{}]+\}|<[^<>\s]+>`)
)

// malformedJSON returns a *[TextError] for a request whose JSON ends too early or is malformed; nil if the text has no
// request with JSON, or one with JSON that can be read.
func malformedJSON(text string) error {
	at := requestWithJSON.FindStringSubmatchIndex(text)
	if at == nil {
		return nil
	}
	from := at[6] // of the third group
	decoder := json.NewDecoder(strings.NewReader(unquoted.ReplaceAllStringFunc(text[from:], digits)))
	var value json.RawMessage
	err := decoder.Decode(&value)
	malformed := (*json.SyntaxError)(nil)
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return &TextError{utf8.RuneCountInString(text), errors.New("the JSON ends too early")}
	case errors.As(err, &malformed):
		before := from + max(0, int(malformed.Offset)-1)
		return &TextError{utf8.RuneCountInString(text[:before]), errors.New("the JSON is malformed: " + err.Error())}
	}
	return nil
}

// digits stands for a placeholder in JSON, in quotes or not, and is as long.
func digits(placeholder string) string { return strings.Repeat("1", len(placeholder)) }
