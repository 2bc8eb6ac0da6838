package blobs

import (
	"net/http"
	"strings"

	"github.com/storespec/storespec/internal/emulator/azure"
)

// Public returns what anybody may read of the container that a request names: its blobs, and with public access to the
// container also their list. It is the front's option of that name.
// https://learn.microsoft.com/azure/storage/blobs/anonymous-read-access-configure
func (s *Service) Public(req *azure.Request) (permissions, levels string) {
	if req.HTTP.Method != http.MethodGet && req.HTTP.Method != http.MethodHead {
		return "", ""
	}
	switch req.Query.Get("comp") {
	case "", "metadata", "list", "blocklist", "pagelist":
	default: // tags, policies
		return "", ""
	}
	if include := req.Query.Get("include"); strings.Contains(include, "tags") {
		return "", ""
	}
	container, _, p := splitPath(req)
	if p != nil || container == "" {
		return "", ""
	}
	value, found, err := s.engine.Get(req.Account.Data.Catalogue().Key(nil, containerRows, container), nil)
	var r containerRecord
	if err == nil && found {
		err = r.decode(value)
	}
	if err != nil {
		s.log("blob service: read the public access of a container: %v", err)
		return "", ""
	}
	switch r.access {
	case "blob":
		return "r", string(azure.ObjectLevel)
	case "container":
		return "rl", string(azure.ObjectLevel) + string(azure.ContainerLevel)
	}
	return "", ""
}
