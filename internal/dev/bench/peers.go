package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/storespec/storespec/internal/dev/load"
	"github.com/storespec/storespec/internal/store"
	"github.com/storespec/storespec/internal/store/stores"
)

// peer is a server to be measured.
type peer struct {
	name  string
	at    load.Addresses
	token string // of Workers KV
	pid   int    // 0: not known
	stop  func() error
}

func startProgram(name string, cmd *exec.Cmd) (*peer, error) {
	at, err := load.Start(cmd)
	if err != nil {
		return nil, err
	}
	return &peer{name, at, kvToken, cmd.Process.Pid, func() error {
		return errors.Join(cmd.Process.Signal(os.Interrupt), cmd.Wait())
	}}, nil
}

func (b *bench) startFixed(ctx context.Context) (*peer, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return startProgram("fixed answers", exec.CommandContext(ctx, self, "fixed"))
}

func (b *bench) startEmulate(ctx context.Context, flags ...string) (*peer, error) {
	return startProgram("storespec-emulate",
		exec.CommandContext(ctx, filepath.Join(b.programs, "storespec-emulate"), flags...))
}

// startStore starts the program of a store, in memory. It returns nil if the program cannot be run here.
func (b *bench) startStore(ctx context.Context, name string) (*peer, error) {
	if b.alone {
		return nil, nil
	}
	before := children()
	opened, err := stores.Open(ctx, store.Options{Name: name, Log: os.Stderr})
	if errors.Is(err, store.ErrUnavailable) {
		say("without %s: %v", name, err)
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	lease, err := opened.Lease(ctx)
	if err != nil {
		return nil, errors.Join(err, opened.Close(ctx))
	}
	at := lease.Direct()
	p := &peer{name: opened.Version(), token: at["kv-token"], at: load.Addresses{Azure: at["connection"],
		DynamoDB: at["endpoint"], KV: at["kv-api"] + "/accounts/" + at["kv-account"] + "/storage/kv/namespaces/" +
			at["kv-namespace"]},
		stop: func() error {
			ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Minute)
			defer cancel()
			return opened.Close(ctx)
		}}
	for _, pid := range children() {
		if !slices.Contains(before, pid) {
			p.pid = pid
		}
	}
	return p, nil
}

// children are this process's own, where the system lists them (Linux).
func children() (list []int) {
	files, _ := filepath.Glob("/proc/self/task/*/children") // the pattern is right
	for _, file := range files {
		content, _ := os.ReadFile(file) // nothing: the thread has ended
		for _, text := range strings.Fields(string(content)) {
			if pid, err := strconv.Atoi(text); err == nil {
				list = append(list, pid)
			}
		}
	}
	return list
}

// memory is what a process holds, in MiB.
type memory struct {
	name           string
	resident, peak float64
}

// readMemory reads what Linux reports of a process; zero elsewhere.
func readMemory(p *peer) memory {
	m := memory{name: p.name}
	content, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.pid))
	for line := range strings.Lines(string(content)) {
		var name string
		var kib float64
		if _, err := fmt.Sscan(line, &name, &kib); err != nil {
			continue
		}
		switch name {
		case "VmRSS:":
			m.resident = kib / 1024
		case "VmHWM:":
			m.peak = kib / 1024
		}
	}
	return m
}

// start is the time from the start of a process to its first answer, at the median.
type start struct {
	name string
	took time.Duration
}

// emulatorStarts starts the emulator as both of its programs, many times. The last flag takes the address.
func (b *bench) emulatorStarts(ctx context.Context, flags []string) (list []start, err error) {
	for name, argv := range map[string][]string{
		"storespec-emulate": {filepath.Join(b.programs, "storespec-emulate")},
		"storespec emulate": {filepath.Join(b.programs, "storespec"), "emulate"},
	} {
		times := make([]time.Duration, 21)
		for i := range times {
			if times[i], err = firstAnswer(ctx, slices.Concat(argv, flags)); err != nil {
				return nil, fmt.Errorf("start %s: %w", name, err)
			}
		}
		list = append(list, start{name, median(times)})
	}
	slices.SortFunc(list, func(a, b start) int { return strings.Compare(b.name, a.name) })
	return list, nil
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
	cmd := exec.CommandContext(ctx, argv[0], append(argv[1:], address)...)
	begin := time.Now()
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, cmd.Process.Signal(os.Interrupt), cmd.Wait()) }()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	for time.Since(begin) < 10*time.Second {
		if answer, err := client.Get("http://" + address + "/devstoreaccount1/Tables"); err == nil {
			return time.Since(begin), answer.Body.Close()
		}
		time.Sleep(100 * time.Microsecond) // the port is not open yet
	}
	return 0, fmt.Errorf("no answer from port %q", address)
}
