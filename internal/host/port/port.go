// Package port chooses the loopback ports of child processes that get theirs from storespec, such as the server under
// test.
//
// Between the choice and the child's bind any other process may take the port. The package makes that unlikely, and
// lets a caller see that it has happened: [Reservation.Free] and [InUse] say so of a child that has ended, [Owner] of
// one that runs. What storespec serves itself needs none of this: it listens at port 0.
//
// Open [Reserve] first.
package port

import (
	"fmt"
	"math/rand/v2"
	"net"
	"regexp"
	"strconv"
)

// The ports that are handed out lie below those that systems give to outgoing connections (Linux from 32768, others
// from 49152): no connection takes them by chance, not even one of the child's own.
const (
	lowest = 20000
	count  = 12000
	tries  = 1000 // of ports drawn at random; nearly always the first is free
)

// Reservation is a port that no storespec on this machine hands out until Release.
type Reservation struct {
	Number int
	held   net.PacketConn
}

// Reserve returns a port at which nothing listens.
//
// The UDP port of the same number, which no HTTP/1 server binds, is held as long as the reservation: anything that
// reserves ports in this way, in any process, passes over it, and it is free again however this process ends.
func Reserve() (*Reservation, error) {
	var last error
	for range tries {
		number := lowest + rand.IntN(count)
		held, err := net.ListenPacket("udp4", address(number))
		if err != nil {
			last = err
			continue
		}
		reserved := &Reservation{number, held}
		if reserved.Free() {
			return reserved, nil
		}
		reserved.Release()
	}
	return nil, fmt.Errorf("find a free port from %d to %d: %w", lowest, lowest+count-1, last)
}

func address(number int) string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(number)) }

// Address returns the port as an address of the loopback interface, such as 127.0.0.1:20123.
func (r *Reservation) Address() string { return address(r.Number) }

// Release gives the port back. A second call does nothing.
func (r *Reservation) Release() { _ = r.held.Close() } // the only error is that it is closed already

// Free reports whether nothing listens at the port.
func (r *Reservation) Free() bool {
	listener, err := net.Listen("tcp", r.Address())
	if err != nil {
		return false
	}
	return listener.Close() == nil
}

// inUse is how runtimes report a port that is taken: Node, Erlang and Ruby (EADDRINUSE), most others, gunicorn, and
// Windows (WSAEADDRINUSE).
var inUse = regexp.MustCompile(`(?i)\beaddrinuse\b|already in use|\bconnection in use\b|` +
	`only one usage of each socket address`)

// InUse reports whether the output of a process says that an address was taken.
func InUse(output string) bool { return inUse.MatchString(output) }
