// Package probe compares what a server answers to one valid request and one refused request of each route with what the
// contract says, and writes a mapping file to start from (docs/run/verify-your-server.md).
//
// It sends nothing itself: package explore finds the requests and sends them. Open [New] and [Prober.Judge] first.
// names.go pairs the contract's fields with the server's, draft.go writes the mapping file, text.go the table.
package probe
