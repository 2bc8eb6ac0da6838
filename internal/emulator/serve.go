package emulator

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"runtime/debug"
	"strings"
	"time"

	"github.com/storespec/storespec/internal/emulator/kv"
	"github.com/storespec/storespec/internal/emulator/patience"
	"github.com/storespec/storespec/internal/host/atomicfile"
)

// ErrUsage is wrapped by Serve's error for invalid options.
var ErrUsage = errors.New("cannot be used")

// ServeOptions are the flags of the command "emulate".
type ServeOptions struct {
	// AzureBlob and AzureTable are the addresses to listen on, host:port. Without a host it is 127.0.0.1, with port 0
	// any free one. Empty: the service is not started.
	AzureBlob, AzureTable string
	// KV is the address of Workers KV, both its REST API and the protocol of a Worker's binding; empty: not started.
	KV string
	// KVToken is the API token of its REST API.
	KVToken string
	// KVLag is how many calls do not see a write; KVWriteRate lets a key take one write a second, as Cloudflare does.
	KVLag       int
	KVWriteRate bool
	// KVSeed is a file of pairs to be written at the start, in the form of the REST API's bulk put; empty: none.
	KVSeed string
	// KVDump is a file to which all pairs are written at the end, in the same form; empty: none.
	KVDump string
	// DynamoDB is the address of DynamoDB and of its streams; empty: not started. DynamoDBKeys are ID:SECRET, access
	// keys besides the one that always exists; each is an account of its own.
	DynamoDB     string
	DynamoDBKeys []string
	// Accounts are NAME:KEY or NAME:KEY:KEY2, besides the development account, which always exists. AccountFile has
	// them one a line, AccountList separated by semicolons; both are empty if no account was added. Accounts win over
	// AccountFile, and that over AccountList.
	Accounts                 []string
	AccountFile, AccountList string
	// AllowHosts are the names, besides those of this machine and of the accounts, that a Host header may have, with
	// all names below them; "*" for any.
	AllowHosts []string
	// Data is the data directory; empty: memory.
	Data string
	// NoSync, NoAuth, OAuth, Wipe and BlobVersioning are as in Options.
	NoSync, NoAuth, OAuth, Wipe, BlobVersioning bool
	// TLSCert and TLSKey are files in PEM; with them Azure's services are served over https.
	TLSCert, TLSKey string
	// Stdout receives the addresses and connection strings, and the line "ready" once requests are answered; Stderr
	// receives errors.
	Stdout, Stderr io.Writer

	patience time.Duration // as bodyPatience, for tests; 0: that
}

// DefaultServe returns the options with the standard ports of Azure's emulators, and the accounts of the environment.
func DefaultServe() ServeOptions {
	return ServeOptions{AzureBlob: ":10000", AzureTable: ":10002", KVToken: "storespec",
		AccountList: os.Getenv(AccountsVariable)}
}

// OnlyNamed leaves out the services of Azure if another one was asked for and they were not. given reports whether a
// flag was.
func (o *ServeOptions) OnlyNamed(given func(flag string) bool) {
	if (o.KV != "" || o.DynamoDB != "") && !given("azure-blob") && !given("azure-table") {
		o.AzureBlob, o.AzureTable = "", ""
	}
}

const (
	// headTimeout bounds how long a connection may take to send a request's head.
	headTimeout = 30 * time.Second
	idleTimeout = 2 * time.Minute
	// bodyPatience bounds how long a client may take to send the next part of a body that it has announced: see
	// patience.Handler. An upload that goes on, however slowly, is not ended.
	bodyPatience = 30 * time.Second
	// drainWithin is how long requests in flight may take when the emulator shuts down.
	drainWithin = 5 * time.Second
	// gcPercent trades a little speed for memory: 50,000 rows then stay under 60 MiB.
	gcPercent = 50
)

