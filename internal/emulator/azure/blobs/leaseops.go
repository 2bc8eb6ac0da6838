package blobs

import (
	"cmp"
	"crypto/rand"
	"net/http"
	"strconv"

	"github.com/storespec/storespec/internal/emulator/azure"
)

// leaseRequest holds the parameters of Lease Blob and Lease Container.
type leaseRequest struct {
	action   string
	id       string // the proposed one when acquiring
	proposed string
	seconds  int64 // of an acquired lease, or of a break; negative: infinite, or not given
}

// The bounds of leases, in seconds.
const (
	minLease = 15
	maxLease = 60
	maxBreak = 60
)

// parseLease reads the headers. Problems: MissingRequiredHeader, InvalidHeaderValue.
// https://learn.microsoft.com/rest/api/storageservices/lease-blob
func parseLease(h http.Header) (leaseRequest, *azure.Problem) {
	r := leaseRequest{action: first(h, "X-Ms-Lease-Action"), seconds: -1}
	var p *azure.Problem
	needID, needProposed := false, false
	switch r.action {
	case "":
		return r, azure.MissingHeader("x-ms-lease-action")
	case "acquire":
		if r.id, p = leaseIDHeader(h, "X-Ms-Proposed-Lease-Id", false); p != nil {
			return r, p
		}
		if r.id == "" {
			r.id = newGUID()
		}
		r.seconds, p = leaseDuration(first(h, "X-Ms-Lease-Duration"))
		return r, p
	case "renew", "release":
		needID = true
	case "change":
		needID, needProposed = true, true
	case "break":
		text := first(h, "X-Ms-Lease-Break-Period")
		if text == "" {
			return r, nil
		}
		n, ok := digits(text)
		if !ok || n > maxBreak {
			return r, azure.InvalidHeaderValue("x-ms-lease-break-period", text)
		}
		r.seconds = n
		return r, nil
	default:
		return r, azure.InvalidHeaderValue("x-ms-lease-action", r.action)
	}
	if r.id, p = leaseIDHeader(h, "X-Ms-Lease-Id", needID); p != nil {
		return r, p
	}
	r.proposed, p = leaseIDHeader(h, "X-Ms-Proposed-Lease-Id", needProposed)
	return r, p
}

func leaseIDHeader(h http.Header, name string, required bool) (string, *azure.Problem) {
	text := first(h, name)
	id, ok := guid(text)
	switch {
	case text == "" && required:
		return "", azure.MissingHeader(name)
	case text != "" && !ok:
		return "", azure.InvalidHeaderValue(name, text)
	}
	return id, nil
}

func leaseDuration(text string) (int64, *azure.Problem) {
	if text == "" {
		return 0, azure.MissingHeader("x-ms-lease-duration")
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n != infiniteLease && (n < minLease || n > maxLease) {
		return 0, azure.InvalidHeaderValue("x-ms-lease-duration", text)
	}
	return n, nil
}

func newGUID() string {
	var raw [16]byte
	_, _ = rand.Read(raw[:]) // never fails (crypto/rand)
	raw[6], raw[8] = raw[6]&0x0F|0x40, raw[8]&0x3F|0x80
	return string(azure.AppendGUID(nil, raw))
}

// apply changes the lease, writes the answer's headers and returns its status.
func (r *leaseRequest) apply(l *lease, h http.Header, now ticks) (int, *azure.Problem) {
	status := http.StatusOK
	var p *azure.Problem
	switch r.action {
	case "acquire":
		status, p = http.StatusCreated, l.acquire(r.id, r.seconds, now)
	case "renew":
		p = l.renew(r.id, now)
	case "change":
		p = l.change(r.id, r.proposed, now)
	case "release":
		return status, l.release(r.id)
	case "break":
		left, p := l.breakUp(r.seconds, now)
		if p != nil {
			return 0, p
		}
		h["X-Ms-Lease-Time"] = []string{strconv.FormatInt(left, 10)}
		return http.StatusAccepted, nil
	}
	if p != nil {
		return 0, p
	}
	h["X-Ms-Lease-Id"] = []string{l.id}
	return status, nil
}

// leaseBlob is Lease Blob. It does not change the ETag.
func leaseBlob(c *call) *azure.Problem {
	if p := c.onlyCurrent(); p != nil {
		return p
	}
	request, p := parseLease(c.HTTP.Header)
	if p != nil {
		return p
	}
	if p := cmp.Or(allowLease(c, request.action, azure.ObjectLevel), c.enter()); p != nil {
		return p
	}
	return c.locked(baseMark, func(t *target) *azure.Problem {
		if p := c.meets(t, false); p != nil {
			return p
		}
		status, p := request.apply(&t.rec.lease, c.answer.h, c.now)
		if p != nil {
			return p
		}
		if p := c.setRow(t.key, &t.rec); p != nil {
			return p
		}
		c.answer.etag(t.rec.etag)
		return c.answer.empty(status)
	})
}

// allowLease checks the permission: with delete permission only, a caller may break a lease, and nothing else.
func allowLease(c *call, action string, level azure.Level) *azure.Problem {
	if c.SAS == nil || action == "break" {
		return nil
	}
	return c.Allow(level, "w")
}
