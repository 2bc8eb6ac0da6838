package byhand

import (
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/storespec/storespec/internal/host/shell"
	"github.com/storespec/storespec/internal/run/system"
	"github.com/storespec/storespec/internal/scenario"
	"github.com/storespec/storespec/internal/verify"
)

// script returns the script for the failed request of a scenario. Its files are called name.
func (s Server) script(name string, result verify.ScenarioResult) string {
	b := &builder{}
	s.introduce(b, name, result)
	b.line("set -eu")
	b.line(`here=$(cd "$(dirname "$0")" && pwd)`)
	s.locate(b)
	if table := result.Repeat.Table; table != "" { // storespec trace would call it otherwise
		s.Values = maps.Clone(s.Values)
		s.Values["table"] = table
	}
	command := s.trace(b, name, result.Repeat.Env)
	asked := s.headers(b)
	b.line("")
	if s.URL == "" {
		b.line(refuseOther)
	}
	b.line(command)
	b.line(endTrace)
	if s.URL != "" {
		b.line(`echo "Start the server again, as for storespec verify --url, then press Enter." >&2`)
		b.line("read -r _ || :")
	}
	b.line(awaitReady, words(s.Ready), asked)
	b.line("curl -i -sS -g --path-as-is %s%s", request(name, result.Repeat), asked)
	return b.String()
}

const (
	refuseOther = `if curl -s -o /dev/null "$SERVER"; then
	echo "something listens at $SERVER already: choose another PORT" >&2
	exit 3
fi`
	endTrace = `trace=$!
trap 'kill "$trace" 2>/dev/null && wait "$trace" || :' EXIT
trap 'exit 130' INT TERM`
	awaitReady = `ready="$SERVER"%[1]s tries=0
until curl -s -f -o /dev/null "$ready"%[2]s; do
	tries=$((tries + 1))
	if [ "$tries" -gt 300 ] || ! kill -0 "$trace" 2>/dev/null; then
		echo "the server is not ready at $ready" >&2
		exit 3
	fi
	sleep 0.2
done`
)

// builder is a script being written.
type builder struct{ strings.Builder }

func (b *builder) line(format string, args ...any) {
	if len(args) > 0 {
		format = fmt.Sprintf(format, args...)
	}
	b.WriteString(format + "\n")
}

// introduce writes for people what the script shows. The reason is without secrets.
func (s Server) introduce(b *builder, name string, result verify.ScenarioResult) {
	b.line("#!/bin/sh")
	about := fmt.Sprintf("%s, %s:%d: %s\n%s", result.Rule, result.File, result.Line, result.Name, result.Reason)
	for line := range strings.Lines(about) {
		b.line("# %s", strings.TrimRight(line, "\r\n "))
	}
	b.line("#\n# This lays what the store contained before the request in an emulator, and sends the request again.")
	if s.URL == "" {
		b.line("# Usage: [PORT=7071] sh %s.sh [COMMAND...]    COMMAND starts the server", name)
	}
	b.line("# It contains sessions of the run and what the server stored.")
	if others := result.Repeat.Together - 1; others > 0 {
		b.line("# At the same moment %d more were sent: alone, the request may be answered differently.", others)
	}
	if len(result.Broken) > 0 {
		b.line("# No storage call fails or waits here: the report has a command for the whole case (--replay).")
	}
}

// locate writes where the server is, and what starts it.
func (s Server) locate(b *builder) {
	if s.URL != "" {
		b.line("SERVER=${SERVER:-%s}", shell.Word(s.URL))
		return
	}
	b.line("PORT=${PORT:-7071}")
	b.line("SERVER=http://127.0.0.1:$PORT")
	if s.confides(s.Command...) {
		b.line(`[ $# -gt 0 ] || { echo "usage: sh $0 COMMAND... (the server's may hold a secret)" >&2; exit 2; }`)
	} else {
		b.line("[ $# -gt 0 ] || set -- %s", words(s.Command...))
	}
	b.line("cd %s", words(s.Directory))
}

