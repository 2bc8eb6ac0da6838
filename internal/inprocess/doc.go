// Package inprocess lets an HTTP client reach an http.Handler of the same process without a socket.
//
// The handler sees what a server would show it (canonical headers, a request target, a body), and
// the client what a connection would: an answer that may be streamed, the end of its context while
// the handler still works, a broken connection when the handler panics. What only a socket has,
// such as a pool of connections, resets in the middle of a request or the transport's own retries,
// is not there.
//
// Open [Transport].
package inprocess
