package bulk

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"
)

// stateFormat is the version of the state file; other versions are refused.
const stateFormat = 1

// identified is how much of the beginning of the input identifies it, together with its size and modification time.
const identified = 64 << 10

// state is the state file: how far a load got.
type state struct {
	Format      int        `json:"format"`
	Input       string     `json:"input"` // digest of the input's beginning
	Size        int64      `json:"size"`
	Modified    time.Time  `json:"modified"` // modification time of the input according to the file system
	URL         string     `json:"url"`
	Line        int64      `json:"line"`     // all lines up to this one are finished
	Offset      int64      `json:"offset"`   // where the next line begins
	Finished    [][2]int64 `json:"finished"` // ranges of finished lines after it
	Counts      Counts     `json:"counts"`
	FailedBytes int64      `json:"failedBytes"` // length of the failed file
}

// StateError says why a state file does not belong to this load.
type StateError struct{ Path, Reason string }

func (e *StateError) Error() string { return fmt.Sprintf("state file %s: %s", e.Path, e.Reason) }

// readState reads the state file, or returns nil if it does not exist.
// Errors: *StateError, and those of the file system.
func readState(path string) (*state, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the state of an earlier load: %w", err)
	}
	var s state
	if err := json.Unmarshal(text, &s); err != nil || s.Format != stateFormat {
		return nil, &StateError{path, fmt.Sprintf("not one of this program, format %d", stateFormat)}
	}
	last := s.Line
	for _, r := range s.Finished {
		if r[0] <= last || r[1] < r[0] || r[1]-s.Line > maxLead {
			return nil, &StateError{path, "its ranges of lines are not in order"}
		}
		last = r[1]
	}
	if s.Line < 0 || s.Offset < 0 || s.Offset > s.Size || s.FailedBytes < 0 {
		return nil, &StateError{path, "it points outside of the input"}
	}
	return &s, nil
}

// write replaces the state file: after a crash there is either the old or the new one, complete.
func (s *state) write(path string) (err error) {
	text, err := json.Marshal(s)
	if err != nil {
		return fmt.Errorf("write state: %w", err)
	}
	// A fixed name, so that a crash leaves nothing that the next load does not reuse.
	file, err := os.OpenFile(path+".new", os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return fmt.Errorf("write state: %w", err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(fmt.Errorf("write state: %w", err), os.Remove(file.Name()))
		}
	}()
	_, err = file.Write(append(text, '\n'))
	if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
		return err
	}
	return os.Rename(file.Name(), path)
}

// identify returns the digest of the beginning of the input.
func identify(input io.ReaderAt) (string, error) {
	digest := sha256.New()
	if _, err := io.Copy(digest, io.NewSectionReader(input, 0, identified)); err != nil {
		return "", fmt.Errorf("read the beginning of the input: %w", err)
	}
	return hex.EncodeToString(digest.Sum(nil)), nil
}
