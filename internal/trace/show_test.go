package trace

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/storespec/storespec/internal/run/lane"
	"github.com/storespec/storespec/internal/run/system"
	"github.com/storespec/storespec/internal/wire"
	"github.com/storespec/storespec/internal/wire/azure"
)

// everyCall is calls of every form, and one operation to be suspicious of.
func everyCall() []wire.Call {
	var calls []wire.Call
	for _, row := range []string{"ana@example.com", "ben%40example.com", "c"} {
		calls = append(calls, changed(at(10*len(calls), traceA, row), func(c *wire.Call) { c.ClientID = "secret" }))
	}
	for _, call := range []wire.Call{
		{Service: azure.Table, Class: azure.TableScan, Resource: "Groups", Filter: "Email eq 'ana@example.com'",
			Entities: 40, Status: 200, Attempts: 1, Start: begun().Add(time.Minute), Duration: 2500 * time.Microsecond},
		{Service: azure.Table, Class: azure.Transaction, Resource: "Groups",
			Inner: []wire.Call{{Key: []string{"dan@example.com"}, Parts: []string{"row"}}, {}}, Status: 202,
			Attempts: 1,
			Start:    begun().Add(time.Minute)},
		{Service: azure.Blob, Class: azure.Read, Resource: "state", Key: []string{"a\x1b[2Jb\n" + strings.Repeat("x",
			300)}, Status: 404, ErrorCode: "BlobNotFound", Attempts: 2, Start: begun().Add(time.Minute)},
		{Service: azure.Table, Class: wire.Unknown, Attempts: 1, Start: begun().Add(time.Minute)},
	} {
		calls = append(calls, azure.Completed(call))
	}
	return calls
}

func TestTextForPeople(t *testing.T) {
	var live, ready bytes.Buffer
	text := NewText(&live, &ready, begun())
	for _, call := range everyCall() {
		text.Call(call)
	}
	if err := text.Summary(Summarize(everyCall(), Rules{Pause: time.Second, Threshold: 3})); err != nil {
		t.Fatal(err)
	}
	want := `storespec      +0.0 ms   10.0 ms  table point read on Groups p / <e-mail>: 200
storespec     +10.0 ms   10.0 ms  table point read on Groups p / <e-mail>: 200
storespec     +20.0 ms   10.0 ms  table point read on Groups p / c: 200
storespec  +60000.0 ms    2.5 ms  table scan on Groups where Email eq '<e-mail>': 200, 40 found
storespec  +60000.0 ms    0.0 ms  table transaction on Groups: 202, 2 operations
storespec  +60000.0 ms    0.0 ms  blob read on state/a·[2Jb·` + strings.Repeat("x", 185) + `…: 404 BlobNotFound
storespec  +60000.0 ms    0.0 ms  table unknown: no answer

storespec trace: 7 storage calls in 1m0.003s, 1 retried, 1 failed (1 without an answer)
1 operation by pause (from 05:07:07.000)
  blob read on state                           1, 0.0 ms
  table unknown                                1, 1 failed, 0.0 ms
  table scan on Groups                         1, 2.5 ms
  table transaction on Groups                  1, 0.0 ms
1 operation by trace (trace aaaaaaaa)
  table point read on Groups                   3, 30.0 ms
n+1: table point read on Groups: 3 different keys in one operation (suspicious from 3): trace aaaaaaaa; in 1 operation
  such as p / <e-mail>
  such as p / <e-mail>
  such as p / c
scan: table scan on Groups: 1 time in one operation: from 05:07:07.000; in 1 operation
  such as Email eq '<e-mail>'
`
	if live.String() != want {
		t.Errorf("got\n%s\nwant\n%s", &live, want)
	}
	if err := text.Ready(map[string]string{"tables": "http://t/a", "blobs": "http://b/a",
		"connection": "AccountName=a"}); err != nil {
		t.Fatal(err)
	}
	lines := "tables      http://t/a\nblobs       http://b/a\nconnection  AccountName=a\nready\n"
	if ready.String() != lines {
		t.Errorf("ready:\n%s", &ready)
	}
}

