package blobs

import (
	"net/http"
	"strings"

	"github.com/storespec/storespec/internal/emulator/azure"
)

// appendBlock is Append Block and Append Block From URL.
// https://learn.microsoft.com/rest/api/storageservices/append-block
func appendBlock(c *call) *azure.Problem {
	conditions, p := parseAppendConditions(c.HTTP.Header)
	if p != nil {
		return p
	}
	if p := c.enter(); p != nil {
		return p
	}
	b, p := filledBody(c, maxAppendBlock)
	if p != nil {
		return p
	}
	defer c.s.release(b)
	var offset int64
	written, p := c.change(func(t *target, ch *change) *azure.Problem {
		r := &t.rec
		if p := conditions.check(r, b.size); p != nil {
			return p
		}
		offset = r.size
		if r.body == "" {
			r.body = newBody()
		}
		ch.setExtent(r.body, extent{start: offset, end: offset + b.size, chunk: ch.add(b)})
		r.size += b.size
		r.blocks++
		r.headers.md5 = "" // it was the digest of a shorter blob
		r.etag = c.clock.Next(c.now)
		return nil
	})
	if p != nil {
		return p
	}
	b.keep()
	c.answer.sums(partDigests(c), b)
	c.answer.number("X-Ms-Blob-Append-Offset", offset)
	c.answer.number("X-Ms-Blob-Committed-Block-Count", written.blocks)
	return c.answer.created(c.key)
}

// appendConditions are the headers that only Append Block and Seal have; a negative number means not sent.
type appendConditions struct{ position, maxSize int64 }

func parseAppendConditions(h http.Header) (appendConditions, *azure.Problem) {
	c := appendConditions{-1, -1}
	name, text := numbers(h, number{"X-Ms-Blob-Condition-Appendpos", &c.position},
		number{"X-Ms-Blob-Condition-Maxsize", &c.maxSize})
	if name != "" {
		return c, azure.InvalidHeaderValue(name, text)
	}
	return c, nil
}

// number is a header of that canonical name, and where its value goes.
type number struct {
	name string
	into *int64
}

// numbers parses those of the given headers that were sent, and returns the first that is not a number, if any: its
// name in lower case and its value.
func numbers(h http.Header, all ...number) (name, text string) {
	for _, n := range all {
		text := first(h, n.name)
		if text == "" {
			continue
		}
		var ok bool
		if *n.into, ok = digits(text); !ok {
			return strings.ToLower(n.name), text
		}
	}
	return "", ""
}

func (a appendConditions) check(r *record, more int64) *azure.Problem {
	switch {
	case r.kind != appendBlob:
		return invalidBlobType()
	case r.sealed:
		return azure.NewProblem(http.StatusConflict, "BlobIsSealed",
			"The specified blob is sealed and its contents can't be modified unless the blob is re-created after a "+
				"delete.")
	case a.position >= 0 && r.size != a.position:
		return azure.NewProblem(http.StatusPreconditionFailed, "AppendPositionConditionNotMet",
			"The append position condition specified was not met.")
	case a.maxSize >= 0 && r.size+more > a.maxSize:
		return azure.NewProblem(http.StatusPreconditionFailed, "MaxBlobSizeConditionNotMet",
			"The max blob size condition specified was not met.")
	case r.blocks >= maxBlocks:
		return azure.NewProblem(http.StatusConflict, "BlockCountExceedsLimit",
			"The committed block count cannot exceed the maximum limit of 50,000 blocks.")
	}
	return nil
}

// sealBlob makes an append blob read-only.
// https://learn.microsoft.com/rest/api/storageservices/append-blob-seal
func sealBlob(c *call) *azure.Problem {
	conditions, p := parseAppendConditions(c.HTTP.Header)
	if p != nil {
		return p
	}
	_, p = c.change(func(t *target, _ *change) *azure.Problem {
		r := &t.rec
		if r.kind != appendBlob {
			return invalidBlobType()
		}
		if conditions.position >= 0 && conditions.position != r.size {
			return conditions.check(r, 0)
		}
		if !r.sealed { // sealing twice changes nothing
			r.sealed = true
			r.etag = c.clock.Next(c.now)
		}
		return nil
	})
	if p != nil {
		return p
	}
	c.answer.h["X-Ms-Blob-Sealed"] = c.s.yes
	return c.answer.empty(http.StatusOK)
}
