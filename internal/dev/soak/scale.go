//go:build linux

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/aztables"

	"golang.org/x/sync/errgroup"

	"github.com/storespec/storespec/internal/dev/load"
)

const (
	perTransaction = 100
	perPartition   = 100_000
	fillersAtOnce  = 8
	looks          = 500 // of which the median counts
)

// scale fills one table of an emulator with rows of some 250 bytes, and prints what they cost: on the disk, of a point
// read, of a page of 1,000, and of a restart.
func scale(ctx context.Context, dir string, rows int) error {
	samples, data := filepath.Join(dir, "scale.samples"), filepath.Join(dir, "data")
	e, err := startEmulate(ctx, samples, data)
	if err != nil {
		return err
	}
	table, err := fillTable(ctx, e.at, rows)
	if err != nil {
		return errors.Join(err, interrupt(e.cmd))
	}
	fmt.Println("| rows | on disk, MiB | point read, µs | page of 1,000, ms | restart, ms |")
	fmt.Println("|---:|---:|---:|---:|---:|")
	point, err := median(func() error {
		row := rand.IntN(rows)
		_, err := table.GetEntity(ctx, partitionOf(row), rowKey(row), nil)
		return err
	})
	if err != nil {
		return errors.Join(err, interrupt(e.cmd))
	}
	page, err := median(func() error {
		filter := "PartitionKey eq '" + partitionOf(rand.IntN(rows)) + "'"
		_, err := table.NewListEntitiesPager(&aztables.ListEntitiesOptions{Filter: &filter}).NextPage(ctx)
		return err
	})
	if err := errors.Join(err, interrupt(e.cmd)); err != nil {
		return err
	}
	size, err := sizeOf(data)
	if err != nil {
		return err
	}
	began := time.Now()
	again, err := startEmulate(ctx, samples, data)
	if err != nil {
		return err
	}
	restart := time.Since(began)
	fmt.Printf("| %d | %d | %d | %.1f | %d |\n", rows, size>>20, point.Microseconds(),
		float64(page.Microseconds())/1000, restart.Milliseconds())
	return interrupt(again.cmd)
}

func partitionOf(row int) string { return fmt.Sprintf("p%06d", row/perPartition) }
func rowKey(row int) string      { return fmt.Sprintf("%010d", row) }

// fillTable inserts the rows, a few transactions at a time.
func fillTable(ctx context.Context, at load.Addresses, rows int) (*aztables.Client, error) {
	clients, _, err := services(at)
	if err != nil {
		return nil, err
	}
	table := clients["tables"].(tableService).table
	if _, err := table.CreateTable(ctx, nil); err != nil {
		return nil, err
	}
	var done atomic.Int64
	all, ctx := errgroup.WithContext(ctx)
	all.SetLimit(fillersAtOnce)
	began := time.Now()
	for first := 0; first < rows && ctx.Err() == nil; first += perTransaction {
		all.Go(func() error {
			actions := make([]aztables.TransactionAction, 0, perTransaction)
			for row := first; row < min(first+perTransaction, rows); row++ {
				entity, err := json.Marshal(map[string]any{"PartitionKey": partitionOf(row), "RowKey": rowKey(row),
					"Number": row, "Text": scattered(150)})
				if err != nil {
					return err
				}
				actions = append(actions,
					aztables.TransactionAction{ActionType: aztables.TransactionTypeAdd, Entity: entity})
			}
			_, err := table.SubmitTransaction(ctx, actions, nil)
			if n := done.Add(int64(len(actions))); n%(perPartition*5) == 0 {
				say("  %d rows after %s", n, time.Since(began).Round(time.Second))
			}
			return err
		})
	}
	return table, all.Wait()
}

// scattered is a text that does not compress well.
func scattered(n int) string {
	var b strings.Builder
	for range n {
		b.WriteByte(byte('!' + 1 + rand.IntN(90)))
	}
	return b.String()
}

// median is how long something takes that is done often.
func median(do func() error) (time.Duration, error) {
	took := make([]time.Duration, looks)
	for i := range took {
		began := time.Now()
		if err := do(); err != nil {
			return 0, err
		}
		took[i] = time.Since(began)
	}
	slices.Sort(took)
	return took[looks/2], nil
}

// sizeOf is how many bytes the files of a directory have.
func sizeOf(directory string) (size int64, err error) {
	err = filepath.WalkDir(directory, func(_ string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		size += info.Size()
		return err
	})
	return size, err
}
