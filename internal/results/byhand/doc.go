// Package byhand writes what it takes to see a failed request fail once more, without storespec's rules: what the store
// contained before it, its body if that is large, and a script for a POSIX shell that lays the former in an emulator,
// starts the server on it and sends the request with curl.
//
// The files are for the person who asked for them, and for no one else to read: they contain the sessions of the
// scenario's people and what the server stored. What may be a secret of that person (values of --header, what looks
// confidential in a command or a variable) is left out; the script asks for it.
//
// Open [Server.Write] first; script.go is the script from its first line to its last.
package byhand
