package tools

import (
	"strings"
	"testing"
	"time"

	"github.com/storespec/storespec/internal/host/command"
	"github.com/storespec/storespec/internal/host/terminal"
	"github.com/storespec/storespec/reference/actions/bulk"
)

func TestProgressText(t *testing.T) {
	at := func(seconds int, records, done, size int64) bulk.Snapshot {
		return bulk.Snapshot{Counts: bulk.Counts{Created: records}, Done: done, Size: size,
			Elapsed: time.Duration(seconds) * time.Second}
	}
	failed := at(4, 10, 500, 0)
	failed.Failed, failed.Bad = 2, 1
	for _, test := range []struct {
		name    string
		then, s bulk.Snapshot
		want    string
	}{
		{"half", at(0, 0, 0, 1000), at(5, 2000, 500, 1000),
			"[==========          ] 50% 2000 records, 400 a second, 5s left"},
		{"slower now", at(5, 2000, 500, 1000), at(15, 2100, 600, 1000),
			"[============        ] 60% 2100 records, 10 a second, 40s left"},
		{"the beginning", at(0, 0, 0, 1000), at(0, 0, 0, 1000), "[                    ] 0% 0 records, 0 a second"},
		{"the end", at(0, 0, 0, 1000), at(2, 9, 1000, 1000),
			"[====================] 100% 9 records, 4 a second, 0s left"},
		{"a file that grew", at(0, 0, 0, 1000), at(2, 9, 1100, 1000),
			"[====================] 100% 9 records, 4 a second, 0s left"},
		{"a stream", at(0, 0, 0, 0), failed, "12 records, 3 a second, 3 failed"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := progressText(test.then, test.s); got != test.want {
				t.Errorf("%q, want %q", got, test.want)
			}
		})
	}
}

func TestManyProblemsAreSummedUp(t *testing.T) {
	var out strings.Builder
	l := &loadTeller{w: &out, watched: true, input: "in"}
	l.progress(bulk.Snapshot{Size: 10})
	for i := range 25 {
		l.problem(bulk.Problem{Line: int64(i + 1), Reason: "owner is missing"})
	}
	l.end()
	if text := out.String(); strings.Count(text, "owner is missing") != shownProblems ||
		!strings.HasSuffix(text, "\nin:20: owner is missing\n… and 5 lines more\n") ||
		!strings.Contains(text, terminal.EraseLine+"in:1:") {
		t.Errorf("it printed %q", text)
	}
}

func TestPurgeReadsTheShortFormOfTheEmulator(t *testing.T) {
	o := purgeOptions{olderThan: "90d", container: "archive"}
	config, err := o.check(&command.Env{LookupEnv: func(name string) (string, bool) {
		value, set := map[string]string{"AzureWebJobsStorage": "UseDevelopmentStorage=true;"}[name]
		return value, set
	}})
	if err != nil {
		t.Fatal(err)
	}
	for connection, endpoint := range map[string]string{
		config.TableConnection: "TableEndpoint=http://127.0.0.1:10002/devstoreaccount1;",
		config.BlobConnection:  "BlobEndpoint=http://127.0.0.1:10000/devstoreaccount1;",
	} {
		if !strings.Contains(connection, endpoint) {
			t.Errorf("there is no %s in %s", endpoint, connection)
		}
	}
}
