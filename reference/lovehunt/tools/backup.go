package tools

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/minio/sio"
	"github.com/spf13/cobra"

	"github.com/storespec/storespec/internal/host/command"
	"github.com/storespec/storespec/reference/lovehunt"
)

// keySize is the length of a key of AES-256, in bytes.
const keySize = 32

const keyHelp = "a file of 32 random bytes, or of 64 hexadecimal digits: openssl rand -hex 32 > backup.key"

func (c commands) backupCommand() *cobra.Command {
	var to, keyFile string
	var key []byte
	cmd := c.tool("backup --to FILE --key-file FILE", "Write all tables to an encrypted file",
		`backup writes every row of the four tables to a new file, encrypted and authenticated (AES-256-GCM). A file
that could not be finished is removed. Servers may go on writing: what they write meanwhile may be missing.`, nil,
		func(ctx context.Context, t *lovehunt.Tools) error {
			rows, err := backup(ctx, t, to, key)
			if err != nil {
				return working("backup", err)
			}
			fmt.Fprintf(c.Stdout, "%d rows written to %s\n", rows, to)
			return nil
		})
	cmd.Flags().StringVar(&to, "to", "", "`FILE` to write; it must not exist")
	cmd.Flags().StringVar(&keyFile, "key-file", "", "`FILE` of the key")
	cmd.PreRunE = func(*cobra.Command, []string) (err error) {
		if to == "" {
			return command.Misused("no file is given", "--to FILE")
		}
		if _, err := os.Lstat(to); err == nil {
			return command.Misused(fmt.Sprintf("--to %s exists already", to), "backup never replaces a file")
		}
		key, err = readKey(keyFile)
		return err
	}
	return cmd
}

// readKey reads the key of a backup. Errors never quote it.
func readKey(path string) ([]byte, error) {
	if path == "" {
		return nil, command.Misused("no key is given", "--key-file FILE: "+keyHelp)
	}
	key, err := os.ReadFile(path)
	if err != nil {
		return nil, command.Misused(fmt.Sprintf("--key-file %s cannot be read: %v", path, errors.Unwrap(err)), keyHelp)
	}
	if len(key) == keySize {
		return key, nil
	}
	text := bytes.TrimSpace(key)
	key = make([]byte, hex.DecodedLen(len(text)))
	if _, err := hex.Decode(key, text); err != nil || len(key) != keySize {
		return nil, command.Misused(fmt.Sprintf("--key-file %s does not hold a key", path), keyHelp)
	}
	return key, nil
}

// sealing is how backups are encrypted.
func sealing(key []byte) sio.Config {
	return sio.Config{Key: key, MinVersion: sio.Version20, CipherSuites: []byte{sio.AES_256_GCM}}
}

// backup writes to a file next to the one that is wanted, which appears when it is complete.
func backup(ctx context.Context, t *lovehunt.Tools, path string, key []byte) (rows int, err error) {
	file, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*.part")
	if err != nil {
		return 0, fmt.Errorf("write a backup: %w", err)
	}
	defer func() {
		err = errors.Join(err, file.Close())
		if err == nil {
			err = os.Link(file.Name(), path) // fails if that file exists by now
		}
		err = errors.Join(err, os.Remove(file.Name()))
	}()
	sealed, err := sio.EncryptWriter(struct{ io.Writer }{file}, sealing(key)) // it would close the file too
	if err != nil {
		return 0, fmt.Errorf("encrypt a backup: %w", err)
	}
	if rows, err = t.Backup(ctx, sealed); err != nil {
		return rows, err
	}
	if err = sealed.Close(); err != nil {
		return rows, fmt.Errorf("write a backup: %w", err)
	}
	return rows, file.Sync()
}

func (c commands) restoreCommand() *cobra.Command {
	var from, keyFile string
	var replace bool
	var key []byte
	cmd := c.tool("restore --from FILE --key-file FILE", "Write an encrypted backup to the tables",
		`restore reads a whole backup, and then writes its rows. Nothing is written if the file or its key is wrong, or
if the tables hold other rows than the backup; with --replace those are replaced or removed. A restore that was
ended is finished by the same command. Stop the servers before.`, nil,
		func(ctx context.Context, t *lovehunt.Tools) error {
			changed, err := restore(ctx, t, from, key, replace)
			if errors.Is(err, lovehunt.ErrNotEmpty) {
				return command.Misused(err.Error(), "nothing was written; --replace replaces or removes them")
			}
			if err != nil {
				return working("restore", err)
			}
			fmt.Fprintf(c.Stdout, "%d rows written or removed\n", changed)
			return nil
		})
	cmd.Flags().StringVar(&from, "from", "", "`FILE` that backup has written")
	cmd.Flags().StringVar(&keyFile, "key-file", "", "`FILE` of the key")
	cmd.Flags().BoolVar(&replace, "replace", false, "make the tables equal to the backup, whatever they hold")
	cmd.PreRunE = func(*cobra.Command, []string) (err error) {
		if from == "" {
			return command.Misused("no file is given", "--from FILE")
		}
		key, err = readKey(keyFile)
		return err
	}
	return cmd
}

func restore(ctx context.Context, t *lovehunt.Tools, path string, key []byte, replace bool) (changed int, err error) {
	file, err := os.Open(path)
	if err != nil {
		return 0, fmt.Errorf("read a backup: %w", err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	plain, err := sio.DecryptReader(file, sealing(key))
	if err != nil {
		return 0, fmt.Errorf("decrypt a backup: %w", err)
	}
	watched := &failingReader{r: plain}
	changed, err = t.Restore(ctx, watched, replace)
	if errors.Is(err, lovehunt.ErrBackup) && watched.err != nil {
		err = fmt.Errorf("%s cannot be decrypted: the key is not its own, or the file is damaged; nothing was written",
			path)
	}
	return changed, err
}

// failingReader remembers the error of a reader other than the end.
type failingReader struct {
	r   io.Reader
	err error
}

func (f *failingReader) Read(p []byte) (int, error) {
	n, err := f.r.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		f.err = err
	}
	return n, err
}
