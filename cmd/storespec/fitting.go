package main

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/net/http/httpguts"

	"github.com/storespec/storespec/steps"
)

// fittingOptions are the flags for a server that cannot use what the contract offers as it is.
type fittingOptions struct {
	wayOptions
	headers []string
	setup   string
	ready   string

	header http.Header // what check has read of headers
}

// wayOptions are the flags for a program that finds its stores in a way of its own.
type wayOptions struct {
	tls bool
	env []string

	mappings []steps.Mapping // what check has read of env
}

// addTo offers the flags; known are the placeholders that mean something to the command.
func (w *wayOptions) addTo(cmd *cobra.Command, known []string) {
	flags := cmd.Flags()
	flags.BoolVar(&w.tls, "tls", false, "serve the stores over https; the server is told of the certificate by NODE_EXTRA_CA_CERTS, SSL_CERT_FILE and REQUESTS_CA_BUNDLE")
	flags.StringArrayVar(&w.env, "env", nil, "`NAME=TEMPLATE` in the server's environment, such as STORAGE_URL={tables} (repeatable); known: "+inBraces(known))
}

// check reads the flags. What they hold may be secret: no error repeats it.
func (w *wayOptions) check(known []string) error {
	for _, text := range w.env {
		mapping, err := steps.ParseMapping(text)
		if err != nil {
			return &usageError{"--env: " + err.Error(), "known: " + inBraces(known)}
		}
		for _, name := range steps.Placeholders() {
			if mapping.Uses(name) && !slices.Contains(known, name) {
				return &usageError{fmt.Sprintf("--env: %s: {%s} is not known here", mapping.Name, name), "known: " + inBraces(known)}
			}
		}
		if mapping.Uses("ca") && !w.tls {
			return &usageError{fmt.Sprintf("--env: %s: {ca} is there with --tls only", mapping.Name), ""}
		}
		w.mappings = append(w.mappings, mapping)
	}
	return nil
}

// trust makes what --tls needs; nil without it. done takes back, after the run, what was made.
func (w *wayOptions) trust(getenv func(string) string) (trust *steps.Trust, done func() error, err error) {
	if !w.tls {
		return nil, func() error { return nil }, nil
	}
	if trust, err = steps.NewTrust(steps.SystemRoots(getenv)); err != nil {
		return nil, nil, err
	}
	return trust, trust.Close, nil
}

func inBraces(names []string) string { return "{" + strings.Join(names, "}, {") + "}" }

func (f *fittingOptions) addTo(cmd *cobra.Command) {
	f.wayOptions.addTo(cmd, steps.Placeholders())
	flags := cmd.Flags()
	flags.StringArrayVar(&f.headers, "header", nil, "`'Name: value'` to send with every request to the server; the value is kept out of reports (repeatable)")
	flags.StringVar(&f.setup, "setup", "", "`COMMAND` of the shell that prepares each account before its server starts, such as migrations, with the server's environment")
	flags.StringVar(&f.ready, "ready", "", "`PATH` that answers 200 when the server is ready, instead of the health route of the contract")
}

// check reads the flags. What they hold may be secret: no error repeats it.
func (f *fittingOptions) check() error {
	if err := f.wayOptions.check(steps.Placeholders()); err != nil {
		return err
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
	fitting.Trust, done, err = o.fitting.trust(a.getenv)
	return fitting, done, err
}
