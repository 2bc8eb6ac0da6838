package lane

import (
	"net/http"
	"strings"
	"testing"

	"github.com/storespec/storespec/internal/store"
	"github.com/storespec/storespec/internal/wire"
	"github.com/storespec/storespec/internal/wire/azure"
)

func TestStoreInAnAnswer(t *testing.T) {
	services := map[wire.Protocol]http.Handler{}
	for _, protocol := range azure.Protocols() {
		services[protocol] = http.NotFoundHandler()
	}
	gate, err := wire.NewGateway(wire.NewRecorder(), services, wire.GatewayOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer gate.Close()
	l := &Lane{Gate: gate,
		Lease: store.NewLease(&store.Namespace{Upstream: services, Secrets: []string{"", "c2VjcmV0"}}, nil)}
	address := strings.TrimPrefix(gate.Endpoints()[azure.Blob], "http://")
	for _, test := range []struct{ name, header, value, body, want string }{
		{"nothing of it", "X-Request-Id", "1", `{"error":"conflict"}`, ""},
		{"a header", "X-Ms-Version", "", "", "the header X-Ms-Version of its store"},
		{"an error of the Table service", "", "", `{"message":"404 {\"odata.error\":{}}"}`,
			`"odata.error", which its store has said`},
		{"an error of the Blob service", "", "", "<?xml?><Error><Code>BlobNotFound",
			`"<Error><Code>", which its store has said`},
		{"an address in a body", "", "", "Get http://" + address + "/a", "the address of its store"},
		{"an address in a header", "Location", "http://" + address + "/a", "", "the address of its store"},
		{"a key", "", "", `{"sig":"c2VjcmV0"}`, "the key of its store"},
	} {
		t.Run(test.name, func(t *testing.T) {
			header := http.Header{}
			if test.header != "" {
				header.Set(test.header, test.value)
			}
			if got := l.StoreIn(header, []byte(test.body)); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}
