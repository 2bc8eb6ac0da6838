package main

import (
	"github.com/spf13/cobra"

	"github.com/storespec/storespec/steps"
)

// fittingOptions are the flags for a server that cannot use what the contract offers as it is.
type fittingOptions struct {
	tls bool
}

func (f *fittingOptions) addTo(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.BoolVar(&f.tls, "tls", false, "serve the stores over https; the server is told of the certificate by NODE_EXTRA_CA_CERTS, SSL_CERT_FILE and REQUESTS_CA_BUNDLE")
}

// fit is what the flags make of a lane's surroundings. done takes back, after the run, what was made for it.
func (a *app) fit(o verifyOptions) (fitting steps.Fitting, done func() error, err error) {
	done = func() error { return nil }
	if o.url != "" {
		if fitting.Places, err = o.known.places(); err != nil {
			return fitting, nil, err
		}
	}
	if o.fitting.tls {
		if fitting.Trust, err = steps.NewTrust(steps.SystemRoots(a.getenv)); err != nil {
			return fitting, nil, err
		}
		done = fitting.Trust.Close
	}
	return fitting, done, nil
}
