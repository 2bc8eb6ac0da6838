package tables

import (
	"net/http"
	"strconv"

	"github.com/storespec/storespec/internal/emulator/azure"
)

// response is the answer to one operation, alone or in a batch.
type response struct {
	status    int
	etag      ticks    // 0: none
	location  string   // of what was created
	preferred string   // the preference that was followed
	metadata  metadata // of the body
	xml       bool     // the body is XML and not JSON
	mixed     string   // the body is a batch's, with this boundary
	body      []byte   // nil: none
	next      []header // where the next page begins
}

type header struct{ name, value string }

// maxHeaders is as many as headers has at most.
const maxHeaders = 10

// headers calls add for each header but those of the body.
func (a *response) headers(add func(name, value string)) {
	add("Cache-Control", "no-cache")
	add("X-Content-Type-Options", "nosniff")
	if a.preferred != "" {
		add("Preference-Applied", a.preferred)
	}
	if a.location != "" {
		add("Location", a.location)
		add("Dataserviceid", a.location)
	}
	if a.etag != 0 {
		add("Etag", string(a.etag.appendETag(nil)))
	}
	for _, h := range a.next {
		add(h.name, h.value)
	}
	switch {
	case a.mixed != "":
		add("Content-Type", "multipart/mixed; boundary="+a.mixed)
	case a.body != nil && a.xml:
		add("Content-Type", "application/xml")
	case a.body != nil:
		add("Dataserviceversion", "3.0;")
		add("Content-Type", a.metadata.contentType())
	}
}

// write sends the response.
func (a *response) write(w http.ResponseWriter) {
	h := w.Header()
	values := make([]string, 0, maxHeaders) // one allocation for all
	a.headers(func(name, value string) {
		values = append(values, value)
		h[name] = values[len(values)-1:][:1:1]
	})
	if a.body != nil {
		h["Content-Length"] = []string{strconv.Itoa(len(a.body))}
	}
	w.WriteHeader(a.status)
	if a.body != nil {
		_, _ = w.Write(a.body) // nobody is left to tell
	}
}

// appendPart writes the response as part of a batch, with the Content-ID of its request.
func (a *response) appendPart(dst []byte, id string) []byte {
	dst = append(dst, "HTTP/1.1 "...)
	dst = strconv.AppendInt(dst, int64(a.status), 10)
	dst = append(dst, ' ')
	dst = append(dst, http.StatusText(a.status)...)
	dst = append(dst, "\r\n"...)
	if id != "" {
		dst = append(append(append(dst, "Content-ID: "...), id...), "\r\n"...)
	}
	a.headers(func(name, value string) {
		dst = append(append(append(append(dst, name...), ": "...), value...), "\r\n"...)
	})
	dst = append(dst, "\r\n"...)
	return append(append(dst, a.body...), "\r\n"...)
}

// problemResponse is a problem as a response, for a part of a batch.
func problemResponse(p *azure.Problem, r *azure.Request) response {
	return response{status: p.Status, body: p.JSON(r)}
}
