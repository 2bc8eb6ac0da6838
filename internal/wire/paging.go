package wire

import (
	"net/http"
	"sync/atomic"
)

// Pages says how short the pages of a service's query answers are. The zero value leaves that to the service.
type Pages struct {
	Rows  int  // at most, per page
	Empty bool // an empty page precedes each page
}

// Paging makes services end the pages of queries early: with fewer rows than requested, or none, and a continuation
// token. A service may do so on any page, but an emulator never does. The zero value changes nothing. It is safe for
// concurrent use, by any number of gateways.
type Paging struct{ pages atomic.Pointer[Pages] }

// Set applies pages to the queries that arrive from now on.
func (p *Paging) Set(pages Pages) { p.pages.Store(&pages) }

// Pages returns what was last set.
func (p *Paging) Pages() Pages {
	if pages := p.pages.Load(); pages != nil {
		return *pages
	}
	return Pages{}
}

// Handlers wraps each service whose protocol has pages.
func (p *Paging) Handlers(services map[Protocol]http.Handler) map[Protocol]http.Handler {
	paged := map[Protocol]http.Handler{}
	for protocol, service := range services {
		paged[protocol] = service
		if short, ok := protocol.(ShortPager); ok {
			paged[protocol] = http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
				if pages := p.Pages(); pages.Rows > 0 {
					short.ShortPages(pages, service).ServeHTTP(w, req)
					return
				}
				service.ServeHTTP(w, req)
			})
		}
	}
	return paged
}
