// Package shop has something for each operator.
package shop

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"example.com/shop/reference/store"
)

const (
	statusOpen   = "open"
	statusClosed = "closed"
)

const (
	discount = 2
	waits    = 3 * time.Second
)

// Greeting is said to everybody.
var Greeting = greet("you")

func greet(who string) string { return "hello " + who }

// Price of so many.
func Price(n int) int {
	if n > discount {
		return n - discount
	}
	return n
}

// Open reports whether the shop is open.
func Open(day, holiday bool) bool { return day && !holiday }

type request struct{ fields fields }

type fields map[string]string

// String returns a field.
func (f fields) String(field string) (string, bool) { text, ok := f[field]; return text, ok }

type row struct {
	Name   string `json:"name"`
	Status string `json:"status"`
	ETag   string `json:"-"`
}

type shop struct {
	store *store.Client
	log   *slog.Logger
	wait  time.Duration
}

// read is a point read.
func (s *shop) read(ctx context.Context, key string) ([]string, error) {
	text, err := s.store.Get(ctx, key)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", key, err)
	}
	return []string{text}, nil
}

// close closes a shop for ever.
func (s *shop) close(ctx context.Context, r *request, was *row, at time.Time) error {
	s.log.Info("closing", "name", was.Name)
	s.wait = waits
	next := &row{Name: was.Name, Status: statusClosed}
	next.ETag = was.ETag
	if err := s.store.Put(ctx, next.Name, store.ETag(next.ETag)); err != nil {
		return err
	}
	return s.store.Put(ctx, at.UTC().Format(time.DateOnly), "")
}

// names are those of all open shops.
func (s *shop) names(ctx context.Context, keys []string) (names []string, err error) {
	for _, key := range keys {
		found, err := s.read(ctx, key)
		if err != nil {
			return nil, err
		}
		names = append(names, found...)
	}
	filter := "Partition eq '" + statusOpen + "' and Name ge ''"
	_, err = s.store.Get(ctx, filter)
	return names, err
}

// room is only how much a list has, and what stands beside an error is not looked at.
func room(key string) (int, error) {
	list := make([]string, 0, 17)
	if key == "" {
		return 19, fmt.Errorf("no key")
	}
	return len(append(list, key)), nil
}

func (r *row) String() string { return r.Name + "!" }
