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

// measureItems measures DynamoDB next to fixed answers in this process's own child, and dynalite where it is.
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
	if r.itemStarts, err = emulatorStarts(ctx, p, "--dynamodb"); err != nil {
		return err
	}
	for _, c := range candidates {
		started, err := startItems(ctx, c.name, c.argv)
		if err != nil {
			return err
		}
		peers = append(peers, started)
	}
	dynalite, err := startDynalite(ctx, s)
	if err != nil {
		return err
	}
	if dynalite != nil {
		peers = append(peers, *dynalite)
	}
	var clients []*items
	for i, p := range peers {
		clients = append(clients, p.items)
		r.itemPeers = append(r.itemPeers, p.name)
		if i == 0 {
			continue // there is nothing to prepare
		}
		say("preparing %s", p.name)
		if err := p.items.prepare(ctx); err != nil {
			return fmt.Errorf("prepare %s: %w", p.name, err)
		}
		if p.pid != 0 {
			r.itemMemory = append(r.itemMemory, readMemory(&p.peer))
		}
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
			return c.write(ctx, "one", begin+i*perWrite)
		}); err != nil {
			return err
		}
		have = rows
		g := grown{rows: rows}
		var err error
		g.get, err = latency(4*s.slot, rows, func(i int) error { return c.get(ctx, "one", key(i)) })
		if err != nil {
			return err
		}
		g.upsert, err = latency(4*s.slot, rows, func(i int) error { return c.put(ctx, "one", key(i)) })
		if err != nil {
			return err
		}
		say("partition of %7d items: get %v, put %v", g.rows, g.get, g.upsert)
		r.itemGrowth = append(r.itemGrowth, g)
	}
	return nil
}

// startDynalite gives nil where dynalite cannot be run.
func startDynalite(ctx context.Context, s settings) (*itemPeer, error) {
	p, at, err := startStore(ctx, s, "dynalite")
	if p == nil {
		return nil, err
	}
	return &itemPeer{*p, newItems(at["endpoint"])}, nil
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
