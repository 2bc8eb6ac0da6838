package c4lendar

import (
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"github.com/storespec/storespec/reference/web"
)

// The limits of what requests hold, so that an array of fifty titles stays far below what KV takes.
const (
	maxBody = 1 << 20
	maxText = 4096
)

// call is a request in progress. The deadline of its storage calls is in the context passed with it.
type call struct {
	*web.Exchange
	body web.Object
}

// chat returns the chat that the path names.
func (c *call) chat() (string, error) {
	chat := c.Request.PathValue("chat")
	if !chatForm.MatchString(chat) {
		return "", web.BadRequest("a chat is a number of 19 digits at most")
	}
	return chat, nil
}

func (c *call) sub() (string, error) { return subOf(c.Request.PathValue("sub")) }

func subOf(text string) (string, error) {
	if !subForm.MatchString(text) {
		return "", web.BadRequest("a sub is 1 to 255 letters, digits, dashes and underscores")
	}
	return text, nil
}

func (c *call) chatAndSub() (chat, sub string, err error) {
	if chat, err = c.chat(); err == nil {
		sub, err = c.sub()
	}
	return chat, sub, err
}

func (c *call) chatAndEvent() (chat, uid string, err error) {
	if chat, err = c.chat(); err != nil {
		return "", "", err
	}
	if uid = c.Request.PathValue("uid"); !uidForm.MatchString(uid) {
		return "", "", web.BadRequest("a bot_event_uid is 26 characters of Crockford's alphabet")
	}
	return chat, uid, nil
}

// fields reads the fields of a body; wrong is for one that is malformed.
type fields struct {
	body  web.Object
	wrong error
}

func (f *fields) refuse(name, why string) { f.wrong = web.BadRequest(name + " " + why) }

// optional returns a text; "" if it is missing.
func (f *fields) optional(name string) string {
	text, is := f.body.String(name)
	if !is || len(text) > maxText {
		f.refuse(name, "is not a text, or too long")
	}
	return text
}

// text returns a text that must be there.
func (f *fields) text(name string) string {
	text := f.optional(name)
	if strings.TrimSpace(text) == "" {
		f.refuse(name, "is missing")
	}
	return text
}

// nullable returns a text; nil if it is null or missing.
func (f *fields) nullable(name string) *string {
	if !f.body.Has(name) {
		return nil
	}
	text := f.optional(name)
	return &text
}

// instant returns a time as it is stored; "" if it is missing.
func (f *fields) instant(name string) string {
	text := f.optional(name)
	at, err := time.Parse(time.RFC3339, text)
	switch {
	case text == "":
		return ""
	case err != nil:
		f.refuse(name, "is not a time in ISO 8601")
	}
	return stamp(at)
}

// number returns an integer; nil if it is missing.
func (f *fields) number(name string) *int64 {
	if !f.body.Has(name) {
		return nil
	}
	var n int64
	if json.Unmarshal(f.body[name], &n) != nil {
		f.refuse(name, "is not an integer")
	}
	return &n
}

// stamp returns an instant as JavaScript's toISOString does.
func stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

func (s *Server) timestamp() string { return stamp(s.now()) }

func notFound(message string) *web.Error {
	return &web.Error{Status: http.StatusNotFound, Code: "not_found", Message: message}
}
