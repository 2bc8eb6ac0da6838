// Package atomicfile writes files that others rely on: each appears under its name complete, or not at all, and several
// appear together. Output is synced to disk before it is renamed. A directory or file that cannot be written is
// detected before there is anything to write, and if a later step fails, whatever was there before is restored.
//
// The package never keeps a file open for reading and never locks one. Open Create first; docs/notes/dependencies.md
// explains why no library is used for this.
package atomicfile
