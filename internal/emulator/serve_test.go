package emulator

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/aztables"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob"

	"github.com/storespec/storespec/internal/emulator/azure"
	"github.com/storespec/storespec/internal/emulator/engine"
)

// served is a Serve under way.
type served struct {
	t           *testing.T
	connections []string
	kv          string // the address of the namespace of Workers KV
	dynamodb    string // the address of DynamoDB
	stderr      *bytes.Buffer
	stop        context.CancelFunc
	ended       chan error
}

// start runs Serve on free ports and waits for the line "ready".
func start(t *testing.T, change func(*ServeOptions)) *served {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	s := &served{t: t, stderr: &bytes.Buffer{}, stop: cancel, ended: make(chan error, 1)}
	read, write := io.Pipe()
	o := ServeOptions{AzureBlob: ":0", AzureTable: ":0", Stdout: write, Stderr: s.stderr}
	change(&o)
	go func() {
		err := Serve(ctx, o)
		s.ended <- err
		_ = write.CloseWithError(err)
	}()
	t.Cleanup(func() { _ = s.end() })
	var output []byte
	for chunk := make([]byte, 4096); !strings.HasSuffix(string(output), "\nready\n"); {
		n, err := read.Read(chunk)
		if err != nil {
			t.Fatalf("it ended: %v\n%s", err, output)
		}
		output = append(output, chunk[:n]...)
	}
	s.connections = regexp.MustCompile(`(?m)^DefaultEndpointsProtocol=.*$`).FindAllString(string(output), -1)
	if found := regexp.MustCompile(`AWS_ENDPOINT_URL_DYNAMODB=(\S+)`).FindStringSubmatch(string(output)); found != nil {
		s.dynamodb = found[1]
	}
	s.kv = regexp.MustCompile(`http://\S+/storage/kv/namespaces/\S+`).FindString(string(output))
	return s
}

// end ends it and returns what Serve returned.
func (s *served) end() error {
	s.stop()
	select {
	case err := <-s.ended:
		s.ended <- err
		return err
	case <-time.After(20 * time.Second):
		s.t.Fatal("it did not end")
		return nil
	}
}

// put writes a row and a blob through the SDKs; get says whether they exist.
func put(ctx context.Context, connection string) error {
	service, err := aztables.NewServiceClientFromConnectionString(connection, nil)
	if err != nil {
		return err
	}
	if _, err := service.CreateTable(ctx, "Things", nil); err != nil {
		return err
	}
	if _, err := service.NewClient("Things").UpsertEntity(ctx, []byte(`{"PartitionKey":"p","RowKey":"r","A":1}`),
		nil); err != nil {
		return err
	}
	blobs, err := azblob.NewClientFromConnectionString(connection, nil)
	if err != nil {
		return err
	}
	if _, err := blobs.CreateContainer(ctx, "box", nil); err != nil {
		return err
	}
	_, err = blobs.UploadBuffer(ctx, "box", "b", []byte("content"), nil)
	return err
}

func get(ctx context.Context, connection string) error {
	service, err := aztables.NewServiceClientFromConnectionString(connection, nil)
	if err != nil {
		return err
	}
	if _, err := service.NewClient("Things").GetEntity(ctx, "p", "r", nil); err != nil {
		return err
	}
	blobs, err := azblob.NewClientFromConnectionString(connection, nil)
	if err != nil {
		return err
	}
	answer, err := blobs.DownloadStream(ctx, "box", "b", nil)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	content, err := io.ReadAll(answer.Body)
	if string(content) != "content" && err == nil {
		err = errors.New("the blob has changed")
	}
	return err
}

func TestServesUntilItIsEnded(t *testing.T) {
	s := start(t, func(o *ServeOptions) { o.Accounts = []string{"team:a2V5"} })
	if len(s.connections) != 2 || !strings.Contains(s.connections[0], azure.DevelopmentAccount) ||
		!strings.Contains(s.connections[1], "AccountName=team;AccountKey=a2V5;BlobEndpoint=http://127.0.0.1:") {
		t.Fatalf("connection strings %q", s.connections)
	}
	for _, connection := range s.connections {
		if err := errors.Join(put(t.Context(), connection), get(t.Context(), connection)); err != nil {
			t.Errorf("%s: %v", connection, err)
		}
	}
	const caution = "storespec: keys given with --account are"
	if err := s.end(); err != nil || !strings.HasPrefix(s.stderr.String(), caution) ||
		strings.Count(s.stderr.String(), "\n") != 1 {
		t.Errorf("Serve: %v\n%s", err, s.stderr)
	}
	address := regexp.MustCompile(`TableEndpoint=http://([^/]+)`).FindStringSubmatch(s.connections[0])[1]
	if c, err := net.Dial("tcp", address); err == nil {
		c.Close()
		t.Error("the port is open after the end")
	}
}

