//go:build unix

package process

import (
	"os"
	"os/exec"
	"syscall"
)

func ownGroup(command *exec.Cmd) {
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	dieWithParent(command.SysProcAttr)
}

// Errors are left out on purpose in both: the only one that can come is that the group is gone.
func terminate(p *os.Process) { _ = syscall.Kill(-p.Pid, syscall.SIGTERM) }
func kill(p *os.Process)      { _ = syscall.Kill(-p.Pid, syscall.SIGKILL) }
