package process

import "syscall"

// dieWithParent lets the kernel end the child when storespec dies without having ended it. The
// signal is sent when the starting thread ends, which Go does only with the process.
func dieWithParent(attr *syscall.SysProcAttr) { attr.Pdeathsig = syscall.SIGKILL }
