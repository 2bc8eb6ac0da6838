package blobs

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/storespec/storespec/internal/emulator/azure"
)

// lease is a lock on a blob or a container. The zero value is no lease.
// https://learn.microsoft.com/rest/api/storageservices/lease-blob
type lease struct {
	id       string
	duration int64 // seconds; infiniteLease
	expires  ticks // of a lease with a duration
	breaks   ticks // when a break ends; 0: it is not being broken
}

const infiniteLease = -1

type leaseState string

const (
	leaseAvailable leaseState = "available"
	leaseLeased    leaseState = "leased"
	leaseExpired   leaseState = "expired"
	leaseBreaking  leaseState = "breaking"
	leaseBroken    leaseState = "broken"
)

// state returns the lease's state at a time.
func (l *lease) state(now ticks) leaseState {
	switch {
	case l.id == "":
		return leaseAvailable
	case l.breaks != 0 && now < l.breaks:
		return leaseBreaking
	case l.breaks != 0:
		return leaseBroken
	case l.duration == infiniteLease || now < l.expires:
		return leaseLeased
	default:
		return leaseExpired
	}
}

// locked reports whether the lease keeps others from writing.
func (s leaseState) locked() bool { return s == leaseLeased || s == leaseBreaking }

// status returns the state as locked or unlocked.
func (s leaseState) status() string {
	if s.locked() {
		return "locked"
	}
	return "unlocked"
}

func (l *lease) code(c *coder) {
	c.texts(&l.id)
	positive := l.duration + 1
	c.numbers(&positive, (*int64)(&l.expires), (*int64)(&l.breaks))
	l.duration = positive - 1
}

// headers writes the lease headers of a resource's answer.
func (l *lease) headers(h http.Header, now ticks) {
	state := l.state(now)
	h["X-Ms-Lease-State"] = []string{string(state)}
	h["X-Ms-Lease-Status"] = []string{state.status()}
	if state == leaseLeased {
		h["X-Ms-Lease-Duration"] = []string{l.kind()}
	}
}

func (l *lease) kind() string {
	if l.duration == infiniteLease {
		return "infinite"
	}
	return "fixed"
}

// leaseOf is the kind of the leased resource, as error codes call it.
type leaseOf string

const (
	leaseOfBlob      leaseOf = "Blob"
	leaseOfContainer leaseOf = "Container"
)

// guardWrite decides whether a write that sent an id (empty: none) may proceed, and clears a lease that has ended: a
// write without an id ends it for good.
func (l *lease) guardWrite(of leaseOf, id string, now ticks) *azure.Problem {
	if id != "" {
		return l.guardRead(of, id, now)
	}
	if l.state(now).locked() {
		return of.problem("LeaseIdMissing", "There is currently a lease on the %s and no lease ID was specified in "+
			"the request.")
	}
	*l = lease{}
	return nil
}

// guardRead decides whether an operation that needs no lease may proceed: an id that was sent must be that of an active
// lease.
func (l *lease) guardRead(of leaseOf, id string, now ticks) *azure.Problem {
	if id == "" {
		return nil
	}
	switch state := l.state(now); {
	case state == leaseAvailable:
		return of.problem("LeaseNotPresentWith"+string(of)+"Operation", "There is currently no lease on the %s.")
	case !sameLease(id, l.id):
		return of.problem("LeaseIdMismatchWith"+string(of)+"Operation",
			"The lease ID specified did not match the lease ID for the %s.")
	case !state.locked():
		return of.problem("LeaseLost", "A lease ID was specified, but the lease for the %s has expired.")
	}
	return nil
}

// problem rejects an operation on the resource; its message has a %s for the kind of resource.
func (of leaseOf) problem(code, message string) *azure.Problem {
	return azure.NewProblem(http.StatusPreconditionFailed, code, fmt.Sprintf(message, strings.ToLower(string(of))))
}

