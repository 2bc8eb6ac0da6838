package main

import (
	"os"
	"regexp"
	"strconv"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// await waits until a pattern occurs so many times in a file that a program writes in the background.
func await(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: await FILE N PATTERN")
	}
	times, err := strconv.Atoi(args[1])
	ts.Check(err)
	pattern, err := regexp.Compile("(?m)" + args[2])
	ts.Check(err)
	for deadline := time.Now().Add(5 * time.Minute); ; time.Sleep(5 * time.Millisecond) {
		content, err := os.ReadFile(ts.MkAbs(args[0]))
		if err == nil && len(pattern.FindAll(content, -1)) >= times {
			return
		}
		if time.Now().After(deadline) {
			ts.Fatalf("%s does not hold %q %d times; %v\n%s", args[0], args[2], times, err, content)
		}
	}
}
