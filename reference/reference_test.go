package reference

import (
	"errors"
	"log/slog"
	"regexp"
	"strings"
	"testing"
)

func TestOpen(t *testing.T) {
	log := slog.New(slog.DiscardHandler)
	if _, err := Open("nope", func(string) string { return "" }, nil, log); !errors.Is(err, ErrUnknownSystem) ||
		!strings.Contains(err.Error(), Names()[0]) {
		t.Errorf("unknown system: %v", err)
	}
	for _, name := range Names() {
		_, err := Open(name, func(string) string { return "" }, nil, log)
		if err == nil || errors.Is(err, ErrUnknownSystem) || !strings.Contains(err.Error(), "is not set") {
			t.Errorf("%s without its environment: %v", name, err)
		}
		_, err = Open(name, func(string) string { return "3" }, nil, log) // no connection string
		if err == nil {
			t.Errorf("%s with a malformed environment opens", name)
		}
	}
}

func TestNewID(t *testing.T) {
	form := regexp.MustCompile(`^[A-Za-z0-9_-]{32}$`)
	if a, b := newID(), newID(); a == b || !form.MatchString(a) {
		t.Errorf("%q, %q", a, b)
	}
}
