package probe

import (
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/storespec/storespec/internal/run/matching"
	"github.com/storespec/storespec/internal/search/explore"
	"github.com/storespec/storespec/internal/source"
)

// codeForm is what codes of errors look like.
var codeForm = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9]*([_.:-][A-Za-z0-9]+)*$`)

// places notes where an error has its code and its message.
func (n *names) places(c *comparison, got any) {
	at, _ := n.foundCode(got)
	if at != "" && at != n.design.ErrorCode {
		c.place(n.failures, n.design.ErrorCode, at, "looks like a code")
	}
	other, _ := got.(map[string]any)
	if _, has := other["message"]; !has && c.required["message"] {
		if text := messageAt(got, at); text != "" {
			c.place(n.failures, "message", text, "looks like a message")
		}
	}
}

// foundCode returns the place and the value of the code of an error: where the contract has it, or else where it most
// likely is; "" if nothing is.
func (n *names) foundCode(got any) (at, code string) {
	if n.design.ErrorCode == "" {
		return "", ""
	}
	if code = codeAt(got, n.design.ErrorCode); code != "" {
		return n.design.ErrorCode, code
	}
	return n.serverCode(got)
}

// failure notes with which code and status a request failed. It is for when it is known whether the server knows
// sessions.
func (n *names) failure(route string, a *explore.Attempt) {
	got, want := a.Got, a.Want
	if got.JSON == nil || got.Status < http.StatusBadRequest {
		return
	}
	_, code := n.foundCode(got.JSON)
	asked := ""
	switch {
	case n.stranger && strange(a): // it speaks of the session, whatever else was wrong
	case a.Absent && len(n.nowhere) == 1:
		asked = n.nowhere[0]
	case !a.Absent && want != nil && want.Status >= http.StatusBadRequest:
		asked = codeAt(want.JSON, n.design.ErrorCode)
		if want.Status != got.Status && want.Status/100 == got.Status/100 {
			note(n.statuses, strconv.Itoa(got.Status), strconv.Itoa(want.Status), route)
		}
	}
	if code != "" && asked != "" && code != asked && codeForm.MatchString(code) && !slices.Contains(n.codes, code) {
		note(n.other, code, asked, route)
	}
}

// place notes that a member of the contract is at another place.
func (c *comparison) place(into pairs, name, server, why string) {
	into.add(name, server, why, c.route, true)
	c.missing = append(c.missing, name+" is "+server)
	c.paired = append(c.paired, name)
}

// note counts what the server answers where the contract has something else.
func note(list map[string]*pair, server, contracts, route string) {
	key := server + "\x00" + contracts
	if list[key] == nil {
		list[key] = &pair{contract: contracts, server: server}
	}
	if !slices.Contains(list[key].routes, route) {
		list[key].routes = append(list[key].routes, route)
	}
}

// serverCode returns the place and the value of what is most likely the code of an error; "" if nothing is.
func (n *names) serverCode(value any) (at, code string) {
	best := 0
	matching.EachLeaf(value, func(path string, leaf any) {
		text, is := leaf.(string)
		name := source.Plain(path[strings.LastIndexByte(path, '.')+1:])
		if !is || strings.Contains(path, "[") || !codeForm.MatchString(text) ||
			name == source.Plain(n.design.TraceID) {
			return
		}
		likely := []string{"type", "reason", "kind", "error", "errorcode", "code"}
		if rank := slices.Index(likely, name) + 1; rank > best {
			best, at, code = rank, path, text
		}
	})
	return at, code
}

// messageAt returns the place of what is most likely the message of an error; "" if nothing is.
func messageAt(value any, code string) (at string) {
	likely := []string{"message", "text", "detail", "title", "description", "msg", "errordescription", "errormessage"}
	matching.EachLeaf(value, func(path string, leaf any) {
		_, is := leaf.(string)
		name := source.Plain(path[strings.LastIndexByte(path, '.')+1:])
		if at == "" && is && path != code && !strings.Contains(path, "[") && slices.Contains(likely, name) {
			at = path
		}
	})
	return at
}
