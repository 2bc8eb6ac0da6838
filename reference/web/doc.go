// Package web is the HTTP plumbing that all reference servers share: a table of routes, one error format, strict JSON
// bodies, trace ids, recovery from panics. It knows nothing of any system and nothing of storage.
//
// It never logs a query string, a header, a body or the text of a panic: any of them may contain an e-mail or a session
// id.
//
// Open first: routes.go (how a request becomes an answer), then errors.go and object.go.
package web
