package kv

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"

	"github.com/storespec/storespec/internal/wire"
)

// Service is the name of Workers KV in budgets.
const Service wire.Service = "kv"

// Addresses maps the service to the address where a gateway receives its calls.
func Addresses(address string) map[wire.Service]string {
	return map[wire.Service]string{Service: address}
}

// Namespace is the resource that every call is made to: a lane has one namespace, and the binding's protocol does not
// name it.
const Namespace = "KV"

// Protocol is the protocol of Workers KV.
type Protocol struct{}

// Service returns Service.
func (Protocol) Service() wire.Service { return Service }

// Marks returns what answers of the REST API, and of the binding's protocol, have.
func (Protocol) Marks() (headers, texts []string) {
	return []string{"Cf-Kv-Metadata", "Cf-Expiration"}, []string{`"result_info"`, "KV GET failed", "KV PUT failed"}
}

// InvitesRetry reports whether clients repeat a call: cloudflare-go and Cloudflare's own JavaScript client after 429
// and 5xx, and after no answer.
func (Protocol) InvitesRetry(call wire.Call) bool {
	return call.Status == 0 || call.Status == http.StatusTooManyRequests ||
		call.Status >= http.StatusInternalServerError
}

// refusal is how the service refuses a call for a reason.
type refusal struct {
	status, code int // the code is that of the REST API
	text         string
}

// refusals follow the REST API's documents ("KV limits", "Workers KV API"). Where the binding's protocol would say that
// a key is missing (404), it says that the service failed.
var refusals = map[wire.Refusal]refusal{
	wire.Busy:      {http.StatusServiceUnavailable, 10001, "Service Unavailable"},
	wire.Throttled: {http.StatusTooManyRequests, 10022, "Too Many Requests"},
	wire.Broken:    {http.StatusInternalServerError, 10001, "Internal Server Error"},
	wire.Stale:     {http.StatusTooManyRequests, 10022, "Too Many Requests"}, // there are no conditions
	wire.WrongKey:  {http.StatusUnauthorized, 10000, "Authentication error"},
	wire.NoKey:     {http.StatusBadRequest, 9106, "Missing X-Auth-Key, X-Auth-Email or Authorization headers"},
	wire.Deleting:  {http.StatusInternalServerError, 10001, "Internal Server Error"},
	wire.Missing:   {http.StatusNotFound, 10013, "namespace not found"},
	wire.TooLarge:  {http.StatusRequestEntityTooLarge, 10024, "Value length exceeds limit of 26214400."},
	wire.Malformed: {http.StatusBadRequest, 10029, "Bad Request"},
	wire.Conflict:  {http.StatusTooManyRequests, 10029, "Too Many Requests"}, // one write a second
}

// Refuse answers as Workers KV would.
func (Protocol) Refuse(w http.ResponseWriter, req *http.Request, reason wire.Refusal) {
	r := refusals[reason]
	if dialectOf(wire.HeadOf(req)) == rest {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Retry-After", "0")
		w.WriteHeader(r.status)
		message, _ := json.Marshal(r.text) // a text can always be encoded
		_, _ = fmt.Fprintf(w, `{"success":false,"errors":[{"code":%d,"message":%s}],"messages":[],"result":null}`,
			r.code, message)
		return
	}
	if r.status == http.StatusNotFound {
		r.status = http.StatusInternalServerError
	}
	w.WriteHeader(r.status)
	_, _ = io.WriteString(w, r.text)
}
