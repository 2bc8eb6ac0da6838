package port

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/storespec/storespec/internal/host/process"
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
	for pid := range process.Members(group) {
		for _, socket := range socketsOf(pid) {
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
	for pid := range process.Members(group) {
		for _, socket := range socketsOf(pid) {
			if number, is := at[socket]; is && !slices.Contains(ports, number) {
				ports = append(ports, number)
			}
		}
	}
	slices.Sort(ports)
	return ports, known
}

// socketsOf returns the inodes of the sockets that a process has open.
func socketsOf(pid int) (inodes []string) {
	open := fmt.Sprintf("/proc/%d/fd", pid)
	descriptors, _ := os.ReadDir(open)
	for _, descriptor := range descriptors {
		to, _ := os.Readlink(filepath.Join(open, descriptor.Name()))
		if inode, ok := strings.CutPrefix(to, "socket:["); ok {
			inodes = append(inodes, strings.TrimSuffix(inode, "]"))
		}
	}
	return inodes
}
