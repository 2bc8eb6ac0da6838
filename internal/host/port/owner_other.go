//go:build !linux

package port

// Owner reports whether all that listens at a port belongs to a process group. known is false: only Linux can say.
func Owner(int, int) (is, known bool) { return false, false }

// Listening returns the TCP ports that the processes of a group listen on. known is false: only Linux can say.
func Listening(int) (ports []int, known bool) { return nil, false }
