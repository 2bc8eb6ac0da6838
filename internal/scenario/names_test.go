package scenario

import (
	"crypto/rand"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/storespec/storespec/internal/run/lane"
	"github.com/storespec/storespec/internal/store"
	"github.com/storespec/storespec/internal/wire"
	"github.com/storespec/storespec/internal/wire/azure"
)

// The name of a call is the same in each case, whatever ids the case and the server have made.
func TestCallsAreNamedWithoutIDs(t *testing.T) {
	world := func(tag, made string) *World {
		w := newWorld(&Stage{}, tag)
		w.Names.kept = map[string]string{"Choir": made, "i": "1"}
		w.People.Person("Ana").Session = "s-" + rand.Text()
		w.Names.Keep("Family", "grp-Family-"+tag)
		return w
	}
	names := func(w *World) []string {
		ana, family := w.People.byName["Ana"], w.Names.kept["Family"]
		var names []string
		for _, c := range []wire.Call{
			{Service: azure.Blob, Class: azure.Read, Resource: "state",
				Key: []string{"familyscheduler/sessions/" + ana.Session +
					".json"}},
			{Service: azure.Table, Class: azure.Update, Resource: "GroupMembers", Key: []string{family, ana.UserKey()}},
			{Service: azure.Table, Class: azure.PartitionQuery, Resource: "UserGroups", Filter: "PartitionKey eq '" +
				ana.UserKey() + "'"},
			{Service: azure.Table, Class: azure.PointRead, Resource: "Groups",
				Key: []string{"group", w.Names.kept["Choir"]}},
			{Service: azure.Table, Class: azure.PointRead, Resource: "Groups", Key: []string{"group", w.People.tag +
				"4f9a77c1-unnamed"}},
			{Service: azure.Table, Class: azure.PointRead, Resource: "UserDailyUsage", Key: []string{ana.UserKey() +
				"|2026-11-20", "total"}},
			{Service: azure.Table, Class: azure.Insert, Resource: "Groups"},
		} {
			names = append(names, w.Names.CallName(c))
		}
		return names
	}
	want := []string{
		"blob read on state familyscheduler/sessions/{Ana.session}.json",
		"table update on GroupMembers {Family} {Ana.userKey}",
		"table partition query on UserGroups PartitionKey eq '{Ana.userKey}'",
		"table point read on Groups group {Choir}",
		"table point read on Groups group *",
		"table point read on UserDailyUsage {Ana.userKey}* total",
		"table insert on Groups",
	}
	for _, w := range []*World{world("abcdefgh", "grp-0011223344"), world("z2345678", "grp-zzyyxx9988")} {
		for i, name := range names(w) {
			if name != want[i] {
				t.Errorf("call %d of %s is %q, not %q", i, w.People.tag, name, want[i])
			}
		}
	}
}

// Messages have the scenario's names for hashes and ids, and leave the rest as it is.
func TestMessagesNameHashesAndIDs(t *testing.T) {
	const choir, other = "8a3f6f0e-5a2c-4a67-9d0e-0123456789ab", "8a3f6f0e-5a2c-4a67-9d0e-0123456789ac"
	w := newWorld(&Stage{suite: &Suite{Vocabulary: &Vocabulary{}},
		lane: &lane.Lane{Maker: &lane.Maker{}, Lease: store.NewLease(&store.Namespace{}, nil)}}, "x1y2z3")
	w.Names.Keep("Choir", choir)
	ana := w.People.Person("Ana").UserKey()
	said := "of " + choir + " / " + ana + ", not of " + other + " / 9" + ana + " or x1y2z3"
	got, want := w.Names.Shown(said), "of {Choir} / {Ana.userKey}, not of "+other+" / 9"+ana+" or x1y2z3"
	if got != want {
		t.Errorf("%q is shown as %q, want %q", said, got, want)
	}
}

// What reports may replace by a name is what a program made, and no secret.
func TestNamedIsWhatIsGeneratedAndNoSecret(t *testing.T) {
	const choir, session = "8a3f6f0e-5a2c-4a67-9d0e-0123456789ab", "8a3f6f0e-5a2c-4a67-9d0e-0123456789ac"
	w := newWorld(&Stage{suite: &Suite{Vocabulary: &Vocabulary{}},
		lane: &lane.Lane{Maker: &lane.Maker{}, Lease: store.NewLease(&store.Namespace{}, nil)}}, "abcdefgh")
	w.Names.kept = map[string]string{"Choir": choir, "i": "1"}
	ana := w.People.Person("Ana")
	ana.Session = session
	if diff := cmp.Diff(map[string]string{choir: "Choir", ana.UserKey(): "Ana.userKey"}, w.Report.Named()); diff != "" {
		t.Errorf("names by ids (-want +got):\n%s", diff)
	}
}

// Ids that a target made have one name in every run; words stay.
func TestIdsOfTheTargetAreOneName(t *testing.T) {
	w := newWorld(&Stage{}, "x1y2z3")
	w.Names.Keep("Family", "grp-Family-7awpyyjv")
	for key, want := range map[string]string{
		"SPKHZQRHWRGZOAXSFCDJNVXYHZ":           "*", // as crypto/rand.Text makes one in two hundred
		"qPzVnT-kLmWx_YzAbCdEfG":               "*",
		"a7":                                   "*",
		"g:grp-Family-7awpyyjv|a:2026-01-02":   "g:{Family}|a:*",
		"familyscheduler/appointment.json":     "familyscheduler/appointment.json",
		"PartitionKey eq 'n'":                  "PartitionKey eq 'n'",
		"octo-x1y2z3":                          "octo-{tag}",
		"{Ana.userKey}/qPzVnTkLmWxYzAbCdEfGhI": "{Ana.userKey}/*",
	} {
		if got := w.Names.Symbolic(key); got != want {
			t.Errorf("%q is called %q, want %q", key, got, want)
		}
	}
}
