package port

import (
	"iter"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Owner reports whether all that listens at a port belongs to a process group. known is false if the system cannot say.
//
// A process that listens for the group, such as Docker's for a container, is not in it.
func Owner(number, group int) (is, known bool) {
	sockets, known := listeners()
	maps.DeleteFunc(sockets, func(_ string, at int) bool { return at != number })
	if len(sockets) == 0 {
		return false, known
	}
	for process := range processesOf(group) {
		for _, socket := range socketsOf(process) {
			delete(sockets, socket)
		}
		if len(sockets) == 0 {
			return true, known
		}
	}
	return false, known
}

// Listening returns the TCP ports that the processes of a group listen on, in order. known is false if the system
// cannot say.
func Listening(group int) (ports []int, known bool) {
	at, known := listeners()
	for process := range processesOf(group) {
		for _, socket := range socketsOf(process) {
			if number, is := at[socket]; is && !slices.Contains(ports, number) {
				ports = append(ports, number)
			}
		}
	}
	slices.Sort(ports)
	return ports, known
}

// processesOf yields the directories of the processes of a group, first that of its leader.
func processesOf(group int) iter.Seq[string] {
	number := strconv.Itoa(group)
	leader := filepath.Join("/proc", number)
	return func(yield func(string) bool) {
		if groupOf(leader) == number && !yield(leader) {
			return
		}
		processes, _ := filepath.Glob("/proc/[0-9]*") // the pattern is right
		for _, process := range processes {
			if process != leader && groupOf(process) == number && !yield(process) {
				return
			}
		}
	}
}

// groupOf returns the process group of a process; "" if it is gone (proc_pid_stat(5)).
func groupOf(process string) string {
	text, _ := os.ReadFile(filepath.Join(process, "stat"))
	_, after, _ := strings.Cut(string(text[strings.LastIndex(string(text), ")")+1:]), " ") // its name may hold anything
	field := strings.Fields(after)                                                         // state ppid pgrp …
	if len(field) < 3 {
		return ""
	}
	return field[2]
}

// socketsOf returns the inodes of the sockets that a process has open.
func socketsOf(process string) (inodes []string) {
	descriptors, _ := os.ReadDir(filepath.Join(process, "fd"))
	for _, descriptor := range descriptors {
		to, _ := os.Readlink(filepath.Join(process, "fd", descriptor.Name()))
		if inode, ok := strings.CutPrefix(to, "socket:["); ok {
			inodes = append(inodes, strings.TrimSuffix(inode, "]"))
		}
	}
	return inodes
}
