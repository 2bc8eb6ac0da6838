package blobs

import (
	"bytes"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/storespec/storespec/internal/emulator/azure"
)

// maxPage is the maximum number of entries of a list, and the default without maxresults.
const maxPage = 5000

// listPage holds the parameters that all lists share.
type listPage struct {
	prefix, delimiter, marker string
	from, before              string // bounds of the names; empty: none
	size                      int
	asked                     string // maxresults as sent
	include                   map[string]bool
}

// parsePage reads a list's parameters. Problems: OutOfRangeQueryParameterValue, InvalidQueryParameterValue.
func parsePage(q azure.Query, included ...string) (listPage, *azure.Problem) {
	l := listPage{size: maxPage}
	for name, value := range q.All() {
		switch strings.ToLower(name) {
		case "prefix":
			l.prefix = value
		case "delimiter":
			l.delimiter = value
		case "marker":
			l.marker = value
		case "startfrom":
			l.from = value
		case "endbefore":
			l.before = value
		case "maxresults":
			l.asked = value
			n, err := strconv.ParseInt(value, 10, 32)
			if err != nil {
				return l, azure.InvalidQuery("maxresults", value, "The value is not a number.")
			}
			if n < 1 {
				return l, azure.QueryOutOfRange("maxresults", value, 1, maxPage)
			}
			l.size = int(min(n, maxPage))
		case "include":
			if p := l.addIncluded(value, included); p != nil {
				return l, p
			}
		}
	}
	return l, nil
}

func (l *listPage) addIncluded(value string, known []string) *azure.Problem {
	if l.include == nil {
		l.include = map[string]bool{}
	}
	for item := range strings.SplitSeq(value, ",") {
		item = strings.ToLower(strings.TrimSpace(item))
		if item == "" {
			continue
		}
		if !slices.Contains(known, item) {
			return azure.InvalidQuery("include", value, "Invalid query parameter value.")
		}
		l.include[item] = true
	}
	return nil
}

// begin writes the start of a list's document.
func (l *listPage) begin(x *xmlWriter, endpoint, container string) {
	x.b = append(x.b, "<EnumerationResults"...)
	x.attribute("ServiceEndpoint", endpoint)
	if container != "" {
		x.attribute("ContainerName", container)
	}
	x.b = append(x.b, '>')
	x.optional("Prefix", l.prefix)
	x.optional("Marker", l.marker)
	if l.asked != "" {
		x.number("MaxResults", int64(l.size))
	}
	x.optional("Delimiter", l.delimiter)
}

// endList finishes the document whose entries are in the element of that name, and sends it.
func endList(c *call, x *xmlWriter, entries, next string) *azure.Problem {
	x.close(entries)
	x.element("NextMarker", next)
	x.close("EnumerationResults")
	return c.answer.xml(x)
}

// Markers are opaque to clients. They contain the tuple at which the next page begins; any other text is rejected.
const markerVersion = "2!"

func encodeMarker(parts ...string) string {
	return azure.EncodeToken(markerVersion, strings.Join(parts, "\x00"))
}

// decodeMarker returns the parts of a marker; nil for none. Problem: OutOfRangeInput.
func decodeMarker(marker string, parts int) ([]string, *azure.Problem) {
	if marker == "" {
		return nil, nil
	}
	text, ok := azure.DecodeToken(markerVersion, marker)
	list := strings.Split(text, "\x00")
	if !ok || len(list) != parts {
		return nil, outOfRange("")
	}
	return list, nil
}

// listBlobs is List Blobs, flat or with a delimiter.
// https://learn.microsoft.com/rest/api/storageservices/list-blobs
func listBlobs(c *call) *azure.Problem {
	l, p := parsePage(c.Query, "copy", "deleted", "metadata", "snapshots", "uncommittedblobs", "tags", "versions",
		"deletedwithversions", "immutabilitypolicy", "legalhold", "permissions")
	if p != nil {
		return p
	}
	if l.delimiter != "" && l.include["snapshots"] {
		return azure.InvalidQuery("include", "snapshots", "Snapshots cannot be listed with a delimiter.")
	}
	if c.SAS != nil && l.include["tags"] {
		if p := c.Allow(azure.ContainerLevel, "lt"); p != nil {
			return p
		}
	}
	from, p := decodeMarker(l.marker, 2)
	if p != nil {
		return p
	}
	if p := c.enter(); p != nil {
		return p
	}
	x := newXML()
	l.begin(x, c.Endpoint(), c.container)
	x.open("Blobs")
	next, p := writeBlobs(c, x, &l, from)
	if p != nil {
		return p
	}
	return endList(c, x, "Blobs", next)
}

