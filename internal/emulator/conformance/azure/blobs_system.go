package azure

import (
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
			p.answers(p.raw("PUT", `/a%5Cb`, "x", "x-ms-blob-type: BlockBlob"), 201, "")
			equal(p, "names", p.list("").names(), "a/b")
			equal(p, "content", p.answers(p.raw("GET", "/a/b", ""), 200, "").body, "x")
		}},
	}
}

// blobOrigins are the pages in browsers that may call.
func blobOrigins() []blobCase {
	allow := func(p *blobProbe, origins string) {
		_, err := p.service.SetProperties(p.Context(), &service.SetPropertiesOptions{CORS: []*service.CORSRule{{
			AllowedOrigins: to.Ptr(origins), AllowedMethods: to.Ptr("GET"), AllowedHeaders: to.Ptr(""),
			ExposedHeaders: to.Ptr(""), MaxAgeInSeconds: to.Ptr(int32(5))}}})
		p.OK(err)
	}
	allowed := func(p *blobProbe, origin string) string {
		return p.raw("GET", "/b", "", "Origin: "+origin).header.Get("Access-Control-Allow-Origin")
	}
	return []blobCase{
		{"an origin with a wildcard", MatchesSubdomains, func(p *blobProbe) {
			defer func() { // the properties are the account's
				_, err := p.service.SetProperties(p.Context(),
					&service.SetPropertiesOptions{CORS: []*service.CORSRule{}})
				p.OK(err)
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
			url, err := p.container.GetSASURL(sas.ContainerPermissions{Read: true, Write: true, Create: true,
				Delete: true, List: true}, time.Now().Add(time.Hour), nil)
			p.OK(err)
			c, err := container.NewClientWithNoCredential(url, &container.ClientOptions{ClientOptions: p.options()})
			p.OK(err)
			_, err = c.GetProperties(p.Context(), nil)
			p.code(err, 403, "AuthorizationFailure")
			_, err = c.Create(p.Context(), nil)
			p.code(err, 403, "AuthorizationFailure")
			_, err = c.NewListBlobsFlatPager(nil).NextPage(p.Context())
			p.OK(err)
		}},
	}
}

// blobPublic are reads without credentials.
func blobPublic() []blobCase {
	return []blobCase{
		{"public access", AsksForCredentials, func(p *blobProbe) {
			p.put("b", "x")
			anybody := func(method, path string) int {
				return p.send(p.request(method, p.container.URL()+path, "", "x-ms-version: 2024-11-04")).status
			}
			const list = "?restype=container&comp=list"
			equal(p, "a private blob", anybody("GET", "/b"), 401)
			for access, lists := range map[container.PublicAccessType]int{container.PublicAccessTypeBlob: 401,
				container.PublicAccessTypeContainer: 200} {
				_, err := p.container.SetAccessPolicy(p.Context(), &container.SetAccessPolicyOptions{Access: &access})
				p.OK(err)
				equal(p, "a public blob", anybody("GET", "/b"), 200)
				equal(p, "its properties", anybody("HEAD", "/b"), 200)
				equal(p, "a blob that is not there", anybody("GET", "/none"), 404)
				equal(p, "writing to a public blob", anybody("PUT", "/b?comp=metadata"), 401)
				equal(p, "tags of a public blob", anybody("GET", "/b?comp=tags"), 401)
				if got := anybody("GET", list); got != lists && (lists == 200 || got < 401) {
					p.Fatalf("with public access to the %s a list is %d, want %d", access, got, lists)
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
			_, err := src.Create(p.Context(), nil)
			p.OK(err)
			_, err = src.Seal(p.Context(), nil)
			p.OK(err)
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
			_, err := p.container.Delete(p.Context(), nil)
			p.OK(err)
			_, err = p.container.Delete(p.Context(), nil)
			p.OK(err)
			_, err = p.container.GetProperties(p.Context(), nil)
			p.code(err, 404, "ContainerNotFound")
			_, err = p.service.NewContainerClient("never-was").Delete(p.Context(), nil)
			p.code(err, 404, "ContainerNotFound")
		}},
		{"times of access policies have seven decimals", PadsPolicyTimes, func(p *blobProbe) {
			start := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
			_, err := p.container.SetAccessPolicy(p.Context(), &container.SetAccessPolicyOptions{
				ContainerACL: []*container.SignedIdentifier{{ID: to.Ptr("a"),
					AccessPolicy: &container.AccessPolicy{Start: &start, Permission: to.Ptr("r")}}}})
			p.OK(err)
			var answer *http.Response
			_, err = p.container.GetAccessPolicy(policy.WithCaptureResponse(p.Context(), &answer), nil)
			p.OK(err)
			body, err := runtime.Payload(answer)
			p.OK(err)
			if want := "<Start>2026-01-02T03:04:05.0000000Z</Start>"; !strings.Contains(string(body), want) {
				p.Fatalf("no %s in %s", want, body)
			}
		}},
	}
}
