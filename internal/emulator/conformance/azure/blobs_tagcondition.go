package azure

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// tagged makes a blob with tags.
func (p *blobProbe) tagged() {
	p.answers(p.raw("PUT", "/b", "x", aBlockBlob, "x-ms-tags: a=1&b=2&c=3"), 201, "")
}

// blobTagConditions are conditions on tags.
func blobTagConditions() []blobCase {
	return []blobCase{
		{"a condition on tags with parentheses", nil, func(p *blobProbe) {
			p.tagged()
			for condition, status := range map[string]int{
				`("a" = '1')`:                                      200,
				`(a = '1' OR a = '2') AND b = '2'`:                 200,
				`(a = '1' OR a = '2') AND (b = '3' OR c = '4')`:    412,
				`a = '1' OR (a = '2' AND b = '3')`:                 200,
				`((a = '9') OR (b = '2')) AND ((c <> '4'))`:        200,
				`a = '9' AND (b = '2' OR c = '3')`:                 412,
				`(a='1'OR a='2')AND(b='2')`:                        200,
				`NOTHING = 'x' OR (a = '1' AND b = '2' AND c='3')`: 200,
			} {
				r := p.raw("HEAD", "/b", "", "x-ms-if-tags: "+condition)
				if r.status != status {
					p.Fatalf("%s: status %d, want %d", condition, r.status, status)
				}
			}
			p.answers(p.raw("GET", "/b", "", `x-ms-if-tags: (a = '1'`), 400, "InvalidHeaderValue")
			p.answers(p.raw("GET", "/b", "", `x-ms-if-tags: a = '1')`), 400, "InvalidHeaderValue")
		}},
		{"a condition on tags with many terms", nil, func(p *blobProbe) {
			p.tagged()
			terms := make([]string, 100)
			for i := range terms {
				terms[i] = fmt.Sprintf("a = '%d'", i)
			}
			p.answers(p.raw("GET", "/b", "", "x-ms-if-tags: "+strings.Join(terms, " OR ")), 200, "")
			p.answers(p.raw("GET", "/b", "", "x-ms-if-tags: "+strings.Join(terms, " AND ")), 412, "ConditionNotMet")
		}},
	}
}

// blobTagSearches are what a search may say, and conditions on the blob whose tags are set.
func blobTagSearches() []blobCase {
	const tags = `<Tags><TagSet><Tag><Key>a</Key><Value>2</Value></Tag></TagSet></Tags>`
	return []blobCase{
		{"a search has no parentheses", RefusesGroupsInSearches, func(p *blobProbe) {
			r := p.raw("GET", "?restype=container&comp=blobs&where="+url.QueryEscape(`(a = '1')`), "")
			p.answers(r, 400, "InvalidQueryParameterValue")
		}},
		{"tags are set under conditions on the blob", ChecksBlobBeforeTags, func(p *blobProbe) {
			p.tagged()
			etag := p.raw("HEAD", "/b", "").header.Get("ETag")
			past, future := time.Now().Add(-time.Hour).UTC().Format(http.TimeFormat),
				time.Now().Add(time.Hour).UTC().Format(http.TimeFormat)
			for header, met := range map[string]bool{
				"x-ms-blob-if-match: " + etag: true, `x-ms-blob-if-match: "0x8D00000000000AA"`: false,
				"x-ms-blob-if-none-match: " + etag: false, `x-ms-blob-if-none-match: "0x8D00000000000AA"`: true,
				"x-ms-blob-if-modified-since: " + past: true, "x-ms-blob-if-modified-since: " + future: false,
				"x-ms-blob-if-unmodified-since: " + past: false, "x-ms-blob-if-unmodified-since: " + future: true,
			} {
				r := p.raw("PUT", "/b?comp=tags", tags, header)
				if met != (r.status == 204) || !met && r.status != 412 {
					p.Fatalf("%s: status %d", header, r.status)
				}
			}
		}},
		{"a search has at most ten tags", nil, func(p *blobProbe) {
			where := func(n int) string {
				terms := make([]string, n)
				for i := range terms {
					terms[i] = fmt.Sprintf("t%d = 'x'", i)
				}
				return "?restype=container&comp=blobs&where=" + url.QueryEscape(strings.Join(terms, " AND "))
			}
			p.answers(p.raw("GET", where(10), ""), 200, "")
		}},
	}
}
