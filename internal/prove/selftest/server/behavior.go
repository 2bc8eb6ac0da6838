package server

import (
	"fmt"
	"strings"
	"time"
)

// behavior is how a server misbehaves, or what else makes it hard to judge. The zero value keeps every rule at once and
// passes traces on.
type behavior struct {
	untraced  bool          // its storage calls carry no trace
	late      time.Duration // it writes the log so long after its answer; 0: before
	over      time.Duration // it writes the log once more, so long after its answer; 0: it does not
	polls     time.Duration // it reads a job all the time, at this interval, without a trace; 0: it does not
	peeks     bool          // it reads that job for each request too
	drops     bool          // it stores what it is sent, and closes the connection instead of answering
	fails     bool          // it answers each GET of an item 500 with a body
	refuses   bool          // it fails as an SDK does that takes https only
	slow      time.Duration // it starts to listen so late
	wrongPort bool          // it listens on a port of its own choice
	ipv6      bool          // it listens on ::1 only
	twice     bool          // two processes accept connections on its port
	deaf      bool          // it ignores SIGTERM
	chatty    bool          // it prints all the time
	printLate time.Duration // it prints a line so long after each answer
}

// parse reads words such as "untraced late=60ms".
func parse(words []string) (b behavior, err error) {
	flags := map[string]*bool{"untraced": &b.untraced, "peeks": &b.peeks, "drops": &b.drops, "fails": &b.fails,
		"refuses": &b.refuses, "wrong-port": &b.wrongPort, "ipv6": &b.ipv6, "twice": &b.twice, "deaf": &b.deaf,
		"chatty": &b.chatty}
	times := map[string]*time.Duration{"late": &b.late, "over": &b.over, "polls": &b.polls, "slow": &b.slow,
		"prints-late": &b.printLate}
	for _, word := range words {
		name, value, timed := strings.Cut(word, "=")
		switch {
		case !timed && flags[name] != nil:
			*flags[name] = true
		case timed && times[name] != nil:
			if *times[name], err = time.ParseDuration(value); err != nil {
				return b, fmt.Errorf("behavior %q: want a duration such as 60ms", word)
			}
		default:
			return b, fmt.Errorf("unknown behavior %q", word)
		}
	}
	return b, nil
}
