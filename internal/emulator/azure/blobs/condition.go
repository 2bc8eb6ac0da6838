package blobs

import (
	"net/http"
	"strings"
	"time"

	"github.com/storespec/storespec/internal/emulator/azure"
)

// conditions are the conditional headers of a request.
// https://learn.microsoft.com/rest/api/storageservices/specifying-conditional-headers-for-blob-service-operations
type conditions struct {
	match, noneMatch  string // as sent; empty: not sent
	since, notSince   ticks  // If-Modified-Since, If-Unmodified-Since; 0: not sent
	tags              *tagExpression
	any               bool
	sourceOfCopy      bool // the headers are those of a copy's source
	readAtOnce        bool // whose content is read before the answer, as by a Get Blob
	alreadyIsConflict bool // If-None-Match: * on something that exists is 409 and not 412
}

// conditionHeaders are the canonical names of the headers of a set of conditions.
type conditionHeaders struct{ match, noneMatch, since, notSince, tags string }

// ownConditions apply to the resource of the request; sourceConditions to a copy's source.
func ownConditions() conditionHeaders {
	return conditionHeaders{"If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since", "X-Ms-If-Tags"}
}

// blobConditions apply to the blob whose tags are read or set.
func blobConditions() conditionHeaders {
	return conditionHeaders{"X-Ms-Blob-If-Match", "X-Ms-Blob-If-None-Match", "X-Ms-Blob-If-Modified-Since",
		"X-Ms-Blob-If-Unmodified-Since", ""}
}

func sourceConditions() conditionHeaders {
	return conditionHeaders{"X-Ms-Source-If-Match", "X-Ms-Source-If-None-Match", "X-Ms-Source-If-Modified-Since",
		"X-Ms-Source-If-Unmodified-Since", "X-Ms-Source-If-Tags"}
}

// parseConditions reads the headers. Problems: InvalidHeaderValue.
func parseConditions(h http.Header, names conditionHeaders) (conditions, *azure.Problem) {
	c := conditions{match: first(h, names.match), noneMatch: first(h, names.noneMatch)}
	var p *azure.Problem
	if c.since, p = parseDate(h, names.since); p != nil {
		return c, p
	}
	if c.notSince, p = parseDate(h, names.notSince); p != nil {
		return c, p
	}
	if where := first(h, names.tags); where != "" {
		var err error
		if c.tags, err = parseTagExpression(where); err != nil {
			return c, azure.InvalidHeaderValue(strings.ToLower(names.tags), where)
		}
	}
	c.any = c.match != "" || c.noneMatch != "" || c.since != 0 || c.notSince != 0 || c.tags != nil
	return c, nil
}

func parseDate(h http.Header, name string) (ticks, *azure.Problem) {
	value := first(h, name)
	if value == "" {
		return 0, nil
	}
	t, err := http.ParseTime(value)
	if err != nil {
		if t, err = time.Parse(time.RFC3339Nano, value); err != nil {
			return 0, azure.InvalidHeaderValue(name, value)
		}
	}
	return max(ticksOf(t), 1), nil
}

// write decides whether a write may proceed. If exists is false, only a condition that needs the resource prevents
// creating it; etag is then the time of its last uncommitted block, if there is one.
func (c *conditions) write(exists bool, etag ticks, tags []pair) *azure.Problem {
	if !c.any {
		return nil
	}
	if !exists {
		if c.match != "" || c.tags != nil || etag != 0 && (c.since != 0 && etag.seconds() <= c.since ||
			c.notSince != 0 && etag.seconds() > c.notSince) {
			return c.notMet()
		}
		return nil
	}
	if c.alreadyIsConflict && c.noneMatch == "*" {
		return blobAlreadyExists()
	}
	switch {
	case c.match != "" && !etagListed(c.match, etag),
		c.noneMatch != "" && etagListed(c.noneMatch, etag),
		c.since != 0 && etag.seconds() <= c.since,
		c.notSince != 0 && etag.seconds() > c.notSince,
		c.tags != nil && !c.tags.holds(tags):
		return c.notMet()
	}
	return nil
}

// read decides whether an existing resource is returned: If-Match && If-Unmodified-Since && (If-None-Match ||
// If-Modified-Since); 304 when only the last part fails.
func (c *conditions) read(etag ticks, tags []pair) *azure.Problem {
	if !c.any {
		return nil
	}
	if c.match != "" && !etagListed(c.match, etag) ||
		c.notSince != 0 && etag.seconds() > c.notSince ||
		c.tags != nil && !c.tags.holds(tags) {
		return c.notMet()
	}
	if c.noneMatch == "*" {
		return azure.NewProblem(http.StatusBadRequest, "UnsatisfiableCondition",
			"The request includes an unsatisfiable condition for this operation.")
	}
	newer := c.since != 0 && etag.seconds() > c.since
	other := c.noneMatch != "" && !etagListed(c.noneMatch, etag)
	if (c.since != 0 || c.noneMatch != "") && !newer && !other {
		if c.readAtOnce {
			return cannotVerifySource(http.StatusNotModified, messageConditionNotMet)
		}
		if c.sourceOfCopy {
			return c.notMet()
		}
		return azure.NewProblem(http.StatusNotModified, "ConditionNotMet", messageConditionNotMet)
	}
	return nil
}

const messageConditionNotMet = "The condition specified using HTTP conditional header(s) is not met."

func (c *conditions) notMet() *azure.Problem {
	if c.sourceOfCopy {
		return azure.NewProblem(http.StatusPreconditionFailed, "SourceConditionNotMet",
			"The source condition specified using HTTP conditional header(s) is not met.")
	}
	return azure.NewProblem(http.StatusPreconditionFailed, "ConditionNotMet", messageConditionNotMet)
}

// etagListed reports whether a header lists an ETag: it has one or more, with or without quotes, or the wildcard.
func etagListed(list string, etag ticks) bool {
	if list == "*" {
		return true
	}
	var buffer [20]byte
	own := etag.appendETag(buffer[:0])
	for one := range strings.SplitSeq(list, ",") {
		one = strings.TrimPrefix(strings.TrimSpace(one), "W/")
		if one == "*" || strings.Trim(one, `"`) == string(own) {
			return true
		}
	}
	return false
}

// first returns the first value of a header, given its canonical name.
func first(h http.Header, name string) string {
	if v := h[name]; len(v) > 0 {
		return v[0]
	}
	return ""
}
