package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

const (
	partitions = 500 // of 100 rows each: 50,000 rows
	perBatch   = 100
	many       = 16 // goroutines, compared with one
	rounds     = 5  // how often each peer has its turn for each operation; the median counts
)

// service is how one is measured; C is its client. The functions are methods of that.
type service[C any] struct {
	emulate    []string // the flags of storespec-emulate that serve it
	start      []string // the same, without the last flag's address
	store      string   // whose program is the peer
	connect    func(*peer) (C, error)
	prepare    func(C, context.Context) error // makes what the operations work on
	operations []operation[C]

	// One partition that grows, a batch at a time: what is done on the way.
	create func(C, context.Context) error
	batch  int
	fill   func(c C, ctx context.Context, first int) error
	grown  []func(c C, ctx context.Context, row int) error
}

// operation is a line of the table.
type operation[C any] struct {
	name string
	do   func(c C, ctx context.Context, worker int) error
}

// measured is what was measured of a service.
type measured struct {
	peers  []string
	speeds []speed
	growth []growth
	starts []start
	memory []memory
}

// speed is one line of the table for a number of goroutines: operations a second for each peer.
type speed struct {
	name    string
	workers int
	rates   []float64
}

// growth is what point operations cost on one partition of a size, at the median.
type growth struct {
	rows int
	took []time.Duration
}

// measure measures everything about a service.
func measure[C any](ctx context.Context, b *bench, of service[C]) (m *measured, err error) {
	m = &measured{}
	if m.starts, err = b.emulatorStarts(ctx, of.start); err != nil {
		return nil, err
	}
	if err = measureSpeeds(ctx, b, of, m); err == nil && of.fill != nil {
		m.growth, err = measureGrowth(ctx, b, of)
	}
	return m, err
}

func measureSpeeds[C any](ctx context.Context, b *bench, of service[C], m *measured) (err error) {
	var clients []C
	for i, start := range []func() (*peer, error){
		func() (*peer, error) { return b.startFixed(ctx) },
		func() (*peer, error) { return b.startEmulate(ctx, of.emulate...) },
		func() (*peer, error) { return b.startStore(ctx, of.store) },
	} {
		p, err := start()
		if err != nil {
			return err
		}
		if p == nil {
			continue
		}
		defer func() { err = errors.Join(err, p.stop()) }()
		c, err := of.connect(p)
		if err != nil {
			return err
		}
		clients, m.peers = append(clients, c), append(m.peers, p.name)
		if i == 0 {
			continue // there is nothing to prepare
		}
		say("preparing %s", p.name)
		if err := of.prepare(c, ctx); err != nil {
			return fmt.Errorf("prepare %s: %w", p.name, err)
		}
		if p.pid != 0 {
			m.memory = append(m.memory, readMemory(p))
		}
	}
	for _, o := range of.operations {
		for _, workers := range []int{1, many} {
			line, err := inTurns(ctx, b.slot, o, workers, clients)
			if err != nil {
				return err
			}
			m.speeds = append(m.speeds, line)
			say("%-24s %2d  %8.0f", line.name, line.workers, line.rates)
		}
	}
	return nil
}

// inTurns lets the peers take turns, so that a busy moment of the machine hits all of them.
func inTurns[C any](ctx context.Context, slot time.Duration, o operation[C], workers int, clients []C) (speed, error) {
	seen := make([][]float64, len(clients))
	for round := range rounds + 1 {
		for i, c := range clients {
			share := slot
			if round == 0 {
				share /= 3 // connections, caches: not counted
			}
			got, err := rate(func(worker int) error { return o.do(c, ctx, worker) }, workers, share)
			if err != nil {
				return speed{}, fmt.Errorf("%s: %w", o.name, err)
			}
			if round > 0 {
				seen[i] = append(seen[i], got)
			}
		}
	}
	line := speed{name: o.name, workers: workers}
	for _, rates := range seen {
		line.rates = append(line.rates, median(rates))
	}
	return line, nil
}

// rate is how many operations a second workers do together within a time.
func rate(do func(worker int) error, workers int, slot time.Duration) (float64, error) {
	var done atomic.Int64
	start := time.Now()
	err := together(workers, func(worker int) error {
		for time.Since(start) < slot {
			if err := do(worker); err != nil {
				return err
			}
			done.Add(1)
		}
		return nil
	})
	return float64(done.Load()) / time.Since(start).Seconds(), err
}

// measureGrowth grows one partition of the emulator, and measures point operations on the way.
func measureGrowth[C any](ctx context.Context, b *bench, of service[C]) (list []growth, err error) {
	p, err := b.startEmulate(ctx, of.emulate...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, p.stop()) }()
	c, err := of.connect(p)
	if err == nil {
		err = of.create(c, ctx)
	}
	if err != nil {
		return nil, err
	}
	have := 0
	for rows := 1000; rows <= b.rows; rows *= 10 {
		begin := have
		if err := each((rows-have)/of.batch, many,
			func(i int) error { return of.fill(c, ctx, begin+i*of.batch) }); err != nil {
			return nil, err
		}
		have = rows
		g := growth{rows: rows}
		for _, do := range of.grown {
			took, err := latency(4*b.slot, rows, func(i int) error { return do(c, ctx, i) })
			if err != nil {
				return nil, err
			}
			g.took = append(g.took, took)
		}
		say("partition of %7d rows: %v", g.rows, g.took)
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

func median[T float64 | time.Duration](list []T) T {
	slices.Sort(list)
	return list[len(list)/2]
}

// each calls f with 0 to n-1, a few at a time.
func each(n, workers int, f func(i int) error) error {
	var next atomic.Int64
	return together(workers, func(int) error {
		for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
			if err := f(i); err != nil {
				return err
			}
		}
		return nil
	})
}

// together runs f in n goroutines.
func together(n int, f func(worker int) error) error {
	errs := make([]error, n)
	var all sync.WaitGroup
	for w := range n {
		all.Go(func() { errs[w] = f(w) })
	}
	all.Wait()
	return errors.Join(errs...)
}

func partition(i int) string { return fmt.Sprintf("q%03d", i) }
func key(i int) string       { return fmt.Sprintf("%08d", i) }

// growing is the partition that grows.
const growing = "one"

// anyRow is the partition and the key of one of the rows that were prepared.
func anyRow() (string, string) { return partition(rand.IntN(partitions)), key(rand.IntN(perBatch)) }

// text is a text that does not compress well.
func text(n int) string {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"
	b := make([]byte, n)
	for i := range b {
		b[i] = letters[rand.IntN(len(letters))]
	}
	return string(b)
}
