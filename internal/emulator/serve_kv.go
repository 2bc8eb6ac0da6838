package emulator

import (
	"bufio"
	"errors"
	"fmt"
	"log"
	"os"
	"strings"

	"github.com/storespec/storespec/internal/emulator/kv"
	"github.com/storespec/storespec/internal/host/atomicfile"
)

// The namespace that always exists. Cloudflare's ids are of this form.
const (
	kvNamespace = "00000000000000000000000000000001"
	kvTitle     = "storespec"
	kvAccount   = "storespec"
)

// workerdHost is the name under which workerd asks for a key. Other services do not answer to it: in some networks a
// machine can choose its name.
const workerdHost = "fake-host"

// serveKV starts Workers KV, if it was asked for.
func (s *server) serveKV(o ServeOptions, pairs []kv.Pair, complain *log.Logger) error {
	if s.kv == nil {
		return nil
	}
	namespace, handler, err := s.emulator.Namespace(kvNamespace, kvTitle)
	if err == nil {
		err = o.seed(namespace, pairs)
	}
	if err != nil {
		return err
	}
	s.namespace = namespace
	namespace.Lag(o.KVLag)
	namespace.LimitWrites(o.KVWriteRate)
	names := s.hosts.with(workerdHost)
	s.serve(s.kv, names.guard(handler), complain)
	return nil
}

// pairs reads the file of --kv-seed; nil without one.
func (o ServeOptions) pairs() ([]kv.Pair, error) {
	if o.KVSeed == "" {
		return nil, nil
	}
	content, err := os.Open(o.KVSeed)
	if err != nil {
		return nil, fmt.Errorf("%w: --kv-seed: %w", ErrUsage, err)
	}
	defer func() { _ = content.Close() }() // only read
	pairs, err := kv.ReadPairs(bufio.NewReader(content))
	if err != nil {
		return nil, fmt.Errorf("%w: --kv-seed %s: want [{\"key\": …, \"value\": …}, …]: %w", ErrUsage, o.KVSeed, err)
	}
	return pairs, nil
}

// seed writes the pairs of --kv-seed.
func (o ServeOptions) seed(namespace *kv.Namespace, pairs []kv.Pair) error {
	for i, pair := range pairs {
		if err := namespace.Seed(pair); err != nil {
			return fmt.Errorf("%w: --kv-seed %s, pair %d: %w", ErrUsage, o.KVSeed, i+1, err)
		}
	}
	return nil
}

// rehearse seeds an emulator in memory, so that pairs with a mistake are found before --wipe deletes anything.
func (o ServeOptions) rehearse(pairs []kv.Pair) (err error) {
	if !o.Wipe || len(pairs) == 0 {
		return nil
	}
	e, err := Open(Options{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, e.Close()) }()
	namespace, _, err := e.Namespace(kvNamespace, kvTitle)
	if err != nil {
		return err
	}
	return o.seed(namespace, pairs)
}

// checkKV refuses flags of Workers KV that cannot be met.
func (o *ServeOptions) checkKV() error {
	switch {
	case o.KVLag < 0:
		return fmt.Errorf("%w: --kv-lag %d is not a number of calls", ErrUsage, o.KVLag)
	case o.KV == "" && (o.KVSeed != "" || o.KVDump != "" || o.KVLag > 0 || o.KVWriteRate):
		return fmt.Errorf("%w: --kv-seed, --kv-dump, --kv-lag and --kv-write-rate need --kv", ErrUsage)
	}
	return nil
}

// dumpFile makes sure that the file of --kv-dump can be written, before anything is served.
func (o *ServeOptions) dumpFile() (*atomicfile.File, error) {
	if o.KVDump == "" {
		return nil, nil
	}
	file, err := atomicfile.Create(o.KVDump)
	if err != nil {
		return nil, fmt.Errorf("%w: --kv-dump: %w", ErrUsage, err)
	}
	return file, nil
}

// writeDump writes the file of --kv-dump, if it was asked for.
func (s *server) writeDump() error {
	if s.dump == nil || s.namespace == nil {
		return nil
	}
	if err := s.dump.Put(s.namespace.Dump); err != nil {
		return fmt.Errorf("--kv-dump: %w", err)
	}
	return nil
}

// announceKV says how a client of the REST API and a Worker reach the namespace.
func announceKV(b *strings.Builder, o ServeOptions, address string) {
	fmt.Fprintf(b, "\nWorkers KV, REST API: http://%s/client/v4/accounts/%s/storage/kv/namespaces/%s\n", address,
		kvAccount, kvNamespace)
	if o.NoAuth || o.KVToken == "" {
		fmt.Fprint(b, "API token: any\n")
	} else {
		fmt.Fprintf(b, "API token: %s\n", o.KVToken)
	}
	fmt.Fprintf(b, "binding for workerd: (name = \"kv\", external = (address = \"%s\", http = ()))\n", address)
}
