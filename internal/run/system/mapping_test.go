package system

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

func TestMappings(t *testing.T) {
	values := map[string]string{
		"connection": "AccountName=a;AccountKey=k", "container": "state", "openai": "http://o/v1", "outbox": "/out",
		"secret": "s", "account": "a", "key": "k", "tables": "https://t/a", "blobs": "https://b/a", "ca": "/ca.pem",
	}
	known := append(slices.Collect(maps.Keys(values)), "port")
	for text, want := range map[string]string{
		"X={tables}|{blobs}|{connection}":                "https://t/a|https://b/a|AccountName=a;AccountKey=k",
		"X={account}{key}{container}":                    "akstate",
		"X={openai} {outbox} {secret} {ca} {port}":       "http://o/v1 /out s /ca.pem 7071",
		"X=UseDevelopmentStorage=true":                   "UseDevelopmentStorage=true",
		`X={"Values":{"Storage":"{connection}"}} {} {0}`: `{"Values":{"Storage":"AccountName=a;AccountKey=k"}} {} {0}`,
		"X=": "",
	} {
		m, err := ParseMapping(text, known)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got := Expand([]Mapping{m}, values, "7071")["X"]; m.Name != "X" || got != want {
			t.Errorf("%s gives %s=%s, not %s", text, m.Name, got, want)
		}
	}
	for text, want := range map[string]string{"X": "want NAME=TEMPLATE", "={port}": "STORAGE_URL={tables}",
		"X=se.cret{table}": "X: {table} is not known"} {
		if _, err := ParseMapping(text, known); err == nil || !strings.Contains(err.Error(), want) ||
			strings.Contains(err.Error(), "se.cret") {
			t.Errorf("%s: error %v, want %q and no template", text, err, want)
		}
	}
}

func FuzzParseMapping(f *testing.F) {
	f.Add("STORE={tables}/{port}")
	f.Add("={")
	f.Fuzz(func(t *testing.T, text string) {
		m, err := ParseMapping(text, []string{"port"})
		if err == nil && (m.Name == "" || !strings.HasPrefix(text, m.Name+"=")) {
			t.Errorf("%q has the name %q", text, m.Name)
		}
		if got := m.Fill(nil); err == nil && !strings.Contains(text, "{") && m.Name+"="+got != text {
			t.Errorf("%q became %q", text, got)
		}
	})
}
