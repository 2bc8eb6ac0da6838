// Package companion has the services that can run next to a lane's target: an OpenAI-compatible server, an outbox for
// sign-in links, a Redis, an OpenTelemetry collector, a managed identity, and a server that says that there are no
// queues.
//
// Each is a lane.Companion, and a lane knows none of them by name. They never judge what a target does with them: the
// steps of packages steps/services, steps/cache, steps/telemetry and steps/identity do.
//
// Open [Makers] first: it makes the companions that a design names.
package companion
