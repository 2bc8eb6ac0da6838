package wire

import "strings"

// Told names calls for people: "table point read on Groups", but "table scan on Groups", since that says already of which
// service it is. call is a class, or what a budget allows in the place of one. where is left out when it is empty.
func Told(service Service, call, where string) string {
	if !strings.HasPrefix(call, string(service)+" ") {
		call = string(service) + " " + call
	}
	if where != "" {
		call += " on " + where
	}
	return call
}
