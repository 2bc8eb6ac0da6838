package blobs

import (
	"strings"

	"github.com/storespec/storespec/internal/emulator/azure"
)

// namedContainer is a container and its name.
type namedContainer struct {
	name string
	rec  containerRecord
}

// eachContainer calls do with the containers from the name start on, in order, until it returns false.
func (c *call) eachContainer(start string, do func(namedContainer) bool) *azure.Problem {
	catalogue := c.Account.Data.Catalogue()
	lower, upper := catalogue.Range(containerRows)
	from := catalogue.Key(nil, containerRows, start)
	return c.failed(c.s.engine.Each(lower, upper, from, func(key, value []byte) (bool, error) {
		parts, err := catalogue.Parts(key)
		var n namedContainer
		if err == nil {
			err = n.rec.decode(value)
		}
		if err != nil {
			return false, err
		}
		n.name = parts[len(parts)-1]
		return do(n), nil
	}))
}

// listContainers is List Containers.
// https://learn.microsoft.com/rest/api/storageservices/list-containers2
func (c *call) listContainers() *azure.Problem {
	l, p := c.page("metadata", "deleted", "system")
	if p != nil {
		return p
	}
	from, p := decodeMarker(l.marker, 1)
	if p != nil {
		return p
	}
	start := l.prefix
	if from != nil {
		start = max(start, from[0])
	}
	x := newXML()
	l.begin(x, c.Endpoint(), "")
	x.open("Containers")
	left, next := l.size, ""
	p = c.eachContainer(start, func(n namedContainer) bool {
		if !strings.HasPrefix(n.name, l.prefix) {
			return false
		}
		if left == 0 {
			next = encodeMarker(n.name)
			return false
		}
		left--
		c.writeContainer(x, &l, n)
		return true
	})
	if p != nil {
		return p
	}
	return c.endList(x, "Containers", next)
}

func (c *call) writeContainer(x *xmlWriter, l *listPage, n namedContainer) {
	x.open("Container")
	x.element("Name", n.name)
	x.open("Properties")
	x.element("Last-Modified", n.rec.etag.http())
	x.element("Etag", `"`+n.rec.etag.etag()+`"`)
	x.lease(&n.rec.lease, c.now)
	x.optional("PublicAccess", n.rec.access)
	x.element("HasImmutabilityPolicy", "false")
	x.element("HasLegalHold", "false")
	x.element("ImmutableStorageWithVersioningEnabled", "false")
	x.element("DefaultEncryptionScope", defaultScope)
	x.element("DenyEncryptionScopeOverride", "false")
	x.close("Properties")
	if l.include["metadata"] {
		x.metadata(n.rec.metadata)
	}
	x.close("Container")
}
