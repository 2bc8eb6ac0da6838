package terminal

import (
	"os"

	"golang.org/x/sys/windows"
)

func columnsOf(file *os.File) (columns int, is bool) {
	var info windows.ConsoleScreenBufferInfo
	if windows.GetConsoleScreenBufferInfo(windows.Handle(file.Fd()), &info) != nil {
		return 0, false
	}
	return int(info.Window.Right-info.Window.Left) + 1, true
}
