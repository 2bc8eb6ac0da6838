// Command typecheck type-checks packages for another platform, from source: nothing is compiled, so it takes seconds
// where go build or go vet for a new platform takes minutes. It needs the modules of .ci/tools.mod:
//
//	go run -modfile=.ci/tools.mod ./.ci/typecheck GOOS PACKAGE...
//
// It writes each error to standard error and exits with 1 when there is one, with 2 when nothing could be loaded.
package main

import (
	"fmt"
	"os"

	"golang.org/x/tools/go/packages"
)

func main() {
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, "usage: typecheck GOOS PACKAGE...")
		os.Exit(2)
	}
	config := &packages.Config{
		Mode: packages.NeedName | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedDeps |
			packages.NeedTypes | packages.NeedTypesSizes,
		Env: append(os.Environ(), "GOOS="+os.Args[1], "CGO_ENABLED=0"),
	}
	loaded, err := packages.Load(config, os.Args[2:]...)
	if err != nil || len(loaded) == 0 {
		fmt.Fprintf(os.Stderr, "typecheck: %d packages: %v\n", len(loaded), err)
		os.Exit(2)
	}
	if packages.PrintErrors(loaded) > 0 {
		os.Exit(1)
	}
}
