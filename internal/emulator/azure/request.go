package azure

import (
	"net/http"
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
	// ID is what the answer carries as x-ms-request-id.
	ID string
	// Version is the x-ms-version the client asked for, or the one its signature was made for.
	Version string
	// Secondary: the request was sent to the account's read-only copy. Writes were refused already.
	Secondary bool
	// SAS is what the request's shared access signature grants; nil means everything, by key.
	SAS *Grant
	// Now is the time at which the request arrived, by the emulator's clock, in UTC.
	Now time.Time

	front *Front
}

// Part makes a request of its own of one that came in the body of r, such as those of a batch of
// blobs: for the same account, at the same time, but with its own signature, which is checked.
// Problems: those of authentication, and InvalidUri for another account.
func (r *Request) Part(part *http.Request) (*Request, *Problem) {
	p := &Request{HTTP: part, Service: r.Service, Account: r.Account, ID: r.ID, Version: r.Version, Now: r.Now, front: r.front}
	account, path := r.front.locate(p)
	if account != r.Account.Name {
		return nil, InvalidURI()
	}
	if r.front.NoAuth {
		return p, nil
	}
	if problem := r.front.authenticate(p, path); problem != nil {
		return nil, problem
	}
	return p, nil
}

// PartPath is Path and Query of a request in the body of r that goes by r's signature, such as those
// of an entity group transaction. target is as in its request line: an address, or a path that
// starts with a slash. False: it is for another account.
func (r *Request) PartPath(target string) (path string, query Query, ok bool) {
	host, path, query := targetParts(target)
	if host == "" {
		host = r.HTTP.Host
	}
	a := splitAddress(r.Service, host, path)
	return a.path, query, a.account == r.Account.Name
}

// Level is what kind of thing an operation is about, as account signatures tell them apart (srt).
// https://learn.microsoft.com/rest/api/storageservices/create-account-sas#account-sas-permissions-by-operation
type Level byte

// The levels.
const (
	ServiceLevel   Level = 's' // service properties, lists of tables and containers, the batch of blobs
	ContainerLevel Level = 'c' // a table or a container, and the list of blobs
	ObjectLevel    Level = 'o' // an entity or a blob
)

// Allow says whether the request may do an operation, and is nil if so. Of anyOf, at least one must
// be granted, with every letter in it: "c", "w" is create or write, "au" is add and update. Without
// anyOf the operation takes the account's key. A signature for a table, container or blob never
// reaches the service level, and of the container level only listing ("l", "f").
// Problems: AuthorizationPermissionMismatch, AuthorizationResourceTypeMismatch.
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
		return permissionMismatch()
	}
	for _, need := range anyOf {
		if g.holds(need) {
			return nil
		}
	}
	return permissionMismatch()
}

// lists reports whether an operation is one of those on a container that its signature can grant.
func lists(level Level, anyOf []string) bool {
	if level != ContainerLevel {
		return false
	}
	for _, need := range anyOf {
		if need == "l" || need == "f" {
			return true
		}
	}
	return false
}

// AllowRow is Allow for a table signature's table and key range; the caller has checked the
// permission. Writes outside the range are refused; a query returns only rows within it, see
// Grant.Rows.
func (r *Request) AllowRow(table, partition, row string) *Problem {
	if r.SAS == nil || r.SAS.Covers(table, partition, row) {
		return nil
	}
	return authorizationFailure()
}

// Grant is what a shared access signature allows.
type Grant struct {
	// Permissions are the letters of sp, or of the stored policy.
	Permissions string
	// Resource is sr of a blob signature: b blob, bs snapshot, bv version, c container. Empty
	// otherwise.
	Resource string
	// Headers are the answer's headers that a blob signature overrides (rscc, rscd, rsce, rscl,
	// rsct), under their canonical names; nil when there are none. Get Blob applies them.
	Headers http.Header
	// Rows is the key range of a table signature; nil means all.
	Rows *KeyRange

	account       bool   // signs for the account and not for one resource
	resourceTypes string // srt
	table         string // tn, in small letters
}

// KeyRange is an inclusive range of keys. An empty row key bound belongs to an absent parameter.
type KeyRange struct {
	StartPartition, StartRow, EndPartition, EndRow string
	HasStart, HasStartRow, HasEnd, HasEndRow       bool
}

// Contains reports whether a key is in the range. Row bounds count within the bound's partition.
func (k *KeyRange) Contains(partition, row string) bool {
	if k == nil {
		return true
	}
	if k.HasStart && (partition < k.StartPartition || partition == k.StartPartition && k.HasStartRow && row < k.StartRow) {
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

func (g *Grant) holds(letters string) bool {
	for i := range len(letters) {
		if strings.IndexByte(g.Permissions, letters[i]) < 0 {
			return false
		}
	}
	return true
}
