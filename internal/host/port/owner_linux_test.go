package port

import (
	"maps"
	"net"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"syscall"
	"testing"
)

// TestMain lets the test binary be its own child, which listens at a port until its input ends.
func TestMain(m *testing.M) {
	if address := os.Getenv("PORT_TEST_ADDRESS"); address != "" {
		if _, err := net.Listen("tcp", address); err != nil {
			os.Exit(1)
		}
		os.Stdout.WriteString("listening\n")
		_, _ = os.Stdin.Read(make([]byte, 1))
		return
	}
	os.Exit(m.Run())
}

func TestOwnerIsTheGroupThatListens(t *testing.T) {
	reserved, err := Reserve()
	if err != nil {
		t.Fatal(err)
	}
	defer reserved.Release()
	own := syscall.Getpgrp()
	if is, known := Owner(reserved.Number, own); is || !known {
		t.Errorf("no process listens, and Owner says %v, %v", is, known)
	}
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), "PORT_TEST_ADDRESS="+reserved.Address())
	child.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	input, err := child.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	output, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := output.Read(make([]byte, 1)); err != nil {
		t.Fatalf("it does not listen: %v", err)
	}
	if is, _ := Owner(reserved.Number, child.Process.Pid); !is {
		t.Error("its port is not its own")
	}
	if is, _ := Owner(reserved.Number, own); is {
		t.Error("its port is that of another group")
	}
	if ports, known := Listening(child.Process.Pid); !known || !slices.Equal(ports, []int{reserved.Number}) {
		t.Errorf("it listens on %v, %t, not on %d", ports, known, reserved.Number)
	}
	if ports, _ := Listening(own); slices.Contains(ports, reserved.Number) {
		t.Error("another group listens on its port")
	}
	input.Close()
	if err := child.Wait(); err != nil {
		t.Error(err)
	}

	listener, err := net.Listen("tcp6", net.JoinHostPort("::1", strconv.Itoa(reserved.Number)))
	if err != nil {
		t.Skipf("this machine has no IPv6: %v", err)
	}
	defer listener.Close()
	if is, _ := Owner(reserved.Number, own); !is {
		t.Error("a port of ::1 is not seen")
	}
}

// Whichever way the system offers, the listeners of both families are those in the kernel's tables.
func TestListenersAreThoseOfTheTables(t *testing.T) {
	for _, address := range []string{"127.0.0.1:0", "[::1]:0"} {
		listener, err := net.Listen("tcp", address)
		if err != nil {
			t.Logf("this machine has no %s: %v", address, err)
			continue
		}
		defer listener.Close()
	}
	tables := map[string]int{}
	for _, table := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
		text, err := os.ReadFile(table)
		if err != nil {
			t.Logf("this kernel has no %s: %v", table, err)
		}
		addFromTable(string(text), tables)
	}
	found, known := listeners()
	own := socketsOf(os.Getpid())
	isOther := func(socket string, _ int) bool { return !slices.Contains(own, socket) }
	maps.DeleteFunc(tables, isOther)
	maps.DeleteFunc(found, isOther)
	if len(tables) == 0 || !known || !maps.Equal(tables, found) {
		t.Errorf("found %v, %v; in the tables are %v", found, known, tables)
	}
}
