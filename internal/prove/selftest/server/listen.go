package server

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"time"
)

// inherited names the variable that marks a process started with a listener: as descriptor 3, the first
// after the three streams (exec.Cmd.ExtraFiles).
const inherited = "STORESPEC_SELFTEST_LISTENER"

// serve listens where the behavior says and serves until ctx ends or the process does.
func (s *server) serve(ctx context.Context, port string, handler http.Handler) error {
	if s.deaf {
		signal.Ignore(syscall.SIGTERM)
	}
	time.Sleep(s.slow)
	listener, err := s.listen(port)
	if err != nil {
		return err
	}
	_, _ = fmt.Fprintln(s.log, "listening on", listener.Addr())
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second}
	if s.twice { // so that each request may reach another process
		server.SetKeepAlivesEnabled(false)
		if os.Getenv(inherited) == "" {
			if err := s.startSecond(listener); err != nil {
				return err
			}
		}
	}
	context.AfterFunc(ctx, func() { _ = server.Close() })
	if err := server.Serve(listener); ctx.Err() == nil {
		return err
	}
	return nil
}

func (s *server) listen(port string) (net.Listener, error) {
	switch {
	case os.Getenv(inherited) != "":
		return net.FileListener(os.NewFile(3, "listener"))
	case s.wrongPort:
		return net.Listen("tcp", "127.0.0.1:0")
	case s.ipv6:
		return net.Listen("tcp", net.JoinHostPort("::1", port))
	}
	return net.Listen("tcp", net.JoinHostPort("127.0.0.1", port))
}

// startSecond starts this program once more, with the same listener. It is in the same group of processes, which ends
// as a whole.
func (s *server) startSecond(listener net.Listener) error {
	file, err := listener.(*net.TCPListener).File()
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }() // the other process has its own
	program, err := os.Executable()
	if err != nil {
		return err
	}
	second := exec.Command(program, os.Args[1:]...)
	second.Env = append(os.Environ(), inherited+"=3")
	second.ExtraFiles = []*os.File{file}
	second.Stdout, second.Stderr = s.log, s.log
	return second.Start()
}
