package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/storespec/storespec/internal/store"
	"github.com/storespec/storespec/internal/store/stores"
)

// programs are the binaries under test.
type programs struct{ emulate, storespec, self string }

// build makes the programs as a release would be, unless there are some.
func build(ctx context.Context, there, dir string) (programs, error) {
	self, err := os.Executable()
	if err != nil || there != "" {
		return programs{emulate: filepath.Join(there, "storespec-emulate"),
			storespec: filepath.Join(there, "storespec"), self: self}, err
	}
	say("building")
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags", "-s -w", "-o", dir+
		string(filepath.Separator), "./cmd/storespec", "./cmd/storespec-emulate")
	if output, err := cmd.CombinedOutput(); err != nil {
		return programs{}, fmt.Errorf("go build: %w\n%s", err, output)
	}
	return programs{emulate: filepath.Join(dir, "storespec-emulate"), storespec: filepath.Join(dir, "storespec"),
		self: self}, nil
}

// peer is a server to be measured.
type peer struct {
	name       string
	connection string
	pid        int // 0: not known
	stop       func() error
}

// kvLine is how storespec-emulate says where a namespace of Workers KV is.
const kvLine = "Workers KV, REST API: "

// startProgram starts a program that prints a connection string and then "ready".
func startProgram(ctx context.Context, name, program string, args ...string) (*peer, error) {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Stderr = os.Stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	p := &peer{name: name, pid: cmd.Process.Pid, stop: func() error {
		return errors.Join(cmd.Process.Signal(os.Interrupt), cmd.Wait())
	}}
	for lines := bufio.NewScanner(stdout); lines.Scan(); {
		switch line := lines.Text(); {
		case strings.HasPrefix(line, "DefaultEndpointsProtocol=") && p.connection == "":
			p.connection = line
		case strings.HasPrefix(line, kvLine) && p.connection == "":
			p.connection = strings.TrimPrefix(line, kvLine)
		case line == "ready":
			return p, nil
		}
	}
	return nil, errors.Join(fmt.Errorf("%s ended before it was ready", name), cmd.Wait())
}

func startFixed(ctx context.Context, p programs) (*peer, error) {
	return startProgram(ctx, "fixed answers", p.self, "fixed")
}

func startEmulate(ctx context.Context, p programs) (*peer, error) {
	return startProgram(ctx, "storespec-emulate", p.emulate, "--azure-blob", ":0", "--azure-table", ":0")
}

// startAzurite gives nil where Azurite cannot be run.
func startAzurite(ctx context.Context, s settings) (*peer, error) {
	p, at, err := startStore(ctx, s, "azurite")
	if p != nil {
		p.name, p.connection = p.name+" in memory", at["connection"]
	}
	return p, err
}

// startStore starts the program of a store, in memory, and returns how to reach it: the values of a lease. It gives nil
// where the program cannot be run.
func startStore(ctx context.Context, s settings, name string) (*peer, map[string]string, error) {
	if s.alone {
		return nil, nil, nil
	}
	before := children()
	opened, err := stores.Open(ctx, store.Options{Name: name, Log: os.Stderr})
	if errors.Is(err, store.ErrUnavailable) {
		say("without %s: %v", name, err)
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	lease, err := opened.Lease(ctx)
	if err != nil {
		return nil, nil, errors.Join(err, opened.Close(ctx))
	}
	p := &peer{name: opened.Version(), stop: func() error {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Minute)
		defer cancel()
		return opened.Close(ctx)
	}}
	for pid := range children() {
		if !before[pid] {
			p.pid = pid
		}
	}
	return p, lease.Direct(), nil
}

// children are this process's own, where the system lists them (Linux).
func children() map[int]bool {
	list := map[int]bool{}
	files, err := filepath.Glob("/proc/self/task/*/children")
	if err != nil {
		return list
	}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			continue // the thread has ended
		}
		for _, text := range strings.Fields(string(content)) {
			if pid, err := strconv.Atoi(text); err == nil {
				list[pid] = true
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
	file, err := os.Open(fmt.Sprintf("/proc/%d/status", p.pid))
	if err != nil {
		return m
	}
	defer func() { _ = file.Close() }()
	content, err := io.ReadAll(file)
	if err != nil {
		return m
	}
	for line := range strings.Lines(string(content)) {
		fields := strings.Fields(line)
		if len(fields) < 2 {
			continue
		}
		kib, err := strconv.ParseFloat(fields[1], 64)
		if err != nil {
			continue
		}
		switch fields[0] {
		case "VmRSS:":
			m.resident = kib / 1024
		case "VmHWM:":
			m.peak = kib / 1024
		}
	}
	return m
}
