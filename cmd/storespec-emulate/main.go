// Command storespec-emulate is "storespec emulate" on its own: Azure Tables and Blobs, DynamoDB, or Workers KV, in one
// small program that starts in a few milliseconds, because it links nothing of the harness.
//
// Exit status: 0 ended by SIGINT or SIGTERM, 2 usage, 3 a port or the data directory is not available.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/storespec/storespec/internal/emulator"
)

const usage = `usage: storespec-emulate [flags]

  --azure-blob ADDRESS    where the blob service listens (:10000)
  --azure-table ADDRESS   where the table service listens (:10002)
  --blob-versioning       keep previous versions of Azure's blobs
  --kv ADDRESS            where Workers KV listens; named alone, nothing of Azure is started
  --kv-token TOKEN        the API token of its REST API (storespec); empty: any will do
  --kv-lag N              let N calls after a write not see it
  --kv-write-rate         answer 429 to a second write of a key within a second
  --kv-seed FILE          pairs to write at the start: [{"key": …, "value": …}, …]
  --kv-dump FILE          write all pairs there at the end, in the same form
  --dynamodb ADDRESS      where DynamoDB and its streams listen; named alone, nothing of Azure is started
  --dynamodb-key ID:SECRET  one more access key besides storespec:storespec and local:local, an account of its own
                          (repeatable)
  --account NAME:KEY      one more account besides devstoreaccount1, the key in base64; NAME:KEY:KEY has two
                          (repeatable)
  --account-file FILE     such accounts, one a line; also in STORESPEC_ACCOUNTS, separated by semicolons; --account
                          wins over the file, and the file over the variable
  --allow-host NAME       one more name under which clients may reach the services (repeatable; *: any)
  --data DIR              keep the data there; without it, in memory
  --wipe                  with --data: delete what the directory holds first
  --no-sync               with --data: acknowledge a write before it is on disk
  --no-auth               do not check signatures
  --oauth                 take bearer tokens too, over https; their signature is not checked
  --tls-cert FILE         serve Azure over https with this certificate, in PEM
  --tls-key FILE          its key, in PEM

An ADDRESS without a host is on 127.0.0.1; an empty one leaves the service out.
The line "ready" says that requests are answered.
`

// gcPercent keeps the process small, as its users run it next to much else: what it holds is mostly bytes without
// pointers, which take next to no time to mark. GOGC takes precedence.
const gcPercent = 50

func main() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	status := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(status)
}

// run is main without the process; it returns the exit status.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	o := emulator.DefaultServe()
	o.Stdout, o.Stderr = stdout, stderr
	flags := flag.NewFlagSet("storespec-emulate", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.StringVar(&o.AzureBlob, "azure-blob", o.AzureBlob, "")
	flags.StringVar(&o.AzureTable, "azure-table", o.AzureTable, "")
	flags.BoolVar(&o.BlobVersioning, "blob-versioning", false, "")
	flags.StringVar(&o.KV, "kv", "", "")
	flags.StringVar(&o.KVToken, "kv-token", o.KVToken, "")
	flags.IntVar(&o.KVLag, "kv-lag", 0, "")
	flags.BoolVar(&o.KVWriteRate, "kv-write-rate", false, "")
	flags.StringVar(&o.KVSeed, "kv-seed", "", "")
	flags.StringVar(&o.KVDump, "kv-dump", "", "")
	flags.StringVar(&o.DynamoDB, "dynamodb", "", "")
	flags.Func("dynamodb-key", "",
		func(value string) error { o.DynamoDBKeys = append(o.DynamoDBKeys, value); return nil })
	flags.StringVar(&o.Data, "data", "", "")
	flags.BoolVar(&o.Wipe, "wipe", false, "")
	flags.BoolVar(&o.NoSync, "no-sync", false, "")
	flags.BoolVar(&o.NoAuth, "no-auth", false, "")
	flags.BoolVar(&o.OAuth, "oauth", false, "")
	flags.StringVar(&o.TLSCert, "tls-cert", "", "")
	flags.StringVar(&o.TLSKey, "tls-key", "", "")
	flags.Func("account", "", func(value string) error { o.Accounts = append(o.Accounts, value); return nil })
	flags.StringVar(&o.AccountFile, "account-file", "", "")
	flags.Func("allow-host", "", func(value string) error { o.AllowHosts = append(o.AllowHosts, value); return nil })
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprint(stdout, usage)
		return 0
	case err != nil:
		return explain(stderr, err, 2)
	case flags.NArg() > 0:
		return explain(stderr, fmt.Errorf("unexpected argument %q", flags.Arg(0)), 2)
	}
	given := map[string]bool{}
	flags.Visit(func(f *flag.Flag) { given[f.Name] = true })
	o.OnlyNamed(func(name string) bool { return given[name] })
	switch err := emulator.Serve(ctx, o); {
	case err == nil:
		return 0
	case errors.Is(err, emulator.ErrUsage):
		return explain(stderr, err, 2)
	default:
		return explain(stderr, err, 3)
	}
}

// explain reports what went wrong and returns the exit status.
func explain(stderr io.Writer, err error, status int) int {
	fmt.Fprintf(stderr, "storespec-emulate: %v\n", err)
	if status == 2 {
		fmt.Fprintln(stderr, "hint: storespec-emulate --help lists the flags")
	}
	return status
}
