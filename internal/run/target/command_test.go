package target

import (
	"errors"
	"net"
	"net/http"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
)

// between returns a launch of a command that plays a mode. take is called between the choice of a port and the start,
// with how often the command was started before.
func between(take func(address string, before int), mode ...string) Launch {
	started := 0
	env := map[string]string{}
	for _, set := range append(mode, "GREETING=hello") {
		name, value, _ := strings.Cut(set, "=")
		env[name] = value
	}
	return Launch{Ready: "/ready", Env: func(port string) map[string]string {
		take(net.JoinHostPort("127.0.0.1", port), started)
		started++
		return env
	}}
}

// hold listens at an address until the test ends.
func hold(t *testing.T, address string) net.Listener {
	t.Helper()
	listener, err := net.Listen("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	return listener
}

func TestCommandWhosePortIsTakenStartsAtAnother(t *testing.T) {
	var taken string
	instance, err := Command([]string{os.Args[0]}).Start(t.Context(), between(func(address string, before int) {
		if before == 0 { // by a program that accepts connections and answers nothing
			taken = hold(t, address).Addr().String()
		}
	}, "TARGET_TEST_MODE=serve"))
	if err != nil {
		t.Fatal(err)
	}
	if instance.URL == "http://"+taken || !strings.Contains(instance.Output(), "serving hello") {
		t.Errorf("it runs at %s, and wrote %q", instance.URL, instance.Output())
	}
	if err := instance.Stop(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestCommandWhosePortIsAlwaysTaken(t *testing.T) {
	var ports []string
	_, err := Command([]string{os.Args[0]}).Start(t.Context(), between(func(address string, _ int) {
		hold(t, address)
		_, port, _ := net.SplitHostPort(address)
		ports = append(ports, port)
	}, "TARGET_TEST_MODE=serve"))
	if _, ok := errors.AsType[*StartError](err); !ok {
		t.Fatalf("error %v is not a StartError", err)
	}
	want := "ended before it was ready: exit status 0; its port was taken at each of 3 starts: " +
		strings.Join(ports, ", ") + "\n"
	if len(ports) != 3 || !strings.Contains(err.Error(), want) {
		t.Errorf("error %q, want %q", err, want)
	}
}

// Somebody else answers at the port before the command can find it taken. It is never what is judged, whether the
// command ends then or only says so.
func TestSomebodyElseAtThePortIsNotTheCommand(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("port.Owner knows who listens on Linux only")
	}
	for _, stays := range []string{"", "yes"} {
		t.Run("stays="+stays, func(t *testing.T) {
			var foreign string
			instance, err := Command([]string{os.Args[0]}).Start(t.Context(), between(func(address string, before int) {
				if before > 0 {
					return
				}
				asked := make(chan struct{})
				ready := sync.OnceFunc(func() { close(asked) })
				server := &http.Server{Handler: http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
					if r.URL.Path == "/ready" {
						ready()
						return
					}
					select {
					case <-asked:
					case <-r.Context().Done():
					}
				})}
				listener := hold(t, address)
				foreign = "http://" + listener.Addr().String()
				go server.Serve(listener)
				t.Cleanup(func() { server.Close() })
			}, "TARGET_TEST_MODE=late", "STAYS="+stays))
			if err != nil {
				t.Fatal(err)
			}
			if instance.URL == foreign {
				t.Error("another program is taken for the command")
			}
			instance.Kill()
		})
	}
}
