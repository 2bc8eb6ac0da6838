//go:build unix

package companion

import (
	"os"
	"syscall"
)

// suspend makes a process hang until resume.
func suspend(process *os.Process) error { return process.Signal(syscall.SIGSTOP) }

func resume(process *os.Process) error { return process.Signal(syscall.SIGCONT) }
