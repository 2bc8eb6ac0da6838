package system

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
)

// Caller is the sender of a request, as far as the headers of a design can express it.
type Caller struct{ Name, Email, UserKey, Session string }

// UserKey returns the key for a user in rows: the SHA-256 of what identifies them, such as their e-mail, in hex.
func UserKey(identity string) string {
	sum := sha256.Sum256([]byte(identity))
	return hex.EncodeToString(sum[:])
}

// Introduce sets the headers that identify the sender of a request. It returns them in the form that reports may
// repeat, as "Name: value", with {session} and {email} for the caller's, and {Name} for a value that is
// the same for all.
func (s System) Introduce(request *http.Request, c Caller) (shown []string) {
	if name := s.Session.Header; name != "" && c.Session != "" {
		request.Header.Set(name, c.Session)
		shown = append(shown, name+": {session}")
	}
	for _, header := range s.People {
		values := map[string]string{"email": c.Email, "name": c.Name, "userKey": c.UserKey}
		request.Header.Set(header.Name, header.Fill(values))
		values["email"] = "{email}"
		if !header.Varies() { // it is the same for all, and may be a key
			shown = append(shown, header.Name+": {"+header.Name+"}")
			continue
		}
		shown = append(shown, header.Name+": "+header.Fill(values))
	}
	return shown
}
