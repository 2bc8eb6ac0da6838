package blobs

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/storespec/storespec/internal/emulator/azure"
)

const (
	maxBatch      = 256
	maxBatchBytes = 4 << 20
)

// batchPart is one request of a batch.
type batchPart struct {
	contentID string
	request   *http.Request
}

// batch is Blob Batch: up to 256 deletions, or as many Set Blob Tier requests, each with its own signature and each
// succeeding or failing on its own. https://learn.microsoft.com/rest/api/storageservices/blob-batch
func batch(c *call) *azure.Problem {
	if c.container != "" {
		if p := c.enter(); p != nil {
			return p
		}
	}
	body, p := readAll(c, maxBatchBytes)
	if p != nil {
		return p
	}
	parts, err := parseBatch(c.HTTP.Header.Get("Content-Type"), body)
	if err != nil {
		return azure.InvalidInput("One of the request inputs is not valid: " + err.Error() + ".")
	}
	boundary := "batchresponse_" + newGUID()
	var out bytes.Buffer
	for _, part := range parts {
		a := answerPart(c, part.request)
		fmt.Fprintf(&out, "--%s\r\nContent-Type: application/http\r\n", boundary)
		if part.contentID != "" {
			fmt.Fprintf(&out, "Content-ID: %s\r\n", part.contentID)
		}
		out.WriteString("\r\n")
		a.write(&out)
	}
	fmt.Fprintf(&out, "--%s--\r\n", boundary)
	c.answer.h["Content-Type"] = []string{"multipart/mixed; boundary=" + boundary}
	c.answer.h["Content-Length"] = []string{strconv.Itoa(out.Len())}
	c.answer.w.WriteHeader(http.StatusAccepted)
	_, _ = c.answer.w.Write(out.Bytes()) // the client is gone
	return nil
}

// answerPart executes one request of a batch.
func answerPart(c *call, r *http.Request) *partAnswer {
	a := &partAnswer{header: http.Header{}}
	r.Host, r.RemoteAddr, r.TLS = c.HTTP.Host, c.HTTP.RemoteAddr, c.HTTP.TLS
	part, p := c.Part(r)
	if p != nil {
		shown := &azure.Request{HTTP: r, Service: c.Service, ID: c.ID, Now: c.Now}
		p.Write(a, shown)
		return a
	}
	a.header["X-Ms-Request-Id"] = []string{part.ID}
	a.header["X-Ms-Version"] = []string{part.Version}
	a.header["Server"] = c.answer.h["Server"]
	if container, _ := part.BlobPath(); c.container != "" && container != c.container {
		azure.InvalidInput("The container of a part is not that of the batch.").Write(a, part)
		return a
	}
	c.s.Serve(a, part)
	return a
}

// partAnswer collects the answer to one request of a batch.
type partAnswer struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (a *partAnswer) Header() http.Header { return a.header }

func (a *partAnswer) WriteHeader(status int) {
	if a.status == 0 {
		a.status = status
	}
}

func (a *partAnswer) Write(b []byte) (int, error) {
	a.WriteHeader(http.StatusOK)
	return a.body.Write(b)
}

func (a *partAnswer) write(out *bytes.Buffer) {
	fmt.Fprintf(out, "HTTP/1.1 %d %s\r\n", a.status, http.StatusText(a.status))
	for _, name := range slices.Sorted(maps.Keys(a.header)) {
		for _, value := range a.header[name] {
			fmt.Fprintf(out, "%s: %s\r\n", spelled(name), safeHeader(value))
		}
	}
	out.WriteString("\r\n")
	out.Write(a.body.Bytes())
	out.WriteString("\r\n")
}

// spelled returns a header's canonical name as Azure writes it in a batch: some SDKs look for exactly that.
func spelled(name string) string {
	if strings.HasPrefix(name, "X-Ms-") {
		return strings.ToLower(name)
	}
	if name == "Etag" {
		return "ETag"
	}
	return name
}

var errBatch = errors.New("malformed batch")

// parseBatch parses the parts of a batch's body. All must be of one kind.
func parseBatch(contentType string, body []byte) ([]batchPart, error) {
	kind, params, err := mime.ParseMediaType(contentType)
	if err != nil || kind != "multipart/mixed" || params["boundary"] == "" {
		return nil, fmt.Errorf("%w: Content-Type is not multipart/mixed with a boundary", errBatch)
	}
	if !bytes.Contains(body, []byte("--"+params["boundary"]+"--")) { // the reader does not notice if it is missing
		return nil, fmt.Errorf("%w: it has no end", errBatch)
	}
	reader := multipart.NewReader(bytes.NewReader(body), params["boundary"])
	var parts []batchPart
	for {
		p, err := reader.NextRawPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("%w: a part cannot be read", errBatch)
		}
		if len(parts) == maxBatch {
			return nil, fmt.Errorf("%w: more than %d parts", errBatch, maxBatch)
		}
		r, err := parsePart(p)
		if err != nil {
			return nil, err
		}
		parts = append(parts, batchPart{safeHeader(p.Header.Get("Content-ID")), r})
		if r.Method != parts[0].request.Method {
			return nil, fmt.Errorf("%w: its parts are of different operations", errBatch)
		}
	}
	if len(parts) == 0 {
		return nil, fmt.Errorf("%w: it has no parts", errBatch)
	}
	return parts, nil
}

// safeHeader returns a value that came in a header in a form that may be sent back in one.
func safeHeader(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return -1
		}
		return r
	}, s)
}

// parsePart parses one request: a request line, headers, no body. It deletes a blob or sets its tier.
func parsePart(p io.Reader) (*http.Request, error) {
	text := textproto.NewReader(bufio.NewReader(p))
	line, err := text.ReadLine()
	for err == nil && line == "" { // some clients begin with an empty line
		line, err = text.ReadLine()
	}
	words := strings.Fields(line)
	if err != nil || len(words) != 3 || words[2] != "HTTP/1.1" {
		return nil, fmt.Errorf("%w: a part does not begin with a request line", errBatch)
	}
	header, err := text.ReadMIMEHeader()
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%w: the headers of a part cannot be read", errBatch)
	}
	target := words[1]
	u, err := url.ParseRequestURI(target)
	if err != nil {
		return nil, fmt.Errorf("%w: the address of a part cannot be read", errBatch)
	}
	tier := slices.Contains(u.Query()["comp"], "tier")
	if words[0] != http.MethodDelete && (words[0] != http.MethodPut || !tier) || words[0] == http.MethodDelete &&
		u.Query().Has("restype") {
		return nil, fmt.Errorf("%w: a part is neither Delete Blob nor Set Blob Tier", errBatch)
	}
	return &http.Request{
		Method: words[0], URL: u, RequestURI: target, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header(header), Body: http.NoBody,
	}, nil
}
