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
	wrong, err := NotJSON(text[from:])
	if err == nil {
		return nil
	}
	return &TextError{utf8.RuneCountInString(text[:from+wrong]), err}
}

// NotJSON returns where a text, which may have placeholders and something behind it, stops being a JSON value, in bytes
// from its start, and why; nil if it does not.
func NotJSON(text string) (at int, err error) {
	decoder := json.NewDecoder(strings.NewReader(unquoted.ReplaceAllStringFunc(text, digits)))
	var value json.RawMessage
	err = decoder.Decode(&value)
	malformed := (*json.SyntaxError)(nil)
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return len(text), errors.New("the JSON ends too early")
	case errors.As(err, &malformed):
		return max(0, int(malformed.Offset)-1), errors.New("the JSON is malformed: " + err.Error())
	}
	return 0, nil
}

// digits stands for a placeholder in JSON, in quotes or not, and is as long.
func digits(placeholder string) string { return strings.Repeat("1", len(placeholder)) }
