package azure

import (
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"

	"github.com/storespec/storespec/internal/emulator/conformance"
)

// Account is what the cases need of a store: an account in which they may make tables and containers besides the
// existing ones. The names they choose are Case0, Case1, … and case-0, case-1, …
type Account struct {
	Name, Key  string
	Connection string       // the connection string; it has to name the endpoints of the services that are tested
	Client     *http.Client // reaches these endpoints, and gives up a request that is not answered
}

// probing is a case with what it works on: P begins with a table or a container of the case's own.
type probing[P any] struct {
	name  string
	needs *conformance.Capability // nil: no store is known to lack it
	run   func(p P)
}

// suite makes the cases of several lists ready to run; begin makes what each one works on.
func suite[P any](begin func(*conformance.T, Account) P, lists ...[]probing[P]) conformance.Suite[Account] {
	var cases conformance.Suite[Account]
	for _, c := range slices.Concat(lists...) {
		cases = append(cases, conformance.Case[Account]{Name: c.name, Needs: c.needs,
			Run: func(t *conformance.T, account Account) { c.run(begin(t, account)) }})
	}
	return cases
}

// probe is what the cases of both services work with.
type probe struct {
	*conformance.T
	account Account
	name    string // of the case's table or container
}

// options are those of every client: failures are seen, not tried again.
func (p probe) options() policy.ClientOptions {
	return policy.ClientOptions{Transport: p.account.Client, Retry: policy.RetryOptions{MaxRetries: -1}}
}

// reply is the answer to a raw request.
type reply struct {
	status int
	header http.Header
	body   string
	method string // of the request
}

// absent marks the name of a header that is not to be sent.
const absent = "!"

// request makes a raw request. Headers are "Name: value", or "!Name" for none; of two with one name, the last
// is sent.
func (p probe) request(method, address, body string, headers ...string) *http.Request {
	r := result(http.NewRequestWithContext(p.Context(), method, address, strings.NewReader(body)))(p)
	for _, h := range headers {
		if name, is := strings.CutPrefix(h, absent); is {
			r.Header.Del(name)
			continue
		}
		name, value, _ := strings.Cut(h, ":")
		r.Header.Set(name, strings.TrimSpace(value))
	}
	return r
}

// send sends a raw request and reads the answer.
func (p probe) send(r *http.Request) reply {
	res, err := p.account.Client.Do(r)
	p.OK(err)
	defer res.Body.Close()
	data := result(io.ReadAll(res.Body))(p)
	return reply{res.StatusCode, res.Header, string(data), r.Method}
}

// works checks that a call of an SDK succeeds whose result does not matter.
func (p probe) works(_ any, err error) { p.OK(err) }

// result returns what a call of an SDK gives, which has to succeed: result(call)(p).
func result[V any](v V, err error) func(interface{ OK(error) }) V {
	return func(p interface{ OK(error) }) V {
		p.OK(err)
		return v
	}
}

// fails checks that a call of an SDK fails with that status and code: p.fails(404, code)(call).
func (p probe) fails(status int, code string) func(any, error) {
	return func(_ any, err error) { p.code(err, status, code) }
}

// code checks an SDK's error.
func (p probe) code(err error, status int, code string) {
	var re *azcore.ResponseError
	if !errors.As(err, &re) || re.StatusCode != status || re.ErrorCode != code {
		p.Fatalf("error %v, want %d %q", err, status, code)
	}
}
