package engine

// Durable reports whether an acknowledged write is on disk, so that files under FilesDir that a row
// names must be there before the row is.
func (e *Engine) Durable() bool { return e.write.Sync }

// Lasting reports whether the engine has a directory that outlives it: there may be files of an earlier
// run.
func (e *Engine) Lasting() bool { return e.lock != nil }
