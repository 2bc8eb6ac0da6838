package tables

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/storespec/storespec/internal/emulator/engine"
)

// killDir and killNoSync tell the child process of TestKilled the directory it writes to, and whether without syncs.
const (
	killDir    = "STORESPEC_TEST_KILL_DIR"
	killNoSync = "STORESPEC_TEST_KILL_NO_SYNC"
)

// killWriters write at the same time, each its own rows.
const killWriters = 4

// TestKilledChild is the child process of TestKilled: it writes until it is killed, and says of each
// write that it was acknowledged. A writer's n-th round puts n into a row with a write, and into two
// rows of a partition with a transaction.
func TestKilledChild(t *testing.T) {
	dir := os.Getenv(killDir)
	if dir == "" {
		t.Skip("is started by TestKilled")
	}
	e := openEmulator(t, engine.Options{Dir: dir, NoSync: os.Getenv(killNoSync) != ""})
	e.do("POST", "Tables", `{"TableName":"Killed"}`)
	fmt.Println("\nready")
	for w := range killWriters {
		go func() {
			for n := killedBefore(e, w) + 1; ; n++ {
				row := fmt.Sprintf("%d-%d", w, n%20)
				if a := e.do("PUT", entityPath("Killed", "single", row), fmt.Sprintf(`{"N":%d}`, n)); a.status != 204 {
					panic(a.body) // the parent waits for writes
				}
				fmt.Printf("\nsingle %s %d\n", row, n)
				a := e.batch(
					operationText{"PUT", entityPath("Killed", "pair", row+"a"), fmt.Sprintf(`{"N":%d}`, n), ""},
					operationText{"PUT", entityPath("Killed", "pair", row+"b"), fmt.Sprintf(`{"N":%d}`, n), ""},
				)
				if a.statuses() != "204 204" {
					panic(a.body)
				}
				fmt.Printf("\npair %s %d\n", row, n)
			}
		}()
	}
	select {} // the process is killed
}

// killedBefore is the largest number that earlier children of a writer have put anywhere.
func killedBefore(e *emulator, writer int) (n int) {
	for _, row := range e.rows("Killed",
		filter(fmt.Sprintf("PartitionKey eq 'single' and RowKey gt '%d-' and RowKey lt '%d.'", writer, writer))) {
		var found int
		if _, err := fmt.Sscan(fmt.Sprint(row["N"]), &found); err == nil {
			n = max(n, found)
		}
	}
	return n
}

// TestKilled kills a process that writes, many times, and looks each time whether a write that was acknowledged is
// gone, or a transaction there by half.
func TestKilled(t *testing.T) {
	for _, c := range []struct {
		name, noSync string
		rounds       int
	}{{"synced", "", 50}, {"not synced", "1", 20}} {
		t.Run(c.name, func(t *testing.T) {
			t.Setenv(killNoSync, c.noSync)
			dir := t.TempDir()
			acknowledged := map[string]int{}
			if testing.Short() {
				c.rounds = 5
			}
			for range c.rounds {
				total := writeUntilKilled(t, dir, 5+rand.IntN(200), acknowledged)
				if total == 0 {
					t.Fatal("no write was acknowledged")
				}
				checkKilled(t, dir, acknowledged)
			}
		})
	}
}

// writeUntilKilled runs the child until so many writes were acknowledged, and kills it.
func writeUntilKilled(t *testing.T, dir string, writes int, acknowledged map[string]int) (total int) {
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
	killed := false
	for lines := bufio.NewScanner(out); lines.Scan(); {
		var kind, row string
		var n int
		if _, err := fmt.Sscanf(lines.Text(), "%s %s %d", &kind, &row, &n); err != nil {
			continue
		}
		acknowledged[kind+" "+row] = max(acknowledged[kind+" "+row], n)
		if total++; total >= writes && !killed {
			killed = true
			if err := child.Process.Kill(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := child.Wait(); !killed || err == nil {
		t.Fatalf("the child ended by itself: %v", err)
	}
	return total
}

func checkKilled(t *testing.T, dir string, acknowledged map[string]int) {
	t.Helper()
	e := &emulator{t: t, now: time.Now}
	e.open(engine.Options{Dir: dir})
	defer e.close()
	there := map[string]int{}
	for _, row := range e.rows("Killed", "") {
		var n int
		if _, err := fmt.Sscan(fmt.Sprint(row["N"]), &n); err != nil {
			t.Fatal(err)
		}
		there[fmt.Sprint(row[partitionKey], " ", row[rowKey])] = n
	}
	for key, n := range acknowledged {
		for _, suffix := range map[bool][]string{true: {"a", "b"}, false: {""}}[strings.HasPrefix(key, "pair")] {
			if there[key+suffix] < n {
				t.Errorf("%s%s has %d, but %d was acknowledged", key, suffix, there[key+suffix], n)
			}
		}
	}
	for key, n := range there {
		if row, first := strings.CutSuffix(key, "a"); first && there[row+"b"] != n {
			t.Errorf("half a transaction: %s has %d, its other row %d", key, n, there[row+"b"])
		}
	}
}
