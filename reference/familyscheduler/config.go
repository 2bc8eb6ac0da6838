package familyscheduler

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strconv"

	"github.com/storespec/storespec/reference/account"
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

	Patience account.Patience

	Storage http.RoundTripper // carries the storage calls; nil: its own connections. Not from the environment
}

// FromEnv reads a Config; getenv returns "" for unset variables. Errors name the missing or malformed variable, never
// its value.
func FromEnv(getenv func(string) string) (Config, error) {
	c := Config{
		TablesConnection: getenv("AZURE_TABLES_CONNECTION_STRING"),
		BlobsConnection:  getenv("AzureWebJobsStorage"),
		Container:        cmp.Or(getenv("STATE_CONTAINER"), "state"),
		OpenAIBaseURL:    getenv("OPENAI_BASE_URL"),
		OpenAIKey:        getenv("OPENAI_API_KEY"),
		OpenAIModel:      cmp.Or(getenv("OPENAI_MODEL"), "gpt-4o-mini"),
		MagicLinkSecret:  getenv("MAGIC_LINK_SECRET"),
		MagicLinkOutbox:  getenv("MAGIC_LINK_OUTBOX"),
		Version:          cmp.Or(getenv("BUILD_SHA"), "dev"),
	}
	var outbox, patience, perAddress, perCaller, secret error
	c.LinksPerAddress, perAddress = limit(getenv, "LINKS_PER_ADDRESS")
	c.LinksPerCaller, perCaller = limit(getenv, "LINKS_PER_CALLER")
	if len(c.MagicLinkSecret) < minSecret {
		secret = fmt.Errorf("MAGIC_LINK_SECRET must have at least %d characters, such as those of openssl rand -hex 32",
			minSecret)
	}
	c.Patience, patience = account.PatienceFromEnv(getenv)
	if c.MagicLinkOutbox != "" {
		if _, err := os.Stat(c.MagicLinkOutbox); err != nil {
			outbox = errors.New("MAGIC_LINK_OUTBOX must be a directory that exists")
		}
	}
	return c, errors.Join(
		needed("AZURE_TABLES_CONNECTION_STRING", c.TablesConnection),
		needed("AzureWebJobsStorage", c.BlobsConnection),
		needed("MAGIC_LINK_SECRET", c.MagicLinkSecret),
		secret, outbox, patience, perAddress, perCaller,
	)
}

// minSecret is how many characters a secret needs so that nobody can guess it, even if all are letters and digits. With
// fewer, whoever has seen one sign-in link could try them all and sign in as anybody.
const minSecret = 24

// limit reads a number above 0; 0 if the variable is not set.
func limit(getenv func(string) string, name string) (int, error) {
	value := getenv(name)
	if value == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(value)
	if err != nil || n < 1 {
		return 0, fmt.Errorf("%s must be a number above 0", name)
	}
	return n, nil
}

func needed(name, value string) error {
	if value == "" {
		return fmt.Errorf("%s is not set", name)
	}
	return nil
}
