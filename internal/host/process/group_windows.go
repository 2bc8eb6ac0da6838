package process

import (
	"os"
	"os/exec"
	"syscall"
)

func ownGroup(command *exec.Cmd) {
	command.SysProcAttr = &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}

func endedBy(*os.ProcessState) int { return 0 }

// Windows has no SIGTERM: a child is killed at once.
func terminate(p *os.Process) { _ = p.Kill() }
func kill(p *os.Process)      { _ = p.Kill() }
