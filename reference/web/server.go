package web

import (
	"io"
	"net/http"
)

// Server answers a system's HTTP contract until it is closed.
type Server interface {
	http.Handler
	io.Closer
}
