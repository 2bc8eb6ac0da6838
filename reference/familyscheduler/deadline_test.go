package familyscheduler

import (
	"context"
	"io"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/storespec/storespec/reference/web"
)

// slowBody is a body whose sender takes a while.
type slowBody struct {
	io.Reader
	takes time.Duration
}

func (b *slowBody) Read(p []byte) (int, error) {
	time.Sleep(b.takes)
	b.takes = 0
	return b.Reader.Read(p)
}

// TestTheTimeABodyTakesIsNotTheStores: what the store has left of its time after a slow body is what it had before.
func TestTheTimeABodyTakesIsNotTheStores(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var left time.Duration
		storing := func(ctx context.Context, _ *call) (web.Reply, error) {
			deadline, _ := ctx.Deadline()
			left = time.Until(deadline)
			return nil, ctx.Err()
		}
		s := &Server{}
		for name, way := range map[string]struct {
			handle     web.Handler
			body, kind string
			want       time.Duration
		}{
			"JSON": {s.anybody(storing), `{"a":1}`, "application/json", storageDeadline},
			"form": {s.site.form(storing), "a=1", "application/x-www-form-urlencoded", storageDeadline},
			"JSON, after calls that took 5 s": {s.withDeadline(func(ctx context.Context, c *call) (web.Reply, error) {
				time.Sleep(5 * time.Second)
				return c.reading(ctx, readFields, storing)
			}), `{"a":1}`, "application/json", storageDeadline - 5*time.Second},
		} {
			r := httptest.NewRequest("POST", "/", &slowBody{strings.NewReader(way.body), storageDeadline + time.Second})
			r.Header.Set("Content-Type", way.kind)
			if _, err := way.handle(&web.Exchange{Request: r}); err != nil || left != way.want {
				t.Errorf("%s: %v, the store has %v left, want %v", name, err, left, way.want)
			}
		}
	})
}
