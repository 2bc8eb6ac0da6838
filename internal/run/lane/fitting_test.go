package lane

import (
	"maps"
	"slices"
	"testing"

	"github.com/storespec/storespec/internal/run/system"
)

func TestEnvironmentOfAFittedLane(t *testing.T) {
	mapping := func(text string) system.Mapping {
		m, err := system.ParseMapping(text, []string{"connection", "container", "port", "tables"})
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	m := &Maker{
		System: system.System{Env: []system.Mapping{mapping("STORE={connection}"), mapping("BOX={container}"),
			mapping("COLLECTOR=none")}},
		Fitting: Fitting{Env: []system.Mapping{mapping("BOX=my-{container}"), mapping("LISTEN=:{port}"),
			mapping("COLLECTOR=mine")}},
	}
	values := map[string]string{"connection": "there", "container": "state", "tables": "there/too"}
	l := &Lane{more: map[string]string{"COLLECTOR": "the scenario's"}}
	env := m.environment(l, values)
	want := map[string]string{"STORE": "there", "BOX": "my-state", "COLLECTOR": "the scenario's"}
	if got := env(""); !maps.Equal(got, want) {
		t.Errorf("without a port: %v, not %v", got, want)
	}
	want["LISTEN"] = ":7071"
	if got := env("7071"); !maps.Equal(got, want) {
		t.Errorf("at a port: %v, not %v", got, want)
	}

	l.added, l.withheld = []system.Mapping{mapping("TABLES={tables}")}, []string{"connection"}
	l.unset = []string{"LISTEN", "TENANT"}
	delete(want, "STORE")
	delete(want, "LISTEN")
	want["TABLES"] = "there/too"
	if got := m.environment(l, values)("7071"); !maps.Equal(got, want) {
		t.Errorf("with some values withheld and another added: %v, not %v", got, want)
	}
	if got := slices.Sorted(slices.Values(m.unset(l))); !slices.Equal(got, []string{"LISTEN", "STORE", "TENANT"}) {
		t.Errorf("not set are %v", got)
	}

	m.Env = append(m.Env, mapping("STORE={tables}")) // without the value that is withheld
	want["STORE"] = "there/too"
	if got := m.environment(l, values)("7071"); !maps.Equal(got, want) || slices.Contains(m.unset(l), "STORE") {
		t.Errorf("overridden by another value: %v, not %v; not set are %v", got, want, m.unset(l))
	}
}
