package steps

import (
	"testing"

	"github.com/storespec/storespec/internal/wire"
)

// The name of a call is the same in each case, whatever ids the case and the server have made.
func TestCallsAreNamedWithoutIDs(t *testing.T) {
	world := func(tag, made string) *World {
		w := &World{tag: tag, people: map[string]*person{}, kept: map[string]string{"Choir": made, "i": "1"}}
		w.person("Ana").session = newSessionID()
		w.group("Family")
		return w
	}
	names := func(w *World) []string {
		ana, family := w.people["Ana"], w.kept["Family"]
		var names []string
		for _, c := range []wire.Call{
			{Service: wire.Blob, Class: wire.Read, Resource: "state", Blob: "familyscheduler/sessions/" + ana.session + ".json"},
			{Service: wire.Table, Class: wire.Update, Resource: "GroupMembers", Partition: family, Row: ana.userKey()},
			{Service: wire.Table, Class: wire.PartitionQuery, Resource: "UserGroups", Filter: "PartitionKey eq '" + ana.userKey() + "'"},
			{Service: wire.Table, Class: wire.PointRead, Resource: "Groups", Partition: "group", Row: w.kept["Choir"]},
			{Service: wire.Table, Class: wire.PointRead, Resource: "Groups", Partition: "group", Row: w.tag + "4f9a77c1-unnamed"},
			{Service: wire.Table, Class: wire.PointRead, Resource: "UserDailyUsage", Partition: ana.userKey() + "|2026-11-20", Row: "total"},
			{Service: wire.Table, Class: wire.Insert, Resource: "Groups"},
		} {
			names = append(names, w.pointName(c))
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
				t.Errorf("call %d of %s is %q, not %q", i, w.tag, name, want[i])
			}
		}
	}
}

// Ids that a target made have one name in every run; words stay.
func TestIdsOfTheTargetAreOneName(t *testing.T) {
	w := &World{kept: map[string]string{"Family": "grp-Family-7awpyyjv"}, tag: "x1y2z3"}
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
		if got := w.symbolic(key); got != want {
			t.Errorf("%q is called %q, want %q", key, got, want)
		}
	}
}
