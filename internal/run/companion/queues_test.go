package companion

import (
	"net/http"
	"strings"
	"testing"
)

func TestThereAreNoQueues(t *testing.T) {
	q := &queues{address: "127.0.0.1:0"}
	if _, err := q.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	defer q.Close()
	answer, err := http.Get("http://" + q.server.Listener.Addr().String() + "/devstoreaccount1?comp=list")
	if err != nil {
		t.Fatal(err)
	}
	if answer.Body.Close(); answer.StatusCode != http.StatusNotImplemented {
		t.Errorf("answered %d", answer.StatusCode)
	}
	if _, err := (&queues{address: q.server.Listener.Addr().String()}).Start(t.Context()); err == nil ||
		!strings.Contains(err.Error(), q.server.Listener.Addr().String()) {
		t.Errorf("error %v does not name the address that is taken", err)
	}
}
