package lovehunt

import (
	"encoding/json"
	"io"
	"sync"
	"time"
)

// audit writes one line of JSON for each mutation (LH-AUD-1): what was done to which record, and never its data.
type audit struct {
	mu  sync.Mutex
	to  io.Writer
	now func() time.Time
}

func (a *audit) write(c *call, operation string, p place) {
	line, _ := json.Marshal(map[string]string{"audit": operation, "orgSlug": p.slug, "huntId": p.huntID,
		"traceId": c.TraceID, "time": timestamp(a.now())}) // texts only
	a.mu.Lock()
	defer a.mu.Unlock()
	_, _ = a.to.Write(append(line, '\n')) // nobody can be told that the line is missing
}