// The conflicts of lease operations.
var (
	leaseIDMismatch = azure.Conflict("LeaseIdMismatchWithLeaseOperation",
		"The lease ID specified did not match the lease ID for the resource with the specified lease operation.")
	noLease      = azure.Conflict("LeaseNotPresentWithLeaseOperation", "There is currently no lease on the resource.")
	leasePresent = azure.Conflict("LeaseAlreadyPresent", "There is already a lease present.")
	leaseBreaks  = azure.Conflict("LeaseIsBreakingAndCannotBeAcquired",
		"The lease ID matched, but the lease is currently in breaking state and cannot be acquired until it is broken.")
	leaseBreaksUnchanged = azure.Conflict("LeaseIsBreakingAndCannotBeChanged",
		"The lease ID matched, but the lease is currently in breaking state and cannot be changed.")
	leaseWasBroken = azure.Conflict("LeaseIsBrokenAndCannotBeRenewed",
		"The lease ID matched, but the lease has been broken explicitly and cannot be renewed.")
)

// acquire creates or extends a lease with the given id.
func (l *lease) acquire(id string, seconds int64, now ticks) *azure.Problem {
	switch state := l.state(now); {
	case state == leaseBreaking && sameLease(id, l.id):
		return leaseBreaks()
	case state.locked() && !sameLease(id, l.id):
		return leasePresent()
	}
	*l = lease{id: id, duration: seconds}
	l.prolong(now)
	return nil
}

func (l *lease) prolong(now ticks) {
	if l.duration != infiniteLease {
		l.expires = now + ticks(l.duration)*ticks(time.Second/100)
	}
}

func (l *lease) renew(id string, now ticks) *azure.Problem {
	switch state := l.state(now); {
	case state == leaseAvailable || !sameLease(id, l.id):
		return leaseIDMismatch()
	case state == leaseBreaking || state == leaseBroken:
		return leaseWasBroken()
	}
	l.prolong(now)
	return nil
}

// change gives the lease another id. Repeating a completed change succeeds.
func (l *lease) change(id, proposed string, now ticks) *azure.Problem {
	state := l.state(now)
	if !state.locked() {
		return noLease()
	}
	if !sameLease(id, l.id) && !sameLease(proposed, l.id) {
		return leaseIDMismatch()
	}
	if state == leaseBreaking {
		return leaseBreaksUnchanged()
	}
	l.id = proposed
	return nil
}

func (l *lease) release(id string) *azure.Problem {
	if l.id == "" || !sameLease(id, l.id) {
		return leaseIDMismatch()
	}
	*l = lease{}
	return nil
}

// breakUp ends the lease after period seconds, or earlier if it expires by itself; a negative period means none was
// given. It returns the seconds left, rounded up.
func (l *lease) breakUp(period int64, now ticks) (left int64, p *azure.Problem) {
	end, asked := now, now+ticks(period)*1e7
	switch l.state(now) {
	case leaseAvailable:
		return 0, noLease()
	case leaseBroken:
		return 0, nil
	case leaseBreaking:
		end = l.breaks
	case leaseLeased:
		end = l.expires
		if l.duration == infiniteLease {
			end = max(now, asked)
		}
	}
	if period >= 0 {
		end = min(end, asked)
	}
	l.breaks = end
	return int64((end - now + 1e7 - 1) / 1e7), nil
}

// sameLease compares ids, which are GUIDs in any of their spellings.
func sameLease(a, b string) bool {
	if a == b {
		return true
	}
	x, okX := guid(a)
	y, okY := guid(b)
	return okX && okY && x == y
}

// guid parses any notation of a GUID and returns the usual one.
func guid(s string) (string, bool) {
	if len(s) > 2 && (s[0] == '{' && s[len(s)-1] == '}' || s[0] == '(' && s[len(s)-1] == ')') {
		s = s[1 : len(s)-1]
	}
	dashed := len(s) == 36
	if !dashed && len(s) != 32 {
		return "", false
	}
	out := make([]byte, 0, 36)
	for i := range len(s) {
		c := s[i]
		if dashed && (i == 8 || i == 13 || i == 18 || i == 23) {
			if c != '-' {
				return "", false
			}
			continue
		}
		switch {
		case c >= '0' && c <= '9':
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			c |= 0x20
		default:
			return "", false
		}
		if n := len(out); n == 8 || n == 13 || n == 18 || n == 23 {
			out = append(out, '-')
		}
		out = append(out, c)
	}
	return string(out), true
}
