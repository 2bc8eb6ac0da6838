package actions

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/gowebpki/jcs"

	"github.com/storespec/storespec/reference/web"
)

// metadataField is the field that answers add to a record: it is not part of a record that is sent.
const metadataField = "_metadata"

// record is what a client sends, in the form in which it is hashed and stored.
type record struct {
	owner, name string // trimmed, case kept
	key         key
	payload     []byte // RFC 8785
	hash        string // SHA-256 of payload, lower hex
}

// parseRecord parses and validates a record: 400 for anything invalid, owner before name. owner and name are filled in
// if they are texts, even when there is an error.
func parseRecord(data []byte) (record, *web.Error) {
	var r record
	normalized, err := readStrict(data, r.member)
	if err != nil {
		return r, web.BadRequest(err.Error())
	}
	if normalized[0] != '{' {
		return r, web.BadRequest("a record is one JSON object")
	}
	if r.key.partition, err = keyOf(r.owner); err != nil {
		return r, web.BadRequest("owner " + err.Error())
	}
	if r.key.row, err = keyOf(r.name); err != nil {
		return r, web.BadRequest("name " + err.Error())
	}
	if r.payload, err = jcs.Transform(normalized); err != nil { // it takes everything that readStrict lets pass
		return r, &web.Error{Status: http.StatusInternalServerError, Message: "the record has no canonical form"}
	}
	sum := sha256.Sum256(r.payload)
	r.hash = hex.EncodeToString(sum[:])
	return r, nil
}

// member records owner and name, which are trimmed and otherwise left as they are, and drops the metadata field.
func (r *record) member(name string, field []byte, text string) []byte {
	switch name {
	case metadataField:
		return nil
	case "owner":
		r.owner = trim(text)
		return quoted(name, r.owner)
	case "name":
		r.name = trim(text)
		return quoted(name, r.name)
	}
	return field
}

func quoted(name, text string) []byte {
	data, _ := json.Marshal(map[string]string{name: text}) // texts can always be encoded as JSON
	return data[1 : len(data)-1]
}

// trim takes ASCII white space from both ends: what counts as white space elsewhere differs from language to language.
func trim(text string) string { return strings.Trim(text, " \t\n\v\f\r") }

// keyOf returns a text as half of a key (GA-KEY-1): trimmed, A to Z as a to z. The error for an invalid text says what
// is required.
func keyOf(text string) (string, error) {
	half := strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r + ('a' - 'A')
		}
		return r
	}, trim(text))
	switch {
	case half == "":
		return "", errors.New("must be a text that is not blank")
	case !utf8.ValidString(text): // of a path: an invalid body is refused as a whole
		return "", errors.New("must be UTF-8")
	}
	units := 0
	for _, r := range half {
		if strings.ContainsRune(`/\#?`, r) || r < 0x20 || 0x7f <= r && r <= 0x9f {
			return "", errors.New(`must not hold / \ # ? or control characters`)
		}
		units += utf16.RuneLen(r)
	}
	if units > maxKey {
		return "", errors.New("is too long: a key holds 512 UTF-16 units")
	}
	return half, nil
}
