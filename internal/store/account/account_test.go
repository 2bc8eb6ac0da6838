package account

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/storespec/storespec/internal/store"
)

// Azurite plays the real account: it takes the same signatures, in path style and in host style.
func TestAccountConforms(t *testing.T) {
	needNode(t)
	azurite := openStore(t, store.Options{Name: "azurite", Lanes: 1, Cold: 2})
	for _, style := range []struct {
		name string
		host bool
	}{{"path style", false}, {"host style", true}} {
		t.Run(style.name, func(t *testing.T) {
			cold, err := azurite.LeaseCold(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			connection := cold.Direct()["connection"]
			if style.host {
				connection = hostStyle(t, cold)
			}
			transport := loopback()
			opts := store.Options{Name: "account", Lanes: 4, Confirm: cold.Direct()["account"]}
			refusesUnmarked(t, connection, opts, transport)
			createContainer(t, newClients(t, cold.Direct()["connection"], nil), LeaseContainer)
			s := openAccountFor(t, connection, opts, transport)
			t.Run("second run", func(t *testing.T) {
				_, err := openConfig(t, connection, opts, transport)
				if !errors.Is(err, store.ErrUnavailable) || !strings.Contains(err.Error(), "in use by another run") {
					t.Errorf("second run: %v", err)
				}
			})
			t.Run("key", func(t *testing.T) {
				l := mustLease(t, s)
				defer l.Release()
				if l.Direct()["account"] != cold.Direct()["account"] || l.Values(nil)["key"] == cold.Direct()["key"] ||
					strings.Contains(connected(l, "http://a", "http://b"), cold.Values(nil)["key"]) {
					t.Errorf("the lease gives away the key of account %s", l.Direct()["account"])
				}
			})
			if style.host {
				// Not transactions: Azurite answers them with 500 in host style.
				conformHostStyle(t, s)
			} else {
				conformAll(t, s, 1)
			}
			if _, err := s.LeaseCold(t.Context()); !errors.Is(err, store.ErrNeverCold) {
				t.Errorf("cold lease: %v", err)
			}
			closeStore(t, s)
			closeStore(t, openAccountFor(t, connection, opts, transport)) // the first run has let go of it
		})
	}
}

func conformHostStyle(t *testing.T, s store.Store) {
	for name, exercise := range map[string]func(*testing.T, clients){"entities": exerciseTables,
		"blobs": exerciseBlobs} {
		t.Run(name, func(t *testing.T) {
			l := mustLease(t, s)
			defer l.Release()
			exercise(t, gateway(t, l))
		})
	}
	t.Run("wrong key", func(t *testing.T) { refusesWrongKey(t, s) })
}

// refusesUnmarked checks that an account without the container is left alone, whatever is confirmed.
func refusesUnmarked(t *testing.T, connection string, opts store.Options, transport http.RoundTripper) {
	t.Helper()
	if _, err := openConfig(t, connection, opts, transport); !errors.Is(err, store.ErrUnavailable) ||
		!strings.Contains(err.Error(), "az storage container create") {
		t.Errorf("account without container %s: %v", LeaseContainer, err)
	}
	opts.Confirm = "other"
	if _, err := openConfig(t, connection, opts, transport); !errors.Is(err, store.ErrUnavailable) ||
		!strings.Contains(err.Error(), "--confirm") {
		t.Errorf("account without confirmation: %v", err)
	}
}

func openConfig(t *testing.T, connection string, opts store.Options, transport http.RoundTripper) (*store.Pool, error) {
	t.Helper()
	config, err := parseConnectionString(connection)
	if err != nil {
		t.Fatal(err)
	}
	opts.Entropy = strings.NewReader(strings.Repeat("entropy!", 8))
	return openAccountAt(t.Context(), config, opts, transport)
}

func openAccountFor(t *testing.T, connection string, opts store.Options, transport http.RoundTripper) store.Store {
	t.Helper()
	s, err := openConfig(t, connection, opts, transport)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { closeStore(t, s) })
	return s
}

// hostStyle is the lease's connection string with the account in the host name.
func hostStyle(t *testing.T, l *store.Lease) string {
	t.Helper()
	config, err := parseConnectionString(l.Direct()["connection"])
	if err != nil {
		t.Fatal(err)
	}
	address := func(service string, u *url.URL) string {
		return "http://" + l.Direct()["account"] + "." + service + ".localhost:" + u.Port()
	}
	return "AccountName=" + l.Direct()["account"] + ";AccountKey=" + l.Values(nil)["key"] +
		";TableEndpoint=" + address("table", config.table) + ";BlobEndpoint=" + address("blob", config.blob)
}

// loopback resolves every name to loopback: not every machine resolves *.localhost.
func loopback() http.RoundTripper {
	transport := newTransport(false)
	transport.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		_, port, err := net.SplitHostPort(address)
		if err != nil {
			return nil, err
		}
		return (&net.Dialer{}).DialContext(ctx, network, net.JoinHostPort("127.0.0.1", port))
	}
	return transport
}
