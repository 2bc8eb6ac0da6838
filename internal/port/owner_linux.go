package port

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Owner reports whether all that listens at a port belongs to a process group. known is false if the system cannot say.
//
// A process that listens for the group, such as Docker's for a container, is not in it.
func Owner(number, group int) (is, known bool) {
	sockets := map[string]bool{}
	for _, table := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
		text, err := os.ReadFile(table)
		if err != nil {
			continue // a kernel without IPv6
		}
		known = true
		listening(string(text), number, sockets)
	}
	if len(sockets) == 0 {
		return false, known
	}
	processes, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		return false, false
	}
	for _, process := range processes {
		if groupOf(process) == strconv.Itoa(group) {
			for _, socket := range socketsOf(process) {
				delete(sockets, socket)
			}
		}
	}
	return len(sockets) == 0, known
}

// listening adds the inodes of the sockets that listen at a port, by a table of the kernel (proc_pid_net(5)).
func listening(table string, number int, to map[string]bool) {
	for line := range strings.Lines(table) {
		field := strings.Fields(line) // sl local_address rem_address st … inode
		if len(field) > 9 && field[3] == "0A" && strings.HasSuffix(field[1], fmt.Sprintf(":%04X", number)) {
			to[field[9]] = true
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
