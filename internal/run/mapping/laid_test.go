package mapping

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/storespec/storespec/internal/run/system"
	"github.com/storespec/storespec/internal/store"
)

const mapOfLaid = `
laid:
  - with: Groups
    columns: {plan: free, seats: 5, active: true, groupName: never, since: "{createdAt:unix}", left: "{none}"}
    rows:
      - {table: Settings, key: ["{groupId}", settings], columns: {owner: "{createdByUserKey}"}}
      - {table: Settings, key: ["{none}", settings]}
    blobs: [{name: "groups/{groupId}/meta.json", content: {id: "{RowKey}"}}]
  - with: sessions/{session}.json
    instead: true
    rows:
      - {table: Logins, key: [login, "{session:sha256}"], columns: {user: "{userKey}", until: "{expiresAt:unixms}"}}
    blobs: [{name: "tokens/{session}", content: "v1 {email}"}]
  - with: members/{id}.json
    columns: {role: "member of {id}", email: never}
`

func TestWhatIsLaidForAServer(t *testing.T) {
	m := read(t, mapOfLaid)
	rows, objects, err := m.LayRow(Row{"Groups", []string{"group", "g1"}, store.Row{"groupId": {Is: "g1"},
		"groupName": {Is: "Family"}, "createdAt": {Is: "2026-01-02T08:00:00Z"}, "createdByUserKey": {Is: "u1"}}})
	if err != nil {
		t.Fatal(err)
	}
	wantRows := []Row{
		{"Groups", []string{"group", "g1"}, store.Row{"groupId": {Is: "g1"}, "groupName": {Is: "Family"},
			"createdAt": {Is: "2026-01-02T08:00:00Z"}, "createdByUserKey": {Is: "u1"}, "plan": {Is: "free"},
			"seats": {Is: json.Number("5")}, "active": {Is: true}, "since": {Is: json.Number("1767340800")}}},
		{"Settings", []string{"g1", "settings"}, store.Row{"owner": {Is: "u1"}}},
	}
	if diff := cmp.Diff(wantRows, rows); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]Object{{"groups/g1/meta.json", []byte(`{"id":"g1"}`)}}, objects); diff != "" {
		t.Errorf("objects (-want +got):\n%s", diff)
	}
}

func TestASessionElsewhere(t *testing.T) {
	m := read(t, mapOfLaid)
	rows, objects, err := m.LayObject(Object{"sessions/s1.json",
		[]byte(`{"email":"a@example.com","expiresAt":"2026-01-02T08:00:00.250Z"}`)})
	if err != nil {
		t.Fatal(err)
	}
	const sha256OfS1 = "e8bc163c82eee18733288c7d4ac636db3a6deb013ef2d37b68322be20edc45cc"
	want := []Row{{"Logins", []string{"login", sha256OfS1},
		store.Row{"user": {Is: system.UserKey("a@example.com")}, "until": {Is: json.Number("1767340800250")}}}}
	if diff := cmp.Diff(want, rows); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]Object{{"tokens/s1", []byte("v1 a@example.com")}}, objects); diff != "" {
		t.Errorf("objects (-want +got):\n%s", diff)
	}
}

func TestMoreMembersOfAnObject(t *testing.T) {
	m := read(t, mapOfLaid)
	_, objects, err := m.LayObject(Object{"members/7.json", []byte(`{"email": "a@example.com"}`)})
	if err != nil {
		t.Fatal(err)
	}
	want := `{"email":"a@example.com","role":"member of 7"}`
	if len(objects) != 1 || string(objects[0].Content) != want {
		t.Errorf("%s", objects)
	}
	for _, other := range []Object{{"members/7.txt", nil}, {"x/members/7.json", []byte("{}")}} {
		if _, objects, err = m.LayObject(other); err != nil || len(objects) != 1 ||
			string(objects[0].Content) != string(other.Content) {
			t.Errorf("%s has become %s, %v", other.Name, objects, err)
		}
	}
}

