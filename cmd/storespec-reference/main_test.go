package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

func TestUsage(t *testing.T) {
	for name, args := range map[string][]string{"no system": nil, "unknown system": {"nope"}, "two systems": {"familyscheduler", "familyscheduler"}} {
		var stderr bytes.Buffer
		if status := run(t.Context(), args, func(string) string { return "" }, &stderr); status != 2 || !strings.Contains(stderr.String(), "usage:") {
			t.Errorf("%s: status %d, %s", name, status, &stderr)
		}
	}
}

func TestStartErrorsNameTheVariable(t *testing.T) {
	for missing, env := range map[string]map[string]string{
		"PORT":              {},
		"MAGIC_LINK_SECRET": {"PORT": "0"},
	} {
		var stderr bytes.Buffer
		status := run(t.Context(), []string{"familyscheduler"}, func(name string) string { return env[name] }, &stderr)
		if status != 1 || !strings.Contains(stderr.String(), missing+" is not set") {
			t.Errorf("without %s: status %d, %s", missing, status, &stderr)
		}
	}
}

func TestServesUntilTheSignal(t *testing.T) {
	const connection = "DefaultEndpointsProtocol=http;AccountName=acc;AccountKey=a2V5;TableEndpoint=http://127.0.0.1:1/acc;BlobEndpoint=http://127.0.0.1:1/acc;"
	env := map[string]string{
		"PORT": "0", "AZURE_TABLES_CONNECTION_STRING": connection, "AzureWebJobsStorage": connection,
		"MAGIC_LINK_SECRET": "s", "MAGIC_LINK_OUTBOX": t.TempDir(), "BUILD_SHA": "abc",
	}
	ctx, stop := context.WithTimeout(t.Context(), 20*time.Second)
	defer stop()
	logs, stderr := io.Pipe()
	ended := make(chan int, 1)
	go func() {
		ended <- run(ctx, []string{"familyscheduler"}, func(name string) string { return env[name] }, stderr)
		_ = stderr.Close()
	}()
	lines := bufio.NewScanner(logs)
	if !lines.Scan() {
		t.Fatal("nothing was logged")
	}
	var listening struct{ Msg, Address string }
	if err := json.Unmarshal(lines.Bytes(), &listening); err != nil || listening.Msg != "listening" {
		t.Fatalf("%s: %v", lines.Text(), err)
	}
	go func() { _, _ = io.Copy(io.Discard, logs) }()
	answer, err := http.Get("http://" + listening.Address + "/api/health")
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(answer.Body)
	_ = answer.Body.Close()
	if err != nil || answer.StatusCode != http.StatusOK || !strings.Contains(string(body), `"version":"abc"`) {
		t.Errorf("health: %d %s %v", answer.StatusCode, body, err)
	}
	stop() // what a signal does
	if status := <-ended; status != 0 {
		t.Errorf("status %d", status)
	}
}
