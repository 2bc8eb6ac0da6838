package tables

import (
	"net/http"
	"strings"

	"github.com/storespec/storespec/internal/emulator/azure"
)

// prepare determines the method and the format of the answer, and refuses what the service does not have.
func (o *operation) prepare() *azure.Problem {
	if problem := o.readMethod(); problem != nil {
		return problem
	}
	if problem := o.readFormat(); problem != nil {
		return problem
	}
	for _, name := range [...]string{"Dataserviceversion", "Maxdataserviceversion"} {
		// The Go SDK sends an empty one in the parts of a batch.
		if value := o.header[name]; len(value) > 0 && value[0] != "" && !isDataServiceVersion(value[0]) {
			return azure.InvalidHeaderValue(name, value[0])
		}
	}
	if o.query != "" {
		if problem := o.checkOptions(); problem != nil {
			return problem
		}
	}
	// Tables have no ETag, and an insert has nothing to compare one with.
	if o.resource == theTables || o.resource == oneTable || o.resource == entities {
		if o.header.Get("If-Match") != "" || o.header.Get("If-None-Match") != "" {
			return azure.InvalidInput("If-Match or If-None-Match headers cannot be specified if the target type does " +
				"not have etag properties defined.")
		}
	}
	return nil
}

const methodMerge = "MERGE"

// readMethod determines the method. Clients behind proxies that support few methods tunnel the others.
func (o *operation) readMethod() *azure.Problem {
	if tunnelled := o.header["X-Http-Method"]; len(tunnelled) > 0 {
		switch {
		case len(tunnelled) > 1:
			return severalMethods()
		case o.method != http.MethodPost:
			return tunnelWithoutPost()
		}
		switch o.method = strings.ToUpper(tunnelled[0]); o.method {
		case http.MethodPut, http.MethodPatch, http.MethodDelete, methodMerge:
		default:
			return unknownMethod()
		}
	}
	if o.method == http.MethodPatch {
		o.method = methodMerge
	}
	return nil
}

// hasBody reports whether the method comes with a body.
func (o *operation) hasBody() bool {
	return o.method == http.MethodPost || o.method == http.MethodPut || o.method == methodMerge
}

// readFormat determines the metadata of the answer, and refuses formats other than JSON, those of a body included. A
// body without a type is Atom to the service; refusing it also keeps out forms and scripts of other sites, which a
// browser lets send everything but JSON without asking.
// https://learn.microsoft.com/rest/api/storageservices/payload-format-for-table-service-operations
func (o *operation) readFormat() *azure.Problem {
	if o.hasBody() {
		switch kind, parameters, _ := strings.Cut(o.header.Get("Content-Type"), ";"); {
		case !strings.EqualFold(strings.TrimSpace(kind), "application/json"):
			return atomNotSupported()
		case strings.Contains(parameters, "odata=verbose"):
			return verboseNotSupported()
		}
	}
	format := o.header.Get("Accept")
	if o.query != "" {
		if f, ok := o.query.Lookup("$format"); ok {
			format = f
		}
	}
	switch {
	case strings.Contains(format, "odata=nometadata"):
		o.metadata = noMetadata
	case strings.Contains(format, "odata=fullmetadata"):
		o.metadata = fullMetadata
	case strings.Contains(format, "odata=verbose"):
		return verboseNotSupported()
	case format == "" || strings.Contains(format, "json") || strings.Contains(format, "*/*") ||
		strings.Contains(format, "application/*"):
	case strings.Contains(format, "atom") || strings.Contains(format, "xml"):
		return atomNotSupported()
	default:
		return mediaTypeNotSupported()
	}
	return nil
}

// isDataServiceVersion reports whether a value names a version of the protocol that the service has.
// https://learn.microsoft.com/rest/api/storageservices/setting-the-odata-data-service-version-headers
func isDataServiceVersion(value string) bool {
	version, _, _ := strings.Cut(value, ";")
	switch strings.TrimSpace(version) {
	case "1.0", "2.0", "3.0":
		return true
	}
	return false
}

// checkOptions refuses query options that the service does not have, or not for that address.
func (o *operation) checkOptions() *azure.Problem {
	list := o.method == http.MethodGet && (o.resource == entities || o.resource == theTables)
	for name, value := range o.query.All() {
		switch strings.ToLower(name) {
		case "$format", "$select":
		case "$filter", "$top":
			if !list {
				return invalidInput()
			}
		case "$orderby", "$skip", "$expand", "$inlinecount", "$skiptoken", "$count", "$apply":
			return azure.NotImplemented()
		case "comp", "restype":
			return azure.InvalidQuery(name, value, "Unexpected value.")
		default:
			if strings.HasPrefix(name, "$") {
				return invalidInput()
			}
		}
	}
	return nil
}
