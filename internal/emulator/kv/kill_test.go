package kv

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"testing"

	"github.com/storespec/storespec/internal/emulator/engine"
)

// killDir names, for the child process of TestKilled, the directory it writes to.
const killDir = "STORESPEC_TEST_KILL_DIR"

// killWriters write at the same time, each its own keys.
const killWriters = 4

func newClientIn(t *testing.T, dir string) (*client, func()) {
	t.Helper()
	e, err := engine.Open(engine.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	s := New(Options{Engine: e, Account: "acc", Token: testToken, Log: t.Logf})
	ns, err := s.Add("ns", "Tests")
	if err != nil {
		t.Fatal(err)
	}
	return &client{t, s.Handler("ns"), ns}, func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestKilledChild is the child process of TestKilled: it writes until it is killed, and says of each write that it was
// acknowledged. A writer's n-th round puts n into a key, and into two others with one bulk put.
func TestKilledChild(t *testing.T) {
	dir := os.Getenv(killDir)
	if dir == "" {
		t.Skip("is started by TestKilled")
	}
	c, _ := newClientIn(t, dir)
	fmt.Println("\nready")
	for w := range killWriters {
		go func() {
			for n := c.number(fmt.Sprintf("single-%d", w)) + 1; ; n++ {
				if c.send("PUT", bound(fmt.Sprintf("single-%d", w)), fmt.Sprint(n)).Code == 200 {
					fmt.Printf("\nsingle %d %d\n", w, n)
				}
				pairs := fmt.Sprintf(`[{"key":"pair-%[1]d-a","value":"%[2]d"},{"key":"pair-%[1]d-b","value":"%[2]d"}]`, w, n)
				if c.send("PUT", restBase+"bulk", pairs).Code == 200 {
					fmt.Printf("\npair %d %d\n", w, n)
				}
			}
		}()
	}
	select {} // the process is killed
}

// number is what a key holds; 0 if nothing.
func (c *client) number(key string) (n int) {
	_, _ = fmt.Sscan(c.send("GET", bound(key), "").Body.String(), &n)
	return n
}

// TestKilled kills a process that writes (SIGKILL), many times, and looks each time whether a write that was
// acknowledged is gone, or a bulk put there by half.
func TestKilled(t *testing.T) {
	rounds := 20
	if testing.Short() {
		rounds = 3
	}
	dir := t.TempDir()
	acknowledged := map[string]int{}
	for range rounds {
		writeUntilKilled(t, dir, 5+rand.IntN(100), acknowledged)
		c, done := newClientIn(t, dir)
		for w := range killWriters {
			single, a, b := c.number(fmt.Sprintf("single-%d", w)), c.number(fmt.Sprintf("pair-%d-a", w)),
				c.number(fmt.Sprintf("pair-%d-b", w))
			if want := acknowledged[fmt.Sprintf("single %d", w)]; single < want {
				t.Errorf("single-%d has %d, but %d was acknowledged", w, single, want)
			}
			if want := acknowledged[fmt.Sprintf("pair %d", w)]; a < want || a != b {
				t.Errorf("pair-%d has %d and %d, but %d was acknowledged", w, a, b, want)
			}
		}
		done()
	}
}

// writeUntilKilled runs the child until so many writes were acknowledged, and kills it.
func writeUntilKilled(t *testing.T, dir string, writes int, acknowledged map[string]int) {
	t.Helper()
	child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestKilledChild$", "-test.count=1")
	child.Env = append(os.Environ(), killDir+"="+dir)
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	total, killed := 0, false
	for lines := bufio.NewScanner(out); lines.Scan(); {
		var kind string
		var writer, n int
		if _, err := fmt.Sscanf(lines.Text(), "%s %d %d", &kind, &writer, &n); err != nil {
			continue
		}
		key := fmt.Sprintf("%s %d", kind, writer)
		acknowledged[key] = max(acknowledged[key], n)
		if total++; total >= writes && !killed {
			killed = true
			if err := child.Process.Kill(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := child.Wait(); !killed || err == nil {
		t.Fatalf("the child ended by itself after %d writes: %v", total, err)
	}
}
