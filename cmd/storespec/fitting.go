package main

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/storespec/storespec/internal/host/command"
	"github.com/storespec/storespec/internal/run/lane"
	"github.com/storespec/storespec/internal/run/mapping"
	"github.com/storespec/storespec/internal/run/system"
	"github.com/storespec/storespec/internal/verify/designs"
)

// fittingOptions holds the flags for a server that cannot use what the contract offers as is.
type fittingOptions struct {
	wayOptions
	headers []string
	setup   string
	setupIn string // the directory where setup is run; "": here
	ready   string
	settle  string
	within  string
	mapFile string

	mapping     *mapping.Mapping // read from mapFile by check; nil: none
	header      http.Header      // parsed from headers by check
	quiet       time.Duration    // parsed from settle by check
	readyWithin time.Duration    // parsed from within by check
}

// wayOptions holds the flags for a program that locates its stores in its own way.
type wayOptions struct {
	tls bool
	env []string

	mappings []system.Mapping // parsed from env by check
}

// addTo registers the flags; known lists the placeholders that the command understands.
func (w *wayOptions) addTo(cmd *cobra.Command, known []string) {
	flags := cmd.Flags()
	flags.BoolVar(&w.tls, "tls", false, "serve the stores over https; the server gets the certificate by "+
		"NODE_EXTRA_CA_CERTS, SSL_CERT_FILE and REQUESTS_CA_BUNDLE")
	flags.StringArrayVar(&w.env, "env", nil,
		"`NAME=TEMPLATE` in the server's environment, such as STORAGE_URL={tables} (repeatable); known: "+
			inBraces(known))
}

// check parses the flags. They may hold secrets, so no error repeats them.
func (w *wayOptions) check(known []string) error {
	for _, text := range w.env {
		mapping, err := system.ParseMapping(text, known)
		if err != nil {
			return command.Misused("--env: "+err.Error(), "known: "+inBraces(known))
		}
		if mapping.Uses("ca") && !w.tls {
			return command.Misused(fmt.Sprintf("--env: %s: {ca} needs --tls", mapping.Name), "")
		}
		w.mappings = append(w.mappings, mapping)
	}
	return nil
}

// trust prepares what --tls needs; it returns nil without --tls. done undoes it after the run.
func (w *wayOptions) trust(getenv func(string) string) (trust *lane.Trust, done func() error, err error) {
	if !w.tls {
		return nil, func() error { return nil }, nil
	}
	return newTrust(getenv)
}

// newTrust makes the certificate of a run; done removes its files.
func newTrust(getenv func(string) string) (trust *lane.Trust, done func() error, err error) {
	if trust, err = lane.NewTrust(lane.SystemRoots(getenv)); err != nil {
		return nil, nil, err
	}
	return trust, trust.Close, nil
}

func inBraces(names []string) string { return "{" + strings.Join(names, "}, {") + "}" }

func (f *fittingOptions) addTo(cmd *cobra.Command) {
	f.wayOptions.addTo(cmd, designs.Placeholders())
	flags := cmd.Flags()
	flags.StringArrayVar(&f.headers, "header", nil,
		"`'Name: value'` to send with every request to the server; reports never show the value (repeatable)")
	flags.StringVar(&f.setup, "setup", "", "shell `COMMAND` that prepares each account before its server starts, such "+
		"as migrations; it gets the server's environment")
	flags.StringVar(&f.ready, "ready", "",
		"`PATH` that answers 200 when the server is ready, instead of the health route of the contract")
	flags.StringVar(&f.settle, "settle", "",
		"judge storage calls once none has arrived or ended for this `DURATION`, such as 100ms, for a server that "+
			"keeps working after its answers (default 10ms; 30ms with --tls)")
	flags.StringVar(&f.within, "ready-within", "",
		"how long the server may take to be ready: a `DURATION` such as 3m (default 60s)")
}

// addMap adds the flag for a server whose names differ from the contract's.
func (f *fittingOptions) addMap(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.mapFile, "map", "", "`FILE` that says how the server's routes, fields, codes, headers "+
		"and ids differ from the contract's; storespec help verify-your-server")
}

// readMap reads the file of --map.
func (f *fittingOptions) readMap(list []system.System) (err error) {
	switch {
	case f.mapFile == "":
		return nil
	case len(list) != 1:
		return command.Misused(fmt.Sprintf("--map is for one system, not %d", len(list)), "name one")
	case list[0].Contract == nil:
		return command.Misused(fmt.Sprintf("--map: %s has no contract, whose names a mapping could fit", list[0].Name),
			"contract in system.yaml names one: storespec help own-design")
	}
	f.mapping, err = mapping.Read(f.mapFile, list[0])
	return err
}

// parts adds to a design, and to what its server lacks, the routes that the mapping says are missing.
func (f *fittingOptions) parts(s system.System, without []string) (system.System, []string) {
	for _, part := range f.mapping.Missing() {
		s.Capabilities = append(slices.Clone(s.Capabilities), part)
		without = append(slices.Clone(without), part.Name)
	}
	return s, without
}

// The limits of --settle, since a scenario waits several times, and of --ready-within.
const (
	shortestSettle = time.Millisecond
	longestSettle  = 10 * time.Second
	shortestReady  = 100 * time.Millisecond
	longestReady   = time.Hour
)

// check parses the flags. They may hold secrets, so no error repeats them.
func (f *fittingOptions) check(list []system.System) (err error) {
	var known []string
	for _, design := range list {
		known = append(known, designs.Offers().Known(design)...)
	}
	slices.Sort(known)
	if err := f.wayOptions.check(slices.Compact(known)); err != nil {
		return err
	}
	if f.header, err = command.ReadHeaders(f.headers); err != nil {
		return err
	}
	if f.ready != "" && !strings.HasPrefix(f.ready, "/") {
		return command.Misused(fmt.Sprintf("--ready %s is not a path", f.ready), "such as /healthz")
	}
	if f.quiet, err = parseDuration("settle", f.settle, shortestSettle, longestSettle, "100ms"); err != nil {
		return err
	}
	if f.readyWithin, err = parseDuration("ready-within", f.within, shortestReady, longestReady, "3m"); err != nil {
		return err
	}
	return f.readMap(list)
}

// parseDuration parses the value of a flag; "" is 0.
func parseDuration(flag, text string, from, to time.Duration, example string) (time.Duration, error) {
	if text == "" {
		return 0, nil
	}
	value, err := time.ParseDuration(text)
	if err != nil || value < from || value > to {
		return 0, command.Misused(fmt.Sprintf("invalid --%s %s: want a duration between %s and %s", flag, text, from,
			to),
			"such as "+example)
	}
	return value, nil
}

// fit turns the flags into the fitting of a lane. done cleans up after the run.
func (o verifyOptions) fit(design system.System) (fitting lane.Fitting, done func() error, err error) {
	places, err := o.known.places(o.url, design)
	if err != nil {
		return fitting, nil, err
	}
	fitting, done, err = o.fitting.fit(o.Getenv)
	if err == nil && o.isReference() && fitting.Trust == nil {
		fitting.OnDemand, done, err = newTrust(o.Getenv)
	}
	fitting.Places = places
	return fitting, done, err
}

// fit is app.fit without places that are known before.
func (f *fittingOptions) fit(getenv func(string) string) (fitting lane.Fitting, done func() error, err error) {
	fitting = lane.Fitting{Env: f.mappings, Header: f.header, Setup: f.setup, SetupIn: f.setupIn, Settle: f.quiet,
		ReadyWithin: f.readyWithin, Mapping: f.mapping}
	fitting.Trust, done, err = f.trust(getenv)
	return fitting, done, err
}
