package main

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/storespec/storespec/internal/emulator"
	"github.com/storespec/storespec/internal/host/command"
)

func (a *app) emulateCommand() *cobra.Command {
	o := emulator.DefaultServe()
	o.Stdout, o.Stderr = a.Stdout, a.Stderr
	cmd := &cobra.Command{
		Use:   "emulate",
		Short: "Run Azure Tables and Blobs, DynamoDB, or Workers KV, on this machine, until Ctrl-C",
		Long: `emulate runs the storage services as one program, without Docker or Node, for the unmodified official
SDKs. It prints a connection string to paste, and the line "ready" when it answers requests.

By default it runs the services of Azure. With --kv alone it runs only Workers KV, for clients of
Cloudflare's REST API and for Workers on workerd or miniflare, on the same namespace. With --dynamodb
alone it runs only DynamoDB with its streams; each access key is a separate account.

An ADDRESS without a host is on 127.0.0.1; an empty one leaves the service out. Accounts may also be in
the variable STORESPEC_ACCOUNTS, separated by semicolons; the command line wins. Without --data, all data
is gone at the end.
storespec-emulate is the same as a smaller program.`,
		Example: `  storespec emulate
  storespec emulate --data ./storage --account team:a2V5IGluIGJhc2U2NA==
  storespec emulate --kv :8788 --kv-lag 3 --kv-write-rate
  storespec emulate --dynamodb :8000 --data ./dynamodb`,
		Args: command.Takes(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			o.OnlyNamed(cmd.Flags().Changed)
			err := emulator.Serve(cmd.Context(), o)
			if errors.Is(err, emulator.ErrUsage) {
				return command.Misused(err.Error(), "storespec emulate --help shows the form of each flag")
			}
			return err
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&o.AzureBlob, "azure-blob", o.AzureBlob, "`ADDRESS` where the blob service listens")
	flags.StringVar(&o.AzureTable, "azure-table", o.AzureTable, "`ADDRESS` where the table service listens")
	flags.BoolVar(&o.BlobVersioning, "blob-versioning", false, "keep previous versions of Azure's blobs")
	flags.StringVar(&o.KV, "kv", "", "`ADDRESS` where Workers KV listens")
	flags.StringVar(&o.KVToken, "kv-token", o.KVToken, "the API `TOKEN` of its REST API; empty: any will do")
	flags.IntVar(&o.KVLag, "kv-lag", 0, "let `N` calls after a write not see it, as distant readers do not")
	flags.BoolVar(&o.KVWriteRate, "kv-write-rate", false, "answer 429 to a second write of a key within a second")
	flags.StringVar(&o.KVSeed, "kv-seed", "", "`FILE` of pairs to write at the start: [{\"key\": …, \"value\": …}, …]")
	flags.StringVar(&o.KVDump, "kv-dump", "", "`FILE` to write all pairs to at the end, in the same form")
	flags.StringVar(&o.DynamoDB, "dynamodb", "", "`ADDRESS` where DynamoDB and its streams listen")
	flags.StringArrayVar(&o.DynamoDBKeys, "dynamodb-key", nil,
		"one more access key as `ID:SECRET`, an account of its own (repeatable)")
	flags.StringArrayVar(&o.Accounts, "account", nil,
		"one more account as `NAME:KEY` or NAME:KEY:KEY, the keys in base64 (repeatable)")
	flags.StringVar(&o.AccountFile, "account-file", "", "`FILE` with such accounts, one a line")
	flags.StringArrayVar(&o.AllowHosts, "allow-host", nil,
		"one more `NAME` under which clients may reach the services (repeatable; '*': any)")
	flags.StringVar(&o.Data, "data", "", "`DIR` to keep the data in")
	flags.BoolVar(&o.Wipe, "wipe", false, "with --data: delete what the directory holds first")
	flags.BoolVar(&o.NoSync, "no-sync", false, "with --data: acknowledge a write before it is on disk")
	flags.BoolVar(&o.NoAuth, "no-auth", false, "do not check signatures")
	flags.BoolVar(&o.OAuth, "oauth", false, "take bearer tokens too, over https; their signature is not checked")
	flags.StringVar(&o.TLSCert, "tls-cert", "", "`FILE` in PEM: serve Azure over https with this certificate")
	flags.StringVar(&o.TLSKey, "tls-key", "", "`FILE` in PEM: its key")
	return cmd
}
