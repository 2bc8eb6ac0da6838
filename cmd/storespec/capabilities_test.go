package main

import (
	"context"
	"crypto/rand"
	"io"
	"log/slog"
	"net/http"
	"os"
	"slices"
	"testing"

	"github.com/storespec/storespec/internal/proof"
	"github.com/storespec/storespec/internal/store"
	"github.com/storespec/storespec/internal/stores"
	"github.com/storespec/storespec/internal/system"
	"github.com/storespec/storespec/internal/target"
	"github.com/storespec/storespec/internal/verify"
	"github.com/storespec/storespec/reference"
)

// lacking is the reference server without some capabilities.
type lacking struct {
	target.Handler
	capabilities []system.Capability
}

func (l lacking) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	r.Header.Del("Idempotency-Key")
	for _, c := range l.capabilities {
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
	all, err := shipped()
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

func mayLack(t *testing.T, design system.System) {
	loaded, err := catalogues([]system.System{design}, "")
	if err != nil {
		t.Fatal(err)
	}
	opened, err := stores.OpenFirst(t.Context(), design.Store, store.Options{Lanes: 4, Cold: coldNamespaces})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := opened.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	cases := map[string][]system.Capability{"all": design.Capabilities}
	if os.Getenv("STORESPEC_TEST_LACKING") != "" {
		for _, c := range design.Capabilities {
			cases[c.Name] = []system.Capability{c}
		}
	}
	for name, capabilities := range cases {
		t.Run(name, func(t *testing.T) {
			without := []string{"idempotency-key"} // lacking never looks at it
			for _, c := range capabilities {
				without = append(without, c.Name)
			}
			result, err := verify.Run(t.Context(), verify.Options{
				Catalogue: loaded[0], System: design, Store: opened, Lanes: 2, Secret: rand.Text(), Without: without,
				Proofs: proof.Proofs{Faults: proof.NoFaults, Orders: 1}, // what else a lacking server does is no matter
				Target: target.Reference("lacking",
					func(getenv func(string) string, storage http.RoundTripper, log io.Writer) (target.Handler, error) {
						handler, err := reference.Open(design.Name, getenv, storage,
							slog.New(slog.NewJSONHandler(log, nil)))
						return lacking{handler, capabilities}, err
					}),
			})
			if err != nil {
				t.Fatal(err)
			}
			for _, rule := range result.Rules {
				for _, s := range rule.Results {
					if !slices.Contains([]verify.Outcome{verify.Passed, verify.Skipped}, s.Outcome) {
						t.Errorf("%s:%d %s: %s", s.File, s.Line, s.Name, s.Reason)
					}
				}
			}
			if counts := result.ScenarioCounts(); counts[verify.Passed] == 0 || counts[verify.Skipped] == 0 {
				t.Errorf("scenarios: %v", counts)
			}
		})
	}
}
