package emulator

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"runtime"
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

// accounts returns the development account and those of the environment, the file and the flags; a later one of a name
// replaces an earlier one, so that the command line wins. Its errors name the input and do not contain keys.
func (o ServeOptions) accounts() ([]account, error) {
	lines, err := readAccountFile(o.AccountFile)
	if err != nil {
		return nil, err
	}
	list := []account{{azure.DevelopmentAccount, []string{azure.DevelopmentKey}, true}}
	for _, from := range []struct {
		where string
		texts []string
		shown bool
	}{{AccountsVariable, splitAccounts(o.AccountList), false}, {"--account-file " + o.AccountFile, lines, false},
		{"--account", o.Accounts, true}} {
		for n, text := range from.texts {
			a, err := parseAccount(text)
			if err != nil {
				return nil, fmt.Errorf("%w: %s: account %d: %w", ErrUsage, from.where, n+1, err)
			}
			a.shown = from.shown
			list = slices.DeleteFunc(list, func(former account) bool { return former.name == a.name })
			list = append(list, a)
		}
	}
	return list, nil
}

// parseAccount parses NAME:KEY or NAME:KEY:KEY2.
func parseAccount(text string) (account, error) {
	parts := strings.Split(text, ":")
	a := account{name: parts[0], keys: parts[1:]}
	err := azure.CheckAccount(a.name, a.keys...)
	if len(a.keys) < 1 || len(a.keys) > 2 {
		err = azure.ErrAccount // the number of keys of something else means nothing
	}
	if err != nil {
		return a, fmt.Errorf("%w; want NAME:KEY or NAME:KEY:KEY2, with the keys in base64", err)
	}
	return a, nil
}

// splitAccounts splits the environment's list.
func splitAccounts(list string) (texts []string) {
	for text := range strings.SplitSeq(list, ";") {
		if text = strings.TrimSpace(text); text != "" {
			texts = append(texts, text)
		}
	}
	return texts
}

// readAccountFile returns the lines of a file that are neither empty nor comments, which start with #; none without a
// file.
func readAccountFile(name string) (lines []string, err error) {
	if name == "" {
		return nil, nil
	}
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
			return err
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
	if caution := exposed(o.Data); caution != "" {
		list = append(list, caution)
	}
	for _, one := range []struct {
		listener net.Listener
		public   string // why access is open to all; empty: it needs a key of the user's own
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

// exposed says that other users of the machine can read the data directory, which they cannot if the emulator made it.
// The directory's owner may have wanted that, so its permissions stay.
func exposed(dir string) string {
	info, err := os.Stat(dir)
	if dir == "" || err != nil || runtime.GOOS == "windows" || info.Mode().Perm()&0o077 == 0 {
		return ""
	}
	return fmt.Sprintf("--data %s is open to other users of this machine (mode %#o): close it with chmod 700", dir,
		info.Mode().Perm())
}

// publicKey says that an account still has the published key, and what to do about it.
func publicKey(accounts []account) string {
	if !slices.ContainsFunc(accounts, func(a account) bool { return slices.Contains(a.keys, azure.DevelopmentKey) }) {
		return ""
	}
	return "the key of " + azure.DevelopmentAccount + " is public: give that account another one, with " +
		"--account-file or " + AccountsVariable
}
