package store

import (
	"os/exec"
	"syscall"
)

// ownGroup puts the child into a group of its own and has the kernel kill it when the parent dies,
// however that happens.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
