// Package familyscheduler is the reference server of the design "familyscheduler": groups of people, their appointments
// and their gatherings, on Azure Tables and Blobs. It keeps every rule of the design and is meant to be ported by
// reading.
//
// # What to open first
//
// server.go has the routes in the order of the contract and the order of the checks; gate.go decides who may do what;
// schema.go has tables, keys, columns and blob names. Then one file per resource: identity.go (sessions), auth.go
// (sign-in links), dashboard.go, profile.go, groups.go, members.go, invitations.go, direct.go and appointments.go,
// participants.go, scan.go, chat.go, ignite.go, guests.go, photo.go, usage.go; home.go and pages.go (the HTML).
// counters.go and metrics.go count, operation.go says what a repeated request is, values.go has the forms of input. Only
// storage.go, storage_tables.go and storage_blobs.go know an SDK; tables.go names the reads. What a storage call can come
// to, and how often it is tried, says package account.
//
// # Order of writes, and repair
//
// Two rows or blobs cannot be written together unless they share a partition, so each operation has an order in which it
// may die at any point, and the same operation repeated completes it. Repeated means: sent again under the same
// Idempotency-Key (operation.go). Without a key the rows still agree, but what is created may be created again.
//
//   - a membership: GroupMembers (which decides) under If-Match, UserGroups under If-Match, GroupMembers read again,
//     DailyMetrics. A UserGroups row that lags is completed by the next operation on that membership (membership.go);
//     the opId of GroupMembers tells the repeated operation that the transition to be counted was its own;
//   - a group: GroupMembers, UserGroups, Groups, DailyMetrics, all under the operation's id. Without its Groups row it is
//     listed nowhere and answers 404. Rename, delete and restore are one write each, under If-Match;
//   - an appointment: the blob, which must not be there yet or is replaced under If-Match (the loser is answered 409);
//     then the index row under If-Match; for a new one DailyMetrics. A row whose key changes moves in one entity group
//     transaction; each edit makes the row say what the blob says; a repeated creation gives the blob the row it lacks;
//   - a scan: the new blob, the row that names it, then the old blob is deleted. A blob that no row names is never shown;
//   - a participant: one write of one row;
//   - a chat: the model first, then three counters in parallel. They are counted once per operation, also when the
//     operation asks the model again because a counter failed;
//   - a profile: its row, then DailyMetrics, if the row's opId says that this operation created it;
//   - an ignite session: current.json claims an id, session.json makes it real, whoever finds one without the other
//     completes it;
//   - a sign-in: the claim on the link fixes the session's id, and who creates that session has won;
//   - a guest: profile, membership, the gathering's list, and the session last: before it nobody can act as the guest.
//     A guest who has to repeat becomes another one: there is no caller whose key it could be.
//
// A counter is written last, so that it never counts what is not there; it is counted on the day of what it counts.
//
// A lost condition is read and decided again, a bounded number of times. A storage call whose answer was lost is
// repeated by the SDK and may then meet its own write: inserts under the operation's id take that for success,
// conditional writes compare what they find, counters look for the operation among those they counted last. A row that is
// written whole keeps the columns that this server does not know.
//
// # What it never does
//
// It keeps no state but connections and the fact that the tables exist. It deletes no row, but the old key in the
// transaction that moves an appointment. It lists no blobs and scans no table. state.json is never read. No e-mail,
// session id or token reaches a key, a blob name or the log.
package familyscheduler
