//go:build unix

package store

import (
	"os/exec"
	"syscall"
)

// terminateGroup asks every process of the child's group to end.
func terminateGroup(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }

// killGroup ends them. The errors mean that the group is gone, which is what was wanted.
func killGroup(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
