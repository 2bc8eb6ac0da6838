// Package load is what bench and soak share: the programs that they start, and clients of the stores that these serve.
//
// No client tries again: a second attempt would hide an error. Open [Start] first.
package load

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
)

// Addresses are where a program serves its stores; "": it does not serve that one.
type Addresses struct {
	Azure    string // a connection string
	KV       string // a namespace of Workers KV, by its REST API
	DynamoDB string
}

// Start starts a program that prints where it serves its stores, as storespec-emulate does, and waits until it is
// ready.
func Start(cmd *exec.Cmd) (at Addresses, err error) {
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return at, err
	}
	if err := cmd.Start(); err != nil {
		return at, err
	}
	for lines := bufio.NewScanner(out); lines.Scan(); {
		line := lines.Text()
		if strings.HasPrefix(line, "DefaultEndpointsProtocol=") {
			at.Azure = cmp.Or(at.Azure, line)
		} else if address, ok := strings.CutPrefix(line, "Workers KV, REST API: "); ok {
			at.KV = address
		} else if address, ok := strings.CutPrefix(line, "export AWS_ENDPOINT_URL_DYNAMODB="); ok {
			at.DynamoDB, _, _ = strings.Cut(address, " ")
		} else if line == "ready" {
			go func() { _, _ = io.Copy(io.Discard, out) }() // it ends with the process
			return at, nil
		}
	}
	return at, errors.Join(fmt.Errorf("%s ended before it was ready", cmd), cmd.Wait())
}

// Build builds programs of this module into a directory, as a release would.
func Build(ctx context.Context, directory string, programs ...string) error {
	args := []string{"build", "-trimpath", "-ldflags", "-s -w", "-o", directory + string(os.PathSeparator)}
	if output, err := exec.CommandContext(ctx, "go", append(args, programs...)...).CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w\n%s", err, output)
	}
	return nil
}
