package lane

import (
	"testing"
	"time"
)

func TestPatienceEndsAfterThreeInARow(t *testing.T) {
	now := time.Now()
	after := func(n time.Duration) time.Time { return now.Add(n * time.Hour) }
	var p patience
	if p.unanswered(after(0)) || p.unanswered(after(1)) {
		t.Error("two were enough")
	}
	p.answered()
	if p.unanswered(after(2)) || p.unanswered(after(3)) {
		t.Error("an answer in between did not count")
	}
	for range 5 {
		if p.unanswered(now.Add(-time.Hour)) {
			t.Error("requests at the same moment count as several")
		}
	}
	if !p.unanswered(after(4)) {
		t.Error("three were not enough")
	}
}
