package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"hash/crc32"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
)

// serveFixed serves all services with answers that are always the same. It reads each request and forgets it.
func serveFixed(ctx context.Context) error {
	var at []any
	for _, handler := range []http.Handler{fixedBlob(), fixedTable(), fixedKV(), fixedItems()} {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return err
		}
		server := &http.Server{Handler: handler} //nolint:gosec // no stranger reaches it
		go func() { _ = server.Serve(listener) }()
		defer func() { _ = server.Close() }()
		at = append(at, listener.Addr())
	}
	fmt.Printf("DefaultEndpointsProtocol=http;AccountName=bench;AccountKey=a2V5;"+
		"BlobEndpoint=http://%s/bench;TableEndpoint=http://%s/bench;\n"+
		"Workers KV, REST API: http://%s/client/v4/accounts/a/storage/kv/namespaces/n\n"+
		"export AWS_ENDPOINT_URL_DYNAMODB=http://%s\nready\n", at...)
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

func fixedItems() http.Handler {
	one := `{"pk":{"S":"q000"},"sk":{"S":"00000000"},"flag":{"BOOL":true},"number":{"N":"123456789"},"text":{"S":"` +
		text(150) + `"}}`
	answers := map[string]string{"GetItem": `{"Item":` + one + `}`, "Query": `{"Items":[` +
		strings.Repeat(one+",", perBatch-1) + one + `],"Count":100,"ScannedCount":100}`}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		_, operation, _ := strings.Cut(r.Header.Get("X-Amz-Target"), ".")
		body := cmp.Or(answers[operation], "{}")
		h := w.Header()
		h["Content-Type"] = []string{"application/x-amz-json-1.0"}
		h["X-Amz-Crc32"] = []string{strconv.FormatUint(uint64(crc32.ChecksumIEEE([]byte(body))), 10)}
		h["Content-Length"] = []string{strconv.Itoa(len(body))}
		_, _ = io.WriteString(w, body)
	})
}
