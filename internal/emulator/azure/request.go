package azure

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
	"time"
)

// Request is an authenticated request for one account.
type Request struct {
	HTTP    *http.Request
	Service Service
	Account *Account
	// Path is what follows the account in the address: still percent-encoded, as sent, without the
	// leading slash. Empty means the service itself.
	Path  string
	Query Query
	// ID is sent in the answer as x-ms-request-id.
	ID string
	// Version is the x-ms-version the client requested, or the one its signature was made for.
	Version string
	// Secondary reports that the request was sent to the account's read-only copy. Writes have already been refused.
	Secondary bool
	// SAS is what the request's shared access signature grants; nil means everything, by key or by token.
	SAS *Grant
	// Bearer reports that a token alone authorized the request.
	Bearer bool

	principal principal // of the token
	// Timeout is how long the client allows the service to take; 0: the service's own limit.
	Timeout time.Duration
	// Now is the time at which the request arrived, by the emulator's clock, in UTC.
	Now time.Time

	front *Front
}

// Part returns a request that came in the body of r, such as those of a blob batch: for the same account, at the same
// time, but with its own signature, which is checked. Its TLS says whether it counts as sent over https. A path without
// the account is one below it: the SDK for Python writes them so, whatever the account's address
// (https://github.com/Azure/Azurite/issues/1809). Problems: those of authentication, and InvalidUri for an address of
// another account.
func (r *Request) Part(part *http.Request) (*Request, *Problem) {
	p := &Request{HTTP: part, Service: r.Service, Account: r.Account, ID: r.ID, Version: r.Version, Now: r.Now,
		front: r.front}
	account, path := r.front.locate(p)
	if account != r.Account.Name {
		if host, _, _ := targetParts(requestTarget(part)); host != "" {
			return nil, InvalidURI()
		}
		p.Path, p.Secondary = strings.TrimPrefix(path, "/"), false
	}
	if r.front.NoAuth {
		return p, nil
	}
	if problem := r.front.authenticate(p, path); problem != nil {
		return nil, problem
	}
	return p, nil
}

// PartPath returns Path and Query of a request in the body of r that is authorized by r's signature, such as those of
// an entity group transaction. target is as in its request line: an address, or a path that starts with a slash. ok is
// false if it is for another account.
func (r *Request) PartPath(target string) (path string, query Query, ok bool) {
	host, path, query := targetParts(target)
	a := splitAddress(r.Service, cmp.Or(host, r.HTTP.Host), path)
	return a.path, query, a.account == r.Account.Name
}

// RootContainer holds the blobs whose addresses have one segment.
// https://learn.microsoft.com/rest/api/storageservices/working-with-the-root-container
const RootContainer = "$root"

// BlobPath splits Path into the container and the blob that it names, both decoded and not checked: an encoded slash
// (%2F) separates nothing, and a single segment is a blob of the root container unless the query has restype.
func (r *Request) BlobPath() (container, blob string) {
	container, blob, _ = strings.Cut(r.Path, "/")
	container, blob = UnescapePath(container), UnescapePath(blob)
	if container != "" && blob == "" && !r.Query.Has("restype") {
		return RootContainer, container
	}
	return container, blob
}

// Endpoint returns the address of the account's service as the client sees it, with a trailing slash.
func (r *Request) Endpoint() string {
	scheme := "http://"
	if r.HTTP.TLS != nil {
		scheme = "https://"
	}
	host, path, _ := targetParts(r.HTTP.RequestURI)
	if host == "" {
		host = r.HTTP.Host
	} else {
		sent, _, _ := strings.Cut(r.HTTP.RequestURI, "://")
		scheme = sent + "://"
	}
	if path == "" {
		path = r.HTTP.URL.EscapedPath()
	}
	return scheme + host + strings.TrimSuffix(strings.TrimSuffix(path, r.Path), "/") + "/"
}

// Level is the kind of resource of an operation, as account signatures distinguish them (srt).
// https://learn.microsoft.com/rest/api/storageservices/create-account-sas#account-sas-permissions-by-operation
type Level byte

// The levels.
const (
	ServiceLevel   Level = 's' // service properties, lists of tables and containers, the batch of blobs
	ContainerLevel Level = 'c' // a table or a container, and the list of blobs
	ObjectLevel    Level = 'o' // an entity or a blob
)

// Allow returns nil if the request may execute an operation, otherwise the problem. At least one of anyOf must be
// granted, with every letter in it: "c", "w" is create or write, "au" is add and update. Without anyOf the operation
// requires the account's key or a token. A signature for a table, container or blob never covers the service level, and
// of the container level only listing ("l", "f"). Problems: AuthorizationPermissionMismatch,
// AuthorizationResourceTypeMismatch, AuthorizationFailure.
func (r *Request) Allow(level Level, anyOf ...string) *Problem {
	g := r.SAS
	if g == nil {
		return nil
	}
	if g.account {
		if strings.IndexByte(g.resourceTypes, byte(level)) < 0 {
			return resourceTypeMismatch()
		}
	} else if level != ObjectLevel && !lists(level, anyOf) {
		return AuthorizationFailure()
	}
	if !slices.ContainsFunc(anyOf, g.holds) {
		return permissionMismatch()
	}
	return nil
}

// lists reports whether an operation is one of those on a container that the container's signature can grant.
func lists(level Level, anyOf []string) bool {
	return level == ContainerLevel && (slices.Contains(anyOf, "l") || slices.Contains(anyOf, "f"))
}

// AllowRow is Allow for a table signature's table and key range; the caller has checked the permission. Writes outside
// the range are refused; a query returns only rows within it, see Grant.Rows.
func (r *Request) AllowRow(table, partition, row string) *Problem {
	if r.SAS == nil || r.SAS.Covers(table, partition, row) {
		return nil
	}
	return AuthorizationFailure()
}

// Grant is what a shared access signature allows.
type Grant struct {
	// Permissions are the letters of sp, or of the stored policy.
	Permissions string
	// Headers holds the answer's headers that a blob signature overrides (rscc, rscd, rsce, rscl, rsct), under their
	// canonical names; nil if there are none. Get Blob applies them.
	Headers http.Header
	// Rows is the key range of a table signature; nil means all.
	Rows *KeyRange

	account       bool   // an account signature, not one for a single resource
	resourceTypes string // srt
	table         string // tn, in lower case
}

// KeyRange is an inclusive range of keys. An empty row key bound means that the parameter is absent.
type KeyRange struct {
	StartPartition, StartRow, EndPartition, EndRow string
	HasStart, HasStartRow, HasEnd, HasEndRow       bool
}

// Contains reports whether a key is in the range. Row bounds apply within the bound's partition.
func (k *KeyRange) Contains(partition, row string) bool {
	if k == nil {
		return true
	}
	if k.HasStart && (partition < k.StartPartition || partition == k.StartPartition && k.HasStartRow &&
		row < k.StartRow) {
		return false
	}
	return !k.HasEnd || partition < k.EndPartition || partition == k.EndPartition && (!k.HasEndRow || row <= k.EndRow)
}

// Covers reports whether an entity is in a table signature's table and range. Other signatures cover
// every entity.
func (g *Grant) Covers(table, partition, row string) bool {
	return g.table == "" || strings.EqualFold(g.table, table) && g.Rows.Contains(partition, row)
}

// CoversTable is Covers for a query of a table.
func (g *Grant) CoversTable(table string) bool {
	return g == nil || g.table == "" || strings.EqualFold(g.table, table)
}

// holds reports whether every one of the letters is granted.
func (g *Grant) holds(letters string) bool { return strings.Trim(letters, g.Permissions) == "" }
