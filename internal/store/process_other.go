//go:build !unix

package store

import "os/exec"

// Without process groups the child itself is all that can be ended.
func ownGroup(*exec.Cmd)           {}
func terminateGroup(cmd *exec.Cmd) { _ = cmd.Process.Kill() }
func killGroup(cmd *exec.Cmd)      { _ = cmd.Process.Kill() }
