package blobs

import (
	"encoding/xml"
	"net/http"
	"net/url"
	"slices"

	"github.com/storespec/storespec/internal/emulator/azure"
)

const (
	maxTags      = 10
	maxTagsBytes = 64 << 10 // ten tags of maximum length, with room for markup
)

// headerTags parses x-ms-tags, a query string of tags. Problems: InvalidTag, and those of permissions.
func headerTags(c *call) ([]pair, *azure.Problem) {
	text := first(c.HTTP.Header, "X-Ms-Tags")
	if text == "" {
		return nil, nil
	}
	if c.SAS != nil {
		if p := c.Allow(azure.ObjectLevel, "t"); p != nil {
			return nil, p
		}
	}
	values, err := url.ParseQuery(text)
	if err != nil {
		return nil, azure.InvalidHeaderValue("x-ms-tags", text)
	}
	var tags []pair
	for name, list := range values {
		if len(list) != 1 {
			return nil, invalidTags()
		}
		tags = append(tags, pair{name, list[0]})
	}
	return checkTags(tags)
}

// checkTags sorts tags by name. Problem: InvalidTag.
func checkTags(tags []pair) ([]pair, *azure.Problem) {
	if len(tags) > maxTags {
		return nil, azure.NewProblem(http.StatusBadRequest, "TagsTooLarge",
			"The tags specified exceed the maximum permissible limit.")
	}
	slices.SortFunc(tags, byName)
	for i, t := range tags {
		if t.name == "" || !validTagText(t.name, 128) || !validTagText(t.value, 256) ||
			i > 0 && tags[i-1].name == t.name {
			return nil, invalidTags()
		}
	}
	return tags, nil
}

// parseTags parses the body of Set Blob Tags. Problems: InvalidXmlDocument, InvalidTag.
func parseTags(body []byte) ([]pair, *azure.Problem) {
	var document struct {
		XMLName xml.Name `xml:"Tags"`
		Set     *struct {
			Tags []struct{ Key, Value string } `xml:"Tag"`
		} `xml:"TagSet"`
	}
	if err := xml.Unmarshal(body, &document); err != nil || document.Set == nil {
		return nil, azure.InvalidXML()
	}
	tags := make([]pair, 0, len(document.Set.Tags))
	for _, t := range document.Set.Tags {
		tags = append(tags, pair{t.Key, t.Value})
	}
	return checkTags(tags)
}

// getTags is Get Blob Tags.
// https://learn.microsoft.com/rest/api/storageservices/get-blob-tags
func getTags(c *call, t *target) *azure.Problem {
	conditions, p := parseConditions(c.HTTP.Header, blobConditions())
	if p == nil {
		p = conditions.read(t.rec.etag, nil)
	}
	if p != nil {
		return p
	}
	x := newXML()
	x.tags(t.rec.tags)
	return c.answer.xml(x)
}

// setTags is Set Blob Tags, which replaces all tags. It does not change ETag and Last-Modified.
// https://learn.microsoft.com/rest/api/storageservices/set-blob-tags
func setTags(c *call) *azure.Problem {
	body, p := readAll(c, maxTagsBytes)
	if p != nil {
		return p
	}
	tags, p := parseTags(body)
	if p != nil {
		return p
	}
	conditions, p := parseConditions(c.HTTP.Header, blobConditions())
	if p != nil {
		return p
	}
	p = c.changeVersion(func(t *target) *azure.Problem {
		if p := conditions.write(true, t.rec.etag, nil); p != nil {
			return p
		}
		t.rec.tags = tags
		return nil
	})
	if p != nil {
		return p
	}
	return c.answer.empty(http.StatusNoContent)
}

// findBlobs is Find Blobs by Tags, in the account or in a container. It reads every blob it passes.
// https://learn.microsoft.com/rest/api/storageservices/find-blobs-by-tags
func findBlobs(c *call) *azure.Problem {
	where, ok := c.Query.Lookup("where")
	if !ok || where == "" {
		return azure.MissingQuery("where")
	}
	expression, err := parseTagExpression(where)
	var search tagSearch
	if err == nil {
		search, ok = expression.search()
	}
	if err != nil || !ok {
		return azure.InvalidQuery("where", where, "Error parsing query.")
	}
	page, p := parsePage(c.Query)
	if p != nil {
		return p
	}
	from, p := decodeMarker(page.marker, 2)
	if p != nil {
		return p
	}
	containers, p := searchedContainers(c, search, from)
	if p != nil {
		return p
	}
	x := newXML()
	x.b = append(x.b, "<EnumerationResults"...)
	x.attribute("ServiceEndpoint", c.Endpoint())
	x.b = append(x.b, '>')
	x.element("Where", where)
	x.open("Blobs")
	left, next := page.size, ""
	for _, container := range containers {
		start := ""
		if from != nil && container.name == from[0] {
			start = from[1]
		}
		if next, p = searchContainer(c, x, container, start, search, &left); p != nil {
			return p
		}
		if next != "" {
			break
		}
	}
	return endList(c, x, "Blobs", next)
}

// searchedContainers lists the containers to search.
func searchedContainers(c *call, search tagSearch, from []string) ([]namedContainer, *azure.Problem) {
	if c.container != "" {
		if p := c.enter(); p != nil {
			return nil, p
		}
		return []namedContainer{{c.container, containerRecord{id: c.id}}}, nil
	}
	only := ""
	for _, clause := range search {
		if clause.name == containerTag {
			only = clause.value
		}
	}
	var list []namedContainer
	p := eachContainer(c, "", func(n namedContainer) bool {
		if (only == "" || n.name == only) && (from == nil || n.name >= from[0]) {
			list = append(list, n)
		}
		return true
	})
	return list, p
}

// searchContainer writes a container's matches until the page is full; next is then the marker.
func searchContainer(c *call, x *xmlWriter, in namedContainer, start string, search tagSearch,
	left *int) (next string, p *azure.Problem) {
	var within tagSearch
	for _, clause := range search {
		switch {
		case clause.name != containerTag:
			within = append(within, clause)
		case clause.value != in.name:
			return "", nil
		}
	}
	walk := c.shelf.walk(blobRows, in.rec.id, "", start)
	defer walk.close()
	for walk.next() {
		if walk.version != baseMark {
			continue
		}
		rec, err := walk.record()
		if err != nil {
			return "", c.failed(err)
		}
		if len(rec.tags) == 0 || !within.holds(rec.tags) {
			continue
		}
		if *left == 0 {
			return encodeMarker(in.name, string(walk.name)), nil
		}
		*left--
		x.open("Blob")
		x.element("Name", string(walk.name))
		x.element("ContainerName", in.name)
		x.tags(slices.DeleteFunc(slices.Clone(rec.tags), func(t pair) bool { return !within.names(t.name) }))
		x.close("Blob")
	}
	return "", c.failed(walk.err)
}
