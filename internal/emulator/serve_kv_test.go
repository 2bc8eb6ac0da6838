package emulator

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// request sends one to the REST API of an emulator's namespace, and returns the status and the answer.
func (s *served) request(method, path, body string) (int, string) {
	s.t.Helper()
	r, err := http.NewRequestWithContext(s.t.Context(), method, s.kv+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer t0ken")
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer answer.Body.Close()
	content, err := io.ReadAll(answer.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return answer.StatusCode, string(content)
}

// startKV is start with Workers KV alone.
func startKV(t *testing.T, change func(*ServeOptions)) *served {
	t.Helper()
	return start(t, func(o *ServeOptions) {
		o.AzureBlob, o.AzureTable, o.KV, o.KVToken = "", "", ":0", "t0ken"
		if change != nil {
			change(o)
		}
	})
}

// What was dumped at the end exists after a start with it: bytes, metadata, expiration.
func TestADumpIsASeed(t *testing.T) {
	file := filepath.Join(t.TempDir(), "new", "pairs.json")
	s := startKV(t, func(o *ServeOptions) { o.KVDump = file })
	at := time.Now().Unix() + 3600
	body, err := json.Marshal([]map[string]any{
		{"key": "text", "value": "ü<&>\n", "metadata": map[string]any{"n": []int{1}}},
		{"key": "bytes", "value": "/wA=", "base64": true, "expiration": at},
		{"key": "a/b", "value": ""},
	})
	if err != nil {
		t.Fatal(err)
	}
	if status, answer := s.request("PUT", "/bulk", string(body)); status != 200 {
		t.Fatal(status, answer)
	}
	if err := s.end(); err != nil {
		t.Fatal(err)
	}
	first, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var pairs []map[string]any
	if err := json.Unmarshal(first, &pairs); err != nil || len(pairs) != 3 {
		t.Fatalf("%v\n%s", err, first)
	}
	s = startKV(t, func(o *ServeOptions) { o.KVSeed, o.KVDump = file, file })
	for path, want := range map[string]string{"/values/text": "ü<&>\n", "/values/bytes": "\xff\x00",
		"/values/a%2Fb": ""} {
		if status, answer := s.request("GET", path, ""); status != 200 || answer != want {
			t.Errorf("%s: %d %q", path, status, answer)
		}
	}
	if _, answer := s.request("GET", "/metadata/text", ""); !strings.Contains(answer, `"result":{"n":[1]}`) {
		t.Error(answer)
	}
	if err := s.end(); err != nil {
		t.Fatal(err)
	}
	if again, err := os.ReadFile(file); err != nil || !bytes.Equal(again, first) {
		t.Errorf("%v\n%s\nis not\n%s", err, again, first)
	}
}

func TestAnEmptyNamespaceIsDumped(t *testing.T) {
	file := filepath.Join(t.TempDir(), "pairs.json")
	seed := filepath.Join(t.TempDir(), "seed.json")
	if err := os.WriteFile(seed, []byte(`[{"key":"gone","value":"","expiration":1}]`), 0o644); err != nil {
		t.Fatal(err)
	}
	s := startKV(t, func(o *ServeOptions) { o.KVSeed, o.KVDump = seed, file })
	if err := s.end(); err != nil {
		t.Fatal(err)
	}
	if content, err := os.ReadFile(file); err != nil || string(content) != "[]\n" {
		t.Errorf("%v: %q", err, content)
	}
}

func TestSeedsThatCannotBeRead(t *testing.T) {
	dir := t.TempDir()
	for content, want := range map[string]string{
		`{}`: "want [{", `[] []`: "more than one", `[{"key":"a","value":"1"},{"key":"."}]`: "pair 2: Illegal key name",
		`[{"key":"a","value":"_","base64":true}]`: "pair 1: a value is not base64",
		`[{"key":"a","expiration":-1}]`:           "pair 1: Invalid expiration",
	} {
		file := filepath.Join(dir, "seed.json")
		if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		err := Serve(t.Context(), ServeOptions{KV: ":0", KVSeed: file, Stdout: io.Discard, Stderr: io.Discard})
		if !errors.Is(err, ErrUsage) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", content, err)
		}
	}
	for _, o := range []ServeOptions{{KV: ":0", KVDump: dir}, {AzureBlob: ":0", KVDump: "x"}, {KV: ":0", KVLag: -1}} {
		o.Stdout, o.Stderr = io.Discard, io.Discard
		if err := Serve(t.Context(), o); !errors.Is(err, ErrUsage) {
			t.Errorf("%+v: %v", o, err)
		}
	}
}
