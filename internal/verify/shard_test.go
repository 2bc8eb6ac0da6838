package verify

import (
	"slices"
	"strconv"
	"testing"

	"github.com/storespec/storespec/internal/verify/baseline"
)

func TestParseShard(t *testing.T) {
	if got, err := ParseShard("2/4"); err != nil || got != (Shard{2, 4}) {
		t.Errorf("2/4 is %v, %v", got, err)
	}
	for _, text := range []string{"", "2", "0/4", "5/4", "-1/4", "1/0", "1/257", "1/2/3", "a/b", " 1/2", "01/2",
		"1/2 "} {
		if got, err := ParseShard(text); err == nil {
			t.Errorf("%q is taken for %v", text, got)
		}
	}
}

func numbered(n int) []baseline.Case {
	list := make([]baseline.Case, n)
	for i := range list {
		list[i] = baseline.Case{Rule: "FS-X-1", Scenario: "a scenario",
			Example: map[string]string{"n": strconv.Itoa(i)}}
	}
	return list
}

// Each scenario is in one shard, and no shard has a third more or less than its part.
func TestShardsShareScenarios(t *testing.T) {
	const count, each = 4, 250
	for _, c := range numbered(count * each) {
		owners := 0
		for i := range count {
			if (Shard{i + 1, count}).Has(c) {
				owners++
			}
		}
		if owners != 1 {
			t.Fatalf("%v is in %d shards", c, owners)
		}
	}
	share := Shard{1, count}.share(numbered(count * each))
	if share.All != count*each || share.Least < each*2/3 || share.Most > each*4/3 || share.Mine < share.Least ||
		share.Mine > share.Most {
		t.Errorf("the shares are uneven: %v", share)
	}
}

// These are what a machine of another make must come to as well: a change would tear runs of two releases apart.
func TestShardsAreStable(t *testing.T) {
	var got []int
	for _, c := range numbered(8) {
		got = append(got, Shard{1, 4}.of(c))
	}
	plain := Shard{1, 4}.of(baseline.Case{Rule: "FS-GRP-1", Scenario: "everybody sees the new name"})
	if want := []int{1, 4, 4, 4, 2, 3, 4, 4}; !slices.Equal(got, want) || plain != 4 {
		t.Errorf("shards %v and %d, not %v and 4", got, plain, want)
	}
}

func TestTheWholeRunHasEverything(t *testing.T) {
	for _, c := range numbered(3) {
		if !(Shard{}).Has(c) {
			t.Errorf("%v is in no shard", c)
		}
	}
	if (Shard{}).share(numbered(3)) != nil {
		t.Error("a whole run has a share")
	}
}
