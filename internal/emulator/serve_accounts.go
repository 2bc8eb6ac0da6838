package emulator

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"slices"
	"strings"

	"github.com/storespec/storespec/internal/emulator/azure"
)

// AccountsVariable is the environment variable with accounts as NAME:KEY, separated by semicolons.
const AccountsVariable = "STORESPEC_ACCOUNTS"

// account is one of the accounts to serve.
type account struct {
	name string
	keys []string // in base64: one or two
	// shown reports that the user gave the key where everybody sees it, so that it may be printed.
	shown bool
}

// accounts returns the development account and those of the flags, the file and the environment; a later one of a name
// replaces an earlier one. Its errors do not contain keys.
func (o ServeOptions) accounts() ([]account, error) {
	list := []account{{azure.DevelopmentAccount, []string{azure.DevelopmentKey}, true}}
	add := func(where, text string, shown bool) error {
		parts := strings.Split(text, ":")
		if len(parts) < 2 || len(parts) > 3 {
			return fmt.Errorf("%w: %s wants NAME:KEY or NAME:KEY:KEY2, with the keys in base64", ErrUsage, where)
		}
		list = slices.DeleteFunc(list, func(a account) bool { return a.name == parts[0] })
		list = append(list, account{parts[0], parts[1:], shown})
		return nil
	}
	for _, text := range o.Accounts {
		if err := add("--account", text, true); err != nil {
			return nil, err
		}
	}
	if o.AccountFile != "" {
		lines, err := readAccountFile(o.AccountFile)
		if err != nil {
			return nil, err
		}
		for n, line := range lines {
			if err := add(fmt.Sprintf("--account-file %s: account %d", o.AccountFile, n+1), line, false); err != nil {
				return nil, err
			}
		}
	}
	for text := range strings.SplitSeq(o.AccountList, ";") {
		if text = strings.TrimSpace(text); text != "" {
			if err := add(AccountsVariable, text, false); err != nil {
				return nil, err
			}
		}
	}
	return list, nil
}

// readAccountFile returns the lines of a file that are neither empty nor comments, which start with #.
func readAccountFile(name string) (lines []string, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("%w: --account-file: %w", ErrUsage, err)
	}
	defer func() { _ = f.Close() }() // it was only read
	scanner := bufio.NewScanner(f)
	for scanner.Scan() {
		if line := strings.TrimSpace(scanner.Text()); line != "" && line[0] != '#' {
			lines = append(lines, line)
		}
	}
	if err := scanner.Err(); err != nil {
		return nil, fmt.Errorf("%w: --account-file %s: %w", ErrUsage, name, err)
	}
	return lines, nil
}

// add creates the accounts.
func (s *server) add(accounts []account) error {
	for _, a := range accounts {
		if err := s.emulator.AddAccount(a.name, a.keys...); err != nil {
			return fmt.Errorf("%w: --account: %w", ErrUsage, err)
		}
		s.hosts.accounts = append(s.hosts.accounts, a.name)
	}
	return nil
}

// cautions returns what the user should know about keys that others may see or have.
func (s *server) cautions(o ServeOptions, accounts []account) (list []string) {
	if len(o.Accounts) > 0 {
		list = append(list, "keys given with --account are visible to other users of this machine in the list of "+
			"processes: --account-file and "+AccountsVariable+" keep them to yourself")
	}
	if o.NoAuth {
		list = append(list, "signatures are not checked (--no-auth): whoever reaches the ports can read and write "+
			"everything")
	}
	if o.OAuth {
		list = append(list, "the signatures of bearer tokens are not checked (--oauth): whoever reaches the ports can "+
			"make one, and read and write everything")
	}
	for _, one := range []struct {
		listener net.Listener
		public   string // why everybody has access; empty: nobody has without a key that is the user's own
	}{{s.blob, publicKey(accounts)}, {s.table, publicKey(accounts)},
		{s.kv, "the binding of Workers KV asks for no token"},
		{s.dynamodb, "the access keys " + dynamoDBKey + " and " + dynamoDBLocal + " are public"},
	} {
		if one.listener == nil || one.public == "" || o.NoAuth { // --no-auth has a warning of its own
			continue
		}
		if address, ok := one.listener.Addr().(*net.TCPAddr); ok && !address.IP.IsLoopback() {
			list = append(list, fmt.Sprintf("%s is reachable from other machines, and %s", address, one.public))
		}
	}
	return list
}

// publicKey says that an account still has the published key, and what to do about it.
func publicKey(accounts []account) string {
	if !slices.ContainsFunc(accounts, func(a account) bool { return slices.Contains(a.keys, azure.DevelopmentKey) }) {
		return ""
	}
	return "the key of " + azure.DevelopmentAccount + " is public: give that account another one, with " +
		"--account-file or " + AccountsVariable
}
