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

// killDir names, for the child process of TestKilled, the directory it writes to.
const killDir = "STORESPEC_TEST_KILL_DIR"

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
	e := openEmulator(t, engine.Options{Dir: dir})
	e.do("POST", "Tables", `{"TableName":"Killed"}`)
	fmt.Println("\nready")
	for w := range killWriters {
		go func() {
			for n := killedBefore(e, w) + 1; ; n++ {
				row := fmt.Sprintf("%d-%d", w, n%20)
				if e.do("PUT", entityPath("Killed", "single", row), fmt.Sprintf(`{"N":%d}`, n)).status == 204 {
					fmt.Printf("\nsingle %s %d\n", row, n)
				}
				a := e.batch(
					operationText{"PUT", entityPath("Killed", "pair", row+"a"), fmt.Sprintf(`{"N":%d}`, n), ""},
					operationText{"PUT", entityPath("Killed", "pair", row+"b"), fmt.Sprintf(`{"N":%d}`, n), ""},
				)
				if a.statuses() == "204 204" {
					fmt.Printf("\npair %s %d\n", row, n)
				}
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

// TestKilled kills a process that writes, 50 times, and looks each time whether a write that was
// acknowledged is gone, or a transaction there by half.
func TestKilled(t *testing.T) {
	rounds := 50
	if testing.Short() {
		rounds = 5
	}
	dir := t.TempDir()
	acknowledged := map[string]int{}
	for range rounds {
		total := writeUntilKilled(t, dir, 5+rand.IntN(200), acknowledged)
		if total == 0 {
			t.Fatal("no write was acknowledged")
		}
		checkKilled(t, dir, acknowledged)
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
