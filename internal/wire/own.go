package wire

import "net/http"

// Own returns an Interposer for a gateway that, for now, only serves the program that works on q: its calls without a
// trace belong to q alone, whatever was begun together with q. It must be added after the gateway's other interposers,
// so that a call is q's before one of them holds it.
func (q *Request) Own() Interposer {
	return func(_ Call, next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
			q.own(arrived(req))
			next.ServeHTTP(w, req)
		})
	}
}

func (q *Request) own(a *attempt) {
	r := q.recorder
	r.mu.Lock()
	defer r.mu.Unlock()
	if a.call.ByTrace || q.age != r.resets {
		return
	}
	a.request, a.key.request, a.owned = q, q, true
}

// has reports whether an attempt belongs to the request. The caller holds recorder.mu.
func (q *Request) has(a *attempt) bool {
	if a.call.ByTrace || a.owned {
		return a.request == q
	}
	return a.request == q.first
}
