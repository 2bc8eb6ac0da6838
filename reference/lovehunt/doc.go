// Package lovehunt is the reference server of the design lovehunt: organizations and hunts in four tables, which were
// blobs before, and which the server goes on serving while they are migrated.
//
// # How to read it
//
// server.go has the routes. A phase (phase.go) says which store is read, which one is written, and what happens when
// the tables do not answer. Each record (record.go) is an AppData, an organization or a hunt; place.go says where it is
// in either store; reading.go, listing.go and change.go are the only files that choose between the stores.
// index.go keeps HuntIndex equal to Hunts.
//
//	reading.go   one record in every phase: tables, blob of a record never migrated, blob while the tables are down
//	listing.go   lists in every phase
//	change.go    one record under If-Match, in one store or in both
//	index.go     the rows by date that follow a hunt
//
// # What it never does
//
// It never writes a record blindly: each write of Hunts, Organizations, AppRegistry and of a blob has the ETag that was
// read, or is an insert. Rows of HuntIndex are copies and follow the hunt that is read afterwards.
//
// Open first: server.go, then phase.go and change.go.
package lovehunt
