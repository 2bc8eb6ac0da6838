package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
)

// serveFixed is the server whose answers are always the same. It reads each request and forgets it.
func serveFixed(ctx context.Context) error {
	table, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	blob, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	for listener, handler := range map[net.Listener]http.Handler{table: fixedTable(), blob: fixedBlob()} {
		server := &http.Server{Handler: handler} //nolint:gosec // no stranger reaches it
		go func() { _ = server.Serve(listener) }()
		defer func() { _ = server.Close() }()
	}
	fmt.Printf("DefaultEndpointsProtocol=http;AccountName=bench;AccountKey=a2V5;"+
		"BlobEndpoint=http://%s/bench;TableEndpoint=http://%s/bench;\nready\n", blob.Addr(), table.Addr())
	<-ctx.Done()
	return nil
}

func fixedTable() http.Handler {
	const etag = `W/"datetime'2026-03-04T05%3A06%3A07.0000000Z'"`
	one := []byte(`{"odata.metadata":"http://127.0.0.1/bench/$metadata#Bench/@Element","odata.etag":"` +
		strings.ReplaceAll(etag, `"`, `\"`) + `","Timestamp":"2026-03-04T05:06:07.0000000Z",` +
		string(row("q000", "000"))[1:])
	many := append([]byte(`{"odata.metadata":"http://127.0.0.1/bench/$metadata#Bench","value":[`),
		bytes.Repeat(append(one[:len(one):len(one)], ','), 99)...)
	many = append(append(many, one...), "]}"...)
	var batch bytes.Buffer
	batch.WriteString("--b\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n")
	for range 100 {
		batch.WriteString("--c\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: " +
			"binary\r\n\r\nHTTP/1.1 204 No Content\r\nDataServiceVersion: 1.0;\r\nETag: " + etag + "\r\n\r\n\r\n")
	}
	batch.WriteString("--c--\r\n--b--\r\n")
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		h := w.Header()
		h.Set("X-Ms-Version", "2019-02-02")
		h.Set("Etag", etag)
		switch {
		case strings.HasSuffix(r.URL.Path, "/$batch"):
			h.Set("Content-Type", "multipart/mixed; boundary=b")
			w.WriteHeader(http.StatusAccepted)
			_, _ = w.Write(batch.Bytes())
		case r.Method == http.MethodGet && strings.Contains(r.URL.Path, "(PartitionKey="):
			h.Set("Content-Type", "application/json;odata=minimalmetadata")
			_, _ = w.Write(one)
		case r.Method == http.MethodGet:
			h.Set("Content-Type", "application/json;odata=minimalmetadata")
			_, _ = w.Write(many)
		default:
			w.WriteHeader(http.StatusNoContent)
		}
	})
}

func fixedBlob() http.Handler {
	content := bytes.Repeat([]byte("x"), blobSize)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		h := w.Header()
		h.Set("X-Ms-Version", "2025-11-05")
		h.Set("Etag", `"0x8D0000000000000"`)
		if r.Method != http.MethodGet {
			w.WriteHeader(http.StatusCreated)
			return
		}
		h.Set("Content-Type", "application/octet-stream")
		_, _ = w.Write(content)
	})
}
