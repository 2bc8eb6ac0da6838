package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"time"

	"github.com/storespec/storespec/internal/store"
	"github.com/storespec/storespec/internal/store/stores"
)

// rounds is how often each peer has its turn for each cell; the median counts.
const rounds = 5

// speed is one line of the table for a number of goroutines: operations a second for each peer.
type speed struct {
	name    string
	workers int
	rates   []float64
}

func measurePeers(ctx context.Context, s settings, p programs, r *result) (err error) {
	var peers []*peer
	defer func() {
		for _, p := range peers {
			err = errors.Join(err, p.stop())
		}
	}()
	for _, start := range []func() (*peer, error){
		func() (*peer, error) { return startFixed(ctx, p) },
		func() (*peer, error) { return startEmulate(ctx, p) },
		func() (*peer, error) { return startAzurite(ctx, s) },
	} {
		peer, err := start()
		if err != nil {
			return err
		}
		if peer != nil {
			peers = append(peers, peer)
		}
	}
	var clients []*client
	for i, peer := range peers {
		c, err := newClient(peer.connection)
		if err != nil {
			return err
		}
		clients = append(clients, c)
		r.peers = append(r.peers, peer.name)
		if i == 0 {
			continue // there is nothing to prepare
		}
		say("preparing %s", peer.name)
		if err := c.prepare(ctx); err != nil {
			return fmt.Errorf("prepare %s: %w", peer.name, err)
		}
		r.memory = append(r.memory, readMemory(peer))
	}
	for _, o := range operations() {
		for _, workers := range []int{1, many} {
			line, err := measureCell(ctx, s, o, workers, clients)
			if err != nil {
				return err
			}
			r.speeds = append(r.speeds, line)
			say("%-24s %2d  %8.0f", line.name, line.workers, line.rates)
		}
	}
	return nil
}

// measureCell lets the peers take turns, so that a busy moment of the machine hits all of them.
func measureCell[C any](ctx context.Context, s settings, o operation[C], workers int, clients []C) (speed, error) {
	var turns []func(worker int) error
	for _, c := range clients {
		turns = append(turns, func(worker int) error { return o.do(ctx, c, worker) })
	}
	return measureTurns(s, o.name, workers, turns)
}

// measureTurns is measureCell for what a worker does on each peer.
func measureTurns(s settings, name string, workers int, turns []func(worker int) error) (speed, error) {
	seen := make([][]float64, len(turns))
	for round := range rounds + 1 {
		for i, do := range turns {
			slot := s.slot
			if round == 0 {
				slot /= 3 // connections, caches: not counted
			}
			got, err := rate(do, workers, slot)
			if err != nil {
				return speed{}, fmt.Errorf("%s: %w", name, err)
			}
			if round > 0 {
				seen[i] = append(seen[i], got)
			}
		}
	}
	line := speed{name: name, workers: workers}
	for _, rates := range seen {
		line.rates = append(line.rates, median(rates))
	}
	return line, nil
}

func median[T float64 | time.Duration](list []T) T {
	slices.Sort(list)
	return list[len(list)/2]
}

// grown is what point operations cost on one partition of a size, at the median.
type grown struct {
	rows                int
	get, upsert, insert time.Duration
}

func measureGrowth(ctx context.Context, s settings, p programs) (_ []grown, err error) {
	peer, err := startEmulate(ctx, p)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, peer.stop()) }()
	c, err := newClient(peer.connection)
	if err != nil {
		return nil, err
	}
	if _, err := c.table.CreateTable(ctx, nil); err != nil {
		return nil, err
	}
	var list []grown
	have := 0
	for rows := 1000; rows <= s.rows; rows *= 10 {
		begin := have
		if err := each((rows-have)/perBatch, many,
			func(i int) error { return c.transaction(ctx, "one", begin+i*perBatch) }); err != nil {
			return nil, err
		}
		have = rows
		g := grown{rows: rows}
		fresh := 0
		for _, o := range []struct {
			into *time.Duration
			do   func(i int) error
		}{
			{&g.get, func(i int) error { return c.get(ctx, "one", key(i)) }},
			{&g.upsert, func(i int) error { return c.upsert(ctx, "one", key(i)) }},
			{&g.insert, func(i int) error {
				fresh++
				_, err := c.table.AddEntity(ctx, row("one", fmt.Sprintf("%08d-%d-%d", i, rows, fresh)), nil)
				return err
			}},
		} {
			if *o.into, err = latency(4*s.slot, rows, o.do); err != nil {
				return nil, err
			}
		}
		say("partition of %7d rows: get %v, upsert %v, insert %v", g.rows, g.get, g.upsert, g.insert)
		list = append(list, g)
	}
	return list, nil
}

