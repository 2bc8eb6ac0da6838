package proof

import (
	"encoding/base64"
	"errors"
	"fmt"
	"hash/crc32"
	"strconv"
	"strings"
)

// replayVersion is the first field of a token. It increases when the meaning of tokens changes.
const replayVersion = "1"

// Replay names one case of one scenario: one fault, or one order. Its text form is the token that a failing case
// prints.
type Replay struct {
	System   string
	Suite    string // digest of the system's features
	Seed     uint64 // of samples
	Scenario string // its file:line, and its name
	Kind     string // of the family the case belongs to
	Case     string // the case within the family
}

// ErrReplay is wrapped by the errors of ParseReplay and Replay.For.
var ErrReplay = errors.New("the replay token cannot be used")

// String returns the token: one word, safe in a shell.
func (r Replay) String() string {
	fields := strings.Join([]string{replayVersion, r.System, r.Suite, strconv.FormatUint(r.Seed, 10), r.Scenario,
		r.Kind, r.Case}, "\x00")
	sum := fmt.Sprintf("%08x", crc32.ChecksumIEEE([]byte(fields)))
	return base64.RawURLEncoding.EncodeToString([]byte(sum + fields))
}

// ParseReplay reads a token. The error, which wraps ErrReplay, says what is wrong with it.
func ParseReplay(token string) (*Replay, error) {
	text, err := base64.RawURLEncoding.DecodeString(token)
	if err != nil || len(text) < 8 || string(text[:8]) != fmt.Sprintf("%08x", crc32.ChecksumIEEE(text[8:])) {
		return nil, fmt.Errorf("%w: it is incomplete; copy all of it from the report", ErrReplay)
	}
	fields := strings.Split(string(text[8:]), "\x00")
	if fields[0] != replayVersion {
		return nil, fmt.Errorf("%w: it was made for version %s of replay tokens, and this storespec reads version %s",
			ErrReplay, fields[0], replayVersion)
	}
	if len(fields) != 7 {
		return nil, fmt.Errorf("%w: it has %d fields, not 7", ErrReplay, len(fields))
	}
	seed, err := strconv.ParseUint(fields[3], 10, 64)
	if err != nil {
		return nil, fmt.Errorf("%w: %q is not a seed", ErrReplay, fields[3])
	}
	return &Replay{System: fields[1], Suite: fields[2], Seed: seed, Scenario: fields[4], Kind: fields[5],
		Case: fields[6]}, nil
}

// For rejects a token that was made for a system, suite or seed other than those of the run. The error wraps ErrReplay
// and says what the token was made for.
func (r *Replay) For(system, suite string, seed uint64) error {
	switch {
	case r.System != system:
		return fmt.Errorf("%w: it was made for %s, not for %s", ErrReplay, r.System, system)
	case r.Suite != suite:
		return fmt.Errorf("%w: it was made for the rules of %s with the digest %s, and these have %s", ErrReplay,
			r.System, r.Suite, suite)
	case r.Seed != seed:
		return fmt.Errorf("%w: it was made with --seed %d, not %d", ErrReplay, r.Seed, seed)
	}
	return nil
}
