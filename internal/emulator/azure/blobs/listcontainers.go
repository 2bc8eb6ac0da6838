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
func eachContainer(c *call, start string, do func(namedContainer) bool) *azure.Problem {
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

// isSystemContainer reports whether a list shows a container only with include=system.
func isSystemContainer(name string) bool { return name == logsContainer || name == "$blobchangefeed" }

// logsContainer is the container that every account has, and that cannot be deleted. Nothing is logged into it.
// https://learn.microsoft.com/azure/storage/common/storage-analytics-logging
const logsContainer = "$logs"

// unusedLogs is $logs as long as it has no row, which it gets with its first change.
func (s *Service) unusedLogs() *containerRecord {
	return &containerRecord{id: logsContainer, etag: s.since}
}

// listContainers is List Containers.
// https://learn.microsoft.com/rest/api/storageservices/list-containers2
func listContainers(c *call) *azure.Problem {
	l, p := parsePage(c.Query, "metadata", "deleted", "system")
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
	p = eachListed(c, start, l.include["system"], func(n namedContainer) bool {
		if !strings.HasPrefix(n.name, l.prefix) {
			return false
		}
		if left == 0 {
			next = encodeMarker(n.name)
			return false
		}
		left--
		writeContainer(x, &l, n, c.now)
		return true
	})
	if p != nil {
		return p
	}
	return endList(c, x, "Containers", next)
}

// eachListed is eachContainer for a list: without the system's containers unless they are asked for, and then with
// $logs, which every account has.
func eachListed(c *call, start string, system bool, do func(namedContainer) bool) *azure.Problem {
	logs := namedContainer{logsContainer, *c.s.unusedLogs()}
	pending, more := system && start <= logsContainer, true
	p := eachContainer(c, start, func(n namedContainer) bool {
		if pending && n.name >= logsContainer {
			pending = false
			if n.name != logsContainer && !do(logs) {
				more = false
				return false
			}
		}
		if isSystemContainer(n.name) && !system {
			return true
		}
		more = do(n)
		return more
	})
	if p == nil && pending && more {
		do(logs)
	}
	return p
}

func writeContainer(x *xmlWriter, l *listPage, n namedContainer, now ticks) {
	x.open("Container")
	x.element("Name", n.name)
	x.open("Properties")
	x.element("Last-Modified", n.rec.etag.http())
	x.element("Etag", `"`+n.rec.etag.etag()+`"`)
	x.lease(&n.rec.lease, now)
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
