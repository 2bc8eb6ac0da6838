package wire_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/storespec/storespec/internal/wire"
	"github.com/storespec/storespec/internal/wire/azure"
	"github.com/storespec/storespec/internal/wire/wiretest"
)

// pointRead is a call on a row of table T.
func pointRead(row string) wiretest.Exchange {
	return wiretest.Exchange{Protocol: azure.Tables{}, Method: "GET", Target: "/acc/T(PartitionKey='p',RowKey='" + row +
		"')",
		Answer: "{}"}
}

func insert(row string, status int) wiretest.Exchange {
	return wiretest.Exchange{Protocol: azure.Tables{}, Method: "POST", Target: "/acc/T",
		Body: `{"PartitionKey":"p","RowKey":"` + row +
			`"}`, Status: status}
}

// during gives a context that ends when the test would otherwise hang.
func during(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	t.Cleanup(cancel)
	return ctx
}

// receive waits for a value with a deadline.
func receive[T any](t *testing.T, from <-chan T) T {
	t.Helper()
	select {
	case v := <-from:
		return v
	case <-during(t).Done():
		t.Fatal("nothing came in time")
		panic("unreachable")
	}
}

func TestCallsBelongToTheLastRequest(t *testing.T) {
	rec := wire.NewRecorder()
	pointRead("before").Through(t, rec)
	first := rec.Begin("GET /first")
	pointRead("1").Through(t, rec)
	pointRead("2").Through(t, rec)
	first.End()
	first.End()
	pointRead("late").Through(t, rec)
	second := rec.Begin("GET /second")
	pointRead("3").Through(t, rec)

	got := ""
	for _, c := range rec.Calls() {
		got += fmt.Sprintf("%s:%d:%v ", c.Key[1], c.Request, c.Late)
	}
	if want := "before:0:false 1:1:false 2:1:false late:1:true 3:2:false "; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if len(first.Calls()) != 3 || len(second.Calls()) != 1 || second.Calls()[0].Key[1] != "3" {
		t.Errorf("first %v, second %v", first.Calls(), second.Calls())
	}
	if first.Number() != 1 || second.Number() != 2 || second.Name() != "GET /second" {
		t.Errorf("numbers %d, %d, name %s", first.Number(), second.Number(), second.Name())
	}

	rec.Reset()
	if len(rec.Calls()) != 0 || len(first.Calls()) != 0 || rec.Attributed().Sum() != 5 {
		t.Errorf("after Reset: %d calls, total %d", len(rec.Calls()), rec.Attributed().Sum())
	}
	pointRead("4").Through(t, rec)
	if calls := rec.Calls(); len(calls) != 1 || calls[0].Request != 0 || rec.Begin("").Number() != 1 {
		t.Errorf("a call after Reset: %+v", calls)
	}
}

func TestCallInFlight(t *testing.T) {
	rec := wire.NewRecorder()
	request := rec.Begin("x")
	entered, release := make(chan struct{}), make(chan struct{})
	server := httptest.NewServer(rec.Handler(azure.Tables{}, http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		entered <- struct{}{}
		<-release
	})))
	defer server.Close()
	done := make(chan error, 1)
	go func() {
		res, err := http.Get(server.URL + "/acc/T(PartitionKey='p',RowKey='r')")
		if err == nil {
			err = res.Body.Close()
		}
		done <- err
	}()
	receive(t, entered)
	if calls := request.Calls(); len(calls) != 1 || calls[0].Class != azure.PointRead || calls[0].Key[1] != "r" ||
		calls[0].Status != 0 || calls[0].Attempts != 1 {
		t.Errorf("in flight: %+v", calls)
	}

	short, cancel := context.WithCancel(t.Context())
	settled := make(chan error, 1)
	go func() { settled <- rec.Settle(short) }()
	cancel()
	if err := receive(t, settled); !errors.Is(err, context.Canceled) {
		t.Errorf("settled with a call in flight: %v", err)
	}
	go func() { settled <- rec.Settle(during(t)) }()
	close(release)
	if err := receive(t, settled); err != nil {
		t.Error(err)
	}
	if err := receive(t, done); err != nil {
		t.Error(err)
	}
	if calls := request.Calls(); calls[0].Status != 200 || calls[0].Duration <= 0 {
		t.Errorf("answered: %+v", calls)
	}
}

