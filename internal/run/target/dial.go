package target

import (
	"context"
	"errors"
	"fmt"
	"net"
)

// loopback is the address that targets are asked at, loopback6 where they are found that listen on localhost, in a
// runtime for which that is ::1 first, such as Node from version 17 on.
const (
	loopback  = "127.0.0.1"
	loopback6 = "::1"
)

// Dial is for http.Transport.DialContext. It connects as net.Dialer does, and to ::1 if nothing listens on 127.0.0.1.
func Dial(ctx context.Context, network, address string) (net.Conn, error) {
	var dialer net.Dialer
	connection, err := dialer.DialContext(ctx, network, address)
	if err == nil || ctx.Err() != nil {
		return connection, err
	}
	host, port, _ := net.SplitHostPort(address)
	if host != loopback {
		return nil, err
	}
	if connection, err6 := dialer.DialContext(ctx, network, net.JoinHostPort(loopback6, port)); err6 == nil {
		return connection, nil
	}
	return nil, err
}

// nobodyListens returns what the error of a request means if it could not be connected to this machine; otherwise nil.
func nobodyListens(err error) error {
	failed, ok := errors.AsType[*net.OpError](err)
	if !ok || failed.Op != "dial" || failed.Timeout() {
		return nil
	}
	at, ok := failed.Addr.(*net.TCPAddr)
	if !ok || !at.IP.IsLoopback() {
		return nil
	}
	return &notListeningError{at.Port, err}
}

// notListeningError says that nothing listens on a port of this machine. The error of the request says the same at
// length.
type notListeningError struct {
	port int
	err  error
}

func (e *notListeningError) Error() string { return fmt.Sprintf("nothing listens on port %d", e.port) }
func (e *notListeningError) Unwrap() error { return e.err }
