package blobs

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strings"

	"github.com/storespec/storespec/internal/emulator/azure"
)

// A blob may be encrypted with a key that the client sends with each request: a customer-provided key. Only the key's
// SHA-256 is stored, and the content as it is: it is served to whoever sends the key with that digest.
// https://learn.microsoft.com/azure/storage/blobs/encryption-customer-provided-keys

// keyUse is what an operation does with a customer-provided key.
type keyUse byte

const (
	keyRefused  keyUse = iota // it takes none, and needs none
	keyWritten                // the key is for what is written, whatever the blob had
	keyNeeded                 // it must be the key of the blob
	keyOptional               // it may be left out; if sent, it must be the key of the blob
)

// takeKeys marks the operations that take a key. Clearing pages needs it and resizing does not, as recorded by Azure's
// SDK for JavaScript.
func takeKeys(routes map[route]operation) {
	for comp, use := range map[string]keyUse{
		"": keyWritten, "block": keyWritten, "blocklist": keyWritten,
		"appendblock": keyNeeded, "page": keyNeeded, "metadata": keyNeeded, "snapshot": keyNeeded,
		"properties": keyOptional,
	} {
		takeKey(routes, route{azure.ObjectLevel, http.MethodPut, comp}, use)
	}
	for _, method := range []string{http.MethodGet, http.MethodHead} {
		takeKey(routes, route{azure.ObjectLevel, method, ""}, keyNeeded)
		takeKey(routes, route{azure.ObjectLevel, method, "metadata"}, keyNeeded)
	}
}

func takeKey(routes map[route]operation, r route, use keyUse) {
	op := routes[r]
	op.key = use
	routes[r] = op
}

// keyHeaders are the canonical names of the headers of a key.
type keyHeaders struct{ key, digest, algorithm string }

func ownKey() keyHeaders {
	return keyHeaders{"X-Ms-Encryption-Key", "X-Ms-Encryption-Key-Sha256", "X-Ms-Encryption-Algorithm"}
}

// sourceKey is the key of the blob that an operation From URL reads.
func sourceKey() keyHeaders {
	return keyHeaders{"X-Ms-Source-Encryption-Key", "X-Ms-Source-Encryption-Key-Sha256",
		"X-Ms-Source-Encryption-Algorithm"}
}

// keyAlgorithm is the only algorithm for keys, and keyLength the length of its keys.
const (
	keyAlgorithm = "AES256"
	keyLength    = 32
)

// none returns UnsupportedHeader if there is a key.
func (n keyHeaders) none(h http.Header) *azure.Problem {
	for _, name := range []string{n.key, n.digest, n.algorithm} {
		if value := first(h, name); value != "" {
			return unsupportedHeader(strings.ToLower(name), value)
		}
	}
	return nil
}

// parse returns the SHA-256 of the key; empty: none was sent. A read may leave out the digest or the algorithm, since
// of each there is a document that calls it optional. Problems: MissingRequiredHeader, InvalidHeaderValue.
func (n keyHeaders) parse(h http.Header, reads bool) (digest string, p *azure.Problem) {
	key, sent, algorithm := first(h, n.key), first(h, n.digest), first(h, n.algorithm)
	switch {
	case key == "" && sent == "" && algorithm == "":
		return "", nil
	case algorithm != "" && algorithm != keyAlgorithm:
		return "", azure.InvalidHeaderValue(strings.ToLower(n.algorithm), algorithm)
	case key == "":
		return "", azure.MissingHeader(strings.ToLower(n.key))
	case sent == "" && !reads:
		return "", azure.MissingHeader(strings.ToLower(n.digest))
	case algorithm == "" && !reads:
		return "", azure.MissingHeader(strings.ToLower(n.algorithm))
	}
	raw, err := base64.StdEncoding.DecodeString(key)
	if err != nil || len(raw) != keyLength {
		return "", malformedKey(n.key)
	}
	sum := sha256.Sum256(raw)
	digest = string(sum[:])
	if sent != "" && sent != digestText(digest) {
		return "", malformedKey(n.digest)
	}
	return digest, nil
}

