package source

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"testing"
)

func TestWhere(t *testing.T) {
	for _, test := range []struct {
		name string
		err  Error
		want string
	}{
		{"a place", Error{"a.feature", 3, 7, "it is so"}, "a.feature:3:7: it is so"},
		{"a line", Error{"a.feature", 3, 0, "it is so"}, "a.feature:3: it is so"},
		{"a file", Error{"a.feature", 0, 0, "it is so"}, "a.feature: it is so"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := test.err.Error(); got != test.want {
				t.Errorf("%s, want %s", got, test.want)
			}
		})
	}
}

func TestAllSortsAndLeavesTheRest(t *testing.T) {
	other := errors.New("no disk")
	first, second := &Error{"a", 1, 2, "x"}, &Error{"a", 10, 1, "y"}
	found, rest := All(errors.Join(second, errors.Join(other, first), &Error{"a", 1, 2, "x"}))
	if len(found) != 2 || found[0] != first || found[1] != second {
		t.Errorf("found %v", found)
	}
	if !errors.Is(rest, other) || errors.As(rest, new(*Error)) {
		t.Errorf("the rest is %v", rest)
	}
	if found, rest := All(nil); found != nil || rest != nil {
		t.Errorf("nothing is %v and %v", found, rest)
	}
	moved, _ := All(In("d", errors.Join(first, other)))
	if len(moved) != 1 || moved[0].File != "d/a" || first.File != "a" {
		t.Errorf("moved %v from %v", moved, first)
	}
}

func TestAmongKeepsWhatIsAskedForAndTheRest(t *testing.T) {
	rest := errors.New("the disk is full")
	err := Among([]string{filepath.Join("features", "shop"), "known.yaml"}, errors.Join(rest,
		&Error{File: filepath.Join("features", "shop", "a.feature"), Reason: "a"},
		&Error{File: filepath.Join("features", "shop"), Reason: "b"},
		&Error{File: filepath.Join("features", "shopping", "a.feature"), Reason: "c"},
		&Error{File: "known.yaml", Reason: "d"}))
	found, others := All(err)
	var reasons []string
	for _, one := range found {
		reasons = append(reasons, one.Reason)
	}
	if !slices.Equal(reasons, []string{"b", "a", "d"}) || !errors.Is(others, rest) {
		t.Errorf("kept %v and %v", reasons, others)
	}
	if err := Among(nil, &Error{File: "x"}); err != nil {
		t.Errorf("of no file: %v", err)
	}
}

func TestAllUnwraps(t *testing.T) {
	first, second := &Error{"a", 1, 2, "x"}, &Error{"a", 10, 1, "y"}
	other := errors.New("no disk")
	whole := fmt.Errorf("write: %w", other)
	wrapped := fmt.Errorf("designs: %w", fmt.Errorf("read: %w", errors.Join(second, whole, first)))
	several := fmt.Errorf("%w, and %w", wrapped, first)
	for name, err := range map[string]error{"a wrapped list": wrapped, "two wrapped at once": several} {
		found, rest := All(err)
		if len(found) != 2 || found[0] != first || found[1] != second {
			t.Errorf("of %s, found %v", name, found)
		}
		if rest == nil || rest.Error() != "write: no disk" || !errors.Is(rest, other) {
			t.Errorf("of %s, the rest is %v", name, rest)
		}
	}
	if found, _ := All(assumed{first}); len(found) != 1 || found[0] != first {
		t.Errorf("an error that only says it is a mistake is %v", found)
	}
}

// assumed wraps nothing, and is what it is asked for.
type assumed struct{ is *Error }

func (assumed) Error() string { return "assumed" }

func (a assumed) As(target any) bool {
	mistake, ok := target.(**Error)
	if ok {
		*mistake = a.is
	}
	return ok
}
