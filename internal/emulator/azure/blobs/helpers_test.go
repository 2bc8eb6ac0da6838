package blobs_test

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/container"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/service"

	"github.com/storespec/storespec/internal/emulator/azure"
	"github.com/storespec/storespec/internal/emulator/azure/blobs"
	"github.com/storespec/storespec/internal/emulator/engine"
)

// emulator is a blob service behind its front on loopback, with a clock that tests move.
type emulator struct {
	engine  *engine.Engine
	account *azure.Account
	server  *httptest.Server

	mu    sync.Mutex
	ahead time.Duration
}

// start serves an engine. Without options it is one in memory.
func start(t testing.TB, options engine.Options, noAuth bool) *emulator {
	t.Helper()
	return startWith(t, options, noAuth, false)
}

// startWith is start with a choice whether blobs have versions.
func startWith(t testing.TB, options engine.Options, noAuth, versioning bool) *emulator {
	t.Helper()
	e, err := engine.Open(options)
	if err != nil {
		t.Fatal(err)
	}
	accounts := azure.NewAccounts(e)
	account, err := accounts.Add(azure.DevelopmentAccount, azure.DevelopmentKey)
	if err != nil {
		t.Fatal(err)
	}
	m := &emulator{engine: e, account: account}
	s := blobs.New(blobs.Options{
		ServiceOptions: azure.ServiceOptions{Engine: e, Now: m.now, Log: t.Logf}, Versioning: versioning})
	front := azure.NewFront(azure.Options{
		Service: azure.Blob, Accounts: accounts, NoAuth: noAuth, Now: m.now, Policies: s.Policies, Public: s.Public,
		Log: func(format string, args ...any) { t.Errorf(format, args...) },
	}, s.Serve)
	m.server = httptest.NewServer(front)
	t.Cleanup(m.stop)
	return m
}

func (m *emulator) now() time.Time {
	m.mu.Lock()
	defer m.mu.Unlock()
	return time.Now().Add(m.ahead)
}

// advance moves the emulator's clock.
func (m *emulator) advance(d time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.ahead += d
}

func (m *emulator) stop() {
	if m.server == nil {
		return
	}
	m.server.Close()
	m.server = nil
	_ = m.engine.Close() // tests that care close it themselves
}

func (m *emulator) url() string { return m.server.URL + "/" + azure.DevelopmentAccount }

// client is the official SDK's, which does not retry: a failure is to be seen.
func (m *emulator) client(t testing.TB) *service.Client {
	t.Helper()
	cred, err := service.NewSharedKeyCredential(azure.DevelopmentAccount, azure.DevelopmentKey)
	if err != nil {
		t.Fatal(err)
	}
	c, err := service.NewClientWithSharedKeyCredential(m.url(), cred, &service.ClientOptions{
		ClientOptions: policy.ClientOptions{Retry: policy.RetryOptions{MaxRetries: -1}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// container makes a container and gives its client.
func (m *emulator) container(t testing.TB, name string) *container.Client {
	t.Helper()
	c := m.client(t).NewContainerClient(name)
	if _, err := c.Create(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	return c
}

// answer is what a raw request was answered with.
type answer struct {
	status int
	header http.Header
	body   string
}

// raw sends a request that no SDK would send. The emulator must run without authentication.
// Headers are given as "Name: value".
func (m *emulator) raw(t testing.TB, method, target, body string, headers ...string) answer {
	t.Helper()
	return m.rawBody(t, method, target, strings.NewReader(body), headers)
}

// rawReader is raw with a body whose length is not known.
func (m *emulator) rawReader(t testing.TB, method, target string, body io.Reader, headers ...string) answer {
	t.Helper()
	return m.rawBody(t, method, target, struct{ io.Reader }{body}, headers)
}

func (m *emulator) rawBody(t testing.TB, method, target string, body io.Reader, headers []string) answer {
	t.Helper()
	r, err := http.NewRequest(method, m.url()+target, body)
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ":")
		r.Header.Set(name, strings.TrimSpace(value))
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatalf("%s %s: %v", method, target, err)
	}
	defer res.Body.Close()
	data := must[[]byte](t)(io.ReadAll(res.Body))
	return answer{res.StatusCode, res.Header, string(data)}
}

// want checks a status and the code of an error; empty: there must be none.
func (a answer) want(t testing.TB, status int, code string) answer {
	t.Helper()
	if a.status != status || a.header.Get("x-ms-error-code") != code {
		t.Fatalf("answer %d %s, want %d %s\n%s", a.status, a.header.Get("x-ms-error-code"), status, code, a.body)
	}
	if code != "" && a.body != "" {
		var e struct {
			XMLName       xml.Name `xml:"Error"`
			Code, Message string
		}
		if err := xml.Unmarshal([]byte(a.body), &e); err != nil || e.Code != code || e.Message == "" {
			t.Fatalf("the error's body is not Azure's: %v\n%s", err, a.body)
		}
	}
	return a
}

// wantCode checks the code of an SDK's error; empty: there is none.
func wantCode(t testing.TB, err error, code string) {
	t.Helper()
	got := ""
	var re *azcore.ResponseError
	if errors.As(err, &re) {
		got = re.ErrorCode
	} else if err != nil {
		t.Fatalf("error %v, want code %q", err, code)
	}
	if got != code {
		t.Fatalf("code %q, want %q: %v", got, code, err)
	}
}

func must[T any](t testing.TB) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// readSeekCloser makes a body for the SDK.
func bodyOf(data []byte) io.ReadSeekCloser { return nopCloser{bytes.NewReader(data)} }

type nopCloser struct{ *bytes.Reader }

func (nopCloser) Close() error { return nil }
