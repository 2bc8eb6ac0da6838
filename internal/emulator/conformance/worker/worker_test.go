package worker

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/storespec/storespec/internal/emulator/conformance/programs"
)

// differences are the cases in which the emulator deliberately answers otherwise than miniflare, each with its source.
func differences() map[string]string {
	return map[string]string{
		// Cloudflare's document "Read key-value pairs": cacheTtl is at least 30 since January 2026; both refuse 10.
		"cursor": "a cursor that was not issued by the list is refused with 400; miniflare lists from there",
	}
}

func TestMiniflareAnswersTheSame(t *testing.T) {
	modules := programs.Install(t, "workers")
	ours, theirs := onWorkerd(t, modules, binding(t)), onMiniflare(t, modules)
	if len(theirs) < 25 {
		t.Fatalf("miniflare answered %d cases", len(theirs))
	}
	for name, answer := range theirs {
		_, known := differences()[name]
		switch same := reflect.DeepEqual(ours[name], answer); {
		case !same && !known:
			t.Errorf("%s: ours is %v, miniflare's %v", name, ours[name], answer)
		case same && known:
			t.Errorf("%s: both answer %v now: take it out of the differences", name, answer)
		}
	}
}

// TestCloudflaresClient runs rest.mjs, Cloudflare's JavaScript client of the REST API, against storespec-emulate.
func TestCloudflaresClient(t *testing.T) {
	modules := programs.Install(t, "workers")
	at := regexp.MustCompile(`(http://\S+/client/v4)/accounts/(\S+)/storage/kv/namespaces/(\S+)`).FindStringSubmatch(
		programs.Emulate(t, "--kv", ":0", "--kv-token", "t0ken"))
	if at == nil {
		t.Fatal("storespec-emulate says no address of its REST API")
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "node", "rest.mjs", modules, at[1], "t0ken", at[2], at[3])
	if output, err := cmd.CombinedOutput(); err != nil || string(output) != "ok\n" {
		t.Errorf("%v\n%s", err, output)
	}
}

// onMiniflare runs the cases on miniflare's own KV.
func onMiniflare(t *testing.T, modules string) map[string]any {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "node", "miniflare.mjs", modules)
	var complaints strings.Builder
	cmd.Stderr = &complaints
	output, err := cmd.Output()
	if err != nil {
		t.Fatalf("miniflare: %v\n%s", err, &complaints)
	}
	return answers(t, output)
}

func answers(t *testing.T, output []byte) (found map[string]any) {
	t.Helper()
	if err := json.Unmarshal(output, &found); err != nil {
		t.Fatalf("%v: %.300s", err, output)
	}
	return found
}

// onWorkerd runs them on workerd, whose binding leads to an address.
func onWorkerd(t *testing.T, modules, kv string) map[string]any {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(modules, "@cloudflare", "workerd-*", "bin", "workerd*"))
	if err != nil || len(found) != 1 {
		t.Fatalf("workerd in %s: %v, %v", modules, found, err)
	}
	socket := freeAddress(t)
	cmd := exec.Command(found[0], "serve", "config.capnp", "--socket-addr=http="+socket, "--external-addr=kv="+kv)
	var complaints strings.Builder
	cmd.Stderr = &complaints
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	client := http.Client{Timeout: 30 * time.Second}
	for until := time.Now().Add(20 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		res, err := client.Get("http://" + socket + "/")
		if err != nil && time.Now().Before(until) && strings.Contains(err.Error(), "connection refused") {
			continue
		}
		if err != nil {
			t.Fatalf("workerd: %v\n%s", err, &complaints)
		}
		defer res.Body.Close()
		output, err := io.ReadAll(res.Body)
		if err != nil {
			t.Fatal(err)
		}
		return answers(t, output)
	}
}

func freeAddress(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().String()
}

// binding returns the address of the binding of a fresh emulator.
func binding(t *testing.T) string {
	t.Helper()
	_, rest, found := strings.Cut(programs.Emulate(t, "--kv", ":0"), `(address = "`)
	address, _, _ := strings.Cut(rest, `"`)
	if !found {
		t.Fatal("storespec-emulate says no address of a binding")
	}
	return address
}
