package calendsync

import (
	"net/mail"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/storespec/storespec/reference/web"
)

const (
	maxBody = 1 << 20
	maxName = 200 // characters of a name or a title
)

var colorForm = regexp.MustCompile(`^#[0-9A-Fa-f]{6}$`)

// text returns a text of a body, of 1 to 200 characters. Errors: 400 bad_request.
func (c *call) text(name string) (string, error) {
	text, is := c.body.String(name)
	if !is || strings.TrimSpace(text) == "" || utf8.RuneCountInString(text) > maxName {
		return "", web.BadRequest(name + " is not a text of 1 to 200 characters")
	}
	return text, nil
}

// optional returns a text of any length; nil if it is null or missing. Errors: 400 bad_request.
func (c *call) optional(name string) (*string, error) {
	if !c.body.Has(name) {
		return nil, nil
	}
	text, is := c.body.String(name)
	if !is {
		return nil, web.BadRequest(name + " is not a text")
	}
	return &text, nil
}

func (c *call) color() (string, error) {
	color, is := c.body.String("color")
	if !is || !colorForm.MatchString(color) {
		return "", web.BadRequest("color is not a color such as #3B82F6")
	}
	return color, nil
}

// foldEmail returns an e-mail address in lower case, as it is stored; "" if the text is not one.
func foldEmail(text string) string {
	parsed, err := mail.ParseAddress(text)
	if err != nil || parsed.Address != text || len(text) > maxName {
		return ""
	}
	return strings.ToLower(text)
}
