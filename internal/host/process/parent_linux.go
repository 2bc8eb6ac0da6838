package process

import "syscall"

// dieWithParent makes the kernel kill the child if storespec dies without having stopped it. The signal is sent when
// the starting thread ends, which Go does only when the process ends.
func dieWithParent(attr *syscall.SysProcAttr) { attr.Pdeathsig = syscall.SIGKILL }
