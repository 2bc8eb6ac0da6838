package namespace

import (
	"context"
	"embed"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	emulated "github.com/storespec/storespec/internal/emulator/kv"
	"github.com/storespec/storespec/internal/host/process"
	"github.com/storespec/storespec/internal/store"
	"github.com/storespec/storespec/internal/wire"
	"github.com/storespec/storespec/internal/wire/kv"
)

// workerdFiles holds what runs miniflare (start.mjs), the Worker on it (worker.mjs), and the pinned packages.
//
//go:embed workerd/package.json workerd/package-lock.json workerd/start.mjs workerd/worker.mjs
var workerdFiles embed.FS

const (
	// miniflareVersion is the last one that runs on Node 20; later ones need 22. workerd/package.json pins the same.
	miniflareVersion = "4.20260426.0"
	// startLimit is the time limit for a start. It takes under a second on an idle machine.
	startLimit = 60 * time.Second
	// lookEvery is how often a starting child's output is checked.
	lookEvery = 5 * time.Millisecond
)

// openWorkerd starts miniflare's Workers KV on the real runtime, as a child process on a free port.
func openWorkerd(ctx context.Context, opts store.Options) (*store.Pool, error) {
	files, err := fs.Sub(workerdFiles, "workerd")
	if err != nil {
		return nil, err
	}
	pinned := store.Package{Name: "miniflare", Version: miniflareVersion, Pinned: files,
		Source: "internal/store/namespace/workerd", Entry: "node_modules/miniflare/package.json",
		Instead: "use --store embedded"}
	node, err := pinned.Node()
	if err != nil {
		return nil, err
	}
	entry, err := pinned.Install(ctx, opts.CacheDir, opts.Log)
	if err != nil {
		return nil, err
	}
	token, err := newToken(opts.Entropy)
	if err != nil {
		return nil, err
	}
	account := identity{account: "storespec", token: token}
	var ids []identity
	for i := range opts.Lanes + opts.Cold {
		one := account
		one.namespace = fmt.Sprintf("%032x", i+1)
		ids = append(ids, one)
	}
	ctx, cancel := context.WithTimeout(ctx, startLimit)
	defer cancel()
	child, err := startWorkerd(ctx, []string{node, "start.mjs", filepath.Dir(filepath.Dir(entry))}, files, ids)
	if err != nil {
		return nil, err
	}
	return child.pool(opts, ids)
}

func newToken(entropy io.Reader) (string, error) {
	token := make([]byte, 30)
	if _, err := io.ReadFull(entropy, token); err != nil {
		return "", fmt.Errorf("make an API token: %w", err)
	}
	return base64.RawURLEncoding.EncodeToString(token), nil
}

// workerdChild is a running miniflare and the address it listens on.
type workerdChild struct {
	process *process.Process
	dir     string // its working directory, removed at the end
	address *url.URL
	ports   store.Ports
}

// startWorkerd starts miniflare and waits until it has said where it listens.
func startWorkerd(ctx context.Context, argv []string, files fs.FS, ids []identity) (*workerdChild, error) {
	dir, err := os.MkdirTemp("", "storespec-workerd-*")
	if err == nil {
		err = os.CopyFS(dir, files)
	}
	child := &workerdChild{dir: dir}
	names := make([]string, len(ids))
	for i, id := range ids {
		names[i] = id.namespace
	}
	list, _ := json.Marshal(names) // texts can always be encoded
	if err == nil {
		child.process, err = process.Start(append(argv, string(list)), process.Options{Dir: dir,
			Env: process.Environ(map[string]string{"TOKEN": ids[0].token})})
	}
	if err != nil {
		_ = os.RemoveAll(dir)
		return nil, fmt.Errorf("%w: start miniflare: %w", store.ErrUnavailable, err)
	}
	if err := child.listening(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("%w: start miniflare: %w\noutput:\n%s", store.ErrUnavailable, err,
			child.process.Output()), child.stop(ctx))
	}
	return child, nil
}

var listensAt = regexp.MustCompile(`(?m)^listening at (http://\S+)$`)

func (c *workerdChild) listening(ctx context.Context) error {
	look := time.Tick(lookEvery)
	for {
		if m := listensAt.FindStringSubmatch(c.process.Output()); m != nil {
			address, err := url.Parse(m[1])
			c.address = address
			return err
		}
		select {
		case <-look:
		case <-c.process.Done():
			return errors.New(c.process.Exit())
		case <-ctx.Done():
			return fmt.Errorf("wait for its port: %w", ctx.Err())
		}
	}
}

func (c *workerdChild) pool(opts store.Options, ids []identity) (*store.Pool, error) {
	transport := wire.NewTransport()
	all := make([]*store.Namespace, len(ids))
	for i, id := range ids {
		keys := &remote{api: c.address.String() + "/client/v4", id: id, client: &http.Client{Transport: transport}}
		handler := c.handler(id, transport)
		address, err := c.ports.Listen(handler)
		if err != nil {
			return nil, errors.Join(err, c.stop(context.Background()))
		}
		all[i] = &store.Namespace{
			Name: "namespace " + id.namespace, Secrets: []string{id.token}, Objects: keys, Wipe: keys.wipe,
			Drop:     keys.wipe,
			Values:   func(at map[wire.Service]string) map[string]string { return id.values(at[kv.Service]) },
			Direct:   id.values(address),
			Upstream: map[wire.Protocol]http.Handler{kv.Protocol{}: handler},
		}
		all[i].Direct[placeAPI] = keys.api // of the Worker itself: it distinguishes namespaces
	}
	s := store.NewPool(opts.Name, "miniflare "+miniflareVersion, all[:opts.Lanes], all[opts.Lanes:])
	s.Broken = store.Ended(c.process, "miniflare ended at "+c.address.String())
	s.Stop = c.stop
	return s, nil
}

// handler passes requests of one namespace on to the Worker: the REST API as it is, and the binding's protocol, which
// names no namespace, below a path that does.
func (c *workerdChild) handler(id identity, transport http.RoundTripper) http.Handler {
	below := *c.address
	below.Path = "/binding/" + id.namespace
	return dialects(id, wire.NewProxy(c.address, transport, nil), wire.NewProxy(&below, transport, nil))
}

// dialects distinguishes the two dialects, and refuses other namespaces than a lane's.
func dialects(id identity, rest, binding http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r, err := emulated.Unwrapped(r)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		path, is := strings.CutPrefix(r.URL.EscapedPath(), "/client/v4/accounts/")
		if !is {
			binding.ServeHTTP(w, r)
			return
		}
		parts := strings.SplitN(path, "/", 6)
		if len(parts) < 5 || parts[0] != id.account || strings.Join(parts[1:4], "/") != "storage/kv/namespaces" ||
			parts[4] != id.namespace {
			kv.Protocol{}.Refuse(w, r, wire.Missing)
			return
		}
		rest.ServeHTTP(w, r)
	})
}

func (c *workerdChild) stop(ctx context.Context) error {
	return errors.Join(c.ports.Close(ctx), c.process.Stop(ctx), os.RemoveAll(c.dir))
}
