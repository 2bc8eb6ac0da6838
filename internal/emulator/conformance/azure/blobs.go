package azure

import (
	"bytes"
	"encoding/base64"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blockblob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/container"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/sas"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/service"

	"github.com/storespec/storespec/internal/emulator/conformance"
)

type blobCase = probing[*blobProbe]

// blobProbe is what a case works with.
type blobProbe struct {
	probe
	service   *service.Client
	container *container.Client
	sas       string // a signature for everything, for raw requests
}

// Blobs are the cases of the blob service. Each gets an empty container of its own.
func Blobs() conformance.Suite[Account] {
	return suite(beginBlobs, blobBasics(), blobTransfers(), blobContainers(), blobTiers(), blobSignatures(),
		blobMatches(), blobConditions(), blobCommits(), blobBlocks(), blobAppends(), blobLists(), blobListOptions(),
		blobLeases(), blobLeaseEnds(), blobCopies(), blobSources(), blobPages(), blobPageProperties(), blobTags(),
		blobTagConditions(), blobTagSearches(), blobListBounds(), blobBatches(), blobErrors(), blobEdges(),
		blobArchive(), blobShown(), blobDigests(), blobNames(),
		blobOrigins(), blobGrants(), blobPublic(), blobMessages(), blobMessagesOfSDK(), blobSeals(), blobSystem(),
		blobCustomerKeys(), blobCustomerKeysListed(), blobCustomerKeysMalformed(), blobCustomerKeysKept(),
		blobCustomerKeysOfParts(), blobCustomerKeysOfSources(),
		blobRetention(), blobSoftDeletes(), blobUndeletes(), blobOverwritten(), blobReplaced(), blobPermanent(),
		blobCustomerKeysDeleted())
}

// beginBlobs makes the official client, an account signature for raw requests, and the container.
func beginBlobs(t *conformance.T, account Account) *blobProbe {
	p := &blobProbe{probe: probe{t, account, fmt.Sprintf("case-%d", t.Number)}}
	client := result(service.NewClientFromConnectionString(account.Connection,
		&service.ClientOptions{ClientOptions: p.options()}))(p)
	url := result(client.GetSASURL(sas.AccountResourceTypes{Service: true, Container: true, Object: true},
		sas.AccountPermissions{Read: true, Write: true, Delete: true, List: true, Add: true, Create: true, Update: true,
			Process: true, Tag: true, FilterByTags: true, PermanentDelete: true},
		time.Now().Add(time.Hour), nil))(p)
	_, p.sas, _ = strings.Cut(url, "?")
	p.service, p.container = client, client.NewContainerClient(p.name)
	p.works(p.container.Create(p.Context(), nil))
	return p
}

// refusing is a case of one raw request to the container, which is answered with status 400 and that code.
func refusing(name string, needs *conformance.Capability, code, method, path, body string, headers ...string) blobCase {
	return blobCase{name, needs, func(p *blobProbe) {
		p.answers(p.raw(method, path, body, headers...), http.StatusBadRequest, code)
	}}
}

// upload writes a block blob under conditions.
func (p *blobProbe) upload(b *blockblob.Client, data string, when *blob.AccessConditions) (blockblob.UploadResponse,
	error) {
	return b.Upload(p.Context(), seekable(data), &blockblob.UploadOptions{AccessConditions: when})
}

const aBlockBlob = "x-ms-blob-type: BlockBlob"

// raw sends a request to the container; path begins behind its name, headers are "Name: value".
func (p *blobProbe) raw(method, path, body string, headers ...string) reply {
	return p.signed(method, p.container.URL()+path, body, headers...)
}

// rawService is raw for a path below the account.
func (p *blobProbe) rawService(method, path, body string, headers ...string) reply {
	return p.signed(method, strings.TrimSuffix(p.service.URL(), "/")+path, body, headers...)
}

// signed sends a request with the account's signature.
func (p *blobProbe) signed(method, url, body string, headers ...string) reply {
	glue := "?"
	if strings.Contains(url, "?") {
		glue = "&"
	}
	return p.send(p.request(method, url+glue+p.sas, body, append([]string{"x-ms-version: 2024-11-04"}, headers...)...))
}

// answers checks a status and an error code; empty: no error.
func (p *blobProbe) answers(r reply, status int, code string) reply {
	got := r.header.Get("x-ms-error-code")
	if r.status != status || got != code {
		p.Fatalf("answer %d %q, want %d %q\n%.500s", r.status, got, status, code, r.body)
	}
	return r
}

// status checks an SDK's error where the code is not documented.
func (p *blobProbe) status(err error, status int) {
	var re *azcore.ResponseError
	if !errors.As(err, &re) || re.StatusCode != status {
		p.Fatalf("error %v, want status %d", err, status)
	}
}

// put makes a block blob.
func (p *blobProbe) put(name, data string) *blockblob.Client {
	b := p.container.NewBlockBlobClient(name)
	p.works(b.Upload(p.Context(), seekable(data), nil))
	return b
}

// content is a blob's content.
func (p *blobProbe) content(b *blob.Client) string {
	res := result(b.DownloadStream(p.Context(), nil))(p)
	defer res.Body.Close()
	data := result(io.ReadAll(res.Body))(p)
	return string(data)
}

// holds checks that a blob has a content.
func (p *blobProbe) holds(b *blockblob.Client, want string) {
	if got := p.content(b.BlobClient()); got != want {
		p.Fatalf("the blob holds %.80q, want %.80q", got, want)
	}
}

// equal checks a value.
func equal[T comparable](p *blobProbe, what string, got, want T) {
	if got != want {
		p.Fatalf("%s is %v, want %v", what, got, want)
	}
}

// value checks a value that an answer may lack.
func value[T comparable](p *blobProbe, what string, got *T, want T) {
	if got == nil {
		p.Fatalf("%s is missing, want %v", what, want)
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
		LeaseState string `xml:"Properties>LeaseState"`

		ArchiveStatus     string `xml:"Properties>ArchiveStatus"`
		RehydratePriority string `xml:"Properties>RehydratePriority"`

		VersionID    string `xml:"VersionId"`
		Current      bool   `xml:"IsCurrentVersion"`
		OnlyVersions bool   `xml:"HasVersionsOnly"`
		Deleted      bool
		DeletedTime  string `xml:"Properties>DeletedTime"`
		DaysLeft     string `xml:"Properties>RemainingRetentionDays"`
		KeyDigest    string `xml:"Properties>CustomerProvidedKeySha256"`
	} `xml:"Blobs>Blob"`
	Prefixes []string `xml:"Blobs>BlobPrefix>Name"`
	Next     string   `xml:"NextMarker"`
}

// list reads a list of the container.
func (p *blobProbe) list(query string) listing {
	r := p.answers(p.raw("GET", "?restype=container&comp=list"+query, ""), 200, "")
	var l listing
	p.OK(xml.Unmarshal([]byte(strings.TrimPrefix(r.body, "\ufeff")), &l))
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
