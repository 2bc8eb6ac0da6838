// Package order chooses in which order the steps of concurrent requests run, so that every order that can make a
// difference is run once.
//
// It knows of no HTTP, no store and no clock. Whoever runs the requests tells it which steps may be taken next and what
// the one it chose has touched; an order is run again from its beginning for each choice (stateless search).
//
//	search := order.NewSearch(order.Options{Limit: 200, Seed: seed})
//	for run := search.Next(); run != nil; run = search.Next() {
//		for open := start(); len(open) > 0; open = moves() {
//			run.Took(take(run.Choose(open)))
//		}
//		search.Done(run)
//	}
//
// # What to open first
//
// Search (search.go) walks through the orders. It is source-DPOR with sleep sets, after Abdulla, Aronis, Jonsson and
// Sagonas, "Optimal dynamic partial order reduction" (POPL 2014): trace.go finds in each order that was run the pairs of
// steps whose exchange could matter, touch.go says which two steps commute. Token (token.go) is an order as text.
//
// # What it never does
//
// It never claims to have tried all orders when it has not: Tally says so. It takes no step for done that it was not told
// of, and an order that cannot be repeated is counted, not hidden.
package order
