package blobs

import (
	"net/http"
	"strconv"

	"github.com/storespec/storespec/internal/emulator/azure"
)

// putPage is Put Page (update and clear) and Put Page From URL.
// https://learn.microsoft.com/rest/api/storageservices/put-page
func putPage(c *call) *azure.Problem {
	h := c.HTTP.Header
	if p := c.enter(); p != nil {
		return p
	}
	at, p := pageRange(h)
	if p != nil {
		return p
	}
	conditions, p := parseSequenceConditions(h)
	if p != nil {
		return p
	}
	var b *body
	switch action := first(h, "X-Ms-Page-Write"); action {
	case "update":
		if b, p = pageBody(c, at); p != nil {
			return p
		}
		defer c.s.release(b)
	case "clear":
		if c.HTTP.ContentLength > 0 {
			return azure.InvalidHeaderValue("Content-Length", strconv.FormatInt(c.HTTP.ContentLength, 10))
		}
	case "":
		return azure.MissingHeader("x-ms-page-write")
	default:
		return azure.InvalidHeaderValue("x-ms-page-write", action)
	}
	written, p := writePages(c, at, b, conditions)
	if p != nil {
		return p
	}
	c.answer.number("X-Ms-Blob-Sequence-Number", written.sequence)
	if b != nil {
		b.keep()
		c.answer.sums(partDigests(c), b)
		c.answer.encrypted(c.key)
	}
	return c.answer.empty(http.StatusCreated)
}

// pageBody returns the content for a range: the request's body or a part of another blob.
func pageBody(c *call, at span) (*body, *azure.Problem) {
	if at.length() > maxPages {
		return nil, azure.BodyTooLarge()
	}
	b, p := partBody(c, maxPages)
	if p != nil {
		return nil, p
	}
	if b.size != at.length() {
		c.s.release(b)
		return nil, azure.InvalidHeaderValue("Content-Length", strconv.FormatInt(b.size, 10))
	}
	return b, nil
}

// writePages replaces a range with a body, or with zeros when b is nil.
func writePages(c *call, at span, b *body, conditions sequenceConditions) (record, *azure.Problem) {
	return c.change(func(t *target, ch *change) *azure.Problem {
		r := &t.rec
		if r.kind != pageBlob {
			return invalidBlobType()
		}
		if at.end > r.size {
			return invalidPageRange()
		}
		if p := conditions.check(r.sequence); p != nil {
			return p
		}
		if r.body == "" {
			r.body = newBody()
		}
		if err := ch.clearRange(r.body, at); err != nil {
			return c.failed(err)
		}
		if b != nil {
			ch.setExtent(r.body, extent{start: at.start, end: at.end, chunk: ch.add(b)})
		}
		r.etag = c.clock.Next(c.now)
		return nil
	})
}

// clearRange removes a range from a body's extents; those that extend beyond it are cut.
func (c *change) clearRange(body string, gone span) error {
	extents, err := c.shelf.extents(body, gone)
	for _, x := range extents {
		c.dropExtent(body, x)
		if x.start < gone.start {
			left := x
			left.end = gone.start
			c.setExtent(body, left)
		}
		if x.end > gone.end {
			right := x
			right.offset += gone.end - x.start
			right.start = gone.end
			c.setExtent(body, right)
		}
	}
	return err
}

// sequenceConditions are the headers about a page blob's sequence number; negative: not sent.
type sequenceConditions struct{ atMost, less, equal int64 }

func parseSequenceConditions(h http.Header) (sequenceConditions, *azure.Problem) {
	c := sequenceConditions{-1, -1, -1}
	name, text := numbers(h, number{"X-Ms-If-Sequence-Number-Le", &c.atMost},
		number{"X-Ms-If-Sequence-Number-Lt", &c.less}, number{"X-Ms-If-Sequence-Number-Eq", &c.equal})
	if name != "" {
		return c, azure.InvalidInput("").With("HeaderName", name).With("HeaderValue", text)
	}
	return c, nil
}

func (s sequenceConditions) check(sequence int64) *azure.Problem {
	if s.atMost >= 0 && sequence > s.atMost || s.less >= 0 && sequence >= s.less ||
		s.equal >= 0 && sequence != s.equal {
		return azure.NewProblem(http.StatusPreconditionFailed, "SequenceNumberConditionNotMet",
			"The sequence number condition specified was not met.")
	}
	return nil
}

// setPageProperties is the part of Set Blob Properties that only page blobs have: their size and their sequence number.
func setPageProperties(c *call, t *target, ch *change) *azure.Problem {
	h, r := c.HTTP.Header, &t.rec
	size, action := first(h, "X-Ms-Blob-Content-Length"), first(h, "X-Ms-Sequence-Number-Action")
	if size == "" && action == "" {
		return nil
	}
	if r.kind != pageBlob {
		return invalidBlobType()
	}
	if size != "" {
		n, ok := digits(size)
		if !ok || n%pageSize != 0 || n > maxPageBlob {
			return azure.InvalidHeaderValue("x-ms-blob-content-length", size)
		}
		if n < r.size && r.body != "" {
			if err := ch.clearRange(r.body, span{n, openEnd - 1}); err != nil {
				return c.failed(err)
			}
		}
		r.size = n
	}
	if action == "" {
		return nil
	}
	return changeSequence(r, action, first(h, "X-Ms-Blob-Sequence-Number"))
}

// changeSequence applies max, update or increment.
// https://learn.microsoft.com/rest/api/storageservices/set-blob-properties
func changeSequence(r *record, action, number string) *azure.Problem {
	if action == "increment" {
		if number != "" {
			return azure.InvalidHeaderValue("x-ms-blob-sequence-number", number)
		}
		if r.sequence == openEnd {
			return azure.NewProblem(http.StatusConflict, "SequenceNumberIncrementTooLarge",
				"The sequence number increment cannot be performed because it would result in overflow of the "+
					"sequence number.")
		}
		r.sequence++
		return nil
	}
	if action != "max" && action != "update" {
		return azure.InvalidHeaderValue("x-ms-sequence-number-action", action)
	}
	n, ok := digits(number)
	switch {
	case number == "":
		return azure.MissingHeader("x-ms-blob-sequence-number")
	case !ok:
		return azure.InvalidHeaderValue("x-ms-blob-sequence-number", number)
	case action == "max":
		n = max(n, r.sequence)
	}
	r.sequence = n
	return nil
}
