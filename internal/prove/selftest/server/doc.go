// Package server is the server of storespec selftest: it keeps the rules of the design items, except where its
// behavior says otherwise. The program runs itself with it, so that an installed storespec needs no Go toolchain.
//
// server.mjs is the same server for Node, without any package: what a runtime does by itself (timers, output through a
// pipe, AsyncLocalStorage) differs there. Both read the same words.
//
// Open [Run] first, then behavior.go, which lists the words.
package server
