package main

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/storespec/storespec/internal/host/atomicfile"
	"github.com/storespec/storespec/internal/host/command"
	"github.com/storespec/storespec/internal/run/lane"
	"github.com/storespec/storespec/internal/store"
	"github.com/storespec/storespec/internal/store/account"
	"github.com/storespec/storespec/internal/store/namespace"
	"github.com/storespec/storespec/internal/store/tables"
	"github.com/storespec/storespec/internal/trace"
	"github.com/storespec/storespec/internal/wire/azure"
	"github.com/storespec/storespec/internal/wire/dynamodb"
	"github.com/storespec/storespec/internal/wire/kv"
)

const (
	// nPlusOneFrom is the default of --threshold: four lookups may be for four different things; five of one kind are a
	// loop.
	nPlusOneFrom = 5
	// pauseOf is the default of --pause: longer than the gap between two storage calls of one request, shorter than the
	// gap between two requests sent by a person or a test.
	pauseOf = 250 * time.Millisecond
)

// traceOptions holds the command line of trace.
type traceOptions struct {
	*app

	wayOptions
	azure           string
	kv              bool
	kvGateway       string
	dynamodb        bool
	dynamodbGateway string
	load            string
	listen          bool
	blob, table     string // where the gateway listens
	json            bool
	failOn          []string
	rules           trace.Rules
	command         []string // after --

	content *store.Content // of the file load
}

// traced returns the kind of store that is traced.
func (o *traceOptions) traced() trace.Store {
	switch {
	case o.kv:
		return trace.KV()
	case o.dynamodb:
		return trace.DynamoDB()
	}
	return trace.Azure()
}

func (a *app) traceCommand() *cobra.Command {
	o := traceOptions{app: a}
	cmd := &cobra.Command{
		Use:   "trace [flags] -- COMMAND... | --listen",
		Short: "Show every storage call of any program, and which ones are costly",
		Long: `trace starts a command with connection strings that point to a gateway, a proxy in front of the store. It
shows each storage call as it ends, with the time since the start, and then what the command's operations
cost: how many calls of which class, table scans, and keys that were requested one by one (n+1).

The account is that of --azure, a real one or an emulator's; without it, an emulator in this process.
The command gets ` + strings.Join(trace.Variables(), ", ") + `,
and every variable that holds the connection string of --azure, with the gateway in it.

With --kv it is Workers KV in this process, for Workers and for clients of Cloudflare's REST API. The
command gets ` + strings.Join(slices.Sorted(maps.Keys(namespace.Variables())), ", ") + `;
in its arguments, {kv-binding} is replaced by the address of the binding.

With --dynamodb it is DynamoDB in this process, without tables at first. The command gets
` + strings.Join(slices.Sorted(maps.Keys(tables.Variables())), ", ") + `.
The summary also counts capacity units.

Exit status: that of the command; 1 when --fail-on finds something; 2 usage, 3 the command could not
be started, 130 interrupted.`,
		Example: `  storespec trace -- npm test
  storespec trace --azure "$CONNECTION" --fail-on scan,n+1 -- npm test
  storespec trace --kv -- workerd serve config.capnp --external-addr kv={kv-binding}
  storespec trace --dynamodb --fail-on scan -- npm test
  storespec trace --listen`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if dash := cmd.ArgsLenAtDash(); dash >= 0 {
				args, o.command = args[:dash], args[dash:]
			}
			if len(args) > 0 {
				return command.Misused(fmt.Sprintf("unexpected argument %q before --", args[0]),
					"the command comes after --")
			}
			if err := o.check(cmd.Flags()); err != nil {
				return err
			}
			return o.trace(cmd.Context())
		},
	}
	o.addTo(cmd, trace.Placeholders())
	o.stores(cmd.Flags())
	o.findings(cmd.Flags())
	return cmd
}