// Whatever is wrong is found before --wipe deletes anything.
func TestNothingIsWipedByMistake(t *testing.T) {
	dir, seed := filepath.Join(t.TempDir(), "data"), filepath.Join(t.TempDir(), "seed.json")
	s := start(t, func(o *ServeOptions) { o.Data = dir })
	if err := errors.Join(put(t.Context(), s.connections[0]), s.end(),
		os.WriteFile(seed, []byte(`[{"key":"a","value":"1"},{"key":"."}]`), 0o600)); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*ServeOptions){
		"account's name":     func(o *ServeOptions) { o.Accounts = []string{"Team:a2V5"} },
		"account's key":      func(o *ServeOptions) { o.AccountList = "team:?" },
		"certificate":        func(o *ServeOptions) { o.TLSCert, o.TLSKey = "missing", "missing" },
		"key of DynamoDB":    func(o *ServeOptions) { o.DynamoDBKeys = []string{"team"} },
		"address":            func(o *ServeOptions) { o.AzureTable = "10002" },
		"an unreadable seed": func(o *ServeOptions) { o.KV, o.KVSeed = ":0", dir },
		"seed with a defect": func(o *ServeOptions) { o.KV, o.KVSeed = ":0", seed },
		"dump":               func(o *ServeOptions) { o.KV, o.KVDump = ":0", dir },
	} {
		o := ServeOptions{AzureBlob: ":0", Data: dir, Wipe: true, Stdout: io.Discard, Stderr: io.Discard}
		change(&o)
		if err := Serve(t.Context(), o); !errors.Is(err, ErrUsage) {
			t.Errorf("%s: %v", name, err)
		}
	}
	s = start(t, func(o *ServeOptions) { o.Data = dir })
	if err := get(t.Context(), s.connections[0]); err != nil {
		t.Error(err)
	}
}

// A directory that the emulator makes is its owner's alone; one that was there keeps its permissions.
func TestADataDirectoryThatOthersCanRead(t *testing.T) {
	for mode, want := range map[os.FileMode]string{0o750: "(mode 0750): close it with chmod 700", 0o700: ""} {
		dir := t.TempDir()
		if err := os.Chmod(dir, mode); err != nil {
			t.Fatal(err)
		}
		s := start(t, func(o *ServeOptions) { o.Data = dir })
		if err := s.end(); err != nil || !strings.Contains(s.stderr.String(), want) ||
			strings.Count(s.stderr.String(), "\n") != min(1, len(want)) {
			t.Errorf("%v: %v\n%s", mode, err, s.stderr)
		}
		if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != mode {
			t.Errorf("the directory has the mode %v, %v", info.Mode(), err)
		}
	}
}

func TestAPublicKeyOnAPublicAddress(t *testing.T) {
	for want, change := range map[string]func(*ServeOptions){
		"the key of devstoreaccount1 is public": func(*ServeOptions) {},
		"signatures are not checked":            func(o *ServeOptions) { o.NoAuth = true },
		"":                                      func(o *ServeOptions) { o.AccountList = "devstoreaccount1:bmV3" },
		"the access keys storespec and local are public": func(o *ServeOptions) {
			o.AzureTable, o.DynamoDB = "", "0.0.0.0:0"
		},
		"the binding of Workers KV asks for no token": func(o *ServeOptions) { o.AzureTable, o.KV = "", "0.0.0.0:0" },
	} {
		s := start(t, func(o *ServeOptions) {
			o.AzureTable, o.AzureBlob = "0.0.0.0:0", ""
			change(o)
		})
		if err := s.end(); err != nil || !strings.Contains(s.stderr.String(), want) ||
			strings.Count(s.stderr.String(), "\n") != min(1, len(want)) {
			t.Errorf("%v, want %q\n%s", err, want, s.stderr)
		}
	}
}

func TestDataSurvives(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	s := start(t, func(o *ServeOptions) { o.Data = dir })
	if err := put(t.Context(), s.connections[0]); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the data directory has the mode %v, %v", info.Mode(), err)
	}
	if err := Serve(t.Context(), ServeOptions{AzureBlob: ":0", Data: dir, Stdout: io.Discard,
		Stderr: io.Discard}); !errors.Is(err, engine.ErrLocked) {
		t.Errorf("a second one on the same directory: %v", err)
	}
	if err := s.end(); err != nil {
		t.Fatal(err)
	}
	s = start(t, func(o *ServeOptions) { o.Data = dir })
	if err := get(t.Context(), s.connections[0]); err != nil {
		t.Error(err)
	}
}

