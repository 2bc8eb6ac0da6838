package account

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/storespec/storespec/internal/store"
)

// Each way to an account does what the account does: through the plain proxy, signed again with the account's own key,
// and with a made-up one.
func TestAttachedAccountConforms(t *testing.T) {
	for _, name := range []string{"embedded", "azurite"} {
		t.Run(name, func(t *testing.T) {
			if name == "azurite" {
				needNode(t)
			}
			s := openStore(t, store.Options{Name: name, Cold: 4})
			for _, way := range []struct {
				name       string
				host, made bool
			}{{"path style", false, false}, {"path style, made-up key", false, true}, {"host style", true, false},
				{"host style, made-up key", true, true}} {
				t.Run(way.name, func(t *testing.T) {
					cold, err := s.LeaseCold(t.Context())
					if err != nil {
						t.Fatal(err)
					}
					attached := attachTo(t, cold, way.host, way.made)
					if shown := connected(attached, "http://a", "http://b"); way.made == strings.Contains(shown,
						cold.Values(nil)["key"]) || way.made == strings.Contains(shown, "QueueEndpoint=") {
						t.Errorf("connection string %s",
							strings.ReplaceAll(shown, cold.Values(nil)["key"], "<the account's key>"))
					}
					exerciseTables(t, gateway(t, attached))
					exerciseBlobs(t, gateway(t, attached))
					if err := attached.Clean(t.Context()); err == nil ||
						!strings.Contains(err.Error(), "not storespec's") {
						t.Errorf("cleaning a user's account: %v", err)
					}
				})
			}
		})
	}
}

// attachTo attaches to the account of a lease.
func attachTo(t *testing.T, l *store.Lease, host, made bool) *store.Lease {
	t.Helper()
	connection := l.Direct()["connection"]
	if host {
		connection = hostStyle(t, l)
	}
	config, err := parseConnectionString(connection)
	if err != nil {
		t.Fatal(err)
	}
	var entropy io.Reader
	if made {
		entropy = strings.NewReader(strings.Repeat("entropy!", 8))
	}
	attached, err := attach(config, entropy, loopback())
	if err != nil {
		t.Fatal(err)
	}
	return store.NewLease(attached, func() {})
}

func TestAttachToDevelopmentStorage(t *testing.T) {
	attached, err := Attach(" UseDevelopmentStorage=TRUE ; ", strings.NewReader("never read"))
	if err != nil {
		t.Fatal(err)
	}
	defer attached.Release()
	want := "DefaultEndpointsProtocol=http;AccountName=devstoreaccount1;AccountKey=" + publishedKey +
		";BlobEndpoint=http://b/devstoreaccount1;TableEndpoint=http://a/devstoreaccount1;" +
		"QueueEndpoint=http://127.0.0.1:10001/devstoreaccount1;"
	if got := connected(attached, "http://a", "http://b"); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestAttachRefuses(t *testing.T) {
	for connection, want := range map[string]string{
		"se.cret":     "has no AccountName",
		"AccountName": "has no AccountName",
		"AccountName=acct;SharedAccessSignature=se.cret":                              "has no AccountKey",
		"AccountName=acct;AccountKey=se.cret":                                         "not base64",
		"AccountName=acct;AccountKey=a2V5;BlobEndpoint=se.cret":                       "address of the blob service",
		"UseDevelopmentStorage=true;DevelopmentStorageProxyUri=http://u:se.cret@host": "DevelopmentStorageProxyUri",
	} {
		_, err := Attach(connection, nil)
		if !errors.Is(err, ErrConnectionString) || !strings.Contains(err.Error(), want) ||
			strings.Contains(err.Error(), "se.cret") {
			t.Errorf("%s: error %v, want %q", connection, err, want)
		}
	}
}
