package emulator

import (
	"encoding/json"
	"fmt"
	"log"
	"os"
	"strings"

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
	content, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("%w: --kv-seed: %w", ErrUsage, err)
	}
	var pairs []kv.Pair
	if err := json.Unmarshal(content, &pairs); err != nil {
		return fmt.Errorf("%w: --kv-seed %s: want [{\"key\": …, \"value\": …}, …]: %w", ErrUsage, file, err)
	}
	for i, pair := range pairs {
		if err := namespace.Seed(pair); err != nil {
			return fmt.Errorf("%w: --kv-seed %s, pair %d: %w", ErrUsage, file, i+1, err)
		}
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
