package tables

import (
	"encoding/base64"
	"strconv"
	"strings"
	"unicode/utf8"
)

// tokenVersion begins every continuation token.
const tokenVersion = "1!"

// encodeToken makes a continuation token of a key: opaque to clients, and ASCII without anything
// that an address would have to escape, whatever the key holds. The form is Azure's.
// https://learn.microsoft.com/rest/api/storageservices/query-timeout-and-pagination
func encodeToken(key string) string {
	text := base64.RawURLEncoding.EncodeToString([]byte(key))
	return tokenVersion + strconv.Itoa(len(text)) + "!" + text
}

// decodeToken reads a token back; false: it is none.
func decodeToken(token string) (key string, ok bool) {
	rest, ok := strings.CutPrefix(token, tokenVersion)
	if !ok {
		return "", false
	}
	length, text, ok := strings.Cut(rest, "!")
	if !ok || length != strconv.Itoa(len(text)) {
		return "", false
	}
	decoded, err := base64.RawURLEncoding.DecodeString(text)
	return string(decoded), err == nil && utf8.Valid(decoded)
}
