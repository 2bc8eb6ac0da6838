package blobs

import (
	"net/http"

	"github.com/storespec/storespec/internal/emulator/azure"
)

// operation is one operation of the service: what a shared access signature must grant for it, and what
// does it.
// https://learn.microsoft.com/rest/api/storageservices/create-service-sas#specify-permissions
type operation struct {
	run   func(*call) *azure.Problem
	level azure.Level
	anyOf []string
	open  bool // the operation checks permissions itself
}

func onService(run func(*call) *azure.Problem, anyOf ...string) operation {
	return operation{run: run, level: azure.ServiceLevel, anyOf: anyOf}
}

func onContainer(run func(*call) *azure.Problem, anyOf ...string) operation {
	return operation{run: run, level: azure.ContainerLevel, anyOf: anyOf}
}

func onBlob(run func(*call) *azure.Problem, anyOf ...string) operation {
	return operation{run: run, level: azure.ObjectLevel, anyOf: anyOf}
}

// operation finds what a request asks for. Problems: UnsupportedHttpVerb, InvalidQueryParameterValue,
// MissingRequiredQueryParameter, InvalidUri.
func (c *call) operation() (operation, *azure.Problem) {
	restype, comp := "", ""
	if c.Query != "" {
		restype, comp = c.Query.Get("restype"), c.Query.Get("comp")
	}
	method := c.HTTP.Method
	if method == http.MethodOptions {
		return operation{}, azure.UnsupportedVerb()
	}
	if restype == "account" && comp == "properties" && (method == http.MethodGet || method == http.MethodHead) {
		return operation{run: (*call).getAccountInformation, open: true}, nil
	}
	switch {
	case c.container == "":
		return c.serviceOperation(method, restype, comp)
	case c.blob == "":
		if restype != "container" {
			return operation{}, azure.InvalidQuery("restype", restype, "The resource is a container.")
		}
		return containerOperation(method, comp)
	case restype != "" && restype != "container":
		return operation{}, azure.InvalidQuery("restype", restype, "The resource is a blob.")
	default:
		return c.blobOperation(method, comp)
	}
}

func (c *call) serviceOperation(method, restype, comp string) (operation, *azure.Problem) {
	switch {
	case method == http.MethodGet && comp == "list":
		return onService((*call).listContainers, "l"), nil
	case method == http.MethodGet && comp == "blobs":
		return onService((*call).findBlobs, "f"), nil
	case method == http.MethodPost && comp == "batch":
		return operation{run: (*call).batch, open: true}, nil
	case method == http.MethodPost && restype == "service" && comp == "userdelegationkey":
		return operation{run: (*call).getUserDelegationKey, open: true}, nil
	case restype == "container":
		return operation{}, azure.InvalidQuery("restype", restype, "The address names no container.")
	case comp == "":
		return operation{}, azure.MissingQuery("comp")
	}
	return operation{}, unknownComp(comp)
}

func containerOperation(method, comp string) (operation, *azure.Problem) {
	read := method == http.MethodGet || method == http.MethodHead
	switch comp {
	case "":
		switch method {
		case http.MethodPut:
			return onContainer((*call).createContainer, "c", "w"), nil
		case http.MethodGet, http.MethodHead:
			return onContainer((*call).getContainer, "r"), nil
		case http.MethodDelete:
			return onContainer((*call).deleteContainer, "d"), nil
		}
	case "metadata":
		if read {
			return onContainer((*call).getContainerMetadata, "r"), nil
		}
		if method == http.MethodPut {
			return onContainer((*call).setContainerMetadata, "w"), nil
		}
	case "acl":
		if read {
			return onContainer((*call).getContainerACL), nil
		}
		if method == http.MethodPut {
			return onContainer((*call).setContainerACL), nil
		}
	case "lease":
		if method == http.MethodPut {
			return onContainer((*call).leaseContainer, "w", "d"), nil
		}
	case "list":
		if method == http.MethodGet {
			return onContainer((*call).listBlobs, "l"), nil
		}
	case "blobs":
		if method == http.MethodGet {
			return onContainer((*call).findBlobs, "f"), nil
		}
	case "batch":
		if method == http.MethodPost {
			return operation{run: (*call).batch, open: true}, nil
		}
	case "undelete", "rename":
		return operation{}, azure.NotImplemented()
	default:
		return operation{}, unknownComp(comp)
	}
	return operation{}, azure.UnsupportedVerb()
}