// check checks what can be known before anything is opened.
func (o ServeOptions) check() error {
	switch {
	case o.AzureBlob == "" && o.AzureTable == "" && o.KV == "" && o.DynamoDB == "":
		return fmt.Errorf("%w: no service to emulate: all addresses are empty", ErrUsage)
	case o.Wipe && o.Data == "":
		return fmt.Errorf("%w: --wipe without --data: there is nothing to wipe", ErrUsage)
	case (o.TLSCert == "") != (o.TLSKey == ""):
		return fmt.Errorf("%w: --tls-cert and --tls-key go together", ErrUsage)
	case (o.OAuth || o.TLSCert != "") && o.AzureBlob == "" && o.AzureTable == "":
		return fmt.Errorf("%w: --tls-cert, --tls-key and --oauth are for the services of Azure, and none is started: "+
			"Workers KV and DynamoDB are served over http only; --azure-blob or --azure-table starts one", ErrUsage)
	case o.BlobVersioning && o.AzureBlob == "":
		return fmt.Errorf("%w: --blob-versioning needs the blob service: --azure-blob", ErrUsage)
	case (len(o.Accounts) > 0 || o.AccountFile != "") && o.AzureBlob == "" && o.AzureTable == "":
		return fmt.Errorf("%w: --account and --account-file are for the services of Azure, and none is started: "+
			"--azure-blob or --azure-table starts one", ErrUsage)
	case len(o.DynamoDBKeys) > 0 && o.DynamoDB == "":
		return fmt.Errorf("%w: --dynamodb-key needs --dynamodb", ErrUsage)
	case o.OAuth && o.TLSCert == "":
		return fmt.Errorf("%w: --oauth needs https, as Azure does: --tls-cert and --tls-key", ErrUsage)
	}
	return nil
}

// Serve runs the emulator until ctx ends, and then shuts it down: requests in flight are answered, the data is closed.
// The error wraps ErrUsage, or says which address or directory is not available.
func Serve(ctx context.Context, o ServeOptions) (err error) {
	// Whatever the flags and their files may have wrong is found before --wipe deletes anything.
	accounts, badAccounts := o.accounts()
	keys, badKeys := parseKeys(o.DynamoDBKeys)
	if err := cmp.Or(badAccounts, badKeys, o.check(), o.checkKV()); err != nil {
		return err
	}
	certificate, badCertificate := o.certificate()
	pairs, badPairs := o.pairs()
	if err := cmp.Or(badCertificate, badPairs, o.rehearse(pairs)); err != nil {
		return err
	}
	s := &server{patience: cmp.Or(o.patience, bodyPatience), failed: make(chan error, 4)}
	defer func() { err = errors.Join(err, s.close()) }()
	if s.dump, err = o.dumpFile(); err != nil {
		return err
	}
	defer s.dump.Abandon() // unless it was written
	// The ports come first: a port in use is the most common failure, and nothing has been opened yet.
	for _, one := range []struct {
		into                   *net.Listener
		service, flag, address string
	}{{&s.blob, "blob", "azure-blob", o.AzureBlob}, {&s.table, "table", "azure-table", o.AzureTable},
		{&s.kv, "KV", "kv", o.KV}, {&s.dynamodb, "DynamoDB", "dynamodb", o.DynamoDB}} {
		if err := s.listen(one.into, one.service, one.flag, one.address); err != nil {
			return err
		}
	}
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	complain := log.New(o.Stderr, "storespec: ", 0)
	s.emulator, err = Open(Options{Dir: o.Data, NoSync: o.NoSync, Wipe: o.Wipe, NoAuth: o.NoAuth, OAuth: o.OAuth,
		BlobVersioning: o.BlobVersioning, KVToken: o.KVToken, DynamoDBKeys: keys, Log: complain.Printf})
	if err != nil {
		return err
	}
	s.hosts.allow(o.AllowHosts)
	if err := s.add(accounts); err != nil {
		return err
	}
	secure(&s.blob, certificate)
	secure(&s.table, certificate)
	for _, caution := range s.cautions(o, accounts) {
		complain.Print(caution)
	}
	s.serve(s.blob, s.hosts.guard(s.emulator.Blob), complain)
	s.serve(s.table, s.hosts.guard(s.emulator.Table), complain)
	s.serve(s.dynamodb, s.hosts.guard(s.emulator.DynamoDB), complain)
	if err := s.serveKV(o, pairs, complain); err != nil {
		return err
	}
	if err := s.announce(o, accounts); err != nil {
		return err
	}
	select {
	case err := <-s.failed:
		return err
	case <-ctx.Done():
		return errors.Join(s.drain(context.WithoutCancel(ctx)), s.writeDump())
	}
}

