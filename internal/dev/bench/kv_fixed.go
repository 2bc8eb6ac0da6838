package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
)

// serveKVFixed is serveFixed for Workers KV.
func serveKVFixed(ctx context.Context) error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	server := &http.Server{Handler: fixedKV()} //nolint:gosec // no stranger reaches it
	go func() { _ = server.Serve(listener) }()
	defer func() { _ = server.Close() }()
	fmt.Printf("Workers KV, REST API: http://%s/client/v4/accounts/a/storage/kv/namespaces/n\nready\n", listener.Addr())
	<-ctx.Done()
	return nil
}

func fixedKV() http.Handler {
	var keys []string
	for i := range kvPerList {
		keys = append(keys, `{"name":"`+kvName(i)+`"}`)
	}
	answer := func(result string) []byte {
		return []byte(`{"success":true,"errors":[],"messages":[],"result":` + result + `}`)
	}
	list, done, value := answer("["+strings.Join(keys, ",")+"]"), answer("{}"), []byte(strings.Repeat("v", kvValue))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		switch {
		case r.Method == http.MethodGet && strings.HasSuffix(r.URL.Path, "/keys"):
			_, _ = w.Write(list)
		case r.Method == http.MethodGet:
			_, _ = w.Write(value)
		default:
			_, _ = w.Write(done)
		}
	})
}
