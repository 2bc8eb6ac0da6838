package familyscheduler

import (
	"bytes"
	"encoding/base64"
	"strings"

	"github.com/storespec/storespec/reference/web"
)

const (
	maxScan  = 8 << 20 // bytes; a request of maxBody holds some 7.5 MiB of base64
	maxPhoto = 5 << 20
)

// picture is an image in one of the three types the contract allows.
type picture struct {
	mime string
	ext  string
	data []byte
}

// extensions lists the extension of each type, in the order in which a scan of unknown type is looked for.
func extensions() []string { return []string{"jpg", "png", "webp"} }

func extensionOf(mime string) string {
	switch mime {
	case "image/jpeg":
		return "jpg"
	case "image/png":
		return "png"
	case "image/webp":
		return "webp"
	}
	return ""
}

// typeOf detects the type from the first bytes, whatever the client declares.
func typeOf(data []byte) string {
	switch {
	case bytes.HasPrefix(data, []byte("\xff\xd8\xff")):
		return "image/jpeg"
	case bytes.HasPrefix(data, []byte("\x89PNG\r\n\x1a\n")):
		return "image/png"
	case len(data) >= 12 && string(data[:4]) == "RIFF" && string(data[8:12]) == "WEBP":
		return "image/webp"
	}
	return ""
}

// picture is the answer with a stored picture's bytes, which say what type they are.
//
// It is private, and a client that caches it revalidates every time, both its permission and its content; if the
// content is unchanged, the answer is a 304 without the bytes.
func (c *call) picture(d *document) web.Reply {
	c.Header.Set("Cache-Control", "private, no-cache")
	c.Header.Set("X-Content-Type-Options", "nosniff")
	c.Header.Set("ETag", d.etag)
	if c.Request.Header.Get("If-None-Match") == d.etag {
		return web.NotModified{}
	}
	return web.File{ContentType: typeOf(d.data), Data: d.data}
}

// pictureField reads imageMime and imageBase64. Errors: 400 when they disagree or are not an image; 413 above max
// bytes.
func pictureField(body web.Object, max int) (*picture, error) {
	mime, _ := body.String("imageMime")
	if extensionOf(mime) == "" {
		return nil, web.BadRequest("imageMime must be image/jpeg, image/png or image/webp")
	}
	text, _ := body.String("imageBase64")
	data, err := base64.StdEncoding.Strict().DecodeString(text)
	if err != nil || strings.ContainsAny(text, "\r\n") { // Go: its decoder ignores line ends
		return nil, web.BadRequest("imageBase64 must be base64")
	}
	if len(data) > max {
		return nil, web.TooLarge("the image is too large")
	}
	if typeOf(data) != mime {
		return nil, web.BadRequest("the image is not of the type imageMime says")
	}
	return &picture{mime: mime, ext: extensionOf(mime), data: data}, nil
}
