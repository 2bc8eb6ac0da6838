package familyscheduler

import (
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
		storing := func(c *call) (web.Reply, error) {
			deadline, _ := c.ctx.Deadline()
			left = time.Until(deadline)
			return nil, c.ctx.Err()
		}
		s := &Server{}
		for name, way := range map[string]struct {
			handle     web.Handler
			body, kind string
			want       time.Duration
		}{
			"JSON": {s.anybody(storing), `{"a":1}`, "application/json", storageDeadline},
			"form": {s.form(storing), "a=1", "application/x-www-form-urlencoded", storageDeadline},
			"JSON, after calls that took 5 s": {s.withDeadline(func(c *call) (web.Reply, error) {
				time.Sleep(5 * time.Second)
				if err := c.readBody(); err != nil {
					return nil, err
				}
				return storing(c)
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
