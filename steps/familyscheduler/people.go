package familyscheduler

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/cucumber/godog"

	"github.com/storespec/storespec/internal/run/companion"
	"github.com/storespec/storespec/internal/run/lane"
	"github.com/storespec/storespec/internal/run/matching"
	"github.com/storespec/storespec/internal/scenario"
)

// memberKey returns the key of a person among the members of a group (design, "Identity").
func memberKey(p *scenario.Person) string {
	if p.Email == "" {
		return p.Identity
	}
	return "auth:" + p.Subject
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

// people returns the steps that give people sessions of familyscheduler.
func people() []scenario.Step {
	return []scenario.Step{
		scenario.On(`(\w+) is signed in`, `Given Ana is signed in`,
			func(ctx context.Context, stage *scenario.Stage, people *scenario.People, name string) error {
				return signIn(ctx, stage, people, name, time.Hour)
			}),
		scenario.On(`(\w+) never signed in`, `Given Ana never signed in`,
			func(_ context.Context, people *scenario.People, name string) error { people.Person(name); return nil }),
		scenario.On(`(\w+) is signed in as "([^"]*)"`, `Given Ana is signed in as " {Ana.EMAIL} "`, signInAs),
		scenario.On(`(\w+) is signed in with the e-mail as subject`,
			`Given Ana is signed in with the e-mail as subject`, signInWithEmailAsSubject),
		scenario.On(`(\w+) is signed in with the subject "([^"]*)"`,
			`Given Ben is signed in with the subject "O'Brien-{tag}"`, signInWithSubject),
		scenario.On(`(\w+) has the session id "([^"]*)"`, `Given Ana has the session id "../etc"`,
			func(_ context.Context, people *scenario.People, names *scenario.Names, name, id string) (err error) {
				people.Person(name).Session, err = names.Expand(id)
				return err
			}),
		scenario.On(`(\w+) is signed in without a subject`, `Given Ana is signed in without a subject`,
			signInWithoutSubject),
		scenario.On(`(\w+)'s session has expired`, `Given Ana's session has expired`,
			func(ctx context.Context, stage *scenario.Stage, people *scenario.People, name string) error {
				return signIn(ctx, stage, people, name, -time.Second)
			}),
		scenario.On(`(\w+)'s session is`,
			"Given Ana's session is\n\"\"\"\n{\"v\":1,\"kind\":\"full\",\"email\":\"{Ana.email}\"}\n\"\"\"", sessionIs),
		scenario.On(`(\w+) has a session that nobody opened`, `Given Ana has a session that nobody opened`,
			func(_ context.Context, stage *scenario.Stage, people *scenario.People, name string) error {
				people.Person(name).Session = newSessionID(stage)
				return nil
			}),
		scenario.On(`(\w+) signs in by link`, `When Ana signs in by link`, signInByLink).
			Keeps(aLink...).Sends(2),
		scenario.On(`(\w+) has a sign-in link that has expired`, `Given Ana has a sign-in link that has expired`,
			hasExpiredLink).Keeps(aLink...).Sends(1),
		scenario.On(`(\w+) has a sign-in link made for "(\w+)"`, `Given Ana has a sign-in link made for "invite"`,
			hasLinkFor).Keeps(aLink...).Sends(1),
		scenario.On(`(\w+) asks for a sign-in link`, `When Ana asks for a sign-in link`,
			func(ctx context.Context, stage *scenario.Stage, people *scenario.People, names *scenario.Names,
				requests *scenario.Requests, name string) error {
				_, err := requestLink(ctx, stage, names, requests, people.Person(name))
				return err
			}).Keeps(aLink...).Sends(1),
		scenario.On(`(\w+) opens the sign-in link of (\w+)`, `When Nobody opens the sign-in link of Ana`, opensLink).
			Sends(2),
	}
}

// aLink is what requestLink keeps.
var aLink = []string{"${1}Token", "${1}Link"}

// newSessionID makes up a session id, in the form that the server wants if it says so.
func newSessionID(stage *scenario.Stage) string {
	if stage.System().Session.ID != nil {
		return stage.System().NewSessionID(rand.Text())
	}
	return "s-" + rand.Text()
}

func signIn(ctx context.Context, stage *scenario.Stage, people *scenario.People, name string,
	validFor time.Duration) error {
	p := people.Person(name)
	return openSession(ctx, stage, p, session{Email: p.Email, Kind: "full", Sub: p.Subject}, validFor)
}

// signInAs opens a session whose document spells the e-mail as given.
func signInAs(ctx context.Context, stage *scenario.Stage, people *scenario.People, names *scenario.Names, name,
	email string) error {
	p := people.Person(name)
	email, err := names.Expand(email)
	if err != nil {
		return err
	}
	return openSession(ctx, stage, p, session{Email: email, Kind: "full", Sub: p.Subject}, time.Hour)
}

// signInWithoutSubject opens a session of an identity that has only an e-mail. Its member key falls back to the user
// key.
func signInWithoutSubject(ctx context.Context, stage *scenario.Stage, people *scenario.People, name string) error {
	p := people.Person(name)
	p.Subject = p.UserKey()
	return openSession(ctx, stage, p, session{Email: p.Email, Kind: "full"}, time.Hour)
}

func signInWithSubject(ctx context.Context, stage *scenario.Stage, people *scenario.People, names *scenario.Names,
	name, subject string) (err error) {
	if people.Person(name).Subject, err = names.Expand(subject); err != nil {
		return err
	}
	return signIn(ctx, stage, people, name, time.Hour)
}

// signInWithEmailAsSubject opens a session whose subject is an e-mail, which may not become a key.
func signInWithEmailAsSubject(ctx context.Context, stage *scenario.Stage, people *scenario.People, name string) error {
	p := people.Person(name)
	p.Subject = p.UserKey()
	return openSession(ctx, stage, p, session{Email: p.Email, Kind: "full", Sub: p.Email}, time.Hour)
}

func openSession(ctx context.Context, stage *scenario.Stage, p *scenario.Person, s session,
	validFor time.Duration) error {
	now := time.Now()
	s.V, s.CreatedAt, s.ExpiresAt = 1, scenario.Timestamp(now.Add(-time.Hour)), scenario.Timestamp(now.Add(validFor))
	document, err := json.Marshal(s)
	if err != nil {
		return err
	}
	p.Session = newSessionID(stage)
	return stage.Lane().Data.PutBlob(ctx, sessionPath(p.Session), document)
}

// sessionIs opens a session whose document is the given text.
func sessionIs(ctx context.Context, stage *scenario.Stage, people *scenario.People, names *scenario.Names,
	name string, document *godog.DocString) error {
	p := people.Person(name)
	text, err := names.Expand(document.Content)
	if err != nil {
		return err
	}
	p.Session = newSessionID(stage)
	return stage.Lane().Data.PutBlob(ctx, sessionPath(p.Session), []byte(text))
}

func sessionPath(id string) string { return "familyscheduler/sessions/" + id + ".json" }

// requestLink asks for a sign-in link and finds it in the outbox.
func requestLink(ctx context.Context, stage *scenario.Stage, names *scenario.Names, requests *scenario.Requests,
	p *scenario.Person) (*companion.SignInLink, error) {
	asked, err := requests.Send(ctx, nil, "POST", "/api/auth/request-link",
		matching.MustJSON(map[string]string{"email": p.Email}))
	if err != nil {
		return nil, err
	}
	if asked.Status != 200 {
		return nil, fmt.Errorf("POST /api/auth/request-link answered %d, not 200", asked.Status)
	}
	box, ok := lane.CompanionOf[*companion.Outbox](stage.Lane())
	if !ok {
		return nil, errors.New("the design names no companion outbox")
	}
	link, err := box.LinkFor(p.Email)
	if err != nil {
		return nil, err
	}
	names.Keep(p.Name+"Token", link.Token)
	names.Keep(p.Name+"Link", link.Link)
	return link, nil
}

// signInByLink does both steps of a sign-in: it requests a link and redeems its token.
func signInByLink(ctx context.Context, stage *scenario.Stage, people *scenario.People, names *scenario.Names,
	requests *scenario.Requests, name string) error {
	p := people.Person(name)
	link, err := requestLink(ctx, stage, names, requests, p)
	if err != nil {
		return err
	}
	redeemed, err := requests.Send(ctx, nil, "POST", "/api/auth/consume-link",
		matching.MustJSON(map[string]string{"token": link.Token}))
	if err != nil {
		return err
	}
	if id, ok := redeemed.JSON("sessionId").(string); ok {
		p.Session = id
	}
	p.Subject = p.UserKey() // a link contains no subject
	return nil
}
