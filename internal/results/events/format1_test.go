package events

import (
	"bytes"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/storespec/storespec/internal/wire"
)

// format1 is a stream that a storespec of before format 2 has written, without the lines of Cucumber's that nothing is
// read from.
const format1 = "testdata/format1.ndjson"

func readFormat1(t *testing.T) *Stream {
	t.Helper()
	text, err := os.ReadFile(format1)
	if err != nil {
		t.Fatal(err)
	}
	s, err := Read(format1, bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestFormat1SaysWhatFormat2Says(t *testing.T) {
	old := readFormat1(t)
	effects, names := map[wire.Effect]int{}, map[string]bool{}
	for _, rule := range old.Runs[0].Result.Rules {
		for _, scenario := range rule.Results {
			for _, request := range scenario.Requests {
				for _, call := range request.Calls {
					effects[call.Effect]++
					names[call.Describe(call.Place())] = true
					for _, inner := range call.Inner {
						effects["inner "+inner.Effect]++
						names[inner.Describe(inner.Place())] = true
					}
				}
			}
		}
	}
	if effects[wire.Reads] < 50 || effects[wire.Writes] < 10 || effects["inner writes"] < 4 || effects[""] > 0 {
		t.Errorf("effects of the calls: %v", effects)
	}
	for _, want := range []string{"table point read on Groups group / grp-", "blob write on state/familyscheduler/",
		"table transaction on AppointmentsIndex grp-", "table insert on AppointmentsIndex grp-"} {
		found := false
		for name := range names {
			found = found || strings.HasPrefix(name, want)
		}
		if !found {
			t.Errorf("no call is described as %q, among %v", want, names)
		}
	}
	var written bytes.Buffer
	if err := Write(&written, *old, nil, time.Unix(0, 0)); err != nil {
		t.Fatal(err)
	}
	again, err := Read("again", &written)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(old, again); diff != "" {
		t.Errorf("written as format 2 it is another stream (-format 1 +format 2):\n%s", diff)
	}
}
