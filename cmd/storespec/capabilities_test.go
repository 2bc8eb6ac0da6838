package main

import (
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/storespec/storespec/internal/run/system"
	"github.com/storespec/storespec/reference"
)

// lacking is a reference server without some capabilities.
type lacking struct {
	http.Handler
	capabilities []system.Capability
}

// serveLacking is the reference server of the design that the first argument names, without the capabilities that the
// others name.
func serveLacking(args []string) int {
	all, err := designsOf("").BuiltIn()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	l := lacking{}
	for _, design := range all {
		if design.Name == args[0] {
			l.capabilities = slices.DeleteFunc(design.Capabilities, func(c system.Capability) bool {
				return !slices.Contains(args[1:], c.Name)
			})
		}
	}
	log := slog.New(slog.NewJSONHandler(os.Stderr, nil))
	if l.Handler, err = reference.Open(args[0], os.Getenv, nil, log); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return listen(l)
}

func (l lacking) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	for _, c := range l.capabilities {
		if c.Name == "idempotency-key" {
			r.Header.Del("Idempotency-Key")
		}
		if c.Shown.MatchString(r.URL.Path) || c.Name == "pages" && r.URL.Path == "/" {
			http.NotFound(w, r)
			return
		}
	}
	l.Handler.ServeHTTP(w, r)
}

// A server that lacks every capability, and says so, keeps the rest. STORESPEC_TEST_LACKING has each
// of them be the only one, which takes minutes.
func TestAServerMayLackWhatItDeclares(t *testing.T) {
	all, err := designsOf("").BuiltIn()
	if err != nil {
		t.Fatal(err)
	}
	for _, design := range all {
		if len(design.Capabilities) == 0 {
			continue
		}
		t.Run(design.Name, func(t *testing.T) { mayLack(t, design) })
	}
}

var keptAndSpared = regexp.MustCompile(`(?m)^\d+ scenarios: [1-9]\d* passed, [1-9]\d* skipped$`)

func mayLack(t *testing.T, design system.System) {
	cases := map[string][]system.Capability{"all": design.Capabilities}
	if os.Getenv("STORESPEC_TEST_LACKING") != "" {
		for _, c := range design.Capabilities {
			cases[c.Name] = []system.Capability{c}
		}
	}
	for name, capabilities := range cases {
		t.Run(name, func(t *testing.T) {
			var lacks []string
			for _, c := range capabilities {
				lacks = append(lacks, c.Name)
			}
			// What else a lacking server does is irrelevant: neither faults nor orders.
			args := []string{"verify", design.Name, "--store", "embedded", "--faults", "none", "--orders", "1",
				"--parallel", "12", "--without", strings.Join(lacks, ","), "--", "lacking-server", design.Name}
			status, said := runPlain(t, "storespec", append(args, lacks...)...)
			if status != 0 || !keptAndSpared.MatchString(said) {
				t.Errorf("status %d:\n%s", status, said)
			}
		})
	}
}
