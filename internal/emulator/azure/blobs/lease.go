package blobs

import (
	"encoding/binary"
	"net/http"
	"time"

	"github.com/storespec/storespec/internal/emulator/azure"
)

// lease is a lock on a blob or a container. Its zero value is no lease.
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

// state is the lease's state at a time.
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

func (l *lease) append(b []byte) []byte {
	b = binary.AppendUvarint(appendString(b, l.id), uint64(l.duration+1))
	return binary.AppendUvarint(binary.AppendUvarint(b, uint64(l.expires)), uint64(l.breaks))
}

func (f *fields) lease() lease {
	return lease{f.string(), int64(f.uint()) - 1, ticks(f.uint()), ticks(f.uint())}
}

// headers writes what a resource's answer says of its lease.
func (l *lease) headers(h http.Header, now ticks) {
	state := l.state(now)
	h["X-Ms-Lease-State"] = []string{string(state)}
	if !state.locked() {
		h["X-Ms-Lease-Status"] = []string{"unlocked"}
		return
	}
	h["X-Ms-Lease-Status"] = []string{"locked"}
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

// leaseOf is the resource a lease stands on, as error codes call it.
type leaseOf string

const (
	leaseOfBlob      leaseOf = "Blob"
	leaseOfContainer leaseOf = "Container"
)

// guardWrite decides whether a write that sent an id (empty: none) may go on, and clears a lease that
// has ended: a write without an id ends it for good.
func (l *lease) guardWrite(of leaseOf, id string, now ticks) *azure.Problem {
	if l.id == "" && id == "" {
		return nil
	}
	state := l.state(now)
	switch {
	case state == leaseAvailable:
		return leaseNotPresent(of)
	case state.locked() && id == "":
		return azure.NewProblem(http.StatusPreconditionFailed, "LeaseIdMissing",
			"There is currently a lease on the "+string(lower(of))+" and no lease ID was specified in the request.")
	case id == "":
		*l = lease{}
		return nil
	case !sameLease(id, l.id):
		return leaseMismatch(of)
	case !state.locked():
		return azure.NewProblem(http.StatusPreconditionFailed, "LeaseLost",
			"A lease ID was specified, but the lease for the "+string(lower(of))+" has expired.")
	}
	return nil
}

// guardRead decides whether an operation that needs no lease may go on: an id that was sent must be
// that of an active lease.
func (l *lease) guardRead(of leaseOf, id string, now ticks) *azure.Problem {
	if id == "" {
		return nil
	}
	switch state := l.state(now); {
	case state == leaseAvailable:
		return leaseNotPresent(of)
	case !sameLease(id, l.id):
		return leaseMismatch(of)
	case !state.locked():
		return azure.NewProblem(http.StatusPreconditionFailed, "LeaseLost",
			"A lease ID was specified, but the lease for the "+string(lower(of))+" has expired.")
	}
	return nil
}

func lower(of leaseOf) leaseOf {
	if of == leaseOfContainer {
		return "container"
	}
	return "blob"
}

func leaseNotPresent(of leaseOf) *azure.Problem {
	return azure.NewProblem(http.StatusPreconditionFailed, "LeaseNotPresentWith"+string(of)+"Operation",
		"There is currently no lease on the "+string(lower(of))+".")
}

func leaseMismatch(of leaseOf) *azure.Problem {
	return azure.NewProblem(http.StatusPreconditionFailed, "LeaseIdMismatchWith"+string(of)+"Operation",
		"The lease ID specified did not match the lease ID for the "+string(lower(of))+".")
}

// The conflicts of lease operations.

func leaseIDMismatch() *azure.Problem {
	return azure.NewProblem(http.StatusConflict, "LeaseIdMismatchWithLeaseOperation",
		"The lease ID specified did not match the lease ID for the resource with the specified lease operation.")
}

func noLease() *azure.Problem {
	return azure.NewProblem(http.StatusConflict, "LeaseNotPresentWithLeaseOperation", "There is currently no lease on the resource.")
}

// acquire makes or prolongs a lease with the given id.
func (l *lease) acquire(id string, seconds int64, now ticks) *azure.Problem {
	switch state := l.state(now); {
	case state == leaseBreaking && sameLease(id, l.id):
		return azure.NewProblem(http.StatusConflict, "LeaseIsBreakingAndCannotBeAcquired",
			"The lease ID matched, but the lease is currently in breaking state and cannot be acquired until it is broken.")
	case state.locked() && !sameLease(id, l.id):
		return azure.NewProblem(http.StatusConflict, "LeaseAlreadyPresent", "There is already a lease present.")
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
		return azure.NewProblem(http.StatusConflict, "LeaseIsBrokenAndCannotBeRenewed",
			"The lease ID matched, but the lease has been broken explicitly and cannot be renewed.")
	}
	l.prolong(now)
	return nil
}

// change gives the lease another id. Repeating a change that was made succeeds.
func (l *lease) change(id, proposed string, now ticks) *azure.Problem {
	state := l.state(now)
	if !state.locked() {
		return noLease()
	}
	if !sameLease(id, l.id) && !sameLease(proposed, l.id) {
		return leaseIDMismatch()
	}
	if state == leaseBreaking {
		return azure.NewProblem(http.StatusConflict, "LeaseIsBreakingAndCannotBeChanged",
			"The lease ID matched, but the lease is currently in breaking state and cannot be changed.")
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

// breakUp ends the lease after period seconds, or when it ends by itself; a negative period stands for
// none given. It returns the seconds left, rounded up.
func (l *lease) breakUp(period int64, now ticks) (left int64, p *azure.Problem) {
	end := now
	switch l.state(now) {
	case leaseAvailable:
		return 0, noLease()
	case leaseBroken:
		return 0, nil
	case leaseBreaking:
		end = l.breaks
		if asked := now + ticks(period)*1e7; period >= 0 && asked < end {
			end = asked
		}
	case leaseLeased:
		if l.duration != infiniteLease {
			end = l.expires
		}
		if asked := now + ticks(period)*1e7; period >= 0 && (l.duration == infiniteLease || asked < end) {
			end = asked
		}
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

// guid reads the forms in which a GUID may be written and returns the usual one.
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
