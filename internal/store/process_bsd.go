//go:build unix && !linux

package store

import (
	"os/exec"
	"syscall"
)

// ownGroup puts the child into a group of its own. These systems cannot end it with the parent:
// after a kill -9 of storespec, Azurite has to be ended by hand.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
}
