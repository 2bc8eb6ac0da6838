//go:build unix

package terminal

import (
	"os"

	"golang.org/x/sys/unix"
)

func columnsOf(file *os.File) (columns int, is bool) {
	size, err := unix.IoctlGetWinsize(int(file.Fd()), unix.TIOCGWINSZ)
	if err != nil {
		return 0, false
	}
	return int(size.Col), true
}
