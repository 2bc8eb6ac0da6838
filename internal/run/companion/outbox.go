package companion

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Outbox is a directory into which a target writes the sign-in links that it would send by mail: {outbox}.
type Outbox struct {
	unscripted
	at        string // an existing directory that is kept; "": a new one, which is removed at the end
	directory string
}

// Start creates its directory, unless it was given one, and returns it as {outbox}.
func (o *Outbox) Start(context.Context) (_ map[string]string, err error) {
	if o.directory = o.at; o.directory == "" {
		if o.directory, err = os.MkdirTemp("", "storespec-outbox-"); err != nil {
			return nil, fmt.Errorf("make an outbox for sign-in links: %w", err)
		}
	}
	return map[string]string{"outbox": o.directory}, nil
}

// Close removes the directory that Start created.
func (o *Outbox) Close() error {
	if o.directory == o.at {
		return nil
	}
	return os.RemoveAll(o.directory)
}

// SignInLink is a file of the outbox.
type SignInLink struct {
	Email string `json:"email"`
	Token string `json:"token"`
	Link  string `json:"link"` // what a person opens: a path of the target, or a whole address
}

// LinkFor removes from the outbox the sign-in link that was written for an address, and returns it. The target has
// written it by the time it answers.
func (o *Outbox) LinkFor(email string) (*SignInLink, error) {
	files, err := filepath.Glob(filepath.Join(o.directory, "*.json"))
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if errors.Is(err, fs.ErrNotExist) {
			continue // taken by another scenario
		}
		if err != nil {
			return nil, fmt.Errorf("read a sign-in link: %w", err)
		}
		var link SignInLink
		if err := json.Unmarshal(content, &link); err != nil {
			return nil, fmt.Errorf("a sign-in link in the outbox is not JSON {email,token,link}")
		}
		if strings.EqualFold(link.Email, email) {
			return &link, os.Remove(file)
		}
	}
	return nil, fmt.Errorf("the outbox holds no sign-in link for the person, among %d", len(files))
}
