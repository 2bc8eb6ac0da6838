package process

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"maps"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// markName is the variable that the descendants of a child are recognized by, also those that are in a session of their
// own and whose parent has ended. Nested runs of storespec each add their own mark.
const markName = "STORESPEC_STARTED_BY"

// marked returns an environment with a mark added to it.
func marked(env []string, mark string) []string {
	if env == nil {
		env = os.Environ()
	}
	outer := ""
	for _, variable := range env {
		if value, is := strings.CutPrefix(variable, markName+"="); is {
			outer = value + ":"
		}
	}
	return append(env[:len(env):len(env)], markName+"="+outer+mark)
}

// started holds the children of this package that were not waited for yet.
var started struct {
	sync.Mutex
	pids map[int]bool
}

// begin starts a child. This process adopts what the child leaves behind.
func begin(command *exec.Cmd) error {
	adopt()
	started.Lock()
	defer started.Unlock()
	err := command.Start()
	if err == nil {
		started.pids[command.Process.Pid] = true
	}
	return err
}

// wait waits for a child, and then for those that write to its pipes, for a while. It calls exited between the two.
func wait(command *exec.Cmd, exited func()) error {
	for errors.Is(unix.Waitid(unix.P_PID, command.Process.Pid, nil, unix.WEXITED|unix.WNOWAIT, nil), unix.EINTR) {
		continue
	}
	exited()
	err := command.Wait()
	started.Lock()
	defer started.Unlock()
	delete(started.pids, command.Process.Pid)
	return err
}

// reapEvery limits how often the processes of the machine are searched for zombies, however many of them there are.
const reapEvery = time.Second

// adopt makes this process the parent of those of its descendants whose own parent ends (PR_SET_CHILD_SUBREAPER in
// prctl(2)), so that they can be waited for, and from now on waits for those that end by themselves. Kernels before 3.4
// refuse; there such processes go to init, as ever.
var adopt = sync.OnceFunc(func() {
	started.pids = map[int]bool{}
	if unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != nil {
		return
	}
	ended := make(chan os.Signal, 1)
	signal.Notify(ended, syscall.SIGCHLD)
	go func() {
		for range ended {
			reap()
			<-time.After(reapEvery)
		}
	}()
})

// reap waits for adopted processes that have ended. Those that this program has started by other means are in its own
// process group, and other code waits for them.
func reap() {
	started.Lock() // so that no child is between its start and its entry
	defer started.Unlock()
	own := syscall.Getpgrp()
	for _, pid := range processes() {
		state, parent, group := statOf(pid)
		if state == "Z" && parent == os.Getpid() && group != own && !started.pids[pid] {
			_, _ = syscall.Wait4(pid, nil, syscall.WNOHANG, nil) // ECHILD: it is gone
		}
	}
}

// endOrphans kills the processes that have a mark, and waits for them: what a child has started outside of its process
// group, which must have been killed before. It looks until it finds none, so that none escapes that starts others
// meanwhile.
//
// A process of another user, or that was started with another environment, is not recognized.
func endOrphans(mark string) {
	ended := map[int]*os.Process{}
	defer func() { waitForAll(slices.Collect(maps.Values(ended))) }()
	for found := true; found; {
		found = false
		for _, pid := range processes() {
			if ended[pid] != nil || !hasMark(pid, mark) {
				continue
			}
			one, err := os.FindProcess(pid) // by a pidfd: the number may become that of another, the handle does not
			if err != nil {
				continue
			}
			if hasMark(pid, mark) && one.Signal(syscall.SIGKILL) == nil {
				ended[pid], found = one, true
			}
		}
	}
}

// waitForAll waits for processes that are being killed. When one has ended, this process adopts its children.
func waitForAll(list []*os.Process) {
	for before := -1; len(list) != before; {
		before = len(list)
		list = slices.DeleteFunc(list, func(one *os.Process) bool {
			_, err := one.Wait() // ECHILD: it is not adopted yet, or it was waited for
			return err == nil
		})
	}
	for _, one := range list {
		_ = one.Release()
	}
}

// processes returns the ids of the processes of this machine, except this one.
func processes() (pids []int) {
	directories, _ := filepath.Glob("/proc/[0-9]*") // the only error is that of a pattern
	for _, directory := range directories {
		if pid, err := strconv.Atoi(filepath.Base(directory)); err == nil && pid != os.Getpid() {
			pids = append(pids, pid)
		}
	}
	return pids
}

// Members yields the processes of a process group, first its leader.
func Members(group int) iter.Seq[int] {
	return func(yield func(pid int) bool) {
		if _, _, of := statOf(group); of == group && !yield(group) {
			return
		}
		for _, pid := range append(processes(), os.Getpid()) {
			if _, _, of := statOf(pid); of == group && pid != group && !yield(pid) {
				return
			}
		}
	}
}

// hasMark reports whether a process was started with a mark in its environment (proc_pid_environ(5)). A zombie was not.
func hasMark(pid int, mark string) bool {
	environment, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
	if err != nil {
		return false
	}
	for variable := range bytes.SplitSeq(environment, []byte{0}) {
		if value, is := bytes.CutPrefix(variable, []byte(markName+"=")); is && bytes.Contains(value, []byte(mark)) {
			return true
		}
	}
	return false
}

// statOf returns the state of a process, such as Z for a zombie, its parent and its process group (proc_pid_stat(5));
// nothing if it is gone.
func statOf(pid int) (state string, parent, group int) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return "", 0, 0
	}
	after := text[bytes.LastIndexByte(text, ')')+1:] // the name before it may hold anything
	if _, err := fmt.Sscan(string(after), &state, &parent, &group); err != nil {
		return "", 0, 0
	}
	return state, parent, group
}
