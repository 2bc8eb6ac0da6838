package verify

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/storespec/storespec/internal/verify/baseline"
)

// MaxShards is the maximum number of shards: no system has as many scenarios.
const MaxShards = 256

// Shard is one of several parts of a run, each for a separate machine. The zero value is the whole run.
type Shard struct {
	Index int `json:"index"` // from 1
	Count int `json:"count"`
}

// ParseShard parses "2/4", the second of four.
func ParseShard(text string) (Shard, error) {
	var s Shard
	if n, err := fmt.Sscanf(text, "%d/%d", &s.Index, &s.Count); n != 2 || err != nil || s.String() != text {
		return Shard{}, fmt.Errorf("the shard %q is not I/N, such as 2/4 for the second of four", text)
	}
	if s.Count < 1 || s.Count > MaxShards || s.Index < 1 || s.Index > s.Count {
		return Shard{}, fmt.Errorf("invalid shard %q: want I/N with 1 ≤ I ≤ N ≤ %d", text, MaxShards)
	}
	return s, nil
}

func (s Shard) String() string { return fmt.Sprintf("%d/%d", s.Index, s.Count) }

// Has reports whether a scenario belongs to the shard. That depends only on the scenario's name: adding other scenarios
// or reordering the feature files moves none.
func (s Shard) Has(c baseline.Case) bool { return s.Count <= 1 || s.of(c) == s.Index }

// of returns the number of the shard that a scenario belongs to.
func (s Shard) of(c baseline.Case) int {
	digest := sha256.Sum256([]byte(c.Key()))
	return int(binary.BigEndian.Uint64(digest[:])%uint64(s.Count)) + 1
}

// Share is how the selected scenarios are distributed over the shards of a run.
type Share struct {
	Shard
	Mine  int `json:"scenarios"` // of this shard
	All   int `json:"of"`        // of all of them
	Least int `json:"least"`     // of the shard with the fewest
	Most  int `json:"most"`
}

// share counts the scenarios of each shard.
func (s Shard) share(selected []baseline.Case) *Share {
	if s.Count == 0 {
		return nil
	}
	counts := make([]int, s.Count)
	for _, c := range selected {
		counts[s.of(c)-1]++
	}
	return &Share{Shard: s, Mine: counts[s.Index-1], All: len(selected), Least: slices.Min(counts),
		Most: slices.Max(counts)}
}

func (s *Share) String() string {
	return fmt.Sprintf("shard %s: %d of %d scenarios; each has %d to %d", s.Shard, s.Mine, s.All, s.Least, s.Most)
}
