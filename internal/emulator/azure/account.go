package azure

import (
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/storespec/storespec/internal/emulator/azureauth"
	"github.com/storespec/storespec/internal/emulator/engine"
)

// The well-known account of Azure's emulators; its key is public.
// https://learn.microsoft.com/azure/storage/common/storage-use-azurite#well-known-storage-account-and-key
const (
	DevelopmentAccount = "devstoreaccount1"
	DevelopmentKey     = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="
)

// ErrAccount is wrapped by the error of Accounts.Add for a name or a key that Azure would not accept.
var ErrAccount = errors.New("not an account")

// Account is one storage account.
type Account struct {
	Name string
	Data *engine.Account

	signers []*azureauth.Key // one for each key

	softDelete atomic.Pointer[cachedSoftDelete] // nil: not read yet
}

// maxKeys is how many keys an account may have, so that one can be replaced while the other is in use.
// https://learn.microsoft.com/azure/storage/common/storage-account-keys-manage
const maxKeys = 2

// Accounts is the set of accounts an emulator serves. It is safe for concurrent use.
type Accounts struct {
	engine *engine.Engine
	mu     sync.RWMutex
	named  map[string]*Account
}

// NewAccounts returns an empty set over an engine.
func NewAccounts(e *engine.Engine) *Accounts {
	return &Accounts{engine: e, named: map[string]*Account{}}
}

// Add creates an account, or replaces the keys of an existing one; its data stays. There are one or two keys, in
// base64. The error wraps ErrAccount and never repeats a key.
// https://learn.microsoft.com/azure/storage/common/storage-account-overview#storage-account-name
func (s *Accounts) Add(name string, keys ...string) (*Account, error) {
	signers, err := signersOf(name, keys)
	if err != nil {
		return nil, err
	}
	account := &Account{Name: name, Data: s.engine.Account(name), signers: signers}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.named[name] = account
	return account, nil
}

// CheckAccount returns the error that Accounts.Add would.
func CheckAccount(name string, keys ...string) error {
	_, err := signersOf(name, keys)
	return err
}

// signersOf returns a signer for each of an account's keys. Its error does not repeat a name that is invalid: it may be
// a key in the wrong place.
func signersOf(name string, keys []string) (signers []*azureauth.Key, err error) {
	if len(name) < 3 || len(name) > 24 || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789") != "" {
		return nil, fmt.Errorf("%w: the name is not 3 to 24 lower-case letters and digits", ErrAccount)
	}
	if len(keys) == 0 || len(keys) > maxKeys {
		return nil, fmt.Errorf("%w: %s has %d keys, want one or two", ErrAccount, name, len(keys))
	}
	for _, key := range keys {
		decoded, err := base64.StdEncoding.DecodeString(key)
		if err != nil || len(decoded) == 0 {
			return nil, fmt.Errorf("%w: the key of %s is not base64", ErrAccount, name)
		}
		signers = append(signers, azureauth.NewKey(decoded))
	}
	return signers, nil
}

// signed reports whether one of the account's keys gives that signature of a text. scratch is for the signatures.
func (a *Account) signed(text, signature, scratch []byte) bool {
	valid := 0
	for _, signer := range a.signers {
		scratch = signer.AppendSignature(scratch[:0], text)
		valid |= subtle.ConstantTimeCompare(scratch, signature)
	}
	return valid == 1
}

// Lookup returns the account with that name, or nil.
func (s *Accounts) Lookup(name string) *Account {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.named[name]
}
