package calendsync

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/storespec/storespec/internal/scenario"
	"github.com/storespec/storespec/internal/store"
)

// Times that scenarios write, so that a Then step can distinguish an unchanged time from a new one.
const (
	createdAt   = "2026-01-02T08:00:00Z"
	updatedAt   = "2026-01-03T09:00:00Z"
	neverEnding = "2099-01-01T00:00:00Z"
	longEnded   = "2026-01-02T09:00:00Z"
)

// item is the attributes of an item, besides its primary key.
type item map[string]any

// lay writes an item.
func lay(ctx context.Context, w *scenario.World, partition, sort string, attributes item) error {
	row := store.Row{}
	for name, value := range attributes {
		row[name] = store.Value{Is: value}
	}
	return w.Lane().Data.Put(ctx, w.Lane().Called("calendsync"), []string{partition, sort}, row)
}

// entity adds what every entity has.
func (i item) entity(kind string) item {
	i["entityType"], i["createdAt"], i["updatedAt"], i["version"] = kind, createdAt, updatedAt, json.Number("1")
	return i
}

// idOf returns the id that a name stands for, and whether an earlier step has said so.
func idOf(w *scenario.World, name string) (id string, known bool) {
	if id, known = w.Kept(name); known {
		return id, true
	}
	return w.NewID(name), false
}

// hasAccount writes a user with the guard of the e-mail, and a session that has not expired.
func hasAccount(ctx context.Context, w *scenario.World, name string) error {
	return signUp(ctx, w, name, item{})
}

// hasAccountAt is hasAccount for a user with an account at a provider of OAuth.
func hasAccountAt(ctx context.Context, w *scenario.World, name, provider string) error {
	id, _ := idOf(w, name)
	key := "PROV#" + provider + "#" + w.Person(name).Subject
	if err := lay(ctx, w, key, key, item{"userId": id}); err != nil {
		return err
	}
	return signUp(ctx, w, name, item{"GSI3PK": key, "GSI3SK": "USER#" + id, "provider": provider,
		"providerSubject": w.Person(name).Subject})
}

func signUp(ctx context.Context, w *scenario.World, name string, user item) error {
	id, _ := idOf(w, name)
	p := w.Person(name)
	email := "EMAIL#" + p.Email
	user["id"], user["name"], user["email"] = id, name, p.Email
	user["GSI2PK"], user["GSI2SK"] = email, "USER#"+id
	if err := lay(ctx, w, "USER#"+id, "USER#"+id, user.entity("USER")); err != nil {
		return err
	}
	if err := lay(ctx, w, email, email, item{"userId": id}); err != nil {
		return err
	}
	return signIn(ctx, w, name, neverEnding)
}

// signIn writes the session for a person's requests.
func signIn(ctx context.Context, w *scenario.World, name, until string) error {
	id, _ := idOf(w, name)
	key := "SESSION#" + w.Person(name).UserKey()
	return lay(ctx, w, key, key, item{"userId": id, "expiresAt": until})
}

func sessionExpired(ctx context.Context, w *scenario.World, name string) error {
	return signIn(ctx, w, name, longEnded)
}

// account makes sure that a person has an account.
func account(ctx context.Context, w *scenario.World, name string) (id string, _ error) {
	id, known := idOf(w, name)
	if known {
		return id, nil
	}
	if err := hasAccount(ctx, w, name); err != nil {
		return "", fmt.Errorf("sign %s up: %w", name, err)
	}
	return id, nil
}
