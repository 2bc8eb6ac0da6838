//go:build unix

package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"

	"github.com/storespec/storespec/internal/host/port"
)

// The renamed server and the one behind it get the same signal, and still answer what they have begun to read.
func TestTheRenamedServerEndsCleanly(t *testing.T) {
	needNode(t, "node-familyscheduler")
	free, err := port.Reserve()
	if err != nil {
		t.Fatal(err)
	}
	defer free.Release()
	address := free.Address()
	server, group := startRenamed(t, free.Number)
	defer func() { _ = syscall.Kill(group, syscall.SIGKILL) }() // what is left of it after a failure
	var connection net.Conn
	eventually(t, "the server", func() bool {
		connection, err = net.Dial("tcp", address)
		return err == nil
	})
	defer func() { _ = connection.Close() }()
	send := func(text string) {
		if _, err := io.WriteString(connection, text); err != nil {
			t.Fatal(err)
		}
	}
	answers := bufio.NewReader(connection)
	expect := func(status int) {
		t.Helper()
		answer, err := http.ReadResponse(answers, nil)
		if err != nil {
			t.Fatal(err)
		}
		if answer.StatusCode != status {
			t.Errorf("status %d, not %d", answer.StatusCode, status)
		}
		_, _ = io.Copy(io.Discard, answer.Body)
		_ = answer.Body.Close()
	}
	send("GET /healthz HTTP/1.1\r\nHost: " + address + "\r\n\r\n")
	expect(http.StatusOK)
	// The server has read the header once it says Continue.
	send(fmt.Sprintf("POST /v2/families HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\n"+
		"Expect: 100-continue\r\nContent-Length: 13\r\n\r\n", address))
	expect(http.StatusContinue)
	if err := syscall.Kill(group, syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the end of listening", func() bool {
		other, err := net.Dial("tcp", address)
		if err == nil {
			_ = other.Close()
		}
		return err != nil
	})
	send(`{"title":"a"}`)
	expect(http.StatusUnauthorized)
	if err := server.Wait(); err != nil {
		t.Errorf("it ended with %v", err)
	}
	if err := syscall.Kill(group, 0); err == nil {
		t.Error("the server behind is still there")
	}
}

// startRenamed starts the renamed server, with a store that does not exist, in a group of processes of its own, whose
// negative id it returns. Its parent is a shell: package process may wait for the leader of a group that this program
// has started itself.
func startRenamed(t *testing.T, number int) (shell *exec.Cmd, group int) {
	t.Helper()
	const account = "DefaultEndpointsProtocol=http;AccountName=a;AccountKey=a2V5;"
	shell = exec.CommandContext(t.Context(), "bash", "-c", `set -m; node "$0" & echo $!; wait $!`,
		filepath.Join(alternatives(), "node-renamed-familyscheduler", "server.mjs"))
	shell.Env = append(os.Environ(), "PORT="+strconv.Itoa(number), "MAGIC_LINK_SECRET=secret",
		"MAGIC_LINK_OUTBOX="+t.TempDir(), "AZURE_TABLES_CONNECTION_STRING="+account+
			"TableEndpoint=http://127.0.0.1:9/a", "AzureWebJobsStorage="+account+"BlobEndpoint=http://127.0.0.1:9/a")
	shell.Stderr = os.Stderr
	stdout, err := shell.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := shell.Start(); err != nil {
		t.Fatal(err)
	}
	var leader int
	if _, err := fmt.Fscanln(stdout, &leader); err != nil {
		t.Fatalf("the shell did not say which process it started: %v", err)
	}
	return shell, -leader
}
