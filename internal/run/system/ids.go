package system

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"
)

// idForm is what a part of a key, a blob's name and a path can be.
var idForm = regexp.MustCompile(`^[^/\\#?%\s\x00-\x1f]+$`)

// IDPlaceholders returns the placeholders allowed in System.IDs, in order.
func IDPlaceholders() []string { return []string{"hex", "name", "tag", "uuid"} }

// ids reads the form of ids.
func (r *reader) ids(k key, value *yaml.Node) (err error) {
	if !isText(value) {
		return r.wrong(k, value)
	}
	if r.system.IDs, err = NewIDForm(k.name, value.Value); err != nil {
		return r.At(value, "%s", err)
	}
	return nil
}

// NewIDForm reads a template of ids. Two of one scenario must differ, and so must those of two scenarios. The error
// names what.
func NewIDForm(what, template string) (*Mapping, error) {
	form, err := NewMapping(what, template, IDPlaceholders())
	if err != nil {
		return nil, fmt.Errorf("%w; known: {%s}", err, strings.Join(IDPlaceholders(), "}, {"))
	}
	if !idForm.MatchString(template) ||
		!form.Uses("uuid") && !form.Uses("hex") && (!form.Uses("name") || !form.Uses("tag")) {
		return nil, fmt.Errorf("%s must be a text that differs for each id: with {uuid} or {hex}, or with {name} and "+
			"{tag}", what)
	}
	return &form, nil
}

// NewID makes up the id of something that a scenario calls by a name. The same name and tag always get the same id.
func (s System) NewID(name, tag string) string { return idOf(s.IDs, name, tag) }

// NewSessionID makes up the id of a session, from a text that no other has.
func (s System) NewSessionID(unique string) string { return idOf(s.Session.ID, "session", unique) }

// idOf fills in a form of ids; nil: UUIDs.
func idOf(form *Mapping, name, tag string) string {
	sum := sha256.Sum256([]byte(tag + "/" + name))
	sum[6], sum[8] = sum[6]&0x0f|0x40, sum[8]&0x3f|0x80 // RFC 9562, section 5.4: version 4, variant 10
	digits := hex.EncodeToString(sum[:16])
	uuid := digits[:8] + "-" + digits[8:12] + "-" + digits[12:16] + "-" + digits[16:20] + "-" + digits[20:]
	if form == nil {
		return uuid
	}
	return form.Fill(map[string]string{"name": name, "tag": tag, "uuid": uuid, "hex": digits})
}