// writeBlobs writes a page and returns the marker of the next one, or "" after the last.
func writeBlobs(c *call, x *xmlWriter, l *listPage, from []string) (next string, p *azure.Problem) {
	start, version := l.from, ""
	if from != nil {
		start, version = from[0], from[1]
	}
	w := newListRows(c, l, start)
	defer func() {
		if err := w.close(); p == nil {
			p = c.failed(err)
		}
	}()
	ok := w.next()
	for left := l.size; ok && l.within(string(w.name)); {
		if string(w.name) == start && w.version < version || !isListed(c, l, w.walk) {
			ok = w.next()
			continue
		}
		if left == 0 {
			return encodeMarker(string(w.name), w.version), nil
		}
		left--
		if prefix, found := commonPrefix(w.name, l.prefix, l.delimiter); found {
			x.open("BlobPrefix")
			x.name(prefix)
			x.close("BlobPrefix")
			ok = w.skip(c.shelf, c.id, prefix)
			continue
		}
		if w.version == stagedMark {
			x.uncommitted(string(w.name))
		} else {
			rec, err := w.record()
			if err != nil {
				return "", c.failed(err)
			}
			writeBlob(x, l, w.walk, rec, c.now)
		}
		ok = w.next()
	}
	return "", nil
}

// within reports whether a name, and not those after it, may be listed.
func (l *listPage) within(name string) bool {
	return strings.HasPrefix(name, l.prefix) && (l.before == "" || name < l.before)
}

// isListed reports whether the list includes the walk's current row.
func isListed(c *call, l *listPage, w *walk) bool {
	if w.table == goneRows && (!l.include["deleted"] || w.expired(c.now)) {
		return false
	}
	switch {
	case w.version == baseMark:
		return true
	case w.version == stagedMark:
		return l.include["uncommittedblobs"] && !hasBase(c, w)
	case isVersion(w.version):
		return l.include["versions"]
	}
	return l.include["snapshots"] && (w.table != goneRows || !baseExpired(c, w))
}

// hasBase reports whether the blob exists whose mark of uncommitted blocks is the walk's current row.
func hasBase(c *call, w *walk) bool {
	_, found, err := c.s.engine.Get(c.shelf.space.Key(nil, blobRows, c.id, string(w.name), baseMark), nil)
	return err == nil && found
}

// baseExpired reports whether the blob whose snapshot is the walk's current row was soft-deleted, and has expired.
func baseExpired(c *call, w *walk) bool {
	value, found, err := c.s.engine.Get(c.shelf.space.Key(nil, goneRows, c.id, string(w.name), baseMark), nil)
	if err != nil || !found {
		return false
	}
	d, _, err := decodeDeletion(value)
	return err == nil && c.now >= d.until
}

// commonPrefix returns a name up to the first delimiter after a prefix.
func commonPrefix(name []byte, prefix, delimiter string) (string, bool) {
	i := bytes.Index(name[len(prefix):], []byte(delimiter))
	if delimiter == "" || i < 0 {
		return "", false
	}
	return string(name[:len(prefix)+i+len(delimiter)]), true
}

// name writes a blob's name, encoded if XML cannot represent it.
func (x *xmlWriter) name(name string) {
	for i, r := range name {
		width := 1
		if r != '\ufffd' {
			width = 2 // any but an invalid byte
		} else if strings.HasPrefix(name[i:], "\ufffd") {
			width = 3
		}
		if !sayable(r, width) {
			x.b = append(x.b, `<Name Encoded="true">`...)
			x.text(url.PathEscape(name))
			x.close("Name")
			return
		}
	}
	x.element("Name", name)
}
