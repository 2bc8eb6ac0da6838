package wire

import (
	"io"
	"net/http"
	"slices"
)

// Protocol defines the calls of a service to this package. It is safe for concurrent use, and comparable.
type Protocol interface {
	// Service returns the word that budgets use for it.
	Service() Service
	// Classes returns the classes that budgets use, in the order in which they are reported.
	Classes() []Class
	// Decode reads a request's head. It never fails: what it cannot read has class Unknown.
	Decode(Head) Reading
	// Refuse answers a request, whose body can be read, in the service's place, in the form of its own errors. It asks
	// an SDK to retry after a millisecond, because the SDK's own backoff would cost seconds.
	Refuse(http.ResponseWriter, *http.Request, Refusal)
	// InvitesRetry reports whether the service's SDKs retry after such an answer, or after none.
	InvitesRetry(Call) bool
}

// BodyFirst is a protocol whose requests are identified by their bodies.
type BodyFirst interface {
	// Peek returns how many bytes of the body, at most, must be read before the call can be named; 0: none.
	Peek(Head) int64
}

// ShortPager is a protocol whose queries are answered in pages, which a service may end anywhere.
type ShortPager interface {
	// ShortPages passes calls on to the service, changing queries so that their answers are as short as pages says. It
	// keeps no state between calls, so each attempt at a page is answered alike.
	ShortPages(pages Pages, service http.Handler) http.Handler
}

// Partial is a protocol whose batches a service may perform in part: what it leaves, it returns to the client.
type Partial interface {
	// Leave passes calls on to the service, batches without their last n operations: those are returned as left. At
	// least one operation is passed on, so a client that sends again what was left comes to an end.
	Leave(n int, service http.Handler) http.Handler
}

// Marked is a protocol whose answers can be recognized where a server passes them on.
type Marked interface {
	// Marks returns headers that the service's answers have, and texts in their bodies, that nothing else has.
	Marks() (headers, texts []string)
}

// Reading follows one call, starting with its head. Its methods are called one after another, and its sinks never fail.
type Reading interface {
	// Call returns what is known so far: what the head and the part of the body that has passed say. It may be called
	// often.
	Call() Call
	// Request returns the sink for the request's body; nil: the body is not needed.
	Request() io.Writer
	// Answer records the answer's head and returns the sink for its body, or nil.
	Answer(status int, header http.Header) io.Writer
	// Done returns the call after the whole answer has passed.
	Done() Call
}

// Kept is a sink that keeps up to Most bytes, and nothing of more.
type Kept struct {
	Data       []byte
	Most       int
	Overflowed bool
}

// Write implements io.Writer. It never fails.
func (k *Kept) Write(p []byte) (int, error) {
	if len(k.Data)+len(p) > k.Most {
		k.Overflowed, k.Data = true, nil
	}
	if !k.Overflowed {
		k.Data = append(k.Data, p...)
	}
	return len(p), nil
}

// Words returns the words that a budget may use for the calls of a protocol: its classes and the words for several
// classes.
func Words(protocol Protocol) []string {
	var words, several []string
	for _, class := range protocol.Classes() {
		words = append(words, class.Name)
		several = append(several, class.In...)
	}
	for _, word := range several {
		if !slices.Contains(words, word) {
			words = append(words, word)
		}
	}
	return words
}

// StandsFor reports whether a word stands for several classes of a protocol, including class.
func StandsFor(protocol Protocol, word, class string) bool {
	return protocol != nil && slices.ContainsFunc(protocol.Classes(), func(c Class) bool {
		return c.Name == class && slices.Contains(c.In, word)
	})
}

// Unknown is the class of a call that a protocol could not read. No budget ever allows it.
const Unknown = "unknown"

// Head is what a protocol sees of a request before its body.
type Head struct {
	Method      string
	Host        string
	Path, Query string // as sent, percent-encoded
	Header      http.Header
	Length      int64 // of the body; -1: unknown
}

// HeadOf returns the head of a request.
func HeadOf(req *http.Request) Head {
	return Head{Method: req.Method, Host: req.Host, Path: req.URL.EscapedPath(), Query: req.URL.RawQuery,
		Header: req.Header, Length: req.ContentLength}
}

// Refusal is a reason for a service to reject a call before it does anything.
type Refusal uint8

// The reasons.
const (
	Busy      Refusal = iota // it is overloaded
	Throttled                // the caller sends too many requests
	Broken                   // it failed through its own fault
	Stale                    // the current version is not the one that the caller's condition names
	WrongKey                 // the caller's key is not the account's
	NoKey                    // the caller names no key
	Deleting                 // the table or container is being deleted
	Missing                  // the table or container does not exist
	TooLarge                 // what the caller sends exceeds a limit of the service
	Malformed                // the service does not understand the call
	Conflict                 // another client is changing the same
)

// Refused is a call that its service rejects. It is for calls that a recorder has seen arrive.
func Refused(reason Refusal) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		body, _ := io.ReadAll(io.LimitReader(req.Body, drainLimit)) // what cannot be read stays unknown
		arrived(req).protocol.Refuse(w, WithBody(req, body), reason)
	})
}
