package main

import (
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// dynalite is the variable with the path of dynalite's cli.js; without it, dynalite is left out.
const dynalite = "STORESPEC_BENCH_DYNALITE"

// itemPeer is a server of DynamoDB.
type itemPeer struct {
	peer
	items *items
}

// candidate is a program to start.
type candidate struct {
	name string
	argv func(address string) []string
}

// measureItems measures DynamoDB beside fixed answers in this process's own child, and dynalite where it is.
func measureItems(ctx context.Context, s settings, p programs, r *result) (err error) {
	var peers []itemPeer
	defer func() {
		for _, p := range peers {
			err = errors.Join(err, p.stop())
		}
	}()
	candidates := []candidate{
		{"fixed answers", func(address string) []string { return []string{p.self, "fixed-items", address} }},
		{"storespec-emulate", func(address string) []string { return []string{p.emulate, "--dynamodb", address} }},
	}
	if program := os.Getenv(dynalite); program != "" {
		candidates = append(candidates, candidate{"dynalite", func(address string) []string {
			_, port, _ := net.SplitHostPort(address)
			return []string{"node", program, "--host", "127.0.0.1", "--port", port, "--createTableMs", "1"}
		}})
	}
	var clients []*items
	for i, c := range candidates {
		started, err := startItems(ctx, c.name, c.argv)
		if err != nil {
			return err
		}
		peers = append(peers, started)
		clients = append(clients, started.items)
		r.itemPeers = append(r.itemPeers, c.name)
		if i == 0 {
			continue // there is nothing to prepare
		}
		say("preparing %s", c.name)
		if err := started.items.prepare(ctx); err != nil {
			return fmt.Errorf("prepare %s: %w", c.name, err)
		}
		r.itemMemory = append(r.itemMemory, readMemory(&started.peer))
	}
	for _, o := range itemOperations() {
		for _, workers := range []int{1, many} {
			line, err := measureCell(ctx, s, o, workers, clients)
			if err != nil {
				return err
			}
			r.itemSpeeds = append(r.itemSpeeds, line)
			say("%-24s %2d  %8.0f", line.name, line.workers, line.rates)
		}
	}
	return measureItemGrowth(ctx, s, clients[1], r)
}

// measureItemGrowth grows one partition, and measures point operations on the way.
func measureItemGrowth(ctx context.Context, s settings, c *items, r *result) error {
	have := 0
	for rows := 1000; rows <= s.rows; rows *= 10 {
		begin := have
		if err := each((rows-have)/perWrite, many, func(i int) error {
			return whole(c.write(ctx, "one", begin+i*perWrite))
		}); err != nil {
			return err
		}
		have = rows
		g := grown{rows: rows}
		var err error
		if g.get, err = latency(4*s.slot, rows, func(i int) error {
			return whole(c.get(ctx, "one",
				key(i)))
		}); err != nil {
			return err
		}
		g.upsert, err = latency(4*s.slot, rows, func(i int) error { return whole(c.put(ctx, "one", key(i))) })
		if err != nil {
			return err
		}
		say("partition of %7d items: get %v, put %v", g.rows, g.get, g.upsert)
		r.itemGrowth = append(r.itemGrowth, g)
	}
	return nil
}

// startItems starts a server on a free port, and waits until it listens.
func startItems(ctx context.Context, name string, argv func(address string) []string) (itemPeer, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return itemPeer{}, err
	}
	address := listener.Addr().String()
	if err := listener.Close(); err != nil {
		return itemPeer{}, err
	}
	words := argv(address)
	cmd := exec.CommandContext(ctx, words[0], words[1:]...)
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		return itemPeer{}, err
	}
	stop := func() error {
		_ = cmd.Process.Kill() // its data is in memory
		_ = cmd.Wait()
		return nil
	}
	for until := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		if conn, err := net.Dial("tcp", address); err == nil {
			return itemPeer{peer{name: name, pid: cmd.Process.Pid, stop: stop}, newItems("http://" + address)}, conn.Close()
		}
		if time.Now().After(until) {
			return itemPeer{}, errors.Join(fmt.Errorf("%s does not listen", name), stop())
		}
	}
}

// serveFixedItems answers DynamoDB's requests always in the same way. It reads each and forgets it.
func serveFixedItems(address string) error {
	one := `{"pk":{"S":"q000"},"sk":{"S":"00000000"},"flag":{"BOOL":true},"number":{"N":"123456789"},"text":{"S":"` +
		text(150) + `"}}`
	answers := map[string]string{"GetItem": `{"Item":` + one + `}`, "Query": `{"Items":[` +
		strings.Repeat(one+",", perBatch-1) + one + `],"Count":100,"ScannedCount":100}`}
	server := &http.Server{Addr: address, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		_, operation, _ := strings.Cut(r.Header.Get("X-Amz-Target"), ".")
		body := answers[operation]
		if body == "" {
			body = "{}"
		}
		h := w.Header()
		h["Content-Type"] = []string{"application/x-amz-json-1.0"}
		h["X-Amz-Crc32"] = []string{strconv.FormatUint(uint64(crc32.ChecksumIEEE([]byte(body))), 10)}
		h["Content-Length"] = []string{strconv.Itoa(len(body))}
		_, _ = io.WriteString(w, body)
	})} //nolint:gosec // no stranger reaches it
	return server.ListenAndServe()
}
