// Package dev is for the people who work on this repository. Nothing in it is part of the product.
//
// What flows in: the programs of this module, built as a release would build them. What flows out: figures, archives,
// and tests of pages. In reading order:
//
//	load         starts programs and makes the clients that bench and soak share
//	bench        "make bench": the emulator compared with its peers, as a page of the documentation
//	soak         "make soak": programs under load for an hour, killed now and then; what grows, and what is lost
//	dist         "make dist": the archives of a release, the same bytes wherever they are built
//	browsertest  opens pages in headless Chromium, for tests
//
// For example, "go run ./internal/dev/bench -only kv -alone" measures Workers KV without miniflare.
//
// It is never imported by a program that is released, except that tests import browsertest.
package dev
