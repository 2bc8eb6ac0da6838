package verify

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/storespec/storespec/internal/baseline"
)

// MaxShards is the most shards a run is split into: no system has as many scenarios.
const MaxShards = 256

// Shard is one of several parts of a run, each for a machine of its own. The zero value is the whole run.
type Shard struct {
	Index int `json:"index"` // from 1
	Count int `json:"count"`
}

// ParseShard reads "2/4", the second of four.
func ParseShard(text string) (Shard, error) {
	var s Shard
	if n, err := fmt.Sscanf(text, "%d/%d", &s.Index, &s.Count); n != 2 || err != nil || s.String() != text {
		return Shard{}, fmt.Errorf("the shard %q is not like 2/4, the second of four", text)
	}
	if s.Count < 1 || s.Count > MaxShards || s.Index < 1 || s.Index > s.Count {
		return Shard{}, fmt.Errorf("the shard %q is none: I/N has 1 ≤ I ≤ N ≤ %d", text, MaxShards)
	}
	return s, nil
}

func (s Shard) String() string { return fmt.Sprintf("%d/%d", s.Index, s.Count) }

// Has reports whether a scenario falls to the shard. That depends on what names the scenario and on nothing else: another
// scenario, or another order of the feature files, moves none.
func (s Shard) Has(c baseline.Case) bool { return s.Count <= 1 || s.of(c) == s.Index }

// of is the number of the shard that has a scenario.
func (s Shard) of(c baseline.Case) int {
	digest := sha256.Sum256([]byte(c.Key()))
	return int(binary.BigEndian.Uint64(digest[:])%uint64(s.Count)) + 1
}

// Share is how the scenarios that were selected fall to the shards of a run.
type Share struct {
	Shard
	Mine  int `json:"scenarios"` // of this shard
	All   int `json:"of"`        // of all of them
	Least int `json:"least"`     // of the shard with the fewest
	Most  int `json:"most"`
}

// share counts.
func (s Shard) share(selected []baseline.Case) *Share {
	if s.Count == 0 {
		return nil
	}
	counts := make([]int, s.Count)
	for _, c := range selected {
		counts[s.of(c)-1]++
	}
	return &Share{Shard: s, Mine: counts[s.Index-1], All: len(selected), Least: slices.Min(counts), Most: slices.Max(counts)}
}

func (s *Share) String() string {
	return fmt.Sprintf("shard %s: %d of %d scenarios; each has %d to %d", s.Shard, s.Mine, s.All, s.Least, s.Most)
}
