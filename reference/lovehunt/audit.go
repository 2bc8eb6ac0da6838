package lovehunt

// audited writes the line of a mutation: what was done to which record, and never its data.
func (s *Server) audited(c *call, operation string, p place) {
	s.config.Audit.Info("audit", "operation", operation, "orgSlug", p.slug, "huntId", p.huntID, "traceId", c.TraceID)
}
