package wire

import (
	"net/http"
	"net/url"
	"strings"
)

// blob reads a request to the Blob service, after its REST documentation ("Operations on the
// account", "Operations on containers", "Operations on blobs").
func (rd *reading) blob(h head) {
	container, name, hasBlob := strings.Cut(resourcePath(h.service, h.host, h.path), "/")
	container, err := url.PathUnescape(container)
	if err != nil {
		return
	}
	if name, err = url.PathUnescape(name); err != nil {
		return
	}
	restype, _ := queryValue(h.query, "restype")
	comp, _ := queryValue(h.query, "comp")
	rd.call.Prefix, _ = queryValue(h.query, "prefix")
	operation := h.method + " " + strings.ToLower(comp)
	switch {
	case restype == "account":
		rd.call.Resource, rd.call.Blob = container, name
		if comp == "properties" && (h.method == http.MethodGet || h.method == http.MethodHead) {
			rd.is("Get Account Information", Other)
		}
	case container == "":
		rd.blobService(h, operation, restype == "service")
	case restype == "container":
		rd.call.Resource = container
		rd.container(h, operation)
	case hasBlob && name != "":
		rd.call.Resource, rd.call.Blob = container, name
		rd.blobOperation(h, operation)
	case !hasBlob:
		// A single segment without restype is a blob of the root container.
		rd.call.Resource, rd.call.Blob = "$root", container
		rd.blobOperation(h, operation)
	}
}

func (rd *reading) blobService(h head, operation string, restype bool) {
	switch {
	case operation == "GET list":
		rd.is("List Containers", List)
		rd.counts = "Container"
	case operation == "GET blobs":
		rd.is("Find Blobs by Tags", List)
		rd.counts = "Blob"
	case operation == "POST batch":
		rd.blobBatch(h)
	case !restype:
	case operation == "GET properties":
		rd.is("Get Blob Service Properties", Other)
	case operation == "PUT properties":
		rd.is("Set Blob Service Properties", Other)
	case operation == "GET stats":
		rd.is("Get Blob Service Stats", Other)
	case operation == "POST userdelegationkey":
		rd.is("Get User Delegation Key", Other)
	}
}

// blobBatch reads a batch, which holds deletions or changes of tier, never both. Until its body has
// told which, it is a write.
func (rd *reading) blobBatch(h head) {
	rd.is("Blob Batch", Write)
	rd.batch = newBatchRequest(h)
}

func (rd *reading) container(h head, operation string) {
	switch operation {
	case "PUT ":
		rd.is("Create Container", CreateContainer)
	case "DELETE ":
		rd.is("Delete Container", DeleteContainer)
	case "GET list":
		rd.is("List Blobs", List)
		rd.counts = "Blob"
	case "GET blobs":
		rd.is("Find Blobs by Tags in Container", List)
		rd.counts = "Blob"
	case "POST batch":
		rd.blobBatch(h)
	case "PUT lease":
		rd.is("Lease Container", Lease)
	case "GET ", "HEAD ":
		rd.is("Get Container Properties", Other)
	case "GET metadata", "HEAD metadata":
		rd.is("Get Container Metadata", Other)
	case "PUT metadata":
		rd.is("Set Container Metadata", Other)
	case "GET acl", "HEAD acl", "PUT acl":
		rd.accessPolicy(h.method, "Container")
	case "PUT undelete":
		rd.is("Restore Container", Other)
	case "PUT rename":
		rd.is("Rename Container", Other)
	}
}

func (rd *reading) blobOperation(h head, operation string) {
	source := h.header.Get("X-Ms-Copy-Source") != ""
	switch operation {
	case "GET ":
		rd.is("Get Blob", Read)
		rd.found = true
	case "HEAD ":
		rd.is("Get Blob Properties", Head)
	case "GET metadata", "HEAD metadata":
		rd.is("Get Blob Metadata", Head)
	case "GET tags":
		rd.is("Get Blob Tags", Read)
	case "GET blocklist":
		rd.is("Get Block List", Read)
	case "GET pagelist":
		rd.is("Get Page Ranges", Read)
	case "POST query":
		rd.is("Query Blob Contents", Read)
	case "DELETE ":
		rd.is("Delete Blob", Delete)
	case "PUT ":
		rd.putBlob(h.header, source)
	case "PUT block":
		rd.is(fromURL("Put Block", source), Write)
	case "PUT appendblock":
		rd.is(fromURL("Append Block", source), Write)
	case "PUT page":
		rd.is(fromURL("Put Page", source), Write)
	case "PUT lease":
		rd.is("Lease Blob", Lease)
	case "PUT copy":
		rd.is("Abort Copy Blob", Copy)
	case "PUT incrementalcopy":
		rd.is("Incremental Copy Blob", Copy)
	default:
		rd.setBlob(operation)
	}
}

// putBlob tells a new blob from a copy of another one.
func (rd *reading) putBlob(header http.Header, source bool) {
	switch {
	case source && header.Get("X-Ms-Blob-Type") != "":
		rd.is("Put Blob From URL", Copy)
	case source && strings.EqualFold(header.Get("X-Ms-Requires-Sync"), "true"):
		rd.is("Copy Blob From URL", Copy)
	case source:
		rd.is("Copy Blob", Copy)
	default:
		rd.is("Put Blob", Write)
	}
}

// fromURL names the form of an upload whose content is fetched by the service.
func fromURL(operation string, source bool) string {
	if source {
		return operation + " From URL"
	}
	return operation
}

// setBlob classes what changes a blob without new content.
func (rd *reading) setBlob(operation string) {
	switch operation {
	case "PUT blocklist":
		rd.is("Put Block List", Write)
	case "PUT metadata":
		rd.is("Set Blob Metadata", Write)
	case "PUT properties":
		rd.is("Set Blob Properties", Write)
	case "PUT tags":
		rd.is("Set Blob Tags", Write)
	case "PUT tier":
		rd.is("Set Blob Tier", Write)
	case "PUT snapshot":
		rd.is("Snapshot Blob", Write)
	case "PUT undelete":
		rd.is("Undelete Blob", Write)
	case "PUT seal":
		rd.is("Append Blob Seal", Write)
	case "PUT expiry":
		rd.is("Set Blob Expiry", Write)
	case "PUT immutabilitypolicies":
		rd.is("Set Blob Immutability Policy", Write)
	case "DELETE immutabilitypolicies":
		rd.is("Delete Blob Immutability Policy", Write)
	case "PUT legalhold":
		rd.is("Set Blob Legal Hold", Write)
	}
}