func (c *call) blobOperation(method, comp string) (operation, *azure.Problem) {
	switch method {
	case http.MethodPut:
		return c.blobPut(comp)
	case http.MethodGet, http.MethodHead:
		switch comp {
		case "":
			if method == http.MethodHead {
				return onBlob((*call).getProperties, "r"), nil
			}
			return onBlob((*call).getBlob, "r"), nil
		case "metadata":
			return onBlob((*call).getMetadata, "r"), nil
		case "blocklist":
			return onBlob((*call).getBlockList, "r"), nil
		case "pagelist":
			return onBlob((*call).getPageRanges, "r"), nil
		case "tags":
			return onBlob((*call).getTags, "t"), nil
		}
		return operation{}, unknownComp(comp)
	case http.MethodDelete:
		if comp == "" {
			return onBlob((*call).deleteBlob, "d"), nil
		}
		if comp == "immutabilityPolicies" {
			return operation{}, azure.NotImplemented()
		}
		return operation{}, unknownComp(comp)
	case http.MethodPost:
		if comp == "query" {
			return operation{}, azure.NotImplemented()
		}
	}
	return operation{}, azure.UnsupportedVerb()
}

func (c *call) blobPut(comp string) (operation, *azure.Problem) {
	switch comp {
	case "":
		return onBlob((*call).putBlob, "c", "w"), nil
	case "block":
		return onBlob((*call).putBlock, "c", "w"), nil
	case "blocklist":
		return onBlob((*call).putBlockList, "c", "w"), nil
	case "appendblock":
		return onBlob((*call).appendBlock, "a", "w"), nil
	case "page":
		return onBlob((*call).putPage, "w"), nil
	case "properties":
		return onBlob((*call).setProperties, "w"), nil
	case "metadata":
		return onBlob((*call).setMetadata, "w"), nil
	case "lease":
		return onBlob((*call).leaseBlob, "w", "d"), nil
	case "snapshot":
		return onBlob((*call).createSnapshot, "c", "w"), nil
	case "copy":
		return onBlob((*call).abortCopy, "w"), nil
	case "tier":
		return onBlob((*call).setTier, "w"), nil
	case "tags":
		return onBlob((*call).setTags, "t"), nil
	case "seal":
		return onBlob((*call).sealBlob, "a", "w"), nil
	case "undelete":
		return onBlob((*call).undelete, "w"), nil
	case "expiry":
		return operation{}, azure.NewProblem(http.StatusBadRequest, "HierarchicalNamespaceNotEnabled",
			"Hierarchical namespace is not enabled for this account.")
	case "incrementalcopy", "immutabilityPolicies", "legalhold":
		return operation{}, azure.NotImplemented()
	}
	return operation{}, unknownComp(comp)
}

func unknownComp(comp string) *azure.Problem {
	return azure.InvalidQuery("comp", comp, "Unexpected value.")
}

// getAccountInformation: every account is of the kind that has blobs, tables and all tiers.
// https://learn.microsoft.com/rest/api/storageservices/get-account-information
func (c *call) getAccountInformation() *azure.Problem {
	c.h["X-Ms-Sku-Name"] = []string{"Standard_RAGRS"}
	c.h["X-Ms-Account-Kind"] = []string{"StorageV2"}
	c.h["X-Ms-Is-Hns-Enabled"] = []string{"false"}
	c.h["Content-Length"] = c.s.zero
	c.w.WriteHeader(http.StatusOK)
	return nil
}

// getUserDelegationKey takes a token of Microsoft Entra ID, which the emulator does not have.
func (c *call) getUserDelegationKey() *azure.Problem {
	return azure.NewProblem(http.StatusForbidden, "AuthenticationFailed",
		"Server failed to authenticate the request. Make sure the value of Authorization header is formed correctly including the signature.").
		With("AuthenticationErrorDetail", "Only authentication scheme Bearer is supported.")
}
