//go:build !linux

package process

import "os/exec"

// Only Linux lets a process adopt its descendants: elsewhere those that have left the child's process group go on when
// it has ended, and its end is known only once no process writes to its pipes any more.

func marked(env []string, _ string) []string { return env }
func begin(command *exec.Cmd) error          { return command.Start() }
func endOrphans(string)                      {}

func wait(command *exec.Cmd, exited func()) error {
	defer exited()
	return command.Wait()
}
