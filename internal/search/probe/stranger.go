package probe

import (
	"net/http"

	"github.com/storespec/storespec/internal/search/explore"
)

// fewest is how many requests with a session must have been answered before it can be said that none is known.
const fewest = 3

// isStranger reports whether the server has answered 401 to every request with a session that ought to succeed, as one
// does that takes sessions in another form. Routes that the contract never answers with 401 ask for no session.
func isStranger(trials []explore.Trial) bool {
	refused := 0
	for _, t := range trials {
		if t.Valid == nil || t.Valid.Person == "" || t.Valid.Absent || t.Valid.Unsent() != nil || t.Valid.Guessed {
			continue
		}
		if _, asks := t.Operation.Answers["401"]; !asks {
			continue
		}
		if !strange(t.Valid) {
			return false
		}
		refused++
	}
	return refused >= fewest
}

// strange reports whether an attempt with a session got 401 where the reference server, if there is one, answers
// otherwise.
func strange(a *explore.Attempt) bool {
	return a.Person != "" && a.Got.Status == http.StatusUnauthorized &&
		(a.Want == nil || a.Want.Status != http.StatusUnauthorized)
}

// aboutSessions says what a mapping needs for a server that knows no session.
const aboutSessions = "every request with a session is answered 401: if the server takes sessions otherwise, the " +
	"mapping says how, such as session: {header: \"Authorization: Bearer {session}\"}"