// server holds what Serve has open.
type server struct {
	blob, table, kv, dynamodb net.Listener // nil: not started
	emulator                  *Emulator
	namespace                 *kv.Namespace    // nil: Workers KV is not started
	dump                      *atomicfile.File // nil: not asked for
	hosts                     hosts
	patience                  time.Duration // as bodyPatience
	servers                   []*http.Server
	failed                    chan error
}

// listen opens a port. An address without a host is reachable from this machine only.
func (s *server) listen(into *net.Listener, service, flag, address string) error {
	if address == "" {
		return nil
	}
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return fmt.Errorf("%w: --%s %s is not an address like :10000 or 0.0.0.0:10000", ErrUsage, flag, address)
	}
	listener, err := net.Listen("tcp", net.JoinHostPort(cmp.Or(host, "127.0.0.1"), port))
	if err != nil {
		return fmt.Errorf("serve the %s service: %w", service, err)
	}
	*into = listener
	return nil
}

func (s *server) serve(listener net.Listener, handler http.Handler, complain *log.Logger) {
	if listener == nil {
		return
	}
	handler = patience.Handler(handler, s.patience)
	h := &http.Server{Handler: handler, ReadHeaderTimeout: headTimeout, IdleTimeout: idleTimeout, ErrorLog: complain}
	s.servers = append(s.servers, h)
	go func() {
		if err := h.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			s.failed <- err
		}
	}()
}

// announce prints the addresses and connection strings. The last line is for scripts.
func (s *server) announce(o ServeOptions, accounts []account) error {
	var b strings.Builder
	fmt.Fprintf(&b, "data   %s\n", cmp.Or(o.Data, "in memory, gone at the end"))
	for _, a := range accounts {
		if s.blob == nil && s.table == nil {
			break
		}
		key := a.keys[0]
		if !a.shown {
			key = "…"
		}
		fmt.Fprintf(&b, "\nDefaultEndpointsProtocol=%s;AccountName=%s;AccountKey=%s;", o.scheme(), a.name, key)
		if s.blob != nil {
			fmt.Fprintf(&b, "BlobEndpoint=%s://%s/%s;", o.scheme(), reachable(s.blob), a.name)
		}
		if s.table != nil {
			fmt.Fprintf(&b, "TableEndpoint=%s://%s/%s;", o.scheme(), reachable(s.table), a.name)
		}
		b.WriteString("\n")
	}
	if s.kv != nil {
		announceKV(&b, o, reachable(s.kv))
	}
	if s.dynamodb != nil {
		announceDynamoDB(&b, o, reachable(s.dynamodb))
	}
	b.WriteString("\nready\n")
	_, err := io.WriteString(o.Stdout, b.String())
	return err
}

// reachable returns an address to connect to: a listener on all addresses is reached on loopback.
func reachable(l net.Listener) string {
	address, ok := l.Addr().(*net.TCPAddr)
	if !ok || !address.IP.IsUnspecified() {
		return l.Addr().String()
	}
	return net.JoinHostPort("127.0.0.1", fmt.Sprint(address.Port))
}

// drain waits for the requests in flight.
func (s *server) drain(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, drainWithin)
	defer cancel()
	var errs []error
	for _, h := range s.servers {
		if err := h.Shutdown(ctx); err != nil && !errors.Is(err, context.DeadlineExceeded) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// close closes what is left, listeners first.
func (s *server) close() error {
	var errs []error
	for _, h := range s.servers {
		errs = append(errs, h.Close())
	}
	for _, l := range []net.Listener{s.blob, s.table, s.kv, s.dynamodb} {
		if l == nil {
			continue
		}
		if err := l.Close(); !errors.Is(err, net.ErrClosed) {
			errs = append(errs, err)
		}
	}
	if s.emulator != nil {
		errs = append(errs, s.emulator.Close())
	}
	return errors.Join(errs...)
}
