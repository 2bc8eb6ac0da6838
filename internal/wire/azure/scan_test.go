package azure

import (
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"
)

// splits calls check with writers' input cut in two at every byte, and in single bytes.
func splits(t *testing.T, input string, check func(t *testing.T, write func(io.Writer))) {
	t.Helper()
	for cut := 0; cut <= len(input); cut++ {
		check(t, func(w io.Writer) {
			_, _ = io.WriteString(w, input[:cut])
			_, _ = io.WriteString(w, input[cut:])
		})
	}
	check(t, func(w io.Writer) {
		for i := range len(input) {
			_, _ = io.WriteString(w, input[i:i+1])
		}
	})
}

func TestJSONScanner(t *testing.T) {
	type result struct {
		partition, row, code, message string
		count                         int
		complete                      bool
	}
	long := strings.Repeat("x", maxJSONText+1)
	tests := []struct {
		name, input string
		want        result
	}{
		{"entity", `{"PartitionKey":"a","RowKey":"b","n":1,"PartitionKey@odata.type":"Edm.String"}`,
			result{partition: "a", row: "b", complete: true}},
		{"keys behind nested values",
			`{"x":{"PartitionKey":"no","y":[{"RowKey":"no"}]},"RowKey" : "b" , "PartitionKey":"a"}`,
			result{partition: "a", row: "b", complete: true}},
		{"escapes", `{"Partition\u004bey":"it's \"100%\" \u20ac\\","RowKey":"\ud83d\ude00"}`,
			result{partition: `it's "100%" €\`, row: "😀", complete: true}},
		{"utf-8", `{"PartitionKey":"ü/€","RowKey":""}`, result{partition: "ü/€", complete: true}},
		{"keys of another type", `{"PartitionKey":5,"RowKey":null}`, result{complete: true}},
		{"list", `{"odata.metadata":"m","value":[{"PartitionKey":"a","value":[1,2]},{"t":"],[{\"}"},{}]}`,
			result{count: 3, complete: true}},
		{"list of scalars", `{"value":[1, "two" ,true,null,[5,6],-1e3]}`, result{count: 6, complete: true}},
		{"empty list", `{"value":[ ]}`, result{complete: true}},
		{"list inside something else", `{"x":{"value":[1,2]},"y":[{"value":[1]}]}`, result{complete: true}},
		{"error", `{"odata.error":{"code":"EntityAlreadyExists","message":{"lang":"en-US","value":"0:exists"}}}`,
			result{code: "EntityAlreadyExists", message: "0:exists", complete: true}},
		{"an array where the message is due", `{"odata.error":{"message":{"value":"a"},"message":["b"]}}`,
			result{message: "a", complete: true}},
		{"byte order mark", "\ufeff" + `{"PartitionKey":"a","value":[1]}`,
			result{partition: "a", count: 1, complete: true}},
		{"trailing text is ignored", `{"RowKey":"b"} {"RowKey":"c"}`, result{row: "b", complete: true}},
		{"cut off", `{"value":[{"a":1},{"b"`, result{count: 2}},
		{"mismatched", `{"value":[1}`, result{count: 1}},
		{"no object", `[1,2]`, result{complete: true}},
		{"empty", ``, result{}},
		{"too deep", `{"value":` + strings.Repeat("[", maxJSONDepth) + strings.Repeat("]", maxJSONDepth) + `}`,
			result{count: 1}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			splits(t, tt.input, func(t *testing.T, write func(io.Writer)) {
				s := newJSONScanner("PartitionKey", "RowKey", errorCodePath, errorMessagePath)
				write(s)
				got := result{s.found[0], s.found[1], s.found[2], s.found[3], s.count, s.complete()}
				if got != tt.want {
					t.Fatalf("got %+v, want %+v", got, tt.want)
				}
			})
		})
	}
	t.Run("text too long to keep", func(t *testing.T) {
		s := newJSONScanner("PartitionKey", "RowKey")
		_, _ = io.WriteString(s, `{"`+long+`":1,"PartitionKey":"`+long+`","RowKey":"b"}`)
		if s.found[0] != "" || s.found[1] != "b" || !s.complete() || cap(s.text) > 2*maxJSONText {
			t.Errorf("partition of %d bytes, row %q, %d bytes held", len(s.found[0]), s.found[1], cap(s.text))
		}
	})
}

func FuzzJSONScanner(f *testing.F) {
	for _, seed := range []string{
		`{"PartitionKey":"a","RowKey":"b"}`, `{"value":[{"a":1},2,"x"]}`, `{"PartitionKey":"\u00e9\n","value":[[],{}]}`,
		`[{"value":[1]}]`, `{"a":{"b":{"c":{"d":"e"}}}}`, `{"value":[`, `nul`, "\ufeff{}",
	} {
		f.Add([]byte(seed), 3)
	}
	f.Fuzz(func(t *testing.T, input []byte, cut int) {
		whole, parts := newJSONScanner("PartitionKey"), newJSONScanner("PartitionKey")
		_, _ = whole.Write(input)
		cut = min(max(cut, 0), len(input))
		_, _ = parts.Write(input[:cut])
		_, _ = parts.Write(input[cut:])
		if whole.count != parts.count || whole.found[0] != parts.found[0] || whole.complete() != parts.complete() {
			t.Fatalf("cut at %d: %d %q, whole: %d %q", cut, parts.count, parts.found[0], whole.count, whole.found[0])
		}
		var document map[string]json.RawMessage
		if json.Unmarshal(input, &document) != nil || document == nil || strings.Count(string(input), "value") > 1 ||
			!whole.complete() {
			return
		}
		var list []json.RawMessage
		if json.Unmarshal(document["value"], &list) == nil && len(list) != whole.count {
			t.Fatalf("%s: %d elements, counted %d", input, len(list), whole.count)
		}
	})
}

func TestXMLCounter(t *testing.T) {
	tests := []struct {
		name, input string
		count       int
		complete    bool
	}{
		{"listing", `<?xml version="1.0"?><EnumerationResults ` +
			`A="x>y"><Prefix>a</Prefix><Blobs><Blob><Name>1</Name></Blob><Blob ` +
			`><Name>2</Name></Blob></Blobs><NextMarker /></EnumerationResults>`, 2, true},
		{"prefixes are not blobs",
			`<E><Blobs><BlobPrefix><Name>p/</Name></BlobPrefix><Blob/><Blob a='/'></Blob></Blobs></E>`, 2, true},
		{"metadata called Blob", `<E><Blobs><Blob><Metadata><Blob>x</Blob></Metadata></Blob></Blobs></E>`, 1, true},
		{"empty", `<E><Blobs/></E>`, 0, true},
		{"comment and section",
			`<!DOCTYPE x><E><!-- <Blob> -- ><Blob> --><Blobs><![CDATA[<Blob>]] > ]]><Blob></Blob></Blobs></E>`, 1,
			true},
		{"quoted end", `<E><Blobs><Blob a=">" b='/>'></Blob></Blobs></E>`, 1, true},
		{"byte order mark", "\ufeff<E><Blobs><Blob/></Blobs></E>\n", 1, true},
		{"cut off", `<E><Blobs><Blob></Blob><Bl`, 1, false},
		{"nothing", ``, 0, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			splits(t, tt.input, func(t *testing.T, write func(io.Writer)) {
				s := &xmlCounter{name: "Blob", level: 3}
				write(s)
				if s.count != tt.count || s.complete() != tt.complete {
					t.Fatalf("count %d, complete %v; want %d, %v", s.count, s.complete(), tt.count, tt.complete)
				}
			})
		})
	}
}

// seenPart is what a batch scanner handed over.
type seenPart struct{ first, match, id, body string }

func scanBatch(contentType string, write func(io.Writer)) []seenPart {
	var heads []batchPart
	var bodies []*strings.Builder
	s := newBatchScanner(contentType, func(p batchPart) io.Writer {
		heads = append(heads, p)
		bodies = append(bodies, &strings.Builder{})
		return bodies[len(bodies)-1]
	})
	if s == nil {
		return nil
	}
	write(s)
	var parts []seenPart
	for i, h := range heads {
		parts = append(parts, seenPart{h.first, h.header.Get("If-Match"), h.header.Get("Content-ID"),
			strings.TrimSpace(bodies[i].String())})
	}
	return parts
}

func TestBatchScanner(t *testing.T) {
	lines := func(l ...string) string { return strings.Join(l, "\r\n") }
	long := strings.Repeat("k", maxBatchLine)
	tests := []struct {
		name, contentType, input string
		want                     []seenPart
	}{
		{"change set", "multipart/mixed; boundary=batch_1", lines(
			"--batch_1", "Content-Type: multipart/mixed; boundary=set_1", "",
			"--set_1", "Content-Type: application/http", "Content-ID: 1", "", "POST http://h/T HTTP/1.1", "Accept: x",
			"", `{"a":"--set_1"}`,
			"--set_1", "Content-Type: application/http", "", "DELETE http://h/T(x) HTTP/1.1", "If-Match: *", "", "",
			"--set_1--", "", "--batch_1--"),
			[]seenPart{{"POST http://h/T HTTP/1.1", "", "1", `{"a":"--set_1"}`},
				{"DELETE http://h/T(x) HTTP/1.1", "*", "", ""}}},
		{"query without change set, quoted boundary", `multipart/mixed; boundary="b b"`, lines(
			"preamble", "--b b", "Content-Type: application/http", "", "", "GET http://h/T() HTTP/1.1", "", "--b b--",
			"--b b", "epilogue"),
			[]seenPart{{"GET http://h/T() HTTP/1.1", "", "", ""}}},
		{"bare line feeds and a body of lines", "multipart/mixed; boundary=b",
			"--b\nContent-Type: application/http\n\nPUT /T HTTP/1.1\n\n-\n--\n--bb\n{\n}\n--b--\n",
			[]seenPart{{"PUT /T HTTP/1.1", "", "", "-\n--\n--bb\n{\n}"}}},
		{"no blank line behind the headers", "multipart/mixed; boundary=b",
			lines("--b", "", "DELETE /T HTTP/1.1", "If-Match: x", "--b--", ""),
			[]seenPart{{"DELETE /T HTTP/1.1", "x", "", ""}}},
		{"not multipart", "application/json", "--b", nil},
		{"no boundary", "multipart/mixed", "--b", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			splits(t, tt.input, func(t *testing.T, write func(io.Writer)) {
				if got := scanBatch(tt.contentType, write); !reflect.DeepEqual(got, tt.want) {
					t.Fatalf("got %q, want %q", got, tt.want)
				}
			})
		})
	}
	t.Run("a line too long to hold", func(t *testing.T) {
		got := scanBatch("multipart/mixed; boundary=b", func(w io.Writer) {
			_, _ = io.WriteString(w,
				lines("--b", "", "PUT /"+long, "If-Match: "+long, "", "{}", "--b", "", "GET /T HTTP/1.1", "", "--b--"))
		})
		want := []seenPart{{"", "", "", "{}"}, {"GET /T HTTP/1.1", "", "", ""}}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("got %d parts: %.80q", len(got), fmt.Sprint(got))
		}
	})
}

func FuzzBatchScanner(f *testing.F) {
	f.Add([]byte("--b\r\nContent-Type: multipart/mixed; boundary=s\r\n\r\n--s\r\n\r\nPOST /T "+
		"HTTP/1.1\r\n\r\n{}\r\n--s--\r\n--b--"), 20)
	f.Add([]byte("--b\n\nGET /T() HTTP/1.1\n\n--b--\n--b\n\n\nX\n:\n\n--"), 9)
	f.Fuzz(func(t *testing.T, input []byte, cut int) {
		cut = min(max(cut, 0), len(input))
		whole := scanBatch("multipart/mixed; boundary=b", func(w io.Writer) { _, _ = w.Write(input) })
		parts := scanBatch("multipart/mixed; boundary=b", func(w io.Writer) {
			_, _ = w.Write(input[:cut])
			_, _ = w.Write(input[cut:])
		})
		if !reflect.DeepEqual(whole, parts) {
			t.Fatalf("cut at %d: %q, whole: %q", cut, parts, whole)
		}
	})
}