// stores adds the flags that say which store is traced, and where its gateways are.
func (o *traceOptions) stores(flags *pflag.FlagSet) {
	flags.StringVar(&o.azure, "azure", "", "`CONNECTION` string of the account, or "+account.DevelopmentStorage+
		"; default: an emulator in memory")
	flags.BoolVar(&o.kv, "kv", false, "trace Workers KV on an emulator in memory, instead of an Azure account")
	flags.StringVar(&o.kvGateway, "gateway-kv", "127.0.0.1:0", "`ADDRESS` where the gateway takes calls of Workers KV")
	flags.BoolVar(&o.dynamodb, "dynamodb", false, "trace DynamoDB on an emulator in memory, instead of an Azure "+
		"account")
	flags.StringVar(&o.dynamodbGateway, "gateway-dynamodb", "127.0.0.1:0",
		"`ADDRESS` where the gateway takes calls of DynamoDB")
	flags.StringVar(&o.load, "load", "", "`FILE` with rows, blobs or keys to write to the emulator first, as verify "+
		"--by-hand writes it")
	flags.BoolVar(&o.listen, "listen", false,
		"start nothing: print how to reach the gateway, and trace its users until Ctrl-C")
	flags.StringVar(&o.blob, "gateway-blob", "127.0.0.1:0",
		"`ADDRESS` where the gateway takes blob calls; port 0 is a free one")
	flags.StringVar(&o.table, "gateway-table", "127.0.0.1:0", "`ADDRESS` where the gateway takes table calls")
}

// findings adds the flags that say what is shown, and what is costly.
func (o *traceOptions) findings(flags *pflag.FlagSet) {
	flags.BoolVar(&o.json, "json", false, "write lines of JSON to standard output: calls, then a summary; the "+
		"command's own output goes to standard error")
	flags.StringSliceVar(&o.failOn, "fail-on", nil, "exit with status 1 on these `FINDINGS`: scan (a table scan), "+
		"n+1, or both")
	flags.IntVar(&o.rules.Threshold, "threshold", nPlusOneFrom,
		"call it n+1 when one operation asks for `N` different keys one by one")
	flags.DurationVar(&o.rules.Pause, "pause", pauseOf,
		"`DURATION` without calls that separates two operations whose calls carry no traceparent; 0: all are one "+
			"operation")
}

func suspicions() []string { return []string{string(trace.Scan), string(trace.NPlusOne)} }

func (o *traceOptions) check(given *pflag.FlagSet) error {
	switch {
	case o.listen && len(o.command) > 0:
		return command.Misused("--listen and a command cannot be combined", "")
	case !o.listen && len(o.command) == 0:
		return command.Misused("the command after -- is missing",
			"storespec trace --listen follows a program that you start")
	case given.Changed("azure") && strings.TrimSpace(o.azure) == "":
		return command.Misused("--azure is empty",
			"is the variable set? Without --azure there is an emulator in memory")
	case o.kv && o.dynamodb:
		return command.Misused("--kv and --dynamodb cannot be combined", "")
	case o.dynamodb && o.azure != "":
		return command.Misused("--dynamodb cannot be combined with --azure", "")
	case o.kv && o.azure != "":
		return command.Misused("--kv cannot be combined with --azure", "")
	case o.azure != "" && o.load != "":
		return command.Misused("--load is for the emulator in memory", "leave --azure out")
	case given.Changed("fail-on") && len(o.failOn) == 0:
		return command.Misused("--fail-on is empty", "known: "+strings.Join(suspicions(), ", "))
	case o.rules.Threshold < 2:
		return command.Misused(fmt.Sprintf("--threshold %d is less than 2", o.rules.Threshold), "")
	case o.rules.Pause < 0:
		return command.Misused(fmt.Sprintf("--pause %s is less than 0", o.rules.Pause), "")
	}
	for _, name := range o.failOn {
		if !slices.Contains(suspicions(), name) {
			return command.OneOf("fail-on", name, suspicions()...)
		}
	}
	return cmp.Or(checkAddress("gateway-blob", o.blob), checkAddress("gateway-kv", o.kvGateway),
		checkAddress("gateway-dynamodb", o.dynamodbGateway), checkAddress("gateway-table", o.table),
		o.wayOptions.check(o.traced().Placeholders()), o.read())
}

