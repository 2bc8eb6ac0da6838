// Package pages has the steps for pages as seen by a person without scripts: links, buttons and visible text.
//
// It follows redirects and keeps the session's cookie as a browser does. It runs no script and applies no style, so
// only the attribute hidden hides anything.
//
// Open pages.go first; html.go reads a document. [Browse] is also for systems whose own steps open a page.
package pages
