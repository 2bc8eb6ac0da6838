package blobs

import (
	"net/http"
	"slices"
	"strings"

	"github.com/storespec/storespec/internal/emulator/azure"
)

// Public returns what anybody may do with the container that a request names: read its blobs and, with public access to
// the container, read the container too and list its blobs. It is the front's option of that name.
// https://learn.microsoft.com/azure/storage/blobs/anonymous-read-access-configure; the operations are those of the table
// "Features available to anonymous users", in that page's version of 2019-04-30.
func (s *Service) Public(req *azure.Request) (permissions, levels string) {
	if !openToAll(req) {
		return "", ""
	}
	container, blob, p := splitPath(req)
	if p != nil || container == "" {
		return "", ""
	}
	r, err := s.container(req.Account, container)
	if err != nil {
		s.log("blob service: read the public access of a container: %v", err)
	}
	switch {
	case err != nil || r == nil:
	case r.access == "blob" && blob != "":
		return "r", string(azure.ObjectLevel)
	case r.access == "container":
		return "rl", string(azure.ObjectLevel) + string(azure.ContainerLevel)
	}
	return "", ""
}

// openToAll reports whether a request is a read that needs no credentials if its container is public. What is
// uncommitted is not public, nor are tags.
func openToAll(req *azure.Request) bool {
	if req.HTTP.Method != http.MethodGet && req.HTTP.Method != http.MethodHead {
		return false
	}
	for name, value := range req.Query.All() {
		switch value := strings.ToLower(value); strings.ToLower(name) {
		case "comp":
			if !slices.Contains([]string{"", "metadata", "list", "blocklist", "pagelist"}, value) {
				return false
			}
		case "include":
			if strings.Contains(value, "tags") || strings.Contains(value, "uncommittedblobs") {
				return false
			}
		case "blocklisttype":
			if value != "" && value != "committed" {
				return false
			}
		}
	}
	return true
}
