package dynamodb

import (
	"maps"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/storespec/storespec/internal/emulator/engine"
)

// Options configure a Service.
type Options struct {
	Engine *engine.Engine
	// Keys are the secrets of the access keys that may sign, by their ids.
	Keys map[string]string
	// NoAuth takes every request, signed or not. An access key is still an account of its own.
	NoAuth bool
	// Now is the clock; nil: time.Now.
	Now func() time.Time
	// Log receives errors of the service itself; nil: they are not logged.
	Log func(format string, args ...any)
}

// Service is DynamoDB for a set of access keys. It is safe for concurrent use.
type Service struct {
	options Options
	signing signingKeys

	mu       sync.RWMutex
	keys     map[string]string
	accounts map[accountID]*Account
}

// accountID is an access key in a region: tables of one are not seen by another.
type accountID struct{ accessKey, region string }

// Without a signature and with NoAuth, a request belongs to this account.
const (
	anonymousKey  = "anonymous"
	defaultRegion = "us-east-1"
)

// accountPrefix begins the engine's name of an account, so that it is never the name of a storage account of Azure.
const accountPrefix = "dynamodb:"

// New returns a service with the tables that the engine has.
func New(o Options) *Service {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = func(string, ...any) {}
	}
	keys := maps.Clone(o.Keys)
	if keys == nil {
		keys = map[string]string{}
	}
	return &Service{options: o, keys: keys, accounts: map[accountID]*Account{}}
}

// AddKey lets an access key sign, or replaces its secret.
func (s *Service) AddKey(accessKey, secret string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.keys[accessKey] = secret
}

// Keys returns the ids of the access keys.
func (s *Service) Keys() []string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return slices.Sorted(maps.Keys(s.keys))
}

func (s *Service) secret(accessKey string) (string, bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	secret, known := s.keys[accessKey]
	return secret, known
}

// Account returns the account of an access key in a region, always the same pointer. Nothing is written. The error is
// the engine's.
func (s *Service) Account(accessKey, region string) (*Account, error) {
	id := accountID{accessKey, region}
	s.mu.RLock()
	a := s.accounts[id]
	s.mu.RUnlock()
	if a != nil {
		return a, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if a = s.accounts[id]; a != nil {
		return a, nil
	}
	a, err := openAccount(s, id)
	if err != nil {
		return nil, err
	}
	s.accounts[id] = a
	return a, nil
}

// ServeHTTP answers the requests of all access keys.
func (s *Service) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.serve(w, r, "") }

// Only is a handler that knows one access key and no other.
func (s *Service) Only(accessKey string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { s.serve(w, r, accessKey) })
}