// malformedKey is InvalidHeaderValue without the value, which Azure repeats: it may be a key with a slip in it, or a
// key in the place of its digest.
func malformedKey(name string) *azure.Problem {
	p := azure.InvalidHeaderValue(strings.ToLower(name), "")
	p.Extra = p.Extra[:1]
	return p
}

func digestText(digest string) string { return base64.StdEncoding.EncodeToString([]byte(digest)) }

// readKey reads the request's key. An algorithm alone is no key: old SDKs for Python and JavaScript always send it.
func (c *call) readKey(use keyUse) (p *azure.Problem) {
	h, own := c.HTTP.Header, ownKey()
	c.keyUse = use
	if use == keyRefused || first(h, "X-Ms-Copy-Source") == "" {
		if p := sourceKey().none(h); p != nil {
			return p
		}
	}
	switch {
	case use == keyRefused:
		return own.none(h)
	case first(h, own.key) == "" && first(h, own.digest) == "" && first(h, own.algorithm) == keyAlgorithm:
		return nil
	}
	c.key, p = own.parse(h, c.HTTP.Method != http.MethodPut)
	return p
}

// signedScope refuses to write content in the encryption scope that a signature names, unless it is the account's.
func (c *call) signedScope(use keyUse) *azure.Problem {
	if c.SAS == nil || c.HTTP.Method != http.MethodPut || use != keyWritten && use != keyNeeded {
		return nil
	}
	if scope := c.Query.Get("ses"); scope != "" && scope != defaultScope {
		return scopeNotAvailable()
	}
	return nil
}

// noKeys refuses keys in a copy: it has the encryption of the account, and its source must have it too.
func noKeys(h http.Header) *azure.Problem {
	if p := ownKey().none(h); p != nil {
		return p
	}
	return sourceKey().none(h)
}

// readSourceKey takes the key of a source from the headers of the request that copies from it. Problems:
// MissingRequiredHeader, CannotVerifyCopySource.
func (s *copySource) readSourceKey(h http.Header) (p *azure.Problem) {
	s.keyUse = keyNeeded
	if s.key, p = sourceKey().parse(h, false); p != nil && p.Code == "InvalidHeaderValue" {
		return sourceProblem(p) // it is the source that looks at the values
	}
	return p
}

// unlocks checks the request's key against that of a blob. Problems: those of sameKey.
func (c *call) unlocks(r *record) *azure.Problem {
	switch c.keyUse {
	case keyRefused, keyWritten:
		return nil
	case keyOptional:
		if c.key == "" {
			return nil
		}
	case keyNeeded:
	}
	return sameKey(r.key, c.key)
}

// sameKey compares the digests of the key that something was encrypted with, and of the one that was sent. Problems:
// BlobUsesCustomerSpecifiedEncryption, BlobDoesNotUseCustomerSpecifiedEncryption,
// BlobCustomerSpecifiedEncryptionMismatch.
func sameKey(stored, sent string) *azure.Problem {
	switch {
	case stored == sent:
		return nil
	case sent == "":
		return blobUsesKey()
	case stored == "":
		return blobUsesNoKey()
	}
	return blobUsesOtherKey()
}

// keyDigest writes the element of a list that says which key a blob has.
func (x *xmlWriter) keyDigest(digest string) {
	if digest != "" {
		x.element("CustomerProvidedKeySha256", digestText(digest))
	}
}

// metadataOf writes a blob's metadata in a list, where that of a blob with a key cannot be read.
func (x *xmlWriter) metadataOf(rec *record) {
	if rec.key != "" && len(rec.metadata) > 0 {
		x.b = append(x.b, `<Metadata Encrypted="true" />`...)
		return
	}
	x.metadata(rec.metadata)
}