func TestNoAuthIsSaid(t *testing.T) {
	s := start(t, func(o *ServeOptions) { o.NoAuth = true })
	wrong := strings.Replace(s.connections[0], azure.DevelopmentKey, "a2V5", 1)
	if err := put(t.Context(), wrong); err != nil {
		t.Error(err)
	}
	if err := s.end(); err != nil || !strings.Contains(s.stderr.String(), "signatures are not checked (--no-auth)") {
		t.Errorf("Serve: %v\n%s", err, s.stderr)
	}
}

func TestAServiceMayBeLeftOut(t *testing.T) {
	s := start(t, func(o *ServeOptions) { o.AzureTable = "" })
	if strings.Contains(s.connections[0], "TableEndpoint") || !strings.Contains(s.connections[0], "BlobEndpoint") {
		t.Errorf("connection string %s", s.connections[0])
	}
}

// TestBlobVersioning is about the flag; the conformance suite has the rest.
func TestBlobVersioning(t *testing.T) {
	for _, on := range []bool{false, true} {
		s := start(t, func(o *ServeOptions) { o.BlobVersioning = on })
		client, err := azblob.NewClientFromConnectionString(s.connections[0], nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := client.CreateContainer(t.Context(), "box", nil); err != nil {
			t.Fatal(err)
		}
		answer, err := client.UploadBuffer(t.Context(), "box", "a", []byte("x"), nil)
		if err != nil || (answer.VersionID != nil) != on {
			t.Errorf("versioning %t: version %v, %v", on, answer.VersionID, err)
		}
		if err := s.end(); err != nil {
			t.Error(err)
		}
	}
}

func TestWhatCannotBeServed(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	foreign := t.TempDir()
	if err := os.WriteFile(filepath.Join(foreign, "letter.txt"), []byte("dear"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name  string
		o     ServeOptions
		want  string
		usage bool
	}{
		{"port taken", ServeOptions{AzureBlob: taken.Addr().String()}, "address already in use", false},
		{"no address", ServeOptions{AzureBlob: "10000"}, "--azure-blob 10000", true},
		{"no service", ServeOptions{}, "no service", true},
		{"account without Azure", ServeOptions{KV: ":0", Accounts: []string{"team:a2V5"}}, "--account and", true},
		{"key without DynamoDB", ServeOptions{KV: ":0", DynamoDBKeys: []string{"a:b"}}, "--dynamodb-key needs", true},
		{"versions, no blobs", ServeOptions{AzureTable: ":0", BlobVersioning: true}, "--blob-versioning needs", true},
		{"account without key", ServeOptions{AzureBlob: ":0", Accounts: []string{"team"}}, "NAME:KEY", true},
		{"account with three keys", ServeOptions{AzureBlob: ":0", AccountList: "team:a:b:c"}, "NAME:KEY:KEY2", true},
		{"no account file", ServeOptions{AzureBlob: ":0", AccountFile: "missing"}, "--account-file", true},
		{"account's name", ServeOptions{AzureBlob: ":0", Accounts: []string{"Team:a2V5"}}, "the name is not", true},
		{"account's key", ServeOptions{AzureBlob: ":0", Accounts: []string{"team:se cret"}}, "not base64", true},
		{"a user's directory", ServeOptions{AzureBlob: ":0", Data: foreign}, engine.ErrForeign.Error(), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.o.Stdout, c.o.Stderr = io.Discard, io.Discard
			err := Serve(t.Context(), c.o)
			if err == nil || !strings.Contains(err.Error(), c.want) || errors.Is(err, ErrUsage) != c.usage ||
				strings.Contains(err.Error(), "se cret") {
				t.Errorf("error %v", err)
			}
		})
	}
}

func TestDynamoDBIsServed(t *testing.T) {
	var printed bytes.Buffer
	ctx, cancel := context.WithCancel(t.Context())
	cancel() // it ends once it is ready
	o := ServeOptions{DynamoDB: ":0", DynamoDBKeys: []string{"team:se cret"}, Stdout: &printed, Stderr: io.Discard}
	if err := Serve(ctx, o); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"\nexport AWS_ENDPOINT_URL_DYNAMODB=http://127.0.0.1:",
		"\nexport AWS_REGION=us-east-1 AWS_ACCESS_KEY_ID=storespec",
		"access key: team\n", "\nready\n"} {
		if !strings.Contains(printed.String(), want) || strings.Contains(printed.String(), "se cret") {
			t.Errorf("%q is missing, or a secret is printed:\n%s", want, &printed)
		}
	}
	o.DynamoDBKeys = []string{"team"}
	if err := Serve(ctx, o); !errors.Is(err, ErrUsage) {
		t.Errorf("a key without a secret: %v", err)
	}
}
