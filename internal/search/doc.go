// Package search finds what no rule covers. Where verify runs scenarios that people wrote, search makes up requests.
//
// What flows in: a design with its contract and explore.yaml, a server under test, and mostly the reference server to
// compare with. What flows out: differences, each with the shortest walk that shows it and a scenario in Gherkin; or
// how each route of a server differs from the contract, and a mapping to start from. In reading order:
//
//	explore  takes random walks on two servers at once and compares answers, stores and storage calls after each step
//	probe    sends each route one valid and one refused request, and compares the answers with the contract
//
// For example, "storespec explore familyscheduler -- node server.js" is explore.Run, and "storespec probe" is
// explore.Try, which finds and sends the requests, followed by probe.Prober.Judge.
//
// It never judges a rule, knows no design by name, starts servers only through lanes, and prints nothing. The same seed
// takes the same steps.
package search
