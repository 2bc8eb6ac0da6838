package azure

import (
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/storespec/storespec/internal/emulator/azureauth"
	"github.com/storespec/storespec/internal/wire"
)

// The services, as budgets name them.
const (
	Table wire.Service = "table"
	Blob  wire.Service = "blob"
)

// Addresses maps each service to the address where a gateway receives its calls.
func Addresses(table, blob string) map[wire.Service]string {
	return map[wire.Service]string{Table: table, Blob: blob}
}

// Protocols returns the protocols of a storage account.
func Protocols() []wire.Protocol { return []wire.Protocol{Tables{}, Blobs{}} }

// Tables is the protocol of Azure Tables.
type Tables struct{ retried }

// Blobs is the protocol of Azure Blobs.
type Blobs struct{ retried }

// Service returns Table.
func (Tables) Service() wire.Service { return Table }

// Service returns Blob.
func (Blobs) Service() wire.Service { return Blob }

// Marks returns what answers of the Table service have (REST document "Status and error codes").
func (Tables) Marks() (headers, texts []string) {
	return []string{"X-Ms-Request-Id", "X-Ms-Version"}, []string{"odata.error"}
}

// Marks returns what answers of the Blob service have (REST document "Status and error codes").
func (Blobs) Marks() (headers, texts []string) {
	return []string{"X-Ms-Request-Id", "X-Ms-Version", "X-Ms-Error-Code", "X-Ms-Blob-Type"}, []string{"<Error><Code>"}
}

// Decode reads a request to the Table service.
func (Tables) Decode(h wire.Head) wire.Reading { return decode(Table, h) }

// Decode reads a request to the Blob service.
func (Blobs) Decode(h wire.Head) wire.Reading { return decode(Blob, h) }

// retried is a service whose clients are the Azure SDKs.
type retried struct{}

// InvitesRetry follows the SDKs' retry policy.
func (retried) InvitesRetry(call wire.Call) bool {
	return call.Status >= http.StatusInternalServerError || call.Status == 0 ||
		call.Status == http.StatusRequestTimeout || call.Status == http.StatusTooManyRequests
}

// Error is a service's answer when it does not do what was asked (REST documents "Status and error codes" of Table
// Storage and of Blob Storage).
type Error struct {
	Status        int
	Code, Message string // neither contains characters that need escaping
}

// Answer sends the error in the service's format.
func (e Error) Answer(service wire.Service, w http.ResponseWriter, req *http.Request) {
	contentType, body := "application/json;odata=minimalmetadata",
		fmt.Sprintf(`{"odata.error":{"code":%q,"message":{"lang":"en-US","value":%q}}}`, e.Code, e.Message)
	if service == Blob {
		contentType, body = "application/xml", `<?xml version="1.0" encoding="utf-8"?><Error><Code>`+e.Code+
			`</Code><Message>`+e.Message+`</Message></Error>`
	}
	w.Header().Set("x-ms-error-code", e.Code)
	w.Header().Set("Content-Type", contentType)
	w.WriteHeader(e.Status)
	if req.Method != http.MethodHead {
		_, _ = io.WriteString(w, body)
	}
}

// Refuse answers as the Table service would.
func (Tables) Refuse(w http.ResponseWriter, req *http.Request, reason wire.Refusal) {
	refuse(Table, w, req, reason)
}

// Refuse answers as the Blob service would.
func (Blobs) Refuse(w http.ResponseWriter, req *http.Request, reason wire.Refusal) {
	refuse(Blob, w, req, reason)
}

// refusals are the answers of the Table service (REST documents "Table Service Error Codes" and "Common REST API Error
// Codes").
var refusals = map[wire.Refusal]Error{
	wire.Busy:      {http.StatusServiceUnavailable, "ServerBusy", ""},
	wire.Throttled: {http.StatusTooManyRequests, "TooManyRequests", ""},
	wire.Broken:    {http.StatusInternalServerError, "InternalError", ""},
	wire.Stale:     {http.StatusPreconditionFailed, "UpdateConditionNotSatisfied", ""},
	wire.WrongKey:  {http.StatusForbidden, "AuthenticationFailed", ""},
	wire.NoKey:     {http.StatusUnauthorized, "NoAuthenticationInformation", ""},
	wire.Deleting:  {http.StatusConflict, "TableBeingDeleted", ""},
	wire.Missing:   {http.StatusNotFound, "TableNotFound", ""},
	wire.TooLarge:  {http.StatusBadRequest, "EntityTooLarge", ""},
	wire.Malformed: {http.StatusBadRequest, "InvalidInput", ""},
	wire.Conflict:  {http.StatusServiceUnavailable, "ServerBusy", ""}, // it has no error of its own
}

// blobRefusals are the answers of the Blob service that differ (REST document "Blob Storage error codes").
var blobRefusals = map[wire.Refusal]Error{
	wire.Stale:    {http.StatusPreconditionFailed, "ConditionNotMet", ""},
	wire.Deleting: {http.StatusConflict, "ContainerBeingDeleted", ""},
	wire.Missing:  {http.StatusNotFound, "ContainerNotFound", ""},
	wire.TooLarge: {http.StatusRequestEntityTooLarge, "RequestBodyTooLarge", ""},
}

func refuse(service wire.Service, w http.ResponseWriter, req *http.Request, reason wire.Refusal) {
	e, differs := Error{}, false
	if service == Blob {
		e, differs = blobRefusals[reason]
	}
	if !differs {
		e = refusals[reason]
	}
	e.Message = "A fault of the harness."
	w.Header().Set("x-ms-retry-after-ms", "1") // so that an SDK retries at once
	e.Answer(service, w, req)
}

// NamesAccount reports whether a Host names an account, in which case a proxy must keep it: SharedKey does not sign it.
func NamesAccount(host string) bool {
	return azureauth.HostNamesAccount(Table, host) || azureauth.HostNamesAccount(Blob, host)
}

// guardOf says what protects a write of one entity or blob. An insert fails if something exists already.
func guardOf(class, conditional string) wire.Guard {
	switch class {
	case Insert:
		return wire.Guarded
	case Upsert:
		return wire.Blind
	case Update, Merge, Delete:
		if conditional == "" || strings.HasSuffix(conditional, "*") {
			return wire.Unguarded
		}
		return wire.Guarded
	}
	return wire.Unjudged
}
