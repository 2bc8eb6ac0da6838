// Package host is about the machine that storespec runs on: its processes, ports, files and terminals. It knows no
// store, no design and no rule.
//
// What flows in: a command to start, files to write or to watch, a stream to draw on. What flows out: exit statuses and
// output, free ports, complete files, changed paths, lines of the right width. In reading order:
//
//	process     starts a child and stops it with all that it has started
//	port        hands out free ports to children, and says who listens on one
//	atomicfile  writes files that appear complete, or not at all, several of them together
//	changes     waits until files change that people edit
//	terminal    colors, widths, and the status line
//	shell       quotes commands to paste, and masks what is confidential in them
//	command     what storespec's commands share: exit statuses, mistakes with hints, flags, a progress line
//
// For example, a server under test gets a port and is stopped by its own handle:
//
//	reserved, err := port.Reserve()
//	child, err := process.Start(argv, process.Options{Env: process.Environ(map[string]string{"PORT": ...})})
//	...
//	err = child.Stop(ctx)
//
// It never ends a process that it has not started, and never decides whether a server is ready.
package host
