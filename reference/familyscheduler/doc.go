// Package familyscheduler is the reference server of the design "familyscheduler": groups of people, their appointments
// and their gatherings, on Azure Tables and Blobs. It follows every rule of the design and is meant to be ported by
// reading.
//
// # What to open first
//
// server.go has the routes in the order of the contract, each with rules that apply to it, and the order of the checks;
// gate.go decides who may do what; schema.go has tables, keys, columns and blob names. Then one file per resource:
// identity.go (sessions), auth.go (sign-in links), dashboard.go, profile.go, groups.go, members.go, invitations.go with
// membership.go, direct.go with appointments.go and participants.go, chat.go, scan.go with image.go, ignite.go,
// guests.go, photo.go, usage.go; home.go and pages.go (the HTML). counters.go and metrics.go count, operation.go
// defines a repeated request, values.go has the formats of input. Only storage.go, storage_tables.go and
// storage_blobs.go use an SDK; tables.go names the reads. The outcomes of a storage call, how often it is tried, and
// the loop that changes rows and blobs (Change) are in package account, with the meaning of "Go SDK:" in a comment.
//
// # Order of writes, and repair
//
// Two rows or blobs cannot be written together unless they share a partition, so each operation writes in an order that
// lets it fail at any point and be completed by a repetition. Repeated means: sent again with the same Idempotency-Key
// (operation.go). Without a key the rows still agree, but the same thing may be created twice.
//
//   - a membership: GroupMembers (which decides) under If-Match, UserGroups under If-Match, GroupMembers read again,
//     DailyMetrics. A UserGroups row that lags is completed by the next operation on that membership (membership.go);
//     the opId of GroupMembers shows a repeated operation that the transition to be counted was its own;
//   - a group: GroupMembers, UserGroups, Groups, DailyMetrics, all under the operation's id. Without its Groups row it
//     is not listed anywhere and answers 404. Rename, delete and restore are one write each, under If-Match;
//   - an appointment: the blob, which must not exist yet or is replaced under If-Match (the loser gets a 409); then the
//     index row under If-Match; for a new one DailyMetrics. A row whose key changes moves in one entity group
//     transaction; each edit updates the row from the blob; a repeated creation adds the row if it is missing;
//   - a scan: the new blob, the row that names it, then the old blob is deleted. A blob that no row names is never
//     shown;
//   - a participant: one write of one row;
//   - a chat: the model first, then three counters in parallel. They are counted once per operation, even when the
//     operation calls the model again because a counter failed;
//   - a profile: its row, then DailyMetrics, if the row's opId shows that this operation created it;
//   - an ignite session: current.json claims an id, session.json makes it real, and a request that finds one without
//     the other completes it;
//   - a sign-in: the claim on the link fixes the session's id, and the request that creates that session has won;
//   - a guest: profile, membership, the gathering's list, and the session last: before it no one can act as the guest.
//     A guest who has to repeat becomes another one: there is no caller that a key could belong to.
//
// A counter is written last, so that it never counts what does not exist; it counts on the day of the counted event.
//
// After a lost condition the server reads and decides again, a bounded number of times (account.Change). The SDK
// repeats a storage call whose answer was lost, and may then find its own write: inserts under the operation's id treat
// that as success, conditional writes compare what they find, counters look for the operation among those they counted
// last. A row that is written whole keeps the columns that this server does not know.
//
// # What it never does
//
// It keeps no state except connections and the fact that the tables exist. It deletes no row, except the old key in the
// transaction that moves an appointment. It lists no blobs and scans no table. state.json is never read. No e-mail,
// session id or token gets into a key, a blob name or the log.
package familyscheduler
