package azure

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/runtime"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/to"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/container"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/sas"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/service"
)

// blobNames are names that the service changes as it reads the address.
func blobNames() []blobCase {
	return []blobCase{
		{"a backslash in an address is a slash", nil, func(p *blobProbe) {
			p.answers(p.raw("PUT", `/a%5Cb`, "x", aBlockBlob), 201, "")
			equal(p, "names", p.list("").names(), "a/b")
			equal(p, "content", p.answers(p.raw("GET", "/a/b", ""), 200, "").body, "x")
		}},
	}
}

// blobOrigins are the pages in browsers that may call.
func blobOrigins() []blobCase {
	allow := func(p *blobProbe, origins string) {
		p.works(p.service.SetProperties(p.Context(), &service.SetPropertiesOptions{CORS: []*service.CORSRule{{
			AllowedOrigins: to.Ptr(origins), AllowedMethods: to.Ptr("GET"), AllowedHeaders: to.Ptr(""),
			ExposedHeaders: to.Ptr(""), MaxAgeInSeconds: to.Ptr(int32(5))}}}))
	}
	allowed := func(p *blobProbe, origin string) string {
		return p.raw("GET", "/b", "", "Origin: "+origin).header.Get("Access-Control-Allow-Origin")
	}
	return []blobCase{
		{"an origin with a wildcard", MatchesSubdomains, func(p *blobProbe) {
			defer func() { // the properties are the account's
				p.works(p.service.SetProperties(p.Context(),
					&service.SetPropertiesOptions{CORS: []*service.CORSRule{}}))
			}()
			p.put("b", "x")
			allow(p, "https://*.contoso.com,https://Fabrikam.com")
			equal(p, "a subdomain", allowed(p, "https://www.contoso.com"), "https://www.contoso.com")
			equal(p, "one in other letters", allowed(p, "https://www.Contoso.com"), "https://www.Contoso.com")
			equal(p, "the domain itself", allowed(p, "https://contoso.com"), "")
			equal(p, "another scheme", allowed(p, "http://www.contoso.com"), "")
			equal(p, "another domain", allowed(p, "https://www.contoso.com.example"), "")
			equal(p, "a name in other letters", allowed(p, "https://fabrikam.com"), "https://fabrikam.com")
		}},
	}
}

// blobGrants are what a container's signature does not grant.
func blobGrants() []blobCase {
	return []blobCase{
		{"a container's signature is not for the container itself", ContainerSASIsForBlobs, func(p *blobProbe) {
			url := result(p.container.GetSASURL(sas.ContainerPermissions{Read: true, Write: true, Create: true,
				Delete: true, List: true}, time.Now().Add(time.Hour), nil))(p)
			c := result(
				container.NewClientWithNoCredential(url, &container.ClientOptions{ClientOptions: p.options()}))(p)
			p.fails(403, "AuthorizationFailure")(c.GetProperties(p.Context(), nil))
			p.fails(403, "AuthorizationFailure")(c.Create(p.Context(), nil))
			p.works(c.NewListBlobsFlatPager(nil).NextPage(p.Context()))
		}},
	}
}

