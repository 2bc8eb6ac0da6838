package system

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"

	"go.yaml.in/yaml/v3"
)

// idForm is what a part of a key, a blob's name and a path can be.
var idForm = regexp.MustCompile(`^[^/\\#?%\s\x00-\x1f]+$`)

// IDPlaceholders returns the placeholders allowed in System.IDs, in order.
func IDPlaceholders() []string { return []string{"name", "tag", "uuid"} }

// ids reads the form of ids. Two of one scenario must differ, and so must those of two scenarios.
func (r *reader) ids(k key, value *yaml.Node) error {
	if !isText(value) || !idForm.MatchString(value.Value) {
		return r.wrong(k, value)
	}
	form, err := NewMapping(k.name, value.Value, IDPlaceholders())
	if err != nil {
		return r.At(value, "%s; known: {name}, {tag}, {uuid}", err)
	}
	if !form.Uses("uuid") && (!form.Uses("name") || !form.Uses("tag")) {
		return r.wrong(k, value)
	}
	r.system.IDs = &form
	return nil
}

// NewID makes up the id of something that a scenario calls by a name. The same name and tag always get the same id.
func (s System) NewID(name, tag string) string {
	sum := sha256.Sum256([]byte(tag + "/" + name))
	sum[6], sum[8] = sum[6]&0x0f|0x40, sum[8]&0x3f|0x80 // RFC 9562, section 5.4: version 4, variant 10
	digits := hex.EncodeToString(sum[:16])
	uuid := digits[:8] + "-" + digits[8:12] + "-" + digits[12:16] + "-" + digits[16:20] + "-" + digits[20:]
	if s.IDs == nil {
		return uuid
	}
	return s.IDs.Fill(map[string]string{"name": name, "tag": tag, "uuid": uuid})
}
