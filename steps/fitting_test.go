package steps

import (
	"maps"
	"net/http"
	"strings"
	"testing"
)

func TestMappings(t *testing.T) {
	c := Connections{
		Storage: "AccountName=a;AccountKey=k", Container: "state", OpenAI: "http://o/v1", Outbox: "/out", Secret: "s",
		Account: "a", Key: "k", Tables: "https://t/a", Blobs: "https://b/a", CA: "/ca.pem",
	}
	for text, want := range map[string]string{
		"X={tables}|{blobs}|{connection}":                "https://t/a|https://b/a|AccountName=a;AccountKey=k",
		"X={account}{key}{container}":                    "akstate",
		"X={openai} {outbox} {secret} {ca} {port}":       "http://o/v1 /out s /ca.pem 7071",
		"X=UseDevelopmentStorage=true":                   "UseDevelopmentStorage=true",
		`X={"Values":{"Storage":"{connection}"}} {} {0}`: `{"Values":{"Storage":"AccountName=a;AccountKey=k"}} {} {0}`,
		"X=": "",
	} {
		m, err := ParseMapping(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got := m.expand(c, "7071"); m.Name != "X" || got != want {
			t.Errorf("%s gives %s=%s, not %s", text, m.Name, got, want)
		}
	}
	for text, want := range map[string]string{"X": "NAME={tables}", "={port}": "NAME={tables}", "X=se.cret{table}": "X: {table} is not known"} {
		if _, err := ParseMapping(text); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "se.cret") {
			t.Errorf("%s: error %v, want %q and no template", text, err, want)
		}
	}
}

func FuzzParseMapping(f *testing.F) {
	f.Add("STORE={tables}/{port}")
	f.Add("={")
	f.Fuzz(func(t *testing.T, text string) {
		m, err := ParseMapping(text)
		if err == nil && (m.Name == "" || !strings.HasPrefix(text, m.Name+"=")) {
			t.Errorf("%q has the name %q", text, m.Name)
		}
		if got := m.expand(Connections{}, ""); err == nil && !strings.Contains(text, "{") && m.Name+"="+got != text {
			t.Errorf("%q became %q", text, got)
		}
	})
}

func TestEnvironmentOfAFittedLane(t *testing.T) {
	mapping := func(text string) Mapping {
		m, err := ParseMapping(text)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	m := &LaneMaker{
		System: System{Environment: func(c Connections) map[string]string {
			return map[string]string{"STORE": c.Storage, "BOX": c.Container, "COLLECTOR": "none"}
		}},
		Fitting: Fitting{Env: []Mapping{mapping("BOX=my-{container}"), mapping("LISTEN=:{port}"), mapping("COLLECTOR=mine")}},
	}
	env := m.environment(Connections{Storage: "there", Container: "state"}, map[string]string{"COLLECTOR": "the scenario's"})
	want := map[string]string{"STORE": "there", "BOX": "my-state", "COLLECTOR": "the scenario's"}
	if got := env(""); !maps.Equal(got, want) {
		t.Errorf("without a port: %v, not %v", got, want)
	}
	want["LISTEN"] = ":7071"
	if got := env("7071"); !maps.Equal(got, want) {
		t.Errorf("at a port: %v, not %v", got, want)
	}
}

func TestThereAreNoQueues(t *testing.T) {
	server, err := startNoQueues("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	answer, err := http.Get("http://" + server.Addr + "/devstoreaccount1?comp=list")
	if err != nil {
		t.Fatal(err)
	}
	if answer.Body.Close(); answer.StatusCode != http.StatusNotImplemented {
		t.Errorf("answered %d", answer.StatusCode)
	}
	if _, err := startNoQueues(server.Addr); err == nil || !strings.Contains(err.Error(), server.Addr) {
		t.Errorf("error %v does not name the address that is taken", err)
	}
}
