package web

import (
	"testing"
)

func TestNoiseIsTheSameEachTime(t *testing.T) {
	first, second := noise(1000), noise(2000)
	if len(first) != 1000 || first != second[:1000] {
		t.Error("what is shorter is not the beginning of what is longer")
	}
}
