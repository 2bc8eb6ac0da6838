package azure

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/storespec/storespec/internal/emulator/azureauth"
	"github.com/storespec/storespec/internal/wire"
)

// blob reads a request to the Blob service, following its REST documentation ("Operations on the account", "Operations
// on containers", "Operations on blobs").
func (rd *reading) blob(h wire.Head) {
	container, name, hasBlob := strings.Cut(resourcePath(Blob, h.Host, h.Path), "/")
	container, err := url.PathUnescape(container)
	if err != nil {
		return
	}
	if name, err = url.PathUnescape(name); err != nil {
		return
	}
	restype, _ := azureauth.Lookup(h.Query, "restype")
	comp, _ := azureauth.Lookup(h.Query, "comp")
	rd.call.Prefix, _ = azureauth.Lookup(h.Query, "prefix")
	operation := h.Method + " " + strings.ToLower(comp)
	switch {
	case restype == "account":
		rd.call.Resource, rd.call.Key = container, keyOf(name)
		if comp == "properties" && (h.Method == http.MethodGet || h.Method == http.MethodHead) {
			rd.is("Get Account Information", other)
		}
	case operation == "POST batch" && (container == "" || restype == "container"):
		rd.call.Resource = container
		rd.blobBatch(h)
	case container == "":
		if restype == "service" || serviceOperations[operation].class == List {
			rd.oneOf(serviceOperations, operation)
		}
	case restype == "container":
		rd.call.Resource = container
		rd.oneOf(containerOperations, operation)
	case hasBlob && name != "":
		rd.call.Resource, rd.call.Key = container, keyOf(name)
		rd.blobOperation(h, operation)
	case !hasBlob:
		// A single segment without restype is a blob in the root container.
		rd.call.Resource, rd.call.Key = "$root", keyOf(container)
		rd.blobOperation(h, operation)
	}
}

// operation is a service's name for a request, and its class.
type operation struct {
	name, class string
	counts      string // the XML element that a successful answer lists
}

// Requests by method and the comp parameter, in lower case. Those to the service need restype=service, unless they
// list.
var (
	serviceOperations = map[string]operation{
		"GET list":               {"List Containers", List, "Container"},
		"GET blobs":              {"Find Blobs by Tags", List, "Blob"},
		"GET properties":         {"Get Blob Service Properties", other, ""},
		"PUT properties":         {"Set Blob Service Properties", other, ""},
		"GET stats":              {"Get Blob Service Stats", other, ""},
		"POST userdelegationkey": {"Get User Delegation Key", other, ""},
	}
	containerOperations = map[string]operation{
		"PUT ":          {"Create Container", CreateContainer, ""},
		"DELETE ":       {"Delete Container", DeleteContainer, ""},
		"GET list":      {"List Blobs", List, "Blob"},
		"GET blobs":     {"Find Blobs by Tags in Container", List, "Blob"},
		"PUT lease":     {"Lease Container", Lease, ""},
		"GET ":          {"Get Container Properties", other, ""},
		"HEAD ":         {"Get Container Properties", other, ""},
		"GET metadata":  {"Get Container Metadata", other, ""},
		"HEAD metadata": {"Get Container Metadata", other, ""},
		"PUT metadata":  {"Set Container Metadata", other, ""},
		"GET acl":       {"Get Container ACL", other, ""},
		"HEAD acl":      {"Get Container ACL", other, ""},
		"PUT acl":       {"Set Container ACL", other, ""},
		"PUT undelete":  {"Restore Container", other, ""},
		"PUT rename":    {"Rename Container", other, ""},
	}
	blobOperations = map[string]operation{
		"GET ":                        {"Get Blob", Read, ""},
		"HEAD ":                       {"Get Blob Properties", Head, ""},
		"GET metadata":                {"Get Blob Metadata", Head, ""},
		"HEAD metadata":               {"Get Blob Metadata", Head, ""},
		"GET tags":                    {"Get Blob Tags", Read, ""},
		"GET blocklist":               {"Get Block List", Read, ""},
		"GET pagelist":                {"Get Page Ranges", Read, ""},
		"POST query":                  {"Query Blob Contents", Read, ""},
		"DELETE ":                     {"Delete Blob", Delete, ""},
		"PUT ":                        {"Put Blob", Write, ""},
		"PUT block":                   {"Put Block", Write, ""},
		"PUT appendblock":             {"Append Block", Write, ""},
		"PUT page":                    {"Put Page", Write, ""},
		"PUT blocklist":               {"Put Block List", Write, ""},
		"PUT metadata":                {"Set Blob Metadata", Write, ""},
		"PUT properties":              {"Set Blob Properties", Write, ""},
		"PUT tags":                    {"Set Blob Tags", Write, ""},
		"PUT tier":                    {"Set Blob Tier", Write, ""},
		"PUT snapshot":                {"Snapshot Blob", Write, ""},
		"PUT undelete":                {"Undelete Blob", Write, ""},
		"PUT seal":                    {"Append Blob Seal", Write, ""},
		"PUT expiry":                  {"Set Blob Expiry", Write, ""},
		"PUT immutabilitypolicies":    {"Set Blob Immutability Policy", Write, ""},
		"DELETE immutabilitypolicies": {"Delete Blob Immutability Policy", Write, ""},
		"PUT legalhold":               {"Set Blob Legal Hold", Write, ""},
		"PUT lease":                   {"Lease Blob", Lease, ""},
		"PUT copy":                    {"Abort Copy Blob", Copy, ""},
		"PUT incrementalcopy":         {"Incremental Copy Blob", Copy, ""},
	}
)

// oneOf sets the request's operation, if wanted is one of operations.
func (rd *reading) oneOf(operations map[string]operation, wanted string) {
	if found, ok := operations[wanted]; ok {
		rd.is(found.name, found.class)
		rd.counts = found.counts
	}
}

// blobBatch reads a batch, which holds deletions or tier changes, never both. Until its body shows which, it is a
// write.
func (rd *reading) blobBatch(h wire.Head) {
	rd.is("Blob Batch", Write)
	rd.batch = newBatchRequest(Blob, h)
}

// blobOperation uses the headers to tell reading a blob from reading its parts, and copying a blob from new content.
func (rd *reading) blobOperation(h wire.Head, wanted string) {
	rd.oneOf(blobOperations, wanted)
	rd.found = wanted == "GET "
	if h.Header.Get("X-Ms-Copy-Source") == "" {
		return
	}
	switch wanted {
	case "PUT block", "PUT appendblock", "PUT page":
		rd.call.Operation += " From URL"
	case "PUT ":
		rd.is("Copy Blob", Copy)
		if h.Header.Get("X-Ms-Blob-Type") != "" {
			rd.is("Put Blob From URL", Copy)
		} else if strings.EqualFold(h.Header.Get("X-Ms-Requires-Sync"), "true") {
			rd.is("Copy Blob From URL", Copy)
		}
	}
}