// blobPublic are reads without credentials.
func blobPublic() []blobCase {
	const yes, no = "200", "401 NoAuthenticationInformation"
	asked := []struct{ what, send, private, blob, container string }{
		{"Get Blob", "GET /b", no, yes, yes},
		{"Get Blob of a blob that does not exist", "GET /none", no, "404 BlobNotFound", "404 BlobNotFound"},
		{"Get Blob Properties", "HEAD /b", no, yes, yes},
		{"Get Blob Metadata", "GET /b?comp=metadata", no, yes, yes},
		{"Get Blob Tags", "GET /b?comp=tags", no, no, no},
		{"Set Blob Metadata", "PUT /b?comp=metadata", no, no, no},
		{"Delete Blob", "DELETE /b", no, no, no},
		{"Get Block List, by default of the committed blocks", "GET /b?comp=blocklist", no, yes, yes},
		{"Get Block List, committed", "GET /b?comp=blocklist&blocklisttype=committed", no, yes, yes},
		{"Get Block List, uncommitted", "GET /b?comp=blocklist&blocklisttype=uncommitted", no, no, no},
		{"Get Block List, all", "GET /b?comp=blocklist&blocklisttype=all", no, no, no},
		{"Get Page Ranges", "GET /p?comp=pagelist", no, yes, yes},
		{"List Blobs", "GET ?restype=container&comp=list", no, no, yes},
		{"List Blobs, metadata", "GET ?restype=container&comp=list&include=metadata", no, no, yes},
		{"List Blobs, tags", "GET ?restype=container&comp=list&include=metadata,tags", no, no, no},
		{"List Blobs, uncommitted", "GET ?restype=container&comp=list&include=uncommittedblobs", no, no, no},
		{"List Blobs, uncommitted in a second parameter",
			"GET ?restype=container&comp=list&include=metadata&include=uncommittedblobs", no, no, no},
		{"Get Container Properties", "GET ?restype=container", no, no, yes},
		{"Get Container Metadata", "HEAD ?restype=container&comp=metadata", no, no, yes},
		{"Get Container ACL", "GET ?restype=container&comp=acl", no, no, no},
		{"Find Blobs by Tags", "GET ?restype=container&comp=blobs&where=a='1'", no, no, no},
	}
	return []blobCase{
		{"public access", AsksForCredentials, func(p *blobProbe) {
			p.put("b", "x")
			p.answers(p.raw("PUT", "/p", "", "x-ms-blob-type: PageBlob", "x-ms-blob-content-length: 512"), 201, "")
			check := func(access, what, send, want string) {
				method, path, _ := strings.Cut(send, " ")
				r := p.send(p.request(method, p.container.URL()+path, "", "x-ms-version: 2024-11-04"))
				equal(p, fmt.Sprintf("%s with public access to %s", what, access), r.answer(want), want)
			}
			for _, a := range asked {
				check("nothing", a.what, a.send, a.private)
			}
			for _, access := range []container.PublicAccessType{container.PublicAccessTypeBlob,
				container.PublicAccessTypeContainer} {
				p.works(p.container.SetAccessPolicy(p.Context(), &container.SetAccessPolicyOptions{Access: &access}))
				for _, a := range asked {
					want := a.container
					if access == container.PublicAccessTypeBlob {
						want = a.blob
					}
					check(string(access), a.what, a.send, want)
				}
			}
		}},
	}
}

// blobSeals are the seals of copies.
func blobSeals() []blobCase {
	return []blobCase{
		{"a copy is sealed as its source is", CopiesSeals, func(p *blobProbe) {
			src := p.container.NewAppendBlobClient("src")
			p.works(src.Create(p.Context(), nil))
			p.works(src.Seal(p.Context(), nil))
			sealed := func(name, option string) string {
				headers := []string{"x-ms-copy-source: " + p.readable(p.container.NewBlockBlobClient("src"))}
				if option != "" {
					headers = append(headers, "x-ms-seal-blob: "+option)
				}
				p.answers(p.raw("PUT", "/"+name, "", headers...), 202, "")
				return p.raw("HEAD", "/"+name, "").header.Get("x-ms-blob-sealed")
			}
			equal(p, "seal", sealed("a", ""), "true")
			equal(p, "seal asked for", sealed("b", "true"), "true")
			equal(p, "seal declined", sealed("c", "false"), "")
		}},
	}
}

// blobSystem are the service's own containers, and containers that come and go.
func blobSystem() []blobCase {
	return []blobCase{
		{"system containers are listed on demand", ListsSystemContainers, func(p *blobProbe) {
			has := func(query string) bool {
				return strings.Contains(p.answers(p.rawService("GET", "/?comp=list"+query, ""), 200, "").body,
					"<Name>$logs</Name>")
			}
			equal(p, "asked for", has("&include=system"), true)
			equal(p, "not asked for", has(""), false)
		}},
		{"deleting a container twice", DeletesTwice, func(p *blobProbe) {
			p.works(p.container.Delete(p.Context(), nil))
			p.works(p.container.Delete(p.Context(), nil))
			p.fails(404, "ContainerNotFound")(p.container.GetProperties(p.Context(), nil))
			p.fails(404, "ContainerNotFound")(p.service.NewContainerClient("never-was").Delete(p.Context(), nil))
		}},
		{"times of access policies have seven decimals", PadsPolicyTimes, func(p *blobProbe) {
			start := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
			p.works(p.container.SetAccessPolicy(p.Context(), &container.SetAccessPolicyOptions{
				ContainerACL: []*container.SignedIdentifier{{ID: to.Ptr("a"),
					AccessPolicy: &container.AccessPolicy{Start: &start, Permission: to.Ptr("r")}}}}))
			var answer *http.Response
			p.works(p.container.GetAccessPolicy(policy.WithCaptureResponse(p.Context(), &answer), nil))
			body := result(runtime.Payload(answer))(p)
			if want := "<Start>2026-01-02T03:04:05.0000000Z</Start>"; !strings.Contains(string(body), want) {
				p.Fatalf("no %s in %s", want, body)
			}
		}},
	}
}