// read parses the file of --load.
func (o *traceOptions) read() error {
	if o.load == "" {
		return nil
	}
	text, err := os.ReadFile(o.load)
	if err != nil {
		return command.Misused(fmt.Sprintf("--load %s cannot be read: %v", o.load, atomicfile.Cause(err)), "")
	}
	if o.content, err = store.Parse(bytes.NewReader(text)); err != nil {
		return command.Misused(fmt.Sprintf("--load %s: %v", o.load, err), "verify --by-hand writes such a file")
	}
	return nil
}

// trace opens the connection to the account, follows the program, and turns the outcome into an exit status.
func (o traceOptions) trace(ctx context.Context) (err error) {
	opened, closeAccount, err := o.account(ctx, o.Stderr)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeAccount()) }()
	trust, done, err := o.trust(o.Getenv)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, done()) }()
	options := trace.Options{
		Account:   opened,
		Variables: o.traced().Variables,
		Command:   o.command,
		Fitting: lane.Fitting{Trust: trust, Env: o.mappings,
			Places: o.places()},
		Rules:  o.rules,
		Show:   trace.NewText(o.Stderr, o.Stdout, time.Now()),
		Stdin:  input(),
		Stdout: o.Stdout, Stderr: o.Stderr,
	}
	if !o.kv && !o.dynamodb {
		options.Given = cmp.Or(o.azure, account.DevelopmentStorage)
	}
	if o.json {
		options.Show, options.Stdout = trace.NewJSON(o.Stdout, time.Now()), o.Stderr
	}
	result, err := trace.Run(ctx, options)
	if err != nil {
		return err
	}
	if advice := o.traced().Advice(result.Summary); advice != "" {
		fmt.Fprintln(o.Stderr, "storespec: "+advice)
	}
	status := o.status(result)
	if ctx.Err() != nil && !o.listen {
		status = command.StatusInterrupted
	}
	return command.Ended(status)
}

// places returns where the gateway listens.
func (o *traceOptions) places() lane.Places {
	switch {
	case o.kv:
		return lane.Places{Gateway: kv.Addresses(o.kvGateway)}
	case o.dynamodb:
		return lane.Places{Gateway: dynamodb.Addresses(o.dynamodbGateway)}
	}
	return lane.Places{Gateway: azure.Addresses(o.table, o.blob)}
}

// account returns the account that is traced, and how to release it. With --listen its connection string is printed, so
// it does not contain a private key.
func (o *traceOptions) account(ctx context.Context, log io.Writer) (*store.Lease, func() error, error) {
	if o.azure == "" {
		lease, release, err := o.traced().Open(ctx, o.content, log)
		if errors.Is(err, store.ErrNoKey) {
			err = command.Misused(fmt.Sprintf("--load %s: %v", o.load, err), "")
		}
		return lease, release, err
	}
	var entropy io.Reader
	if o.listen {
		entropy = rand.Reader
	}
	lease, err := account.Attach(o.azure, entropy)
	if errors.Is(err, account.ErrConnectionString) {
		return nil, nil, command.Misused("--azure: "+err.Error(),
			"such as DefaultEndpointsProtocol=https;AccountName=…;AccountKey=…;EndpointSuffix=core.windows.net, "+
				"or "+account.DevelopmentStorage)
	}
	if err != nil {
		return nil, nil, err
	}
	return lease, func() error { lease.Release(); return nil }, nil
}

// input returns the command's standard input. It never gets a terminal: as a background process it would be stopped.
func input() *os.File {
	if info, err := os.Stdin.Stat(); err != nil || info.Mode()&os.ModeCharDevice != 0 {
		return nil
	}
	return os.Stdin
}

// status returns the exit status of a run.
func (o *traceOptions) status(result trace.Result) int {
	if slices.ContainsFunc(o.failOn, func(name string) bool { return result.Found(trace.Suspect(name)) }) {
		return command.StatusBroken
	}
	return result.Status
}
