package namespace

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/storespec/storespec/internal/emulator/engine"
	emulated "github.com/storespec/storespec/internal/emulator/kv"
	"github.com/storespec/storespec/internal/store"
)

const realToken = "real-t0ken"

// cloudflare is an account with one namespace, by the emulator's REST API.
func cloudflare(t *testing.T) (api string, id identity, ns *emulated.Namespace) {
	t.Helper()
	e, err := engine.Open(engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	id = identity{account: "acc", namespace: strings.Repeat("0", 31) + "7", token: realToken}
	service := emulated.New(emulated.Options{Engine: e, Account: id.account, Token: id.token, Log: t.Logf})
	if ns, err = service.Add(id.namespace, "Tests"); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(service.Handler("none"))
	t.Cleanup(func() {
		server.Close()
		_ = e.Close()
	})
	t.Setenv(VariableBase, server.URL+"/client/v4")
	t.Setenv(VariableAccount, id.account)
	t.Setenv(VariableToken, id.token)
	t.Setenv(VariableNamespace, id.namespace)
	return server.URL + "/client/v4", id, ns
}

func put(t *testing.T, ns *emulated.Namespace, key, value string) {
	t.Helper()
	if err := ns.Lay(key, emulated.Entry{Value: []byte(value)}); err != nil {
		t.Fatal(err)
	}
}

func value(t *testing.T, ns *emulated.Namespace, key string) string {
	t.Helper()
	e, err := ns.Peek(key)
	if err != nil {
		t.Fatal(err)
	}
	if e == nil {
		return "nothing"
	}
	return string(e.Value)
}

func TestAccountConforms(t *testing.T) {
	_, id, ns := cloudflare(t)
	put(t, ns, LeaseKey, "yes")
	put(t, ns, "a user's", "v")
	opts := store.Options{Name: "account", Confirm: id.namespace, Lanes: 4, Cold: 1}
	s, err := store.Open(t.Context(), []store.Kind{Kind{}}, opts)
	if err != nil {
		t.Fatal(err)
	}
	if got := value(t, ns, "a user's"); got != "v" {
		t.Errorf("opening has deleted a key: %q", got)
	}
	conformAll(t, s, false, 1)
	t.Run("what a target sees", func(t *testing.T) {
		l := leased(t, s)
		defer l.Release()
		r := through(t, l)
		for name, got := range r.values {
			if strings.Contains(got, realToken) {
				t.Errorf("the target's %s has the real token in it", name)
			}
		}
		r.want(401, "GET", r.rest("/values/k"), "", "Authorization", "Bearer "+realToken)
		if _, got := r.want(501, "GET", r.binding("/k"), ""); !strings.Contains(got, "--store workerd") {
			t.Error(got)
		}
		if l.Simulation() != nil {
			t.Error("it has a clock")
		}
	})
	if _, err := s.LeaseCold(t.Context()); !errors.Is(err, store.ErrNeverCold) {
		t.Errorf("cold: %v", err)
	}
	var held lease
	if err := json.Unmarshal([]byte(value(t, ns, LeaseKey)), &held); err != nil ||
		time.Until(held.Until) < time.Minute {
		t.Errorf("%+v, %v", held, err)
	}
	if _, err := store.Open(t.Context(), []store.Kind{Kind{}}, opts); !errors.Is(err, store.ErrUnavailable) ||
		!strings.Contains(err.Error(), "in use by another run") {
		t.Errorf("a second run: %v", err)
	}
	if err := s.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
	if got := value(t, ns, LeaseKey); got != "free" {
		t.Errorf("after the run the key is %q", got)
	}
}

func TestAccountsThatCannotBeOpened(t *testing.T) {
	api, id, ns := cloudflare(t)
	without := func(name string) func(*testing.T) {
		return func(t *testing.T) { t.Helper(); t.Setenv(name, "") }
	}
	for _, c := range []struct {
		name, confirm, want string
		prepare             func(*testing.T)
	}{
		{"no token", id.namespace, VariableToken + " not set", without(VariableToken)},
		{"nothing named", id.namespace, VariableAccount + ", " + VariableNamespace + " not set", func(t *testing.T) {
			without(VariableAccount)(t)
			without(VariableNamespace)(t)
		}},
		{"not confirmed", "", "--confirm " + id.namespace, nil},
		{"another confirmed", "other", "--confirm " + id.namespace, nil},
		{"no lease key", id.namespace, "kv key put --remote --namespace-id " + id.namespace + " " + LeaseKey, nil},
		{"wrong token", id.namespace, "may not read namespace", func(t *testing.T) {
			t.Setenv(VariableToken, "wrong")
		}},
		{"other namespace", "other", "there is no namespace other in account acc", func(t *testing.T) {
			t.Setenv(VariableNamespace, "other")
		}},
		{"no address", id.namespace, VariableBase + " is not an address", func(t *testing.T) {
			t.Setenv(VariableBase, "cloudflare.example")
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.prepare != nil {
				c.prepare(t)
			}
			put(t, ns, "k", "v")
			_, err := store.Open(t.Context(), []store.Kind{Kind{}}, store.Options{Name: "account", Confirm: c.confirm})
			if !errors.Is(err, store.ErrUnavailable) || !strings.Contains(err.Error(), c.want) ||
				strings.Contains(err.Error(), realToken) {
				t.Errorf("error %v", err)
			}
			if got := value(t, ns, "k"); got != "v" {
				t.Errorf("a key was deleted: %q", got)
			}
		})
	}
	if api == "" {
		t.Error("no address")
	}
}

// A run that has ended without notice blocks the namespace until its lease ends; one whose lease was taken stops.
func TestLeases(t *testing.T) {
	api, id, ns := cloudflare(t)
	text := func(run string, in time.Duration) string {
		content, _ := json.Marshal(lease{run, time.Now().Add(in)})
		return string(content)
	}
	put(t, ns, LeaseKey, text("crashed", -time.Second))
	s, err := openAccountAt(t.Context(), api, id, store.Options{Name: "account", Confirm: id.namespace,
		Entropy: strings.NewReader(strings.Repeat("e", 99))})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Broken(); err != nil {
		t.Error(err)
	}
	keys := &remote{api: api, id: id, client: http.DefaultClient, keep: LeaseKey}
	h := &hold{keys: keys, run: "mine", until: time.Now().Add(time.Minute)}
	put(t, ns, LeaseKey, text("other", time.Minute))
	if err := h.still(t.Context()); err == nil {
		t.Error("the lease was taken unnoticed")
	}
	if err := h.lost(); !errors.Is(err, store.ErrUnavailable) || !strings.Contains(err.Error(), "another run") {
		t.Errorf("lost: %v", err)
	}
	if err := s.Close(context.Background()); err != nil {
		t.Error(err)
	}
	if got := value(t, ns, LeaseKey); !strings.Contains(got, "other") {
		t.Errorf("the other run's lease is gone: %q", got)
	}
}
