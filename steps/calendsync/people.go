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
func lay(ctx context.Context, stage *scenario.Stage, partition, sort string, attributes item) error {
	row := store.Row{}
	for name, value := range attributes {
		row[name] = store.Value{Is: value}
	}
	return stage.Lane().Data.Put(ctx, stage.Lane().Called("calendsync"), []string{partition, sort}, row)
}

// entity adds what every entity has.
func (i item) entity(kind string) item {
	i["entityType"], i["createdAt"], i["updatedAt"], i["version"] = kind, createdAt, updatedAt, json.Number("1")
	return i
}

// idOf returns the id that a name stands for, and whether an earlier step has said so.
func idOf(names *scenario.Names, name string) (id string, known bool) {
	if id, known = names.Kept(name); known {
		return id, true
	}
	return names.NewID(name), false
}

// hasAccount writes a user with the guard of the e-mail, and a session that has not expired.
func hasAccount(ctx context.Context, stage *scenario.Stage, people *scenario.People, names *scenario.Names,
	name string) error {
	return signUp(ctx, stage, people, names, name, item{})
}

// hasAccountAt is hasAccount for a user with an account at a provider of OAuth.
func hasAccountAt(ctx context.Context, stage *scenario.Stage, people *scenario.People, names *scenario.Names, name,
	provider string) error {
	id, _ := idOf(names, name)
	key := "PROV#" + provider + "#" + people.Person(name).Subject
	if err := lay(ctx, stage, key, key, item{"userId": id}); err != nil {
		return err
	}
	return signUp(ctx, stage, people, names, name, item{"GSI3PK": key, "GSI3SK": "USER#" + id, "provider": provider,
		"providerSubject": people.Person(name).Subject})
}

func signUp(ctx context.Context, stage *scenario.Stage, people *scenario.People, names *scenario.Names, name string,
	user item) error {
	id, _ := idOf(names, name)
	p := people.Person(name)
	email := "EMAIL#" + p.Email
	user["id"], user["name"], user["email"] = id, name, p.Email
	user["GSI2PK"], user["GSI2SK"] = email, "USER#"+id
	if err := lay(ctx, stage, "USER#"+id, "USER#"+id, user.entity("USER")); err != nil {
		return err
	}
	if err := lay(ctx, stage, email, email, item{"userId": id}); err != nil {
		return err
	}
	return signIn(ctx, stage, people, names, name, neverEnding)
}

// signIn writes the session for a person's requests.
func signIn(ctx context.Context, stage *scenario.Stage, people *scenario.People, names *scenario.Names, name,
	until string) error {
	id, _ := idOf(names, name)
	key := "SESSION#" + people.Person(name).UserKey()
	return lay(ctx, stage, key, key, item{"userId": id, "expiresAt": until})
}

func sessionExpired(ctx context.Context, stage *scenario.Stage, people *scenario.People, names *scenario.Names,
	name string) error {
	return signIn(ctx, stage, people, names, name, longEnded)
}

// account makes sure that a person has an account.
func account(ctx context.Context, stage *scenario.Stage, people *scenario.People, names *scenario.Names,
	name string) (id string, _ error) {
	id, known := idOf(names, name)
	if known {
		return id, nil
	}
	if err := hasAccount(ctx, stage, people, names, name); err != nil {
		return "", fmt.Errorf("sign %s up: %w", name, err)
	}
	return id, nil
}
