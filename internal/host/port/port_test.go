package port

import (
	"net"
	"testing"
)

func TestAReservedPortIsNotHandedOutAgain(t *testing.T) {
	reserved, err := Reserve()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := net.ListenPacket("udp4", reserved.Address()); err == nil {
		t.Error("another storespec could reserve the port too")
	}
	if !reserved.Free() {
		t.Error("a server cannot listen at the port")
	}
	listener, err := net.Listen("tcp", reserved.Address())
	if err != nil {
		t.Fatal(err)
	}
	if reserved.Free() {
		t.Error("the port counts as free while a process listens there")
	}
	for range 2 {
		reserved.Release()
	}
	if err := listener.Close(); err != nil {
		t.Error(err)
	}
	if held, err := net.ListenPacket("udp4", reserved.Address()); err != nil {
		t.Errorf("the port is still held: %v", err)
	} else {
		held.Close()
	}
}

func TestPortsAreNotThoseOfConnections(t *testing.T) {
	if highest := lowest + count - 1; lowest < 1024 || highest >= 32768 {
		t.Errorf("ports from %d to %d: want none that is privileged, or ephemeral on Linux", lowest, highest)
	}
}

func TestInUse(t *testing.T) {
	for output, want := range map[string]bool{
		"Error: listen EADDRINUSE: address already in use 127.0.0.1:20123":         true, // Node
		"listen tcp 127.0.0.1:20123: bind: address already in use":                 true, // Go
		"OSError: [Errno 98] Address already in use":                               true, // Python
		"[ERROR] Connection in use: ('127.0.0.1', 20123)":                          true, // gunicorn
		"java.net.BindException: Address already in use":                           true, // Java
		"Web server: Port 20123 was already in use.":                               true, // Spring Boot
		"Failed to bind to http://127.0.0.1:20123: address already in use.":        true, // .NET
		"bind(2) for port 20123 (Errno::EADDRINUSE)":                               true, // Ruby
		"Only one usage of each socket address (protocol/network address/port) is": true, // Windows
		"address in use, without a code":                                           false,
		"ECONNREFUSED 127.0.0.1:20123":                                             false,
		"no such storage account":                                                  false,
		"the connection in user's settings cannot be understood":                   false,
	} {
		if got := InUse(output); got != want {
			t.Errorf("InUse(%q) = %v", output, got)
		}
	}
}
