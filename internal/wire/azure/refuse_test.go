package azure

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/storespec/storespec/internal/wire"
)

// A refused call is answered as the service would, with its status and its code in both places where SDKs look for it.
func TestRefusalsAreThoseOfTheServices(t *testing.T) {
	for reason, want := range map[wire.Refusal][2]struct {
		status int
		code   string
	}{
		wire.Busy:      {{503, "ServerBusy"}, {503, "ServerBusy"}},
		wire.Throttled: {{429, "TooManyRequests"}, {429, "TooManyRequests"}},
		wire.Broken:    {{500, "InternalError"}, {500, "InternalError"}},
		wire.Stale:     {{412, "UpdateConditionNotSatisfied"}, {412, "ConditionNotMet"}},
		wire.WrongKey:  {{403, "AuthenticationFailed"}, {403, "AuthenticationFailed"}},
		wire.NoKey:     {{401, "NoAuthenticationInformation"}, {401, "NoAuthenticationInformation"}},
		wire.Deleting:  {{409, "TableBeingDeleted"}, {409, "ContainerBeingDeleted"}},
		wire.Missing:   {{404, "TableNotFound"}, {404, "ContainerNotFound"}},
		wire.TooLarge:  {{400, "EntityTooLarge"}, {413, "RequestBodyTooLarge"}},
		wire.Malformed: {{400, "InvalidInput"}, {400, "InvalidInput"}},
	} {
		for i, refuse := range []func(http.ResponseWriter, *http.Request, wire.Refusal){
			Tables{}.Refuse, Blobs{}.Refuse,
		} {
			w := httptest.NewRecorder()
			refuse(w, httptest.NewRequest(http.MethodPut, "/account/x", nil), reason)
			if w.Code != want[i].status || w.Header().Get("x-ms-error-code") != want[i].code ||
				!strings.Contains(w.Body.String(), want[i].code) || w.Header().Get("x-ms-retry-after-ms") != "1" {
				t.Errorf("reason %d, service %d: %d %v %s, want %v", reason, i, w.Code, w.Header(), w.Body, want[i])
			}
		}
	}
}
