package steps

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"
)

// userKey is the key of a person in table rows (design, "Identity").
func (p *person) userKey() string {
	identity := p.email
	if p.gsid != "" {
		identity = "guest:" + p.gsid
	}
	sum := sha256.Sum256([]byte(identity))
	return hex.EncodeToString(sum[:])
}

func (p *person) memberKey() string {
	if p.gsid != "" {
		return "guest:" + p.gsid
	}
	return "auth:" + p.sub
}

// session is the document of a session blob.
type session struct {
	V            int    `json:"v"`
	Email        string `json:"email,omitempty"`
	Kind         string `json:"kind"`
	CreatedAt    string `json:"createdAt"`
	ExpiresAt    string `json:"expiresAt"`
	ScopeGroupID string `json:"scopeGroupId,omitempty"`
	Sub          string `json:"sub,omitempty"`
	GSID         string `json:"gsid,omitempty"`
}

// peopleSteps gives people the sessions of familyscheduler.
func peopleSteps() []Step {
	return []Step{
		{`(\w+) is signed in`, `Given Ana is signed in`,
			func(w *World) any { return func(name string) error { return w.signIn(name, time.Hour) } }},
		{`(\w+) never signed in`, `Given Ana never signed in`,
			func(w *World) any { return func(name string) error { w.person(name); return nil } }},
		{`(\w+) is signed in as "([^"]*)"`, `Given Ana is signed in as " {Ana.EMAIL} "`,
			func(w *World) any { return w.signInAs }},
		{`(\w+) is signed in with the e-mail as subject`, `Given Ana is signed in with the e-mail as subject`,
			func(w *World) any { return w.signInWithEmailAsSubject }},
		{`(\w+) is signed in with the subject "([^"]*)"`, `Given Ben is signed in with the subject "O'Brien-{tag}"`,
			func(w *World) any { return w.signInWithSubject }},
		{`(\w+) has the session id "([^"]*)"`, `Given Ana has the session id "../etc"`,
			func(w *World) any {
				return func(name, id string) (err error) { w.person(name).session, err = w.expand(id); return err }
			}},
		{`(\w+) is signed in without a subject`, `Given Ana is signed in without a subject`,
			func(w *World) any { return w.signInWithoutSubject }},
		{`(\w+)'s session has expired`, `Given Ana's session has expired`,
			func(w *World) any { return func(name string) error { return w.signIn(name, -time.Second) } }},
		{`(\w+) has a session that nobody opened`, `Given Ana has a session that nobody opened`,
			func(w *World) any {
				return func(name string) error { w.person(name).session = newSessionID(); return nil }
			}},
		{`(\w+) signs in by link`, `When Ana signs in by link`,
			func(w *World) any { return w.signInByLink }},
		{`(\w+) has a sign-in link that has expired`, `Given Ana has a sign-in link that has expired`,
			func(w *World) any { return w.hasExpiredLink }},
		{`(\w+) has a sign-in link made for "(\w+)"`, `Given Ana has a sign-in link made for "invite"`,
			func(w *World) any { return w.hasLinkFor }},
		{`(\w+) asks for a sign-in link`, `When Ana asks for a sign-in link`,
			func(w *World) any {
				return func(name string) error { _, err := w.requestLink(w.person(name)); return err }
			}},
		{`(\w+) opens the sign-in link of (\w+)`, `When Nobody opens the sign-in link of Ana`,
			func(w *World) any { return w.opensLink }},
	}
}

func newSessionID() string { return "s-" + rand.Text() }

func (w *World) signIn(name string, validFor time.Duration) error {
	p := w.person(name)
	return w.openSession(p, session{Email: p.email, Kind: "full", Sub: p.sub}, validFor)
}

// signInAs opens a session whose document spells the e-mail as given.
func (w *World) signInAs(name, email string) error {
	p := w.person(name)
	email, err := w.expand(email)
	if err != nil {
		return err
	}
	return w.openSession(p, session{Email: email, Kind: "full", Sub: p.sub}, time.Hour)
}

// signInWithoutSubject opens a session of an identity that has an e-mail only. Its member key falls
// back to the user key.
func (w *World) signInWithoutSubject(name string) error {
	p := w.person(name)
	p.sub = p.userKey()
	return w.openSession(p, session{Email: p.email, Kind: "full"}, time.Hour)
}

func (w *World) signInWithSubject(name, subject string) (err error) {
	if w.person(name).sub, err = w.expand(subject); err != nil {
		return err
	}
	return w.signIn(name, time.Hour)
}

// signInWithEmailAsSubject opens a session whose subject is an e-mail, which may not become a key.
func (w *World) signInWithEmailAsSubject(name string) error {
	p := w.person(name)
	p.sub = p.userKey()
	return w.openSession(p, session{Email: p.email, Kind: "full", Sub: p.email}, time.Hour)
}

func (w *World) openSession(p *person, s session, validFor time.Duration) error {
	now := time.Now()
	s.V, s.CreatedAt, s.ExpiresAt = 1, timestamp(now.Add(-time.Hour)), timestamp(now.Add(validFor))
	document, err := json.Marshal(s)
	if err != nil {
		return err
	}
	p.session = newSessionID()
	return w.active().data.putBlob(w.ctx, sessionPath(p.session), document)
}

func sessionPath(id string) string { return "familyscheduler/sessions/" + id + ".json" }

// requestLink asks for a sign-in link and finds it in the outbox.
func (w *World) requestLink(p *person) (*signInLink, error) {
	asked, err := w.send(nil, "POST", "/api/auth/request-link", mustJSON(map[string]string{"email": p.email}))
	if err != nil {
		return nil, err
	}
	if asked.status != 200 {
		return nil, fmt.Errorf("POST /api/auth/request-link answered %d, not 200", asked.status)
	}
	link, err := w.active().linkFor(p.email)
	if err != nil {
		return nil, err
	}
	w.kept[p.name+"Token"], w.kept[p.name+"Link"] = link.Token, link.Link
	return link, nil
}

// signInByLink takes both steps of a sign-in: it asks for a link and redeems its token.
func (w *World) signInByLink(name string) error {
	p := w.person(name)
	link, err := w.requestLink(p)
	if err != nil {
		return err
	}
	redeemed, err := w.send(nil, "POST", "/api/auth/consume-link", mustJSON(map[string]string{"token": link.Token}))
	if err != nil {
		return err
	}
	if id, ok := redeemed.json("sessionId").(string); ok {
		p.session = id
	}
	p.sub = p.userKey() // a link tells no subject
	return nil
}
