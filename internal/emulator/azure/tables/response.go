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
	location  string   // of the created resource
	preferred string   // the preference that was applied
	metadata  metadata // of the body
	xml       bool     // the body is XML, not JSON
	mixed     string   // the body is a batch's, with this boundary
	body      []byte   // nil: none
	next      []header // where the next page begins
}

type header struct{ name, value string }

// maxHeaders is the maximum number of headers that headers adds.
const maxHeaders = 10

// headers calls add for each header except those of the body.
func (a *response) headers(add func(name, value string)) {
	add("Cache-Control", "no-cache")
	add("X-Content-Type-Options", "nosniff")
	if a.preferred != "" {
		add("Preference-Applied", a.preferred)
	}
	if a.location != "" {
		add("Location", a.location)
		if a.status == http.StatusNoContent { // an answer with a body names its resource there
			add("Dataserviceid", a.location)
		}
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
		add("Content-Type", contentTypes[a.metadata])
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
		_, _ = w.Write(a.body) // the client is gone
	}
}

// appendPart appends the response as part of a batch, with the Content-ID of its request.
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

// response returns the failure as the answer to its part of a batch.
func (f failure) response(r *azure.Request) response {
	p := *f.Problem
	p.Message = strconv.Itoa(f.at) + ":" + p.Message
	return response{status: p.Status, body: p.JSON(r)}
}
