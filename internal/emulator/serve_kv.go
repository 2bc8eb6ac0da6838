package emulator

import (
	"bufio"
	"fmt"
	"log"
	"os"
	"strings"

	"github.com/storespec/storespec/internal/atomicfile"
	"github.com/storespec/storespec/internal/emulator/kv"
)

// The namespace that always exists. Cloudflare's ids are of this form.
const (
	kvNamespace = "00000000000000000000000000000001"
	kvTitle     = "storespec"
	kvAccount   = "storespec"
)

// serveKV starts Workers KV, if it was asked for.
func (s *server) serveKV(o ServeOptions, complain *log.Logger) error {
	if s.kv == nil {
		return nil
	}
	namespace, handler, err := s.emulator.Namespace(kvNamespace, kvTitle)
	if err == nil {
		err = seed(namespace, o.KVSeed)
	}
	if err != nil {
		return err
	}
	s.namespace = namespace
	namespace.Lag(o.KVLag)
	namespace.LimitWrites(o.KVWriteRate)
	s.serve(s.kv, handler, complain)
	return nil
}

// seed writes the pairs of a file; "" names none.
func seed(namespace *kv.Namespace, file string) error {
	if file == "" {
		return nil
	}
	content, err := os.Open(file)
	if err != nil {
		return fmt.Errorf("%w: --kv-seed: %w", ErrUsage, err)
	}
	defer func() { _ = content.Close() }() // only read
	pairs, err := kv.ReadPairs(bufio.NewReader(content))
	if err != nil {
		return fmt.Errorf("%w: --kv-seed %s: want [{\"key\": …, \"value\": …}, …]: %w", ErrUsage, file, err)
	}
	for i, pair := range pairs {
		if err := namespace.Seed(pair); err != nil {
			return fmt.Errorf("%w: --kv-seed %s, pair %d: %w", ErrUsage, file, i+1, err)
		}
	}
	return nil
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
