package dynamodb

import (
	"bufio"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/storespec/storespec/internal/emulator/engine"
)

// killDir names, for the child process of TestKilled, the directory it writes to.
const killDir = "STORESPEC_TEST_KILL_DIR"

// killWriters write at the same time, each its own items.
const killWriters = 4

func killEngine(t *testing.T, dir string) *engine.Engine {
	t.Helper()
	e, err := engine.Open(engine.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// TestKilledChild is the child process of TestKilled: it writes until it is killed, and says of each write that it was
// acknowledged. A writer's n-th round puts n into an item with a write, and into two with a transaction.
func TestKilledChild(t *testing.T) {
	dir := os.Getenv(killDir)
	if dir == "" {
		t.Skip("is started by TestKilled")
	}
	f := fixtureOn(t, killEngine(t, dir))
	if len(f.account.tables) == 0 {
		f.createTable("Killed", indexed)
	}
	first := killedBefore(t, f) + 1
	for w := range killWriters {
		go func() {
			for n := first; ; n++ {
				sk, v := fmt.Sprintf("%d-%d", w, n%20), num(fmt.Sprint(n))
				ctx := context.Background()
				if _, err := f.db.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("Killed"),
					Item: attrs{"pk": str("single"), "sk": str(sk), "n": v, "gpk": str("g")}}); err == nil {
					fmt.Printf("\nsingle %s %d\n", sk, n)
				}
				if _, err := f.db.TransactWriteItems(ctx,
					&dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{
						transactPut("Killed", pair(sk+"a", v, attrs{"gpk": str("g")}), nil),
						transactPut("Killed", pair(sk+"b", v, nil), nil)}}); err == nil {
					fmt.Printf("\npair %s %d\n", sk, n)
				}
			}
		}()
	}
	select {} // the process is killed
}

// pair is an item of a transaction.
func pair(sk string, n types.AttributeValue, more attrs) attrs {
	item := attrs{"pk": str("pair"), "sk": str(sk), "n": n}
	maps.Copy(item, more)
	return item
}

// killed returns the numbers of the items of a table or an index.
func killed(t *testing.T, f *fixture, index *string) map[string]int {
	t.Helper()
	there := map[string]int{}
	pages := dynamodb.NewScanPaginator(f.db, &dynamodb.ScanInput{TableName: aws.String("Killed"), IndexName: index})
	for pages.HasMorePages() {
		page, err := pages.NextPage(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, item := range page.Items {
			n := 0
			if v, has := item["n"].(*types.AttributeValueMemberN); has {
				_, _ = fmt.Sscan(v.Value, &n)
			}
			there[item["pk"].(*types.AttributeValueMemberS).Value+" "+
				""+item["sk"].(*types.AttributeValueMemberS).Value] = n
		}
	}
	return there
}

func killedBefore(t *testing.T, f *fixture) (most int) {
	for _, n := range killed(t, f, nil) {
		most = max(most, n)
	}
	return most
}

// TestKilled kills a process that writes, again and again, and looks each time whether a write that was acknowledged is
// gone, a transaction is there by half, or an index is at odds with its table.
func TestKilled(t *testing.T) {
	rounds := 20
	if testing.Short() {
		rounds = 3
	}
	dir := t.TempDir()
	acknowledged := map[string]int{}
	for range rounds {
		writeUntilKilled(t, dir, 5+rand.IntN(200), acknowledged)
		checkKilled(t, dir, acknowledged)
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
	ended, total := false, 0
	for lines := bufio.NewScanner(out); lines.Scan(); {
		var kind, sk string
		var n int
		if _, err := fmt.Sscanf(lines.Text(), "%s %s %d", &kind, &sk, &n); err != nil {
			continue
		}
		acknowledged[kind+" "+sk] = max(acknowledged[kind+" "+sk], n)
		if total++; total >= writes && !ended {
			ended = true
			if err := child.Process.Kill(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := child.Wait(); !ended || err == nil {
		t.Fatalf("the child ended by itself: %v", err)
	}
}

func checkKilled(t *testing.T, dir string, acknowledged map[string]int) {
	t.Helper()
	e := killEngine(t, dir)
	defer e.Close()
	f := fixtureOn(t, e)
	there := killed(t, f, nil)
	for key, n := range acknowledged {
		for _, suffix := range map[bool][]string{true: {"a", "b"}, false: {""}}[strings.HasPrefix(key, "pair")] {
			if there[key+suffix] < n {
				t.Errorf("%s%s has %d, but %d was acknowledged", key, suffix, there[key+suffix], n)
			}
		}
	}
	indexed := killed(t, f, aws.String("some"))
	for key, n := range there {
		first, isPair := strings.CutSuffix(key, "a")
		if isPair && there[first+"b"] != n {
			t.Errorf("half a transaction: %s has %d, its other item %d", key, n, there[first+"b"])
		}
		if _, in := indexed[key]; in == strings.HasSuffix(key, "b") {
			t.Errorf("%s: in the index %v", key, in)
		}
	}
	if len(indexed) > len(there) {
		t.Errorf("the index has %d items, the table %d", len(indexed), len(there))
	}
}
