package mapping

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/storespec/storespec/internal/store"
	"github.com/storespec/storespec/internal/system"
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
	rows, columns, objects := read(t, mapOfLaid).Adds()
	got := strings.Join(rows, " ") + "|" + strings.Join(columns, " ") + "|" + strings.Join(objects, " ")
	if got != "Logins Settings|Groups|groups/*/meta.json members/*.json sessions/*.json tokens/*" {
		t.Errorf("%s", got)
	}
}
