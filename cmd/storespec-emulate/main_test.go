package main

import (
	"bytes"
	"context"
	"net"
	"strings"
	"testing"
)

func TestExitStatus(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	for _, c := range []struct {
		name           string
		args           []string
		status         int
		stdout, stderr string // what each contains
	}{
		{"help", []string{"--help"}, 0, "--azure-blob ADDRESS", ""},
		{"unknown flag", []string{"--queue", ":1"}, 2, "",
			"flag provided but not defined: -queue\nhint: storespec-emulate --help"},
		{"argument", []string{"now"}, 2, "", `unexpected argument "now"`},
		{"account", []string{"--account", "team", "--azure-blob", ":0", "--azure-table", ":0"}, 2, "", "NAME:KEY"},
		{"port taken", []string{"--azure-blob", taken.Addr().String()}, 3, "", "address already in use"},
		{"ended", []string{"--azure-blob", ":0", "--azure-table", "", "--account", "team:a2V5", "--no-auth"}, 0,
			"AccountName=team;", "--no-auth"},
	} {
		t.Run(c.name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			cancel() // the signal comes at once
			var stdout, stderr bytes.Buffer
			status := run(ctx, c.args, &stdout, &stderr)
			if status != c.status || !strings.Contains(stdout.String(), c.stdout) ||
				!strings.Contains(stderr.String(), c.stderr) {
				t.Errorf("status %d, want %d; it wrote\n%s%s", status, c.status, &stdout, &stderr)
			}
		})
	}
}
