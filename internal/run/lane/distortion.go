package lane

import (
	"net/http"

	"github.com/storespec/storespec/internal/store"
	"github.com/storespec/storespec/internal/wire"
)

// Distortion changes what passes between a lane's target and its surroundings, so that the target seems to be a wrong
// one. The zero value changes nothing.
type Distortion struct {
	// Calls wraps the recorder of a service: it receives the target's calls, and those it passes on are recorded.
	Calls func(wire.Protocol, http.Handler) http.Handler
	// Store wraps a service of the store, behind the recorder: what it changes in a call is not recorded.
	Store func(wire.Protocol, http.Handler) http.Handler
	// Answers wraps what carries requests to the target.
	Answers func(http.RoundTripper) http.RoundTripper
	// Renew is called when the lane is as good as new.
	Renew func()
}

// upstream returns the services of a lease.
func (d *Distortion) upstream(lease *store.Lease) map[wire.Protocol]http.Handler {
	services := lease.Upstream()
	if d.Store == nil {
		return services
	}
	distorted := map[wire.Protocol]http.Handler{}
	for protocol, service := range services {
		distorted[protocol] = d.Store(protocol, service)
	}
	return distorted
}

func (d *Distortion) renew() {
	if d.Renew != nil {
		d.Renew()
	}
}
