package blobs

import (
	"encoding/xml"
	"net/http"
	"strings"

	"github.com/storespec/storespec/internal/emulator/azure"
)

// operation is one operation of the service: the permission a shared access signature must grant for it, and its
// handler. https://learn.microsoft.com/rest/api/storageservices/create-service-sas#specify-permissions
type operation struct {
	run   func(*call) *azure.Problem
	level azure.Level
	anyOf []string
	open  bool // the operation checks permissions itself
	key   keyUse
	// refuse answers an operation that the emulator does not have, whatever its headers; nil: it has it.
	refuse func() *azure.Problem
}

// route identifies an operation by the kind of its address, its method, and its comp.
type route struct {
	level  azure.Level
	method string
	comp   string
}

// anyMethod in a route matches every method.
const anyMethod = "*"

// newRoutes lists the operations, with the permissions of which a shared access signature must grant one.
func newRoutes() map[route]operation {
	routes := map[route]operation{}
	const service, container, blob = azure.ServiceLevel, azure.ContainerLevel, azure.ObjectLevel
	add := func(level azure.Level, methods, comp string, run func(*call) *azure.Problem, anyOf ...string) {
		for method := range strings.FieldsSeq(methods) {
			routes[route{level, method, comp}] = operation{run: run, level: level, anyOf: anyOf}
		}
	}
	refuse := func(level azure.Level, method, comp string, problem func() *azure.Problem) {
		routes[route{level, method, comp}] = operation{refuse: problem}
	}
	add(service, "GET", "list", listContainers, "l")
	add(service, "GET", "blobs", findBlobs, "f")
	routes[route{service, "POST", "batch"}] = operation{run: batch, open: true}

	add(container, "PUT", "", createContainer, "c", "w")
	add(container, "GET HEAD", "", readingContainer(getContainer), "r")
	add(container, "DELETE", "", deleteContainer, "d")
	add(container, "GET HEAD", "metadata", readingContainer(getContainerMetadata), "r")
	add(container, "PUT", "metadata", setContainerMetadata, "w")
	add(container, "GET HEAD", "acl", readingContainer(getContainerACL))
	add(container, "PUT", "acl", setContainerACL)
	add(container, "PUT", "lease", leaseContainer, "w", "d")
	add(container, "GET", "list", listBlobs, "l")
	add(container, "GET", "blobs", findBlobs, "f")
	routes[route{container, "POST", "batch"}] = operation{run: batch, open: true}
	routes[route{container, anyMethod, "undelete"}] = operation{open: true, run: restoreContainer}
	routes[route{service, "PUT", "undelete"}] = operation{open: true, run: restoreContainer} // of no name
	refuse(container, anyMethod, "rename", azure.NotImplemented)

	add(blob, "HEAD", "", reading(getBlobProperties), "r")
	add(blob, "GET", "", reading(getBlob), "r")
	add(blob, "GET HEAD", "metadata", reading(getBlobMetadata), "r")
	add(blob, "GET HEAD", "blocklist", getBlockList, "r")
	add(blob, "GET HEAD", "pagelist", getPageRanges, "r")
	add(blob, "GET HEAD", "tags", reading(getTags), "t")
	routes[route{blob, "DELETE", ""}] = operation{run: deleteBlob, open: true}
	add(blob, "PUT", "", putBlob, "c", "w")
	add(blob, "PUT", "block", putBlock, "c", "w")
	add(blob, "PUT", "blocklist", putBlockList, "c", "w")
	add(blob, "PUT", "snapshot", createSnapshot, "c", "w")
	add(blob, "PUT", "page", putPage, "w")
	add(blob, "PUT", "properties", setBlobProperties, "w")
	add(blob, "PUT", "metadata", setBlobMetadata, "w")
	add(blob, "PUT", "copy", abortCopy, "w")
	add(blob, "PUT", "tier", setTier, "w")
	add(blob, "PUT", "undelete", undeleteBlob, "w")
	add(blob, "PUT", "appendblock", appendBlock, "a", "w")
	add(blob, "PUT", "seal", sealBlob, "a", "w")
	add(blob, "PUT", "lease", leaseBlob, "w", "d")
	add(blob, "PUT", "tags", setTags, "t")
	refuse(blob, "PUT", "expiry", noHierarchy)
	for _, comp := range []string{"incrementalcopy", "immutabilityPolicies", "legalhold"} {
		refuse(blob, "PUT", comp, azure.NotImplemented)
	}
	refuse(blob, "DELETE", "immutabilityPolicies", azure.NotImplemented)
	refuse(blob, "POST", "query", azure.NotImplemented)
	takeKeys(routes)
	return routes
}