func TestJSONForPrograms(t *testing.T) {
	var out bytes.Buffer
	lines := NewJSON(&out, begun())
	if err := lines.Ready(map[string]string{"tables": "http://t/a", "blobs": "http://b/a",
		"connection": "AccountName=a"}); err != nil {
		t.Fatal(err)
	}
	for _, call := range everyCall() {
		lines.Call(call)
	}
	if err := lines.Summary(Summarize(everyCall(), Rules{Pause: time.Second, Threshold: 3})); err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{"example.com", "secret"} {
		if strings.Contains(out.String(), secret) {
			t.Errorf("it shows %s:\n%s", secret, &out)
		}
	}
	type line struct {
		Type, Tables, Connection, Class, Row, ErrorCode, Trace string
		DurationNs, SinceStartNs                               int64
		Calls                                                  int
		Suspicions                                             []struct{ Suspect, Class, Worst string }
	}
	var got []line
	for text := range strings.Lines(out.String()) {
		var one line
		if err := json.Unmarshal([]byte(text), &one); err != nil {
			t.Fatalf("%v: %s", err, text)
		}
		got = append(got, one)
	}
	first, call, last := got[0], got[1], got[len(got)-1]
	if len(got) != 9 || first.Type != "ready" || first.Tables != "http://t/a" || first.Connection != "AccountName=a" {
		t.Errorf("%d lines, the first %+v", len(got), first)
	}
	if call.Type != "call" || call.Class != "point read" || call.Row != "<e-mail>" || call.Trace != traceA ||
		call.DurationNs != 10e6 || call.SinceStartNs != 0 || got[2].SinceStartNs != 10e6 {
		t.Errorf("a call %+v", call)
	}
	if last.Type != "summary" || last.Calls != 7 || len(last.Suspicions) != 2 || last.Suspicions[0].Suspect != "n+1" ||
		last.Suspicions[0].Worst != "trace aaaaaaaa" {
		t.Errorf("the summary %+v", last)
	}
}

// broken is where nothing can be written.
type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("no space left") }

func TestReportThatCannotBeWritten(t *testing.T) {
	for name, shown := range map[string]Reporter{"text": NewText(broken{}, broken{}, begun()),
		"json": NewJSON(broken{}, begun())} {
		shown.Call(everyCall()[0])
		if err := shown.Summary(Summary{}); err == nil || !strings.Contains(err.Error(), "no space left") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestEnvironmentLeadsThroughTheGateway(t *testing.T) {
	mapping, err := system.ParseMapping("STORE={tables}?{account}", []string{"tables", "account"})
	if err != nil {
		t.Fatal(err)
	}
	const there = "AccountName=a;AccountKey=k;TableEndpoint=http://g/a;"
	own := []string{
		"MINE=AccountName=a;AccountKey=real", "ENDS=AccountName=a;AccountKey=real;",
		`SETTINGS={"storage":"AccountName=a;AccountKey=real;"}`,
		"OTHER=AccountName=b;AccountKey=real", "AzureWebJobsStorage=AccountName=b;AccountKey=real", "=C:=C:\\",
		"NOTHING",
	}
	c := map[string]string{"connection": there, "tables": "http://g/a", "account": "a"}
	set := map[string]string{}
	for _, name := range Variables() {
		set[name] = "connection"
	}
	for _, test := range []struct {
		given string
		own   []string
		want  map[string]string
	}{
		{"AccountName=a;AccountKey=real; ", own, map[string]string{
			"MINE": strings.TrimRight(there, ";"), "ENDS": there, "SETTINGS": `{"storage":"` + there + `"}`,
		}},
		{"UseDevelopmentStorage=true", append(own, "DEV=UseDevelopmentStorage=true;"), map[string]string{"DEV": there}},
		{" ; ", own, nil},
	} {
		o := Options{Given: test.given, Variables: set, Fitting: lane.Fitting{Env: []system.Mapping{mapping}}}
		want := map[string]string{"STORE": "http://g/a?a"}
		maps.Copy(want, test.want)
		for _, name := range Variables() {
			want[name] = there
		}
		if got := o.environment(test.own, c); !maps.Equal(got, want) {
			t.Errorf("given %q:\ngot  %v\nwant %v", test.given, got, want)
		}
	}
}
