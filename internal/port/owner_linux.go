package port

import (
	"fmt"
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

// Listening returns the TCP ports that the processes of a group listen on, in order. known is false if the system
// cannot say.
func Listening(group int) (ports []int, known bool) {
	at := map[string]int{}
	for _, table := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
		text, err := os.ReadFile(table)
		if err != nil {
			continue // a kernel without IPv6
		}
		known = true
		for line := range strings.Lines(string(text)) {
			if local, inode, is := listener(line); is {
				if number, err := strconv.ParseInt(local[strings.LastIndex(local, ":")+1:], 16, 32); err == nil {
					at[inode] = int(number)
				}
			}
		}
	}
	processes, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		return nil, false
	}
	for _, process := range processes {
		if groupOf(process) != strconv.Itoa(group) {
			continue
		}
		for _, socket := range socketsOf(process) {
			if number, is := at[socket]; is && !slices.Contains(ports, number) {
				ports = append(ports, number)
			}
		}
	}
	slices.Sort(ports)
	return ports, known
}

// listener returns the local address and the inode of the socket in a line of a table of the kernel (proc_pid_net(5)),
// if it listens.
func listener(line string) (local, inode string, is bool) {
	field := strings.Fields(line) // sl local_address rem_address st … inode
	if len(field) < 10 || field[3] != "0A" {
		return "", "", false
	}
	return field[1], field[9], true
}

// listening adds the inodes of the sockets that listen at a port, by a table of the kernel.
func listening(table string, number int, to map[string]bool) {
	for line := range strings.Lines(table) {
		if local, inode, is := listener(line); is && strings.HasSuffix(local, fmt.Sprintf(":%04X", number)) {
			to[inode] = true
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
