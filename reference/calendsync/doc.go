// Package calendsync is the reference server of the design calendsync: calendars of several people, in one DynamoDB
// table with three indexes. Who may do what is a membership, an item of that table; every request looks it up.
//
// A request goes through server.go (the routes), caller.go (whose session, which role), a file named after what the
// request is about (users.go, calendars.go, members.go, entries.go, listing.go, delete.go), and storage.go. schema.go
// has every attribute and every key. The storage files are the only ones that know the AWS SDK.
//
// Nothing creates the table here: that is what a deployment does.
//
// Open first: server.go, then schema.go, then entries.go.
package calendsync
