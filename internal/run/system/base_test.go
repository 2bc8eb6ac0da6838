package system

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/storespec/storespec/internal/source"
)

// onBase reads a description that can build on the design of the description whole, which is called ours.
func onBase(t *testing.T, description string) (s, base System, err error) {
	t.Helper()
	files := fstest.MapFS{"ours/" + File: {Data: []byte(whole)}, "more/" + File: {Data: []byte(description)},
		"api.yaml": {Data: []byte("openapi: 3.1.0\ninfo: {title: T, version: v}\npaths: {}\n")},
		"t.json":   {Data: []byte("{}")}}
	base, err = offers().Read(files, "", "ours")
	if err != nil {
		t.Fatal(err)
	}
	s, err = offers().Read(files, "", "more", base)
	return s, base, err
}

func TestABaseAlone(t *testing.T) {
	s, base, err := onBase(t, "base: ours\n")
	if err != nil || s.Name != "more" || s.Base != "ours" {
		t.Fatalf("read %+v: %v", s, err)
	}
	s.Name, s.Base = base.Name, ""
	if diff := cmp.Diff(plain(base), plain(s)); diff != "" {
		t.Errorf("read (-base +got):\n%s", diff)
	}
}

// plain is a design without what cannot be compared.
func plain(s System) System {
	s.IDs, s.Env, s.People, s.SecretBlobs, s.NotInKeys = nil, nil, nil, nil, nil
	s.Capabilities = slices.Clone(s.Capabilities)
	for i := range s.Capabilities {
		s.Capabilities[i].Shown = nil
	}
	return s
}

func TestWhatIsSaidBesideABase(t *testing.T) {
	s, base, err := onBase(t, `base: ours
ready: /ready
contract: ../api.yaml
environment: {LISTEN: "{port}", MAIL: "{mail}", OPENAI: "{openai}"}
person-headers: {X-Role: member}
session: {cookie: more}
names: {notes: N, lists: L}
companions: [outbox, openai]
services: [mail]
shared-tables: [Counts, Days]
secret-names: [links]
tables: [../t.json]
tags: [slow, hot]
capabilities: {search: another way, sort: by time}
`)
	if err != nil {
		t.Fatal(err)
	}
	env := map[string]string{}
	for _, m := range s.Env {
		env[m.Name] += m.Fill(map[string]string{"base-url": "U", "port": "1", "mail": "M", "openai": "O"})
	}
	want := map[string]string{"STORAGE": "U", "LISTEN": "1", "MAIL": "M", "OPENAI": "O"}
	if diff := cmp.Diff(want, env); diff != "" {
		t.Errorf("the environment (-want +got):\n%s", diff)
	}
	if len(s.People) != 2 || len(base.People) != 1 || len(base.Env) != 2 || base.Env[1].Uses("mail") {
		t.Errorf("headers %v; of the base %v, environment %v", s.People, base.People, base.Env)
	}
	if got := s.SecretBlobs.ReplaceAllString("box/links/a box/sessions/b", "$1/…"); got !=
		"box/links/… box/sessions/…" {
		t.Errorf("of secret names is left %q", got)
	}
	got := plain(s)
	change := plain(base)
	change.Name, change.Base, change.Ready, change.Contract = "more", "ours", "/ready", s.Contract
	change.Reference = "" // it follows the base's contract
	change.Session.Cookie, change.Names = "more", map[string]string{"notes": "N", "lists": "L"}
	change.Companions, change.Services = []string{"outbox", "openai"}, []string{"mail"}
	change.Shared, change.Tables = append(slices.Clone(base.Shared), "Days"), [][]byte{[]byte("{}")}
	change.Tags = append(slices.Clone(base.Tags), "hot", "needs-sort")
	change.Capabilities = []Capability{base.Capabilities[1], {Name: "search", Description: "another way"},
		{Name: "sort", Description: "by time"}}
	change.Capabilities[0].Shown = nil
	if diff := cmp.Diff(change, got); diff != "" || !strings.HasPrefix(string(s.Contract), "openapi") {
		t.Errorf("read (-want +got):\n%s", diff)
	}
	if base.Names["notes"] != "Notes2024" || len(base.Capabilities) != 2 || len(base.Shared) != 3 {
		t.Errorf("the base has changed: %+v", base)
	}
}

func TestAReferenceServerIsKeptWhereItIsNamed(t *testing.T) {
	s, base, err := onBase(t, "base: ours\ncontract: ../api.yaml\nreference: ours\nstore: kv\n")
	if err != nil || s.Reference != "ours" || slices.Equal(s.Contract, base.Contract) {
		t.Errorf("read %+v: %v", s, err)
	}
}

func TestMistakesBesideABase(t *testing.T) {
	for _, test := range []struct {
		name, description string
		want              []string
	}{
		{"a misspelt base", "base: oures\nenvironment: {A: '{endpoint}'}\n",
			[]string{":1: base must be the name of a built-in design: ours; did you mean ours?"}},
		{"a list", "base: [ours]\n", []string{":1: base must be the name of a built-in design: ours"}},
		{"nothing", "base:\n", []string{":1: base must be the name of a built-in design: ours"}},
		{"another store", "base: ours\nstore: azure\n",
			[]string{":2: store is that of the base, ours, and cannot be another: leave it out"}},
		{"another reference", "reference: theirs\nbase: ours\n",
			[]string{":1: reference is that of the base, ours, and cannot be another: leave it out"}},
		{"no contract", "base: ours\ncontract: api.yaml\n",
			[]string{":2: contract: more/api.yaml: the contract cannot be read: file does not exist"}},
		{"an unknown placeholder", "base: ours\nenvironment: {A: '{openai}'}\n",
			[]string{":2: environment: A: {openai} is not known; known: {base-url}, {ca}, {container}, {outbox}, " +
				"{port}, {secret}, {storage-try-timeout}"}},
		{"nowhere to find the store", "base: ours\nenvironment: {STORAGE: nowhere}\n",
			[]string{":2: no variable of environment tells the server where its store is: one must hold {base-url}"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			s, _, err := onBase(t, test.description)
			found, rest := source.All(err)
			var got []string
			for _, one := range found {
				got = append(got, column.ReplaceAllString(strings.TrimPrefix(one.Error(), "more/"+File), "$1"))
			}
			if diff := cmp.Diff(test.want, got); diff != "" || rest != nil {
				t.Errorf("reported (-want +got):\n%s%v", diff, rest)
			}
			if unknown := s.Base == ""; unknown != (s.Store == "") {
				t.Errorf("read %+v", s)
			}
		})
	}
	if _, err := read("base: ours\n", ""); err == nil {
		t.Error("a design that is built in builds on another one")
	}
}

func TestADesignKnowsTheStepsOfItsBase(t *testing.T) {
	s := System{Name: "more", Base: "ours", Store: "kv"}
	for of, want := range map[string]bool{"": true, "more": true, "ours": true, "theirs": false} {
		if s.Knows(of) != want {
			t.Errorf("steps of %q: %v", of, !want)
		}
	}
	if !(System{Name: "more"}).Knows("ours") {
		t.Error("what could not be read knows nothing")
	}
}
