// Package c4lendar is the reference server of the design c4lendar: a calendar bot in Telegram that keeps the Google
// accounts of chats, and which account has which event, in Workers KV.
//
// # How to read it
//
// server.go has the routes. Workers KV has no conditional write, so two requests that change one key lose one of the
// changes. What must not be lost is therefore a key of its own for each element: a connection, a mapping, a chat of an
// e-mail. The design's two arrays (the chats of an e-mail, the recent events of a chat) are written as caches of those
// keys, by array.go alone, and repair rebuilds them.
//
//	connections.go  the accounts of a chat; emails.go the chats of an e-mail
//	events.go       which account has which event; recent.go the recent events, resolve.go references to them
//	webhook.go      the bot's commands; cal.go, alt.go and del.go what three of them do
//	google.go       Google's API; token.go how refresh tokens are encrypted
//	admin.go        migrate.go, cleanup.go and repair.go, which do a bounded amount of work for each call
//
// # What it never does
//
// It never logs or answers with an e-mail or a token, and never reads a value in order to write another one of the same
// key, except the two arrays and to change a connection or a mapping itself.
//
// Open first: server.go, then schema.go and array.go.
package c4lendar
