package main

import (
	"fmt"
	"net/http"
	"os"
	"strings"
)

// serveDocker is a Docker daemon on $PORT, as far as a client can tell before it starts a container. Its argument:
//
//	bare    it has no image
//	broken  it has every image, and cannot make a container of any
func serveDocker(args []string) int {
	return listen(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Api-Version", "1.47")
		w.Header().Set("Content-Type", "application/json")
		switch {
		case strings.HasSuffix(r.URL.Path, "/_ping"), strings.HasSuffix(r.URL.Path, "/api/health"):
			fmt.Fprint(w, "OK")
		case strings.HasSuffix(r.URL.Path, "/info"), strings.HasSuffix(r.URL.Path, "/version"),
			args[0] == "broken" && strings.Contains(r.URL.Path, "/images/"):
			fmt.Fprint(w, "{}")
		default:
			w.WriteHeader(http.StatusNotFound)
			fmt.Fprintln(w, `{"message":"not found"}`)
		}
		fmt.Fprintln(os.Stderr, r.Method, r.URL.Path)
	}))
}