func TestSettleWaitsForQuiet(t *testing.T) {
	rec := wire.NewRecorder()
	if err := rec.Settle(during(t)); err != nil {
		t.Error(err)
	}
	request := rec.Begin("x")
	pointRead("a").Through(t, rec)
	before := time.Now()
	request.End()
	if err := rec.Settle(during(t)); err != nil {
		t.Error(err)
	}
	if waited := time.Since(before); waited < wire.QuietTime {
		t.Errorf("settled after %v, before it could know", waited)
	}
}

func TestNoAnswer(t *testing.T) {
	hang := func(w http.ResponseWriter, r *http.Request) { panic(http.ErrAbortHandler) }
	half := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"value":[{},`)
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	}
	hijack := func(w http.ResponseWriter, r *http.Request) {
		conn, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		_ = conn.Close()
	}
	for name, handler := range map[string]http.HandlerFunc{"aborted": hang, "cut off": half, "hijacked": hijack} {
		t.Run(name, func(t *testing.T) {
			rec := wire.NewRecorder()
			server := httptest.NewServer(rec.Handler(azure.Tables{}, handler))
			defer server.Close()
			res, err := http.Post(server.URL+"/acc/T", "application/json", strings.NewReader(`{"PartitionKey":"p"}`))
			if err == nil {
				_, err = io.ReadAll(res.Body)
				_ = res.Body.Close()
			}
			if err == nil {
				t.Error("the client got a whole answer")
			}
			if err := rec.Settle(during(t)); err != nil {
				t.Fatal(err)
			}
			if calls := rec.Calls(); len(calls) != 1 || calls[0].Status != 0 || calls[0].Class != azure.Insert {
				t.Errorf("%+v", calls)
			}
		})
	}
	t.Run("another panic goes on too", func(t *testing.T) {
		rec := wire.NewRecorder()
		defer func() {
			if p := recover(); p != "boom" {
				t.Errorf("recovered %v", p)
			}
			if calls := rec.Calls(); len(calls) != 1 || calls[0].Status != 0 {
				t.Errorf("%+v", calls)
			}
		}()
		rec.Handler(azure.Tables{}, http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("boom") })).
			ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/acc/T", nil))
	})
}

func TestClientHangsUp(t *testing.T) {
	rec := wire.NewRecorder()
	entered, gone := make(chan struct{}, 2), make(chan struct{}, 2)
	server := httptest.NewServer(rec.Handler(azure.Tables{},
		http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			if r.Header.Get("X-Hold") != "" {
				entered <- struct{}{}
				<-r.Context().Done()
				gone <- struct{}{}
			}
			w.WriteHeader(http.StatusNoContent) // the store has done its work, whoever listens
		})))
	defer server.Close()
	send := func(ctx context.Context, hold string) error {
		req, err := http.NewRequestWithContext(ctx, "POST", server.URL+"/acc/T",
			strings.NewReader(`{"PartitionKey":"p","RowKey":"a"}`))
		if err != nil {
			return err
		}
		req.Header.Set("X-Hold", hold)
		res, err := http.DefaultClient.Do(req)
		if err == nil {
			err = res.Body.Close()
		}
		return err
	}
	ctx, cancel := context.WithCancel(t.Context())
	failed := make(chan error, 1)
	go func() { failed <- send(ctx, "1") }()
	receive(t, entered)
	cancel()
	if err := receive(t, failed); err == nil {
		t.Error("the first attempt was answered")
	}
	receive(t, gone)
	if err := rec.Settle(during(t)); err != nil {
		t.Fatal(err)
	}
	if err := send(t.Context(), ""); err != nil {
		t.Fatal(err)
	}
	if err := rec.Settle(during(t)); err != nil {
		t.Fatal(err)
	}
	if got := summary(rec.Calls()); got != "a:204:2" {
		t.Errorf("got %s", got)
	}
}

func TestClientClosesAfterTheAnswer(t *testing.T) {
	rec := wire.NewRecorder()
	server := httptest.NewServer(rec.Handler(azure.Tables{},
		http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", "2")
			_, _ = io.WriteString(w, "{}")
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done() // a handler that takes its time to return
		})))
	defer server.Close()
	for range 2 {
		transport := &http.Transport{DisableKeepAlives: true}
		res, err := (&http.Client{Transport: transport}).Get(server.URL + "/acc/T(PartitionKey='p',RowKey='a')")
		if err != nil {
			t.Fatal(err)
		}
		if body, err := io.ReadAll(res.Body); err != nil || string(body) != "{}" {
			t.Errorf("read %q, %v", body, err)
		}
		_ = res.Body.Close()
		if err := rec.Settle(during(t)); err != nil {
			t.Fatal(err)
		}
	}
	if got := summary(rec.Calls()); got != "a:200:1 a:200:1" {
		t.Errorf("a second call was taken for a retry of an answered one: %s", got)
	}
}

func TestAnswersStream(t *testing.T) {
	rec := wire.NewRecorder()
	next := make(chan struct{})
	server := httptest.NewServer(rec.Handler(azure.Tables{},
		http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			for _, piece := range []string{`{"value":[{"a":1}`, `,{"a":2}`, `]}`} {
				_, _ = io.WriteString(w, piece)
				w.(http.Flusher).Flush()
				<-next
			}
		})))
	defer server.Close()
	res, err := http.Get(server.URL + "/acc/T()")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	for _, piece := range []string{`{"value":[{"a":1}`, `,{"a":2}`, `]}`} {
		got := make([]byte, len(piece))
		if _, err := io.ReadFull(res.Body, got); err != nil || string(got) != piece {
			t.Fatalf("read %q, %v", got, err)
		}
		next <- struct{}{}
	}
	if _, err := io.ReadAll(res.Body); err != nil {
		t.Error(err)
	}
	if err := rec.Settle(during(t)); err != nil {
		t.Fatal(err)
	}
	if calls := rec.Calls(); len(calls) != 1 || calls[0].Entities != 2 || calls[0].ResponseBytes != 27 {
		t.Errorf("%+v", calls)
	}
}

func TestHandlerLeavesTheRequestAsItIs(t *testing.T) {
	req := httptest.NewRequest("POST", "/acc/T", strings.NewReader("{}"))
	body := req.Body
	wire.NewRecorder().Handler(azure.Tables{}, http.NotFoundHandler()).ServeHTTP(httptest.NewRecorder(), req)
	if req.Body != body {
		t.Error("the request's body was replaced")
	}
}

func TestProvisionalStatus(t *testing.T) {
	rec := wire.NewRecorder()
	rec.Handler(azure.Tables{}, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusEarlyHints)
		w.WriteHeader(http.StatusTeapot)
		w.WriteHeader(http.StatusOK)
	})).ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/acc/T", nil))
	if calls := rec.Calls(); calls[0].Status != http.StatusTeapot {
		t.Errorf("status %d", calls[0].Status)
	}
}

func TestRecorderUnderConcurrency(t *testing.T) {
	const workers, each = 8, 50
	rec := wire.NewRecorder()
	stop := make(chan struct{})
	var readers, writers sync.WaitGroup
	readers.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
				_ = rec.Calls()
				rec.Begin("x").End()
			}
		}
	})
	for w := range workers {
		writers.Go(func() {
			for i := range each {
				insert(fmt.Sprintf("%d-%d", w, i), 204).Through(t, rec)
			}
		})
	}
	writers.Wait()
	close(stop)
	readers.Wait()
	if err := rec.Settle(during(t)); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, c := range rec.Calls() {
		if c.Status != 204 || c.Key[0] != "p" || c.RequestBytes == 0 {
			t.Fatalf("%+v", c)
		}
		seen[c.Key[1]] = true
	}
	if len(seen) != workers*each || rec.Attributed().Sum() != workers*each {
		t.Errorf("%d rows, total %d", len(seen), rec.Attributed().Sum())
	}
}

// A listener hears of each exchange once it has ended, retries one by one, with what body and answer said.
func TestListenerHearsOfEveryExchange(t *testing.T) {
	rec := wire.NewRecorder()
	var heard []wire.Call
	rec.Listen(func(c wire.Call) { heard = append(heard, c) })
	const trace = "4bf92f3577b34da6a3ce929d0e0e4736"
	insert("1", http.StatusServiceUnavailable).Through(t, rec)
	insert("1", http.StatusCreated).Through(t, rec)
	traced("2", "Traceparent", "00-"+trace+"-00f067aa0ba902b7-01").Through(t, rec)

	got := ""
	for _, c := range heard {
		got += fmt.Sprintf("%s %s %d %d %s, ", c.Class, c.Key[1], c.Status, c.Attempts, c.Trace)
	}
	if want := "insert 1 503 1 , insert 1 201 1 , point read 2 200 1 " + trace + ", "; got != want {
		t.Errorf("heard %s\nwant  %s", got, want)
	}
	if len(rec.Calls()) != 2 {
		t.Errorf("recorded %v", rec.Calls())
	}
}
