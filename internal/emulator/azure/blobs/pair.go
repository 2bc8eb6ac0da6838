package blobs

import (
	"net/http"
	"slices"
	"strings"

	"github.com/storespec/storespec/internal/emulator/azure"
)

// pair is one metadata entry or one tag.
type pair struct{ name, value string }

func byName(a, b pair) int { return strings.Compare(a.name, b.name) }

// find returns the value of a name in sorted pairs.
func find(pairs []pair, name string) (string, bool) {
	i, found := slices.BinarySearchFunc(pairs, name, func(p pair, n string) int { return strings.Compare(p.name, n) })
	if !found {
		return "", false
	}
	return pairs[i].value, true
}

const (
	metadataPrefix = "X-Ms-Meta-"
	// maxMetadata is the limit of all names and values together.
	// https://learn.microsoft.com/rest/api/storageservices/setting-and-retrieving-properties-and-metadata-for-blob-resources
	maxMetadata = 8 << 10
)

// parseMetadata reads the x-ms-meta- headers, sorted by name. Names are in lower case: net/http does not preserve the
// case sent. Problems: EmptyMetadataKey, InvalidMetadata, MetadataTooLarge.
func parseMetadata(h http.Header) ([]pair, *azure.Problem) {
	var list []pair
	size := 0
	for key, values := range h {
		if len(key) < len(metadataPrefix) || !strings.EqualFold(key[:len(metadataPrefix)], metadataPrefix) {
			continue
		}
		name := strings.ToLower(key[len(metadataPrefix):])
		if name == "" {
			return nil, emptyMetadataKey()
		}
		if !isIdentifier(name) {
			return nil, invalidMetadata()
		}
		value := strings.Join(values, ",")
		for i := range len(value) {
			if value[i] > '~' || value[i] < ' ' && value[i] != '\t' {
				return nil, invalidMetadata()
			}
		}
		if size += len(name) + len(value); size > maxMetadata {
			return nil, metadataTooLarge()
		}
		list = append(list, pair{name, value})
	}
	slices.SortFunc(list, byName)
	return list, nil
}

// isIdentifier reports whether s is a C# identifier, as metadata names must be.
func isIdentifier(s string) bool {
	for i := range len(s) {
		c := s[i]
		letter := c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return s != ""
}

// setMetadata writes metadata as headers, in small letters as Azure does: the SDK for Python finds no others.
func setMetadata(h http.Header, metadata []pair) {
	for _, m := range metadata {
		h["x-ms-meta-"+m.name] = []string{m.value}
	}
}
