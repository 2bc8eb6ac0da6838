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

// eachContainer calls do with the containers whose name is not below start, in order, until it is false.
func (c *call) eachContainer(start string, do func(namedContainer) bool) *azure.Problem {
	catalogue := c.Account.Data.Catalogue()
	it, err := c.s.engine.Iter(catalogue.Range(containerRows))
	if err != nil {
		return c.failed(err)
	}
	for ok := it.SeekGE(catalogue.Key(nil, containerRows, start)); ok; ok = it.Next() {
		parts, err := catalogue.Parts(it.Key())
		var value []byte
		if err == nil {
			value, err = it.Value()
		}
		var n namedContainer
		if err == nil {
			err = n.rec.decode(value)
		}
		if err != nil {
			_ = it.Close() // the row is the error
			return c.failed(err)
		}
		n.name = parts[len(parts)-1]
		if !do(n) {
			break
		}
	}
	if err := it.Close(); err != nil {
		return c.failed(err)
	}
	return nil
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
	l.begin(x, c.endpoint(), "")
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
	x.close("Containers")
	x.element("NextMarker", next)
	x.close("EnumerationResults")
	return c.answerXML(x)
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
