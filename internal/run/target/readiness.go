package target

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/storespec/storespec/internal/run/waiting"
)

// readiness is what is known of a target that is not ready yet.
type readiness struct {
	url     string // of its health route
	within  time.Duration
	listens func() []int // the ports that it listens on; nil: not known

	mu   sync.Mutex
	last error // why it is not ready; nil: it has not been asked
}

func (r *readiness) note(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.last = err
}

func (r *readiness) reason() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return cmp.Or(r.last, errors.New("it was not asked"))
}

// describe says what is waited for, such as "the server is not ready, 12 of 60 s: connection refused; it listens on
// 18977; asked: GET http://127.0.0.1:44065/up". What a narrow terminal cuts off comes last.
func (r *readiness) describe(lasted time.Duration) string {
	text := fmt.Sprintf("the server is not ready, %s: %s", waiting.Of(lasted, r.within), briefly(r.reason()))
	return join(text, r.elsewhere()) + "; asked: GET " + r.url
}

// failed is the error of a target that was not ready in time.
func (r *readiness) failed() error {
	last := r.reason()
	err := fmt.Errorf("GET %s was not answered with 200 within %s: %w", r.url, r.within,
		cmp.Or(nobodyListens(last), last))
	if elsewhere := r.elsewhere(); elsewhere != "" {
		err = fmt.Errorf("%w; %s", err, elsewhere)
	}
	return err
}

// elsewhere says which ports the target listens on, if nothing listens where it is asked; otherwise "".
func (r *readiness) elsewhere() string {
	if r.listens == nil || nobodyListens(r.reason()) == nil {
		return ""
	}
	ports := r.listens()
	if len(ports) == 0 {
		return ""
	}
	var texts []string
	for _, number := range slices.Compact(ports) {
		texts = append(texts, strconv.Itoa(number))
	}
	return "it listens on " + strings.Join(texts, ", ")
}

// briefly says in a few words why a request had no answer of status 200.
func briefly(err error) string {
	late := net.Error(nil)
	switch {
	case errors.Is(err, syscall.ECONNREFUSED):
		return "connection refused"
	case errors.As(err, &late) && late.Timeout(), errors.Is(err, context.DeadlineExceeded):
		return "no answer"
	}
	text := err.Error()
	if i := strings.LastIndex(text, ": "); i >= 0 {
		return text[i+2:]
	}
	return text
}

func join(text, more string) string {
	if more == "" {
		return text
	}
	return text + "; " + more
}
