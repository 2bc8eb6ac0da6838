// Package schedule runs requests at the same time and releases their storage calls one at a time, in an order chosen by
// the caller.
//
// It knows when nothing more will happen by itself: every request either waits for a held call or has its answer. To
// know this it needs a [Plan] of each request, learnt by running the request alone ([Lesson]). It does not decide which
// orders are worth running: package order does, through a [Chooser]; and it never judges an answer.
//
// Open [Schedule.Run] first.
package schedule
