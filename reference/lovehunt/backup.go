package lovehunt

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/storespec/storespec/reference/account"
)

// line is a line of a backup: one row, or, at the end, how many there were.
type line struct {
	Table     string            `json:"table,omitempty"`
	Partition string            `json:"partition,omitempty"`
	Key       string            `json:"key,omitempty"`
	Columns   map[string]string `json:"columns,omitempty"`
	Rows      *int              `json:"rows,omitempty"`
}

var (
	// ErrBackup says that what was read is not a whole backup.
	ErrBackup = errors.New("this is not a whole backup")
	// ErrNotEmpty says that the tables have rows that a backup does not have.
	ErrNotEmpty = errors.New("the tables hold other rows than the backup")
)

// Backup writes every row of the four tables to w, as JSON, one a line. It returns how many there were.
func (t *Tools) Backup(ctx context.Context, w io.Writer) (rows int, err error) {
	out := json.NewEncoder(w)
	for _, table := range allTables() {
		found, err := t.server.store.query(ctx, table, "")
		if err != nil {
			return rows, err
		}
		for _, r := range found {
			err := out.Encode(line{Table: r.table, Partition: r.partition, Key: r.key, Columns: r.columns})
			if err != nil {
				return rows, fmt.Errorf("write the backup: %w", err)
			}
			rows++
		}
	}
	if err := out.Encode(line{Rows: &rows}); err != nil {
		return rows, fmt.Errorf("write the backup: %w", err)
	}
	return rows, nil
}

// Restore writes the rows of a backup to the tables, once it has read all of them. Without replace the tables must not
// hold other rows than the backup's; with it, those are replaced or removed. It returns how many rows it has written or
// removed. Errors: ErrBackup, ErrNotEmpty: nothing was written.
func (t *Tools) Restore(ctx context.Context, r io.Reader, replace bool) (changed int, err error) {
	wanted, err := readBackup(r)
	if err != nil {
		return 0, err
	}
	var write, remove []*row
	for _, table := range allTables() {
		found, err := t.server.store.query(ctx, table, "")
		if err != nil {
			return 0, err
		}
		rows := maps.Clone(wanted[table])
		for _, now := range found {
			at := [2]string{now.partition, now.key}
			want := rows[at]
			delete(rows, at)
			switch {
			case want != nil && maps.Equal(want.columns, now.columns):
				continue
			case want != nil:
				want.etag = now.etag
				write = append(write, want)
			}
			if !replace {
				return 0, ErrNotEmpty
			}
			if want == nil {
				remove = append(remove, now)
			}
		}
		for _, want := range rows {
			write = append(write, want)
		}
	}
	err = account.InParallel(len(write), func(i int) error { return t.server.store.write(ctx, write[i]) })
	if err == nil {
		err = account.InParallel(len(remove), func(i int) error { return t.server.store.remove(ctx, remove[i]) })
	}
	return len(write) + len(remove), err
}

func readBackup(r io.Reader) (map[string]map[[2]string]*row, error) {
	rows := map[string]map[[2]string]*row{}
	for _, table := range allTables() {
		rows[table] = map[[2]string]*row{}
	}
	in, count := json.NewDecoder(r), 0
	for {
		var l line
		if err := in.Decode(&l); err != nil {
			return nil, fmt.Errorf("%w: it ends after %d rows", ErrBackup, count)
		}
		switch {
		case l.Rows != nil && *l.Rows == count:
			return rows, nil
		case l.Rows != nil, !slices.Contains(allTables(), l.Table), l.Columns == nil:
			return nil, fmt.Errorf("%w: line %d is not a row of it", ErrBackup, count+1)
		}
		rows[l.Table][[2]string{l.Partition, l.Key}] = &row{table: l.Table, partition: l.Partition, key: l.Key,
			columns: l.Columns}
		count++
	}
}
