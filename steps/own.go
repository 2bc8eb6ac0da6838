package steps

import "net/http"

// Own is what a design that is described by a file says of itself, beside what every System has. The zero value
// is that of the designs that storespec knows.
type Own struct {
	Env    []Mapping // the environment of an implementation
	People []Mapping // request headers that say who sends a request; PersonPlaceholders
	Tags   []string  // that its features may have, without "@"
}

// PersonPlaceholders are the names that the template of a header in Own.People can have in braces, in order.
func PersonPlaceholders() []string { return []string{"email", "name", "userKey"} }

// introduce sets the headers that say who sends a request; nil is Nobody, who says nothing. It gives them as reports may
// repeat them.
func (s System) introduce(request *http.Request, caller *person) (shown []string) {
	if caller == nil {
		return nil
	}
	if name := s.Session.Header; name != "" && caller.session != "" {
		request.Header.Set(name, caller.session)
		shown = append(shown, name+": {session}")
	}
	for _, header := range s.People {
		values := map[string]string{"email": caller.email, "name": caller.name, "userKey": caller.userKey()}
		request.Header.Set(header.Name, header.fill(values))
		values["email"] = "{email}"
		if placeholder.MatchString(header.template) { // else it is the same for all, and may be a key
			shown = append(shown, header.Name+": "+header.fill(values))
		}
	}
	return shown
}
