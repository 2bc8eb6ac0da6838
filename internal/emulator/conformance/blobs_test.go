package conformance

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blockblob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/container"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/sas"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/service"
)

// blobCase is one thing a blob service does. It gets an empty container of its own.
type blobCase struct {
	name string
	run  func(p *blobProbe)
}

// blobProbe is what a case works with.
type blobProbe struct {
	check
	ctx       context.Context
	subject   subject
	service   *service.Client
	container *container.Client
	name      string // of the container
	sas       string // a signature for everything, for raw requests
}

// TestBlobs runs every case against the emulator and against Azurite.
func TestBlobs(t *testing.T) {
	var cases []blobCase
	for _, list := range [][]blobCase{
		blobBasics(), blobConditions(), blobBlocks(), blobLists(), blobLeases(), blobCopies(), blobPages(), blobTags(), blobRaw(),
	} {
		cases = append(cases, list...)
	}
	var names []string
	for _, c := range cases {
		names = append(names, c.name)
	}
	differences := BlobDifferences()
	everyDifferenceHasACase(t, differences, names)
	for _, s := range subjects(t) {
		client, url := blobService(t, s)
		for i, c := range cases {
			t.Run(s.name+"/"+c.name, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				p := &blobProbe{ctx: ctx, subject: s, service: client, name: fmt.Sprintf("case-%d", i), sas: url}
				p.container = client.NewContainerClient(p.name)
				err := outcome(func() {
					_, err := p.container.Create(ctx, nil)
					p.ok(err)
					c.run(p)
				})
				judge(t, s.name, c.name, err, differences)
			})
		}
	}
}

// blobService makes the official client, and an account signature for raw requests.
func blobService(t *testing.T, s subject) (*service.Client, string) {
	t.Helper()
	p := &blobProbe{subject: s}
	client, err := service.NewClientFromConnectionString(s.connection, &service.ClientOptions{ClientOptions: p.options()})
	if err != nil {
		t.Fatal(err)
	}
	url, err := client.GetSASURL(sas.AccountResourceTypes{Service: true, Container: true, Object: true},
		sas.AccountPermissions{Read: true, Write: true, Delete: true, List: true, Add: true, Create: true, Update: true, Process: true, Tag: true, FilterByTags: true, PermanentDelete: true},
		time.Now().Add(time.Hour), nil)
	if err != nil {
		t.Fatal(err)
	}
	_, signature, _ := strings.Cut(url, "?")
	return client, signature
}

// options are those of every client: the subject's transport, and failures are seen, not tried again.
func (p *blobProbe) options() policy.ClientOptions {
	return policy.ClientOptions{Transport: p.subject.client, Retry: policy.RetryOptions{MaxRetries: -1}}
}

// reply is the answer to a raw request.
type reply struct {
	status int
	header http.Header
	body   string
}

// raw sends a request to the container; path begins behind its name, headers are "Name: value".
func (p *blobProbe) raw(method, path, body string, headers ...string) reply {
	return p.send(method, p.container.URL()+path, body, headers...)
}

// rawService is raw for a path below the account.
func (p *blobProbe) rawService(method, path, body string, headers ...string) reply {
	return p.send(method, strings.TrimSuffix(p.service.URL(), "/")+path, body, headers...)
}

func (p *blobProbe) send(method, url, body string, headers ...string) reply {
	glue := "?"
	if strings.Contains(url, "?") {
		glue = "&"
	}
	r, err := http.NewRequestWithContext(p.ctx, method, url+glue+p.sas, strings.NewReader(body))
	p.ok(err)
	r.Header.Set("x-ms-version", "2024-11-04")
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ":")
		r.Header.Set(name, strings.TrimSpace(value))
	}
	res, err := p.subject.client.Do(r)
	p.ok(err)
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	p.ok(err)
	return reply{res.StatusCode, res.Header, string(data)}
}

// answers checks a status and an error code; empty: no error.
func (p *blobProbe) answers(r reply, status int, code string) reply {
	got := r.header.Get("x-ms-error-code")
	if r.status != status || got != code {
		p.failf("answer %d %q, want %d %q\n%.500s", r.status, got, status, code, r.body)
	}
	return r
}

// code checks an SDK's error; status 0: there is none.
func (p *blobProbe) code(err error, status int, code string) {
	var re *azcore.ResponseError
	switch {
	case err == nil && status == 0:
	case errors.As(err, &re) && re.StatusCode == status && re.ErrorCode == code:
	default:
		p.failf("error %v, want %d %q", err, status, code)
	}
}

// status checks an SDK's error where the code is not documented.
func (p *blobProbe) status(err error, status int) {
	var re *azcore.ResponseError
	if !errors.As(err, &re) || re.StatusCode != status {
		p.failf("error %v, want status %d", err, status)
	}
}

// put makes a block blob.
func (p *blobProbe) put(name, data string) *blockblob.Client {
	b := p.container.NewBlockBlobClient(name)
	_, err := b.Upload(p.ctx, seekable(data), nil)
	p.ok(err)
	return b
}

// content is a blob's content.
func (p *blobProbe) content(b *blob.Client) string {
	res, err := b.DownloadStream(p.ctx, nil)
	p.ok(err)
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	p.ok(err)
	return string(data)
}

// holds checks that a blob has a content.
func (p *blobProbe) holds(b *blockblob.Client, want string) {
	if got := p.content(b.BlobClient()); got != want {
		p.failf("the blob holds %.80q, want %.80q", got, want)
	}
}

// equal checks a value.
func equal[T comparable](p *blobProbe, what string, got, want T) {
	if got != want {
		p.failf("%s is %v, want %v", what, got, want)
	}
}

// value checks a value that an answer may lack.
func value[T comparable](p *blobProbe, what string, got *T, want T) {
	if got == nil {
		p.failf("%s is missing, want %v", what, want)
	}
	equal(p, what, *got, want)
}

type seeker struct{ *bytes.Reader }

func (seeker) Close() error { return nil }

func seekable(data string) io.ReadSeekCloser { return seeker{bytes.NewReader([]byte(data))} }

func id(name string) string {
	return base64.StdEncoding.EncodeToString([]byte(fmt.Sprintf("%-12s", name)))
}

// listing is what a list of blobs answers, read by hand.
type listing struct {
	XMLName       xml.Name `xml:"EnumerationResults"`
	Endpoint      string   `xml:"ServiceEndpoint,attr"`
	ContainerName string   `xml:"ContainerName,attr"`
	Blobs         []struct {
		Name       string
		Snapshot   string
		Etag       string `xml:"Properties>Etag"`
		Length     int64  `xml:"Properties>Content-Length"`
		AccessTier string `xml:"Properties>AccessTier"`
	} `xml:"Blobs>Blob"`
	Prefixes []string `xml:"Blobs>BlobPrefix>Name"`
	Next     string   `xml:"NextMarker"`
}

// list reads a list of the container.
func (p *blobProbe) list(query string) listing {
	r := p.answers(p.raw("GET", "?restype=container&comp=list"+query, ""), 200, "")
	var l listing
	p.ok(xml.Unmarshal([]byte(strings.TrimPrefix(r.body, "\ufeff")), &l))
	return l
}

// names are the blobs of a list, joined.
func (l listing) names() string {
	var names []string
	for _, b := range l.Blobs {
		names = append(names, b.Name)
	}
	return strings.Join(names, " ")
}
