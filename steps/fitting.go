package steps

import (
	"github.com/storespec/storespec/internal/wire"
)

// Fitting is how a lane is made to suit an implementation that cannot use what its contract offers as
// it is. The zero value changes nothing.
type Fitting struct {
	Places Places
	Trust  *Trust // makes the gateway serve https; nil: http
}

// Places are where a lane's surroundings are, for a server that was told so before the run. What is
// empty is new: a free port, a directory that is removed at the end. Only one lane can be there.
type Places struct {
	Table, Blob string // addresses of the gateway, such as 127.0.0.1:10002
	OpenAI      string // address of the OpenAI-compatible server
	Outbox      string // directory for sign-in links, which is there and stays
}

// gateway is what the lane's gateway must be like.
func (f *Fitting) gateway() wire.GatewayOptions {
	o := wire.GatewayOptions{Addresses: map[wire.Service]string{wire.Table: f.Places.Table, wire.Blob: f.Places.Blob}}
	if f.Trust != nil {
		o.TLS = f.Trust.authority.Server()
	}
	return o
}
