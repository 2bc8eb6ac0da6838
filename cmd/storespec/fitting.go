package main

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/net/http/httpguts"

	"github.com/storespec/storespec/steps"
)

// fittingOptions are the flags for a server that cannot use what the contract offers as it is.
type fittingOptions struct {
	tls     bool
	env     []string
	headers []string
	setup   string
	ready   string

	// What check has read of them.
	mappings []steps.Mapping
	header   http.Header
}

func (f *fittingOptions) addTo(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.BoolVar(&f.tls, "tls", false, "serve the stores over https; the server is told of the certificate by NODE_EXTRA_CA_CERTS, SSL_CERT_FILE and REQUESTS_CA_BUNDLE")
	flags.StringArrayVar(&f.env, "env", nil, "`NAME=TEMPLATE` in the server's environment, such as STORAGE_URL={tables} (repeatable); known: "+placeholders())
	flags.StringArrayVar(&f.headers, "header", nil, "`'Name: value'` to send with every request to the server; the value is kept out of reports (repeatable)")
	flags.StringVar(&f.setup, "setup", "", "`COMMAND` of the shell that prepares each account before its server starts, such as migrations, with the server's environment")
	flags.StringVar(&f.ready, "ready", "", "`PATH` that answers 200 when the server is ready, instead of the health route of the contract")
}

func placeholders() string { return "{" + strings.Join(steps.Placeholders(), "}, {") + "}" }

// check reads the flags. What they hold may be secret: no error repeats it.
func (f *fittingOptions) check() error {
	for _, text := range f.env {
		mapping, err := steps.ParseMapping(text)
		switch {
		case err != nil:
			return &usageError{"--env: " + err.Error(), "known: " + placeholders()}
		case mapping.Uses("ca") && !f.tls:
			return &usageError{fmt.Sprintf("--env: %s: {ca} is there with --tls only", mapping.Name), ""}
		}
		f.mappings = append(f.mappings, mapping)
	}
	var err error
	if f.header, err = readHeaders(f.headers); err != nil {
		return err
	}
	if f.ready != "" && !strings.HasPrefix(f.ready, "/") {
		return &usageError{fmt.Sprintf("--ready %s is no path", f.ready), "such as /healthz"}
	}
	return nil
}

// readHeaders reads what --header says. The values may be secret: no error repeats them.
func readHeaders(texts []string) (http.Header, error) {
	header := http.Header{}
	for i, text := range texts {
		name, value, found := strings.Cut(text, ":")
		if value = strings.TrimSpace(value); !found || !httpguts.ValidHeaderFieldName(name) || !httpguts.ValidHeaderFieldValue(value) {
			return nil, &usageError{fmt.Sprintf("--header number %d is not like 'Name: value'", i+1), ""}
		}
		header.Add(name, value)
	}
	return header, nil
}

// fit is what the flags make of a lane's surroundings. done takes back, after the run, what was made for it.
func (a *app) fit(o verifyOptions) (fitting steps.Fitting, done func() error, err error) {
	fitting = steps.Fitting{Env: o.fitting.mappings, Header: o.fitting.header, Setup: o.fitting.setup}
	if fitting.Places, err = o.known.places(o.url); err != nil {
		return fitting, nil, err
	}
	if !o.fitting.tls {
		return fitting, func() error { return nil }, nil
	}
	if fitting.Trust, err = steps.NewTrust(steps.SystemRoots(a.getenv)); err != nil {
		return fitting, nil, err
	}
	return fitting, fitting.Trust.Close, nil
}
