// Command dist builds what is released: the programs of cmd/ for every platform, static and without the paths of the
// machine that built them, each platform's in one archive with the license and the changes, and SHA256SUMS.
// Building the same commit with the same Go gives the same bytes anywhere: what a build knows of time, place and person
// is taken from the commit or left out.
//
// It is not part of the product. Run it by make dist, from the module's root. Open build.go first; archive.go packs.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
)

// platforms are those that are released.
const platforms = "linux/amd64,linux/arm64,darwin/amd64,darwin/arm64,windows/amd64,windows/arm64"

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "dist:", err)
		os.Exit(1)
	}
}

func run() error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	out := flag.String("out", "dist", "directory to write")
	list := flag.String("platforms", platforms, "what to build for")
	flag.Parse()
	r := release{source: ".", out: *out, platforms: strings.Split(*list, ",")}
	return r.build(ctx, os.Stdout)
}
