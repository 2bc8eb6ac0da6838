package engine

// Durable reports whether an acknowledged write is on disk, so that files under FilesDir must be on disk before the
// rows that name them.
func (e *Engine) Durable() bool { return e.write.Sync }

// Lasting reports whether the engine has a directory that outlives it: there may be files from an earlier run.
func (e *Engine) Lasting() bool { return e.lock != nil }