// operation finds the operation of a request. Problems: UnsupportedHttpVerb, InvalidQueryParameterValue,
// MissingRequiredQueryParameter, InvalidUri.
func (c *call) operation() (operation, *azure.Problem) {
	restype, comp := "", ""
	if c.Query != "" {
		restype, comp = c.Query.Get("restype"), c.Query.Get("comp")
	}
	r := route{azure.ObjectLevel, c.HTTP.Method, comp}
	if r.method == http.MethodOptions {
		return operation{}, azure.UnsupportedVerb()
	}
	if restype == "account" && comp == "properties" && (r.method == http.MethodGet || r.method == http.MethodHead) {
		return operation{run: getAccountInformation, open: true}, nil
	}
	switch {
	case c.container == "":
		r.level = azure.ServiceLevel
		if r.method == http.MethodPost && restype == "service" && comp == "userdelegationkey" {
			return operation{run: getUserDelegationKey, open: true}, nil
		}
	case c.blob == "":
		r.level = azure.ContainerLevel
		if restype != "container" {
			return operation{}, azure.InvalidQuery("restype", restype, "The resource is a container.")
		}
	case restype != "" && restype != "container":
		return operation{}, azure.InvalidQuery("restype", restype, "The resource is a blob.")
	}
	if op, found := c.s.routes[r]; found {
		return op, nil
	}
	if op, found := c.s.routes[route{r.level, anyMethod, comp}]; found {
		return op, nil
	}
	return operation{}, c.s.noRoute(r, restype)
}

// noRoute returns the problem of a request that matches no operation.
func (s *Service) noRoute(r route, restype string) *azure.Problem {
	switch r.level {
	case azure.ServiceLevel:
		if restype == "container" {
			return azure.InvalidQuery("restype", restype, "The address names no container.")
		}
		if r.comp == "" {
			return azure.MissingQuery("comp")
		}
	case azure.ContainerLevel:
		for known := range s.routes {
			if known.level == r.level && known.comp == r.comp {
				return azure.UnsupportedVerb()
			}
		}
	case azure.ObjectLevel:
		switch r.method {
		case http.MethodPut, http.MethodGet, http.MethodHead, http.MethodDelete:
		default:
			return azure.UnsupportedVerb()
		}
	}
	return azure.InvalidQuery("comp", r.comp, "Unexpected value.")
}

// getAccountInformation returns the same for every account: the kind that has blobs, tables and all tiers.
// https://learn.microsoft.com/rest/api/storageservices/get-account-information
func getAccountInformation(c *call) *azure.Problem {
	c.answer.h["X-Ms-Sku-Name"] = []string{"Standard_RAGRS"}
	c.answer.h["X-Ms-Account-Kind"] = []string{"StorageV2"}
	c.answer.h["X-Ms-Is-Hns-Enabled"] = []string{"false"}
	c.answer.h["Content-Length"] = c.s.zero
	return c.answer.empty(http.StatusOK)
}

// maxKeyInfo bounds the body of Get User Delegation Key: two times.
const maxKeyInfo = 4 << 10

// getUserDelegationKey is Get User Delegation Key.
// https://learn.microsoft.com/rest/api/storageservices/get-user-delegation-key
func getUserDelegationKey(c *call) *azure.Problem {
	body, p := readAll(c, maxKeyInfo)
	if p != nil {
		return p
	}
	key, p := c.DelegationKey(body)
	if p != nil {
		return p
	}
	encoded, err := xml.Marshal(key)
	if err != nil {
		return c.failed(err)
	}
	x := newXML()
	x.b = append(x.b, encoded...)
	return c.answer.xml(x)
}
