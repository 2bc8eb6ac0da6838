package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
)

const (
	kvPrefixes = 20 // of 100 keys each: 2,000 keys
	kvPerList  = 100
	kvValue    = 100  // bytes
	kvKey      = 100  // bytes, where memory is measured
	kvBulk     = 5000 // pairs of a bulk put; the API takes 10,000
	kvFewer    = 100  // where a Worker puts them one by one
)

// kvResult is what was measured of Workers KV.
type kvResult struct {
	peers  []string
	speeds []speed
	starts []start
	memory []kvMemory
}

// kvMemory is what the process holds after so many keys.
type kvMemory struct {
	keys int
	memory
}

// kvClient is a client of the REST API without an SDK: a client of Cloudflare's would be most of what is measured.
type kvClient struct {
	base, token string
	http        *http.Client
}

// startKVFixed, startKVEmulate and startKVMiniflare start what is measured; peer.connection is a namespace's address.
func startKVFixed(ctx context.Context, p programs) (*peer, error) {
	return startProgram(ctx, "fixed answers", p.self, "fixed", "kv")
}

func startKVEmulate(ctx context.Context, p programs, flags ...string) (*peer, error) {
	return startProgram(ctx, "storespec-emulate", p.emulate, append([]string{"--kv", ":0", "--kv-token", kvToken},
		flags...)...)
}

const kvToken = "bench"

// startKVMiniflare gives nil where miniflare cannot be run.
func startKVMiniflare(ctx context.Context, s settings) (_ *peer, token string, _ error) {
	p, at, err := startStore(ctx, s, "workerd")
	if p != nil {
		p.connection = at["kv-api"] + "/accounts/" + at["kv-account"] + "/storage/kv/namespaces/" + at["kv-namespace"]
	}
	return p, at["kv-token"], err
}

func newKVClient(base, token string) *kvClient {
	return &kvClient{base, token, &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 2 * many,
		DisableCompression: true}}}
}

// send makes a request and returns the answer's body.
func (c *kvClient) send(ctx context.Context, method, path string, body []byte) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, method, c.base+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Authorization", "Bearer "+c.token)
	response, err := c.http.Do(request)
	if err != nil {
		return nil, err
	}
	defer func() { _ = response.Body.Close() }()
	answer, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s %s: %s: %.200s", method, path, response.Status, answer)
	}
	return answer, err
}

// fill puts the keys from one number up to another, some at a time.
func (c *kvClient) fill(ctx context.Context, from, n, bulk int, key func(i int) string) error {
	type pair struct {
		Key   string `json:"key"`
		Value string `json:"value"`
	}
	for from < n {
		pairs := make([]pair, min(bulk, n-from))
		for i := range pairs {
			pairs[i] = pair{key(from + i), text(kvValue)}
		}
		body, err := json.Marshal(pairs)
		if err == nil {
			_, err = c.send(ctx, http.MethodPut, "/bulk", body)
		}
		if err != nil {
			return err
		}
		from += len(pairs)
	}
	return nil
}

func kvName(i int) string { return fmt.Sprintf("p%03d:%03d", i/kvPerList, i%kvPerList) }

type kvOperation struct {
	name string
	do   func(ctx context.Context, c *kvClient) error
}

func kvOperations() []kvOperation {
	some := func() string { return "/values/" + url.PathEscape(kvName(rand.IntN(kvPrefixes*kvPerList))) }
	return []kvOperation{
		{"put", func(ctx context.Context, c *kvClient) error {
			_, err := c.send(ctx, http.MethodPut, some(), []byte(text(kvValue)))
			return err
		}},
		{"get", func(ctx context.Context, c *kvClient) error {
			answer, err := c.send(ctx, http.MethodGet, some(), nil)
			if err == nil && len(answer) != kvValue {
				err = fmt.Errorf("a value has %d bytes", len(answer))
			}
			return err
		}},
		{"list of 100", func(ctx context.Context, c *kvClient) error {
			path := fmt.Sprintf("/keys?limit=100&prefix=p%03d%%3A", rand.IntN(kvPrefixes))
			answer, err := c.send(ctx, http.MethodGet, path, nil)
			if err == nil && bytes.Count(answer, []byte(`"name"`)) != kvPerList {
				err = fmt.Errorf("a list is %.200s", answer)
			}
			return err
		}},
	}
}

func measureKV(ctx context.Context, s settings, p programs) (r kvResult, err error) {
	if r.starts, err = emulatorStarts(ctx, p, "--kv"); err != nil {
		return r, err
	}
	if err := measureKVSpeeds(ctx, s, p, &r); err != nil {
		return r, err
	}
	r.memory, err = measureKVMemory(ctx, s, p)
	return r, err
}

func measureKVSpeeds(ctx context.Context, s settings, p programs, r *kvResult) (err error) {
	var tasks []func(o kvOperation) func(worker int) error
	add := func(peer *peer, token string, err error, isFixed bool) error {
		if err != nil || peer == nil {
			return err
		}
		c := newKVClient(peer.connection, token)
		r.peers = append(r.peers, peer.name)
		tasks = append(tasks, func(o kvOperation) func(int) error {
			return func(int) error { return o.do(ctx, c) }
		})
		if isFixed {
			return nil
		}
		say("preparing %s", peer.name)
		return c.fill(ctx, 0, kvPrefixes*kvPerList, kvFewer, kvName)
	}
	var started []*peer
	defer func() {
		for _, p := range started {
			err = errors.Join(err, p.stop())
		}
	}()
	keep := func(p *peer) *peer {
		if p != nil {
			started = append(started, p)
		}
		return p
	}
	fixed, err := startKVFixed(ctx, p)
	if err := add(keep(fixed), kvToken, err, true); err != nil {
		return err
	}
	emulate, err := startKVEmulate(ctx, p)
	if err := add(keep(emulate), kvToken, err, false); err != nil {
		return err
	}
	miniflare, token, err := startKVMiniflare(ctx, s)
	if err := add(keep(miniflare), token, err, false); err != nil {
		return err
	}
	for _, o := range kvOperations() {
		for _, workers := range []int{1, many} {
			var turns []func(worker int) error
			for _, task := range tasks {
				turns = append(turns, task(o))
			}
			line, err := measureTurns(s, o.name, workers, turns)
			if err != nil {
				return err
			}
			r.speeds = append(r.speeds, line)
			say("kv %-21s %2d  %8.0f", line.name, line.workers, line.rates)
		}
	}
	return nil
}

// measureKVMemory fills a data directory, and reads what the process holds on the way.
func measureKVMemory(ctx context.Context, s settings, p programs) (list []kvMemory, err error) {
	dir, err := os.MkdirTemp("", "storespec-bench-kv-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	peer, err := startKVEmulate(ctx, p, "--data", filepath.Join(dir, "data"))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, peer.stop()) }()
	c := newKVClient(peer.connection, kvToken)
	long := func(i int) string {
		name := fmt.Sprintf("%08d:", i)
		return name + strings.Repeat("k", kvKey-len(name))
	}
	have := 0
	for _, keys := range []int{50_000, s.rows} {
		if keys <= have {
			continue
		}
		if err := c.fill(ctx, have, keys, kvBulk, long); err != nil {
			return nil, err
		}
		have = keys
		// Some reads all over, so that caches are as full as they get.
		for range 2000 {
			if _, err := c.send(ctx, http.MethodGet, "/values/"+long(rand.IntN(have)), nil); err != nil {
				return nil, err
			}
		}
		m := kvMemory{have, readMemory(peer)}
		say("kv %d keys: %.0f MiB", m.keys, m.resident)
		list = append(list, m)
	}
	return list, nil
}
