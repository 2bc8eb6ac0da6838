// Package inprocess lets an HTTP client reach an http.Handler in the same process without a socket.
//
// The handler sees what a server would pass it (canonical headers, a request target, a body), and the client sees what
// a connection would give it: an answer that may be streamed, the end of its context while the handler still works, a
// broken connection when the handler panics. Behavior that only a socket has, such as connection pooling, resets in the
// middle of a request or the transport's own retries, is not simulated.
//
// Open [Transport].
package inprocess