// trace returns the command that starts the store and, unless it is already running, the server. It writes what asks
// for the variables that are not known here.
func (s Server) trace(b *builder, name string, more map[string]string) string {
	list := []string{"storespec trace"}
	if s.Store != "" {
		list = append(list, s.Store)
	}
	list = append(list, `--load "$here"/`+words(name+".json"))
	if s.TLS {
		list = append(list, "--tls")
	}
	for _, service := range slices.Sorted(maps.Keys(s.Gateway)) {
		list = append(list, words("--gateway-"+service, s.Gateway[service]))
	}
	if s.URL != "" {
		return strings.Join(append(list, "--listen >&2 &"), " ")
	}
	env := system.Expand(s.Promised, s.Values, "\x00PORT\x00")
	env["PORT"] = "\x00PORT\x00"
	if s.Zone != "" {
		env["TZ"] = s.Zone
	}
	given := system.Expand(s.Given, s.Values, "\x00PORT\x00")
	for _, variable := range slices.Sorted(maps.Keys(given)) {
		value := given[variable]
		if env[variable] = value; !onlyPlaceholder.MatchString(value) && (slices.Contains(s.Confided, variable) ||
			s.confides(variable+"="+value)) {
			delete(env, variable) // storespec trace passes it on
			b.line(`: "${%s:?set it as for storespec verify}"`, variable)
			b.line("export %s", variable)
		}
	}
	maps.Copy(env, more)
	for _, variable := range slices.Sorted(maps.Keys(env)) {
		list = append(list, "\\\n\t--env "+words(variable+"="+env[variable]))
	}
	return strings.Join(append(list, "\\\n\t-- "+s.prepared(b)+" >&2 &"), " ")
}

// prepared returns the words that start the server, after the command of --setup if there is one.
func (s Server) prepared(b *builder) string {
	switch {
	case s.Setup == "":
		return `"$@"`
	case slices.Contains(s.Confided, "setup"), s.confides(s.Setup):
		b.line(`: "${SETUP:?set it to the command of --setup}"`)
		b.line("export SETUP")
		return "sh -ec " + words("(cd "+words(s.SetupIn)+"\neval \"$SETUP\")\nexec \"$@\"") + ` sh "$@"`
	}
	return "sh -ec " + words("(cd "+words(s.SetupIn)+"\n"+s.Setup+"\n)\nexec \"$@\"") + ` sh "$@"`
}

// onlyPlaceholder matches a value that storespec trace fills in.
var onlyPlaceholder = regexp.MustCompile(`^\{\w+\}$`)

// confides reports whether words may hold something confidential.
func (s Server) confides(words ...string) bool {
	if !slices.Equal(shell.Masked(words), words) {
		return true
	}
	for _, values := range s.Header {
		for _, value := range values {
			if strings.Contains(strings.Join(words, " "), value) {
				return true
			}
		}
	}
	return false
}

var notInName = regexp.MustCompile(`\W`)

// headers returns the options of curl for the headers that every request has. It writes what asks for their values.
func (s Server) headers(b *builder) (options string) {
	for _, header := range slices.Sorted(maps.Keys(s.Header)) {
		variable := "HEADER_" + notInName.ReplaceAllString(strings.ToUpper(header), "_")
		b.line(`: "${%s:?set it to the value of --header %s}"`, variable, header)
		options += " -H " + words(header+": ") + `"$` + variable + `"`
	}
	return options
}

// request returns the method, address, headers and body as options of curl.
func request(name string, r *scenario.Repeat) string {
	method := words("-X", r.Method)
	if r.Method == http.MethodHead {
		method = "--head"
	}
	list := []string{method, `"$SERVER"` + words(r.Path)}
	for _, header := range slices.Sorted(maps.Keys(r.Header)) {
		for _, value := range r.Header[header] {
			if value == "" {
				list = append(list, "-H", words(header+";")) // curl's notation for an empty value
				continue
			}
			list = append(list, "-H", words(header+": "+
				strings.ReplaceAll(value, scenario.ServerAddress, "\x00SERVER\x00")))
		}
	}
	hasBody := r.Body != "" || slices.Contains([]string{http.MethodPost, http.MethodPut, http.MethodPatch}, r.Method)
	if hasBody && r.Header.Get("Content-Type") == "" {
		list = append(list, "-H Content-Type:") // without it, curl says that it is a form
	}
	switch {
	case large(r):
		list = append(list, `--data-binary @"$here"/`+words(name+".body"))
	case hasBody:
		list = append(list, "--data-raw", words(r.Body))
	}
	return strings.Join(list, " ")
}

// words returns texts as words of a shell. A variable is between two NUL characters.
func words(texts ...string) string {
	quoted := make([]string, len(texts))
	for i, text := range texts {
		for n, part := range strings.Split(text, "\x00") {
			switch {
			case n%2 == 1:
				quoted[i] += `"$` + part + `"`
			case part != "" || text == "":
				quoted[i] += shell.Word(part)
			}
		}
	}
	return strings.Join(quoted, " ")
}
