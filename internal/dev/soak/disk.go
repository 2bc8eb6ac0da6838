//go:build linux

package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

const (
	smallDisk = 96  // MiB: it is full soon
	largeDisk = 512 // MiB: what it is made into afterwards
)

// soakFullDisk runs an emulator on a disk that becomes full, while clients write blobs and rows: what was
// acknowledged can be read then, and after a kill and a restart with more room, when writes are taken again. It returns
// what it did, which is nothing where this process may not mount a file system.
func soakFullDisk(ctx context.Context, s surroundings) (did string, err error) {
	at := filepath.Join(s.dir, "disk")
	if err := os.Mkdir(at, 0o700); err != nil {
		return "", err
	}
	mount := func(flags uintptr, size int) error {
		return syscall.Mount("tmpfs", at, "tmpfs", flags, fmt.Sprintf("size=%dm", size))
	}
	if err := mount(0, smallDisk); err != nil {
		return fmt.Sprintf("no full disk: mounting one: %v", err), nil
	}
	defer func() { err = errors.Join(err, syscall.Unmount(at, 0)) }()
	samples, data := filepath.Join(s.dir, "full.samples"), filepath.Join(at, "data")
	kept, err := fill(ctx, samples, data)
	if err != nil {
		return "full disk", err
	}
	if err := mount(syscall.MS_REMOUNT, largeDisk); err != nil {
		return "full disk", err
	}
	e, err := startEmulate(ctx, samples, data)
	if err != nil {
		return "full disk", err
	}
	defer func() { err = errors.Join(err, interrupt(e.cmd)) }()
	services, closeAll, err := services(e.at)
	if err != nil {
		return "full disk", err
	}
	defer closeAll()
	for _, name := range fillers {
		if err := kept[name].settle(ctx, services[name]); err != nil {
			return "full disk", fmt.Errorf("%s, after a restart with more room: %w", name, err)
		}
		if err := services[name].put(ctx, "w0", key(0), value(1)); err != nil {
			return "full disk", fmt.Errorf("%s, after a restart with more room: %w", name, err)
		}
	}
	return fmt.Sprintf("full disk: %d values kept", len(kept["tables"].held)+len(kept["blobs"].held)), nil
}

// fillers are the services that fill a disk: the bodies of blobs are files, rows are in the database.
var fillers = []string{"tables", "blobs"}

// fill writes until the disk is full, reads everything back, and kills the emulator.
func fill(ctx context.Context, samples, data string) (kept map[string]*ledger, err error) {
	e, err := startEmulate(ctx, samples, data)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, e.kill()) }()
	services, closeAll, err := services(e.at)
	if err != nil {
		return nil, err
	}
	defer closeAll()
	kept = map[string]*ledger{}
	for _, name := range fillers {
		kept[name] = newLedger("w0")
		if err := services[name].prepare(ctx); err != nil {
			return nil, err
		}
	}
	rows, blobs := kept["tables"], kept["blobs"]
	for i := 0; ; i++ {
		if i == smallDisk {
			return nil, fmt.Errorf("%d blobs of 1 MiB were taken by a disk of as many", smallDisk)
		}
		if err := services["blobs"].put(ctx, "ballast", key(i), ballast()); err != nil {
			say("  full after %d MiB: %s", i, firstLine(err))
			break
		}
		for name, l := range map[string]*ledger{"tables": rows, "blobs": blobs} {
			l.last++
			if err := l.change(key(i), l.last, func() error {
				return services[name].put(ctx, l.partition, key(i), value(l.last))
			}); err != nil {
				say("  full at a value of %s: %s", name, firstLine(err))
			}
		}
	}
	for _, name := range fillers {
		// What was refused may be seen until the restart, which settles it.
		if err := kept[name].clone().settle(ctx, services[name]); err != nil {
			return nil, fmt.Errorf("%s, on a full disk: %w", name, err)
		}
	}
	return kept, nil
}

// ballast is 1 MiB that cannot be compressed.
func ballast() string {
	b := make([]byte, 1<<20)
	_, _ = rand.Read(b) // never fails
	return string(b)
}

// firstLine returns what an SDK's error says in one line.
func firstLine(err error) string {
	for line := range strings.Lines(err.Error()) {
		if strings.Contains(line, "ERROR CODE") || strings.Contains(line, "RESPONSE") {
			return strings.TrimSpace(line)
		}
	}
	return strings.SplitN(err.Error(), "\n", 2)[0]
}
