package blobs

import (
	"bytes"
	"encoding/base64"
	"net/url"
	"strconv"
	"strings"

	"github.com/storespec/storespec/internal/emulator/azure"
)

// maxPage is how many entries a list answers with at most, and without maxresults.
const maxPage = 5000

// listPage is what all lists are asked for.
type listPage struct {
	prefix, delimiter, marker string
	size                      int
	asked                     string // maxresults as sent
	include                   map[string]bool
}

// page reads a list's parameters. Problems: OutOfRangeQueryParameterValue, InvalidQueryParameterValue.
func (c *call) page(included ...string) (listPage, *azure.Problem) {
	l := listPage{size: maxPage}
	for name, value := range c.Query.All() {
		switch strings.ToLower(name) {
		case "prefix":
			l.prefix = value
		case "delimiter":
			l.delimiter = value
		case "marker":
			l.marker = value
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
		found := false
		for _, k := range known {
			found = found || k == item
		}
		if !found {
			return azure.InvalidQuery("include", value, "Invalid query parameter value.")
		}
		l.include[item] = true
	}
	return nil
}

// begin writes the head of a list's document.
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

// Markers are opaque to clients. They hold the tuple at which the next page begins, and are refused
// when they are not of this form.
const markerVersion = "2!"

func encodeMarker(parts ...string) string {
	text := base64.RawURLEncoding.EncodeToString([]byte(strings.Join(parts, "\x00")))
	return markerVersion + strconv.Itoa(len(text)) + "!" + text
}

// decodeMarker gives the parts of a marker; nil for none. Problem: OutOfRangeInput.
func decodeMarker(marker string, parts int) ([]string, *azure.Problem) {
	if marker == "" {
		return nil, nil
	}
	rest, ok := strings.CutPrefix(marker, markerVersion)
	length, text, found := strings.Cut(rest, "!")
	if !ok || !found || length != strconv.Itoa(len(text)) {
		return nil, outOfRange("")
	}
	raw, err := base64.RawURLEncoding.DecodeString(text)
	list := strings.Split(string(raw), "\x00")
	if err != nil || len(list) != parts {
		return nil, outOfRange("")
	}
	return list, nil
}

// endpoint is the address of the account, as lists repeat it.
func (c *call) endpoint() string {
	scheme := "http://"
	if c.HTTP.TLS != nil {
		scheme = "https://"
	}
	target := c.HTTP.RequestURI
	if target == "" {
		target = c.HTTP.URL.RequestURI()
	}
	path, _, _ := strings.Cut(target, "?")
	if strings.Contains(path, "://") {
		return strings.TrimSuffix(path, c.Path)
	}
	path = strings.TrimSuffix(path, c.Path)
	if !strings.HasSuffix(path, "/") {
		path += "/"
	}
	return scheme + c.HTTP.Host + path
}

// listBlobs is List Blobs, flat or with a delimiter.
// https://learn.microsoft.com/rest/api/storageservices/list-blobs
func (c *call) listBlobs() *azure.Problem {
	l, p := c.page("copy", "deleted", "metadata", "snapshots", "uncommittedblobs", "tags", "versions",
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
	l.begin(x, c.endpoint(), c.container)
	x.open("Blobs")
	next, p := c.writeBlobs(x, &l, from)
	if p != nil {
		return p
	}
	x.close("Blobs")
	x.element("NextMarker", next)
	x.close("EnumerationResults")
	return c.answerXML(x)
}

// writeBlobs writes a page and gives the marker of the next one; empty: there is none.
func (c *call) writeBlobs(x *xmlWriter, l *listPage, from []string) (next string, p *azure.Problem) {
	start, version := "", ""
	if from != nil {
		start, version = from[0], from[1]
	}
	w := c.walk(c.id, l.prefix, start)
	defer w.close()
	ok := w.next()
	for left := l.size; ok && strings.HasPrefix(string(w.name), l.prefix); {
		if string(w.name) == start && w.version < version {
			ok = w.next()
			continue
		}
		uncommitted := w.version == stagedMark
		if uncommitted {
			same := c.hasBase(w)
			if !l.include["uncommittedblobs"] || same {
				ok = w.next()
				continue
			}
		} else if w.version != baseMark && !l.include["snapshots"] {
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
		if uncommitted {
			x.uncommitted(string(w.name))
		} else {
			rec, err := w.record()
			if err != nil {
				return "", c.failed(err)
			}
			c.writeBlob(x, l, w, rec)
		}
		ok = w.next()
	}
	if w.err != nil {
		return "", c.failed(w.err)
	}
	return "", nil
}

// hasBase reports whether the blob whose mark of uncommitted blocks the walk stands at exists.
func (c *call) hasBase(w *walk) bool {
	_, found, err := c.s.engine.Get(c.shelf.space.Key(nil, blobRows, c.id, string(w.name), baseMark), nil)
	return err == nil && found
}

// commonPrefix is a name up to the first delimiter after a prefix.
func commonPrefix(name []byte, prefix, delimiter string) (string, bool) {
	if delimiter == "" {
		return "", false
	}
	i := bytes.Index(name[len(prefix):], []byte(delimiter))
	if i < 0 {
		return "", false
	}
	return string(name[:len(prefix)+i+len(delimiter)]), true
}

// name writes a blob's name, encoded if XML cannot say it.
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
