package blobs

import (
	"net/http"
	"strings"

	"github.com/storespec/storespec/internal/emulator/azure"
)

// refused returns why a request asks for something that the emulator does not have, so that no one relies on what was
// ignored; nil: it does not. Of several refused headers it is about the first by name.
func refused(h http.Header) *azure.Problem {
	var problem *azure.Problem
	about := ""
	for name, values := range h {
		if !strings.HasPrefix(name, "X-Ms-") || len(values) == 0 || values[0] == "" {
			continue
		}
		if problem != nil && name > about {
			continue
		}
		if p := refusedHeader(name, values[0]); p != nil {
			problem, about = p, name
		}
	}
	return problem
}

// restoreContainer refuses to restore a container: none is soft-deleted. What Azure asks for is asked for first.
// https://learn.microsoft.com/rest/api/storageservices/restore-container
func restoreContainer(c *call) *azure.Problem {
	for _, name := range []string{"x-ms-deleted-container-name", "x-ms-deleted-container-version"} {
		if c.HTTP.Header.Get(name) == "" {
			return azure.MissingHeader(name)
		}
	}
	return azure.NotImplemented()
}

// refusedHeader checks one header, of the canonical name.
func refusedHeader(name, value string) *azure.Problem {
	switch name {
	case "X-Ms-Encryption-Scope", "X-Ms-Default-Encryption-Scope":
		if value == defaultScope {
			return nil
		}
		return scopeNotAvailable()
	case "X-Ms-Deny-Encryption-Scope-Override":
		if strings.EqualFold(value, "false") {
			return nil
		}
	case "X-Ms-Copy-Source-Authorization": // as Azure answers a token that is not good for the source
		return cannotVerifySource(http.StatusUnauthorized, "A token for the copy source is not accepted.")
	case "X-Ms-Legal-Hold":
		if strings.EqualFold(value, "false") {
			return nil
		}
	case "X-Ms-Immutability-Policy-Until-Date", "X-Ms-Immutability-Policy-Mode",
		"X-Ms-Previous-Snapshot-Url", "X-Ms-Expiry-Option", "X-Ms-Expiry-Time",
		"X-Ms-Upn":
	default:
		return nil
	}
	return unsupportedHeader(strings.ToLower(name), value)
}

// unsupportedHeader is Azure's answer for a header that the operation or the account does not have. Keys are secrets,
// so their values are not repeated.
func unsupportedHeader(name, value string) *azure.Problem {
	p := azure.NewProblem(http.StatusBadRequest, "UnsupportedHeader",
		"One of the HTTP headers specified in the request is not supported.").With("HeaderName", name)
	if strings.Contains(name, "encryption-key") || strings.Contains(name, "authorization") {
		return p
	}
	return p.With("HeaderValue", value)
}
