package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/storespec/storespec/internal/dev/load"
)

const (
	kvPrefixes = 20 // of 100 keys each: 2,000 keys
	kvPerList  = 100
	kvValue    = 100  // bytes
	kvKey      = 100  // bytes, where memory is measured
	kvBulk     = 5000 // pairs of a bulk put; the API takes 10,000
	kvFewer    = 100  // where a Worker puts them one by one
	kvToken    = "bench"
)

// kvClient is a client of a namespace.
type kvClient struct{ load.KV }

func connectKV(p *peer) (*kvClient, error) {
	return &kvClient{load.KV{Client: load.HTTP(2 * many), Base: p.at.KV, Token: p.token}}, nil
}

func (b *bench) measureKV(ctx context.Context) (*measured, error) {
	emulate := []string{"--kv", ":0", "--kv-token", kvToken}
	m, err := measure(ctx, b, service[*kvClient]{
		emulate: emulate,
		start:   []string{"--kv"},
		store:   "workerd",
		connect: connectKV,
		prepare: (*kvClient).prepare,
		operations: []operation[*kvClient]{{"put", (*kvClient).put}, {"get", (*kvClient).get},
			{"list of 100", (*kvClient).list}},
	})
	if err == nil {
		m.memory, err = b.kvMemory(ctx, emulate)
	}
	return m, err
}

func (c *kvClient) prepare(ctx context.Context) error {
	return c.fill(ctx, 0, kvPrefixes*kvPerList, kvFewer, kvName)
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
			_, err = c.Send(ctx, http.MethodPut, "/bulk", body)
		}
		if err != nil {
			return err
		}
		from += len(pairs)
	}
	return nil
}

func kvName(i int) string { return fmt.Sprintf("p%03d:%03d", i/kvPerList, i%kvPerList) }

// anyKV is the path of one of the values that were prepared.
func anyKV() string { return "/values/" + url.PathEscape(kvName(rand.IntN(kvPrefixes*kvPerList))) }

func (c *kvClient) put(ctx context.Context, _ int) error {
	_, err := c.Send(ctx, http.MethodPut, anyKV(), []byte(text(kvValue)))
	return err
}

func (c *kvClient) get(ctx context.Context, _ int) error {
	answer, err := c.Send(ctx, http.MethodGet, anyKV(), nil)
	if err == nil && len(answer) != kvValue {
		err = fmt.Errorf("a value has %d bytes", len(answer))
	}
	return err
}

func (c *kvClient) list(ctx context.Context, _ int) error {
	path := fmt.Sprintf("/keys?limit=100&prefix=p%03d%%3A", rand.IntN(kvPrefixes))
	answer, err := c.Send(ctx, http.MethodGet, path, nil)
	if err == nil && bytes.Count(answer, []byte(`"name"`)) != kvPerList {
		err = fmt.Errorf("a list is %.200s", answer)
	}
	return err
}

// kvMemory fills a data directory, and reads what the process holds on the way, by the number of keys.
func (b *bench) kvMemory(ctx context.Context, emulate []string) (list []memory, err error) {
	dir, err := os.MkdirTemp("", "storespec-bench-kv-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	p, err := b.startEmulate(ctx, append(emulate, "--data", filepath.Join(dir, "data"))...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, p.stop()) }()
	c, _ := connectKV(p) // it never fails
	long := func(i int) string {
		name := fmt.Sprintf("%08d:", i)
		return name + strings.Repeat("k", kvKey-len(name))
	}
	have := 0
	for _, keys := range []int{50_000, b.rows} {
		if keys <= have {
			continue
		}
		if err := c.fill(ctx, have, keys, kvBulk, long); err != nil {
			return nil, err
		}
		have = keys
		// Some reads all over, so that caches are as full as they get.
		for range 2000 {
			if _, err := c.Send(ctx, http.MethodGet, "/values/"+long(rand.IntN(have)), nil); err != nil {
				return nil, err
			}
		}
		m := readMemory(p)
		m.name = strconv.Itoa(have)
		say("kv %d keys: %.0f MiB", have, m.resident)
		list = append(list, m)
	}
	return list, nil
}
