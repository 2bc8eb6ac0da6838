package target

import "net/http"

// WithHeader returns a transport that adds headers to each request that does not already have them. next carries the
// requests.
func WithHeader(header http.Header, next http.RoundTripper) http.RoundTripper {
	if len(header) == 0 {
		return next
	}
	return dressed{header, next}
}

type dressed struct {
	header http.Header
	next   http.RoundTripper
}

// RoundTrip leaves the request unchanged (http.RoundTripper) and sends a copy.
func (d dressed) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	for name, values := range d.header {
		if name == "Host" { // which a request stores elsewhere
			r.Host = values[0]
		} else if _, set := r.Header[name]; !set {
			r.Header[name] = values
		}
	}
	return d.next.RoundTrip(r)
}