func TestAdds(t *testing.T) {
	want := []Column{{"", "email"}, {"", "role"}, {"Groups", "active"}, {"Groups", "groupName"}, {"Groups", "left"},
		{"Groups", "plan"}, {"Groups", "seats"}, {"Groups", "since"}}
	if diff := cmp.Diff(want, read(t, mapOfLaid).Adds()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// What explore must not compare is what was laid for one server alone, and what that server writes under such keys;
// other rows of the same tables are compared.
func TestWhatIsNotCompared(t *testing.T) {
	m := read(t, mapOfLaid+`
  - with: Members
    rows: [{table: Groups, key: ["{RowKey}", "{PartitionKey}"]}]
  - with: {table: Members, key: [gone, "{id}"]}
    instead: true
`)
	if err := m.OnTables([]string{"Groups", "Members"}, false); err != nil {
		t.Fatal(err)
	}
	if _, _, err := m.LayRow(Row{"Members", []string{"g1", "u1"}, nil}); err != nil {
		t.Fatal(err)
	}
	const hash = "e8bc163c82eee18733288c7d4ac636db3a6deb013ef2d37b68322be20edc45cc"
	for key, want := range map[string]bool{"Settings g9 settings": true, "Settings g9 other": false,
		"Settings g9":          false,
		"Logins login " + hash: true, "Logins login s1": false, "Logins other " + hash: false, "Groups u1 g1": true,
		"Groups g1 u1": false, "Groups group g1": false, "Members g1 u1": false, "Members gone u1": true} {
		parts := strings.Split(key, " ")
		if m.Lays(parts[0], parts[1:]) != want {
			t.Errorf("%s is left out: %t", key, !want)
		}
	}
	for name, want := range map[string]bool{"groups/g1/meta.json": true, "groups/g1/state.json": false,
		"sessions/s1.json": true, "sessions/s1.txt": false, "tokens/s1": true, "members/7.json": false} {
		if m.LaysObject(name) != want {
			t.Errorf("%s is left out: %t", name, !want)
		}
	}
}

// A name of nothing but a placeholder says too little: of such objects, those that were laid are left out.
func TestObjectsOfAnyName(t *testing.T) {
	m := read(t, "laid: [{with: 'members/{id}.json', blobs: [{name: '{key}', content: x}]}]")
	if _, _, err := m.LayObject(Object{"members/7.json", []byte(`{"key": "laid"}`)}); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{"laid": true, "written": false} {
		if m.LaysObject(name) != want {
			t.Errorf("%s is left out: %t", name, !want)
		}
	}
}

// Members of a blob's JSON keep their types.
func TestTypesOfMembers(t *testing.T) {
	m := read(t, "laid:\n  - with: a/{id}.json\n    rows: [{table: T, key: ['{id}', 'v{n}'], columns: {n: '{n}', "+
		"is: '{is}', text: '{text}', said: '{n} {is}', none: '{none}', list: '{list}'}}]\n"+
		"    blobs: [{name: 'b/{n}', content: {n: '{n}', is: '{is}', text: '{text}'}}]\n")
	rows, objects, err := m.LayObject(Object{"a/1.json",
		[]byte(`{"n":1.50,"is":false,"text":"2","none":null,"list":[1]}`)})
	if err != nil {
		t.Fatal(err)
	}
	want := []Row{{"T", []string{"1", "v1.50"}, store.Row{"n": {Is: json.Number("1.50")}, "is": {Is: false},
		"text": {Is: "2"}, "said": {Is: "1.50 false"}}}}
	if diff := cmp.Diff(want, rows); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]Object{{"b/1.50", []byte(`{"n":1.50,"is":false,"text":"2"}`)}}, objects[1:]); diff != "" {
		t.Errorf("objects (-want +got):\n%s", diff)
	}
}

// In a design of one table, rows are known by their keys.
func TestRowsOfSomeKeys(t *testing.T) {
	m := read(t, "laid:\n  - with: {table: items, key: ['USER#{id}', META]}\n    columns: {plan: 'of {id}'}\n"+
		"    rows: [{table: items, key: ['PLAN#{id}', '{SK}']}]\n")
	for _, key := range [][]string{{"USER#1", "META"}, {"USER#1", "META2"}, {"USER#", "META"}, {"USER#1"},
		{"USER#1", "META", "more"}} {
		rows, _, err := m.LayRow(Row{"items", key, store.Row{"SK": {Is: "s"}}})
		if err != nil {
			t.Fatal(err)
		}
		want := []Row{{"items", key, store.Row{"SK": {Is: "s"}}}}
		if strings.Join(key, " ") == "USER#1 META" {
			want = []Row{{"items", key, store.Row{"SK": {Is: "s"}, "plan": {Is: "of 1"}}},
				{"items", []string{"PLAN#1", "s"}, store.Row{}}}
		}
		if diff := cmp.Diff(want, rows); diff != "" {
			t.Errorf("%v (-want +got):\n%s", key, diff)
		}
	}
}

// A table whose name comes from the environment is called as in the features.
func TestTablesOfTheEnvironment(t *testing.T) {
	design := notes()
	design.Names = map[string]string{"items": "{table}", "old": "old-{table}"}
	for text, want := range map[string]string{
		"laid: [{with: items, rows: [{table: old, key: [a]}]}]": "",
		"laid: [{with: '{table}'}]":                             "map.yaml:1:15: write items, without braces",
		"laid: [{with: {table: '{items}'}}]":                    "map.yaml:1:23: write items, without braces",
		"laid: [{with: items, rows: [{table: 'old-{table}', key: [a]}]}]"://
		"map.yaml:1:37: write old, without braces",
	} {
		_, err := Parse("map.yaml", []byte(text), design)
		if said := fmt.Sprint(err); want == "" && err != nil || !strings.Contains(said, want) {
			t.Errorf("%s: error %v, not %s", text, err, want)
		}
	}
}

func TestTablesThatTheDesignDoesNotHave(t *testing.T) {
	m := read(t, "laid:\n  - with: Group\n    rows:\n"+
		"      - {table: groups, key: [a]}\n      - {table: Own, key: [a]}\n")
	for defined, want := range map[bool]string{
		false: `map.yaml:2:11: laid: the design has no table "Group"; did you mean Groups?
map.yaml:4:17: laid: the design has no table "groups"; did you mean Groups?`,
		true: `map.yaml:2:11: laid: the design has no table "Group"; did you mean Groups?
map.yaml:4:17: laid: the design has no table "groups"; did you mean Groups?
map.yaml:5:17: laid: the design has no table "Own"; it has Groups`,
	} {
		if err := m.OnTables([]string{"Groups"}, defined); err == nil || err.Error() != want {
			t.Errorf("error %v, not %s", err, want)
		}
	}
	if err := m.OnTables(nil, false); err != nil {
		t.Errorf("no table is known, and the error is %v", err)
	}
}