// latency is the median time of an operation on one of n rows.
func latency(slot time.Duration, n int, do func(i int) error) (time.Duration, error) {
	var list []time.Duration
	begin := time.Now()
	for i := 0; time.Since(begin) < slot; i = (i + 7919) % n { // a prime step: all over the partition
		start := time.Now()
		if err := do(i); err != nil {
			return 0, err
		}
		list = append(list, time.Since(start))
	}
	return median(list), nil
}

// start is the time from the start of a process to its first answer, at the median.
type start struct {
	name string
	took time.Duration
}

func measureStarts(ctx context.Context, s settings, p programs) ([]start, error) {
	list, err := emulatorStarts(ctx, p, "--azure-blob", "", "--azure-table")
	if err != nil {
		return nil, err
	}
	begin := time.Now()
	azurite, err := startAzurite(ctx, s)
	if err != nil || azurite == nil {
		return list, err
	}
	return append(list, start{azurite.name, time.Since(begin)}), azurite.stop()
}

// emulatorStarts starts the emulator as both of its programs. The last flag takes the address.
func emulatorStarts(ctx context.Context, p programs, flags ...string) ([]start, error) {
	var list []start
	for _, c := range []struct {
		name string
		argv []string
	}{
		{"storespec-emulate", []string{p.emulate}},
		{"storespec emulate", []string{p.storespec, "emulate"}},
	} {
		took, err := medianStart(ctx, c.argv, flags...)
		if err != nil {
			return nil, fmt.Errorf("start %s: %w", c.name, err)
		}
		list = append(list, start{c.name, took})
	}
	return list, nil
}

// medianStart is the time to the first answer of many starts. The last flag takes the address.
func medianStart(ctx context.Context, argv []string, flags ...string) (time.Duration, error) {
	var times []time.Duration
	for range 21 {
		took, err := firstAnswer(ctx, append(argv[:len(argv):len(argv)], flags...))
		if err != nil {
			return 0, err
		}
		times = append(times, took)
	}
	return median(times), nil
}

// firstAnswer starts a program, whose last flag takes an address, and asks until it answers.
func firstAnswer(ctx context.Context, argv []string) (_ time.Duration, err error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	address := listener.Addr().String()
	if err := listener.Close(); err != nil {
		return 0, err
	}
	cmd := exec.CommandContext(ctx, argv[0], append(argv[1:len(argv):len(argv)], address)...)
	begin := time.Now()
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, cmd.Process.Signal(os.Interrupt), cmd.Wait()) }()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	for time.Since(begin) < 10*time.Second {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address+"/devstoreaccount1/Tables",
			nil)
		if err != nil {
			return 0, err
		}
		if answer, err := client.Do(request); err == nil {
			return time.Since(begin), answer.Body.Close()
		}
		time.Sleep(100 * time.Microsecond) // the port is not open yet
	}
	return 0, errors.New("no answer from port " + strconv.Quote(address))
}

// lease is what leasing a used lane of the embedded store costs, cleaning included.
type lease struct{ median, worst time.Duration }

func measureLease(ctx context.Context) (_ lease, err error) {
	opened, err := stores.Open(ctx, store.Options{Name: "embedded"})
	if err != nil {
		return lease{}, err
	}
	defer func() { err = errors.Join(err, opened.Close(context.WithoutCancel(ctx))) }()
	var times []time.Duration
	for i := range 500 {
		begin := time.Now()
		l, err := opened.Lease(ctx)
		if err != nil {
			return lease{}, err
		}
		times = append(times, time.Since(begin))
		c, err := newClient(l.Direct()["connection"])
		if err != nil {
			return lease{}, err
		}
		if i == 0 {
			if _, err := c.table.CreateTable(ctx, nil); err != nil {
				return lease{}, err
			}
		}
		if err := c.transaction(ctx, "p", 0); err != nil {
			return lease{}, err
		}
		c.close()
		l.Release()
	}
	return lease{median: median(times), worst: slices.Max(times)}, nil
}
