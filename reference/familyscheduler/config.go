package familyscheduler

import (
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net/http"
	"os"
	"time"

	"github.com/storespec/storespec/reference/environment"
	"github.com/storespec/storespec/reference/web"
)

// Config is the server's configuration. FromEnv reads it.
type Config struct {
	TablesConnection string // AZURE_TABLES_CONNECTION_STRING
	BlobsConnection  string // AzureWebJobsStorage: the same account
	Container        string // STATE_CONTAINER, default state

	OpenAIBaseURL string // OPENAI_BASE_URL, ends in /v1; without it every chat gets a 502
	OpenAIKey     string // OPENAI_API_KEY
	OpenAIModel   string // OPENAI_MODEL, default gpt-4o-mini

	MagicLinkSecret string // MAGIC_LINK_SECRET signs the sign-in links; at least minSecret characters
	MagicLinkOutbox string // MAGIC_LINK_OUTBOX, a directory; without it links are created and dropped

	LinksPerAddress int // LINKS_PER_ADDRESS: sign-in links to one e-mail in 15 minutes; 0: linksPerAddress
	LinksPerCaller  int // LINKS_PER_CALLER: the same from one network address; 0: linksPerCaller

	Version string // BUILD_SHA, default dev

	Patience environment.Patience

	Storage http.RoundTripper // carries the storage calls; nil: its own connections. Not from the environment
}

// FromEnv reads a Config; getenv returns "" for unset variables. Errors name the missing or malformed variable, never
// its value.
func FromEnv(getenv func(string) string) (Config, error) {
	r := environment.New(getenv)
	c := Config{
		TablesConnection: r.Required("AZURE_TABLES_CONNECTION_STRING"),
		BlobsConnection:  r.Required("AzureWebJobsStorage"),
		Container:        r.Text("STATE_CONTAINER", "state"),
		OpenAIBaseURL:    getenv("OPENAI_BASE_URL"),
		OpenAIKey:        getenv("OPENAI_API_KEY"),
		OpenAIModel:      r.Text("OPENAI_MODEL", "gpt-4o-mini"),
		MagicLinkSecret:  r.Required("MAGIC_LINK_SECRET"),
		MagicLinkOutbox:  getenv("MAGIC_LINK_OUTBOX"),
		LinksPerAddress:  r.Number("LINKS_PER_ADDRESS", linksPerAddress, 1, math.MaxInt32),
		LinksPerCaller:   r.Number("LINKS_PER_CALLER", linksPerCaller, 1, math.MaxInt32),
		Version:          r.Text("BUILD_SHA", "dev"),
		Patience:         r.Patience("100ms"),
	}
	if len(c.MagicLinkSecret) < minSecret {
		r.Refuse(fmt.Errorf("MAGIC_LINK_SECRET must have at least %d characters, such as those of openssl rand -hex 32",
			minSecret))
	}
	if c.MagicLinkOutbox != "" {
		if _, err := os.Stat(c.MagicLinkOutbox); err != nil {
			r.Refuse(errors.New("MAGIC_LINK_OUTBOX must be a directory that exists"))
		}
	}
	return c, r.Err()
}

// minSecret is how many characters a secret needs to be unguessable, even if all are letters and digits. With
// fewer, whoever has seen one sign-in link could try them all and sign in as anyone.
const minSecret = 24

// Open is New with the environment variables of the contract. storage carries the storage calls; nil: the server's own
// connections. Errors: those of FromEnv and New.
func Open(getenv func(string) string, storage http.RoundTripper, newID func() string, log *slog.Logger) (
	web.Server, error) {
	config, err := FromEnv(getenv)
	if err != nil {
		return nil, err
	}
	config.Storage = storage
	return New(config, time.Now, newID, log)
}
