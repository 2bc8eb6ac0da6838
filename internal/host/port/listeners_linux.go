package port

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// listeners returns the ports at which TCP sockets listen, by the inodes of those. known is false if the system cannot
// say.
//
// It asks sock_diag(7), which lists listening sockets alone, in a fraction of a millisecond. The kernel's tables, which
// are the fallback, also hold every connection, even those closed within the last minute: with thousands of them, they
// take 15 ms to read.
func listeners() (ports map[string]int, known bool) {
	ports = map[string]int{}
	err := errors.Join(addFromSockDiag(syscall.AF_INET, ports), addFromSockDiag(syscall.AF_INET6, ports))
	if err == nil {
		return ports, true
	}
	for _, table := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
		text, err := os.ReadFile(table)
		if err != nil {
			continue // a kernel without IPv6
		}
		known = true
		addFromTable(string(text), ports)
	}
	return ports, known
}

// addFromTable adds the listening sockets in one of the kernel's tables (proc_pid_net(5)).
func addFromTable(text string, to map[string]int) {
	for line := range strings.Lines(text) {
		field := strings.Fields(line) // sl local_address rem_address st … inode
		if len(field) < 10 || field[3] != "0A" {
			continue
		}
		local := field[1]
		if number, err := strconv.ParseUint(local[strings.LastIndex(local, ":")+1:], 16, 16); err == nil {
			to[field[9]] = int(number)
		}
	}
}

// What sock_diag(7) calls its messages and their parts; the numbers are those of linux/sock_diag.h and
// linux/inet_diag.h.
const (
	netlinkSockDiag  = 4
	sockDiagByFamily = 20
	requestLength    = 56 // of inet_diag_req_v2
	answerLength     = 72 // of inet_diag_msg
	portOffset       = 4  // in inet_diag_msg: in the order of the network
	inodeOffset      = 68
	stateListen      = 10
)

// addFromSockDiag adds the listening sockets of an address family that sock_diag(7) lists.
func addFromSockDiag(family uint8, to map[string]int) error {
	kernel, err := syscall.Socket(syscall.AF_NETLINK, syscall.SOCK_DGRAM|syscall.SOCK_CLOEXEC, netlinkSockDiag)
	if err != nil {
		return fmt.Errorf("open a socket for sock_diag: %w", err)
	}
	defer func() { _ = syscall.Close(kernel) }() // nothing is lost
	if err := syscall.SetsockoptTimeval(kernel, syscall.SOL_SOCKET, syscall.SO_RCVTIMEO,
		&syscall.Timeval{Sec: 1}); err != nil {
		return fmt.Errorf("limit the wait for sock_diag: %w", err)
	}
	ask := make([]byte, syscall.NLMSG_HDRLEN+requestLength)
	binary.NativeEndian.PutUint32(ask, uint32(len(ask)))
	binary.NativeEndian.PutUint16(ask[4:], sockDiagByFamily)
	binary.NativeEndian.PutUint16(ask[6:], syscall.NLM_F_REQUEST|syscall.NLM_F_DUMP)
	body := ask[syscall.NLMSG_HDRLEN:]
	body[0], body[1] = family, syscall.IPPROTO_TCP
	binary.NativeEndian.PutUint32(body[4:], 1<<stateListen)
	if err := syscall.Sendto(kernel, ask, 0, &syscall.SockaddrNetlink{Family: syscall.AF_NETLINK}); err != nil {
		return fmt.Errorf("ask sock_diag: %w", err)
	}
	answer := make([]byte, 64<<10)
	for {
		n, _, err := syscall.Recvfrom(kernel, answer, 0)
		if errors.Is(err, syscall.EINTR) {
			continue
		}
		if err != nil {
			return fmt.Errorf("read what sock_diag answers: %w", err)
		}
		messages, err := syscall.ParseNetlinkMessage(answer[:n])
		if err != nil {
			return fmt.Errorf("read what sock_diag answers: %w", err)
		}
		for _, m := range messages {
			switch {
			case m.Header.Type == syscall.NLMSG_DONE:
				return nil
			case m.Header.Type != sockDiagByFamily || len(m.Data) < answerLength:
				return fmt.Errorf("sock_diag answers with a message of type %d, %d bytes", m.Header.Type, len(m.Data))
			}
			inode := binary.NativeEndian.Uint32(m.Data[inodeOffset:])
			to[strconv.FormatUint(uint64(inode), 10)] = int(binary.BigEndian.Uint16(m.Data[portOffset:]))
		}
	}
}
