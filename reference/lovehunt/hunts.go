package lovehunt

import (
	"context"
	"strings"

	"github.com/storespec/storespec/reference/web"
)

const noHunt = "there is no such hunt"

// getHunt is GET /api/v2/hunts/:slug/:huntId: 1 point read (LH-HUNT-1).
func (s *Server) getHunt(ctx context.Context, c *call) (web.Reply, error) {
	p, err := c.hunt()
	if err != nil {
		return nil, err
	}
	return s.get(ctx, c, p, noHunt)
}

// listHunts is GET /api/v2/hunts/:slug[?status=]: 1 partition query.
func (s *Server) listHunts(ctx context.Context, c *call) (web.Reply, error) {
	slug, err := c.slug()
	if err != nil {
		return nil, err
	}
	query, err := c.query(columnStatus)
	if err != nil {
		return nil, err
	}
	found, err := s.list(ctx, kindHunt, selection{slug: slug, status: query[columnStatus]})
	if err != nil {
		return nil, err
	}
	return s.many(c, found), nil
}

// createHunt is POST /api/v2/hunts/:slug {huntName, startDate, endDate, status?, huntId?, …}: 404 for an unknown
// organization.
func (s *Server) createHunt(ctx context.Context, c *call) (web.Reply, error) {
	slug, err := c.slug()
	if err != nil {
		return nil, err
	}
	id, ok := c.body.String(columnHuntID)
	if ok && id == "" {
		id = huntIDOf(text(c.body, columnName), text(c.body, columnStart))
	}
	if !ok || !idForm.MatchString(id) {
		return nil, web.BadRequest("huntId must be 1 to 128 small letters, digits and dashes")
	}
	org, _, err := s.read(ctx, orgPlace(slug))
	if err != nil {
		return nil, err
	}
	if org == nil {
		return nil, notFound("there is no such organization")
	}
	return s.create(ctx, c, huntPlace(slug, id), "hunts.create")
}

// putHunt is PUT /api/v2/hunts/:slug/:huntId.
func (s *Server) putHunt(ctx context.Context, c *call) (web.Reply, error) {
	p, err := c.hunt()
	if err != nil {
		return nil, err
	}
	return s.replace(ctx, c, p, "hunts.put", noHunt)
}

// deleteHunt is DELETE /api/v2/hunts/:slug/:huntId. If-Match is checked if it is sent.
func (s *Server) deleteHunt(ctx context.Context, c *call) (web.Reply, error) {
	p, err := c.hunt()
	if err != nil {
		return nil, err
	}
	on := c.condition()
	err = s.removeHunt(ctx, p, func(now *record) error {
		switch {
		case now == nil:
			return notFound(noHunt)
		case on == "":
			return nil
		}
		return on.allows(now)
	})
	if err != nil {
		return nil, err
	}
	s.audited(c, "hunts.delete", p)
	return web.NoContent{}, nil
}

// hunt is the hunt in the request's path.
func (c *call) hunt() (place, error) {
	slug, err := c.slug()
	if err != nil {
		return place{}, err
	}
	id := c.Request.PathValue(columnHuntID)
	if !idForm.MatchString(id) {
		return place{}, web.BadRequest("a huntId is 1 to 128 small letters, digits and dashes")
	}
	return huntPlace(slug, id), nil
}

// huntIDOf is the id of a hunt that was given none: slug(huntName) + "-" + YYYYMMDD of its first day.
func huntIDOf(name, start string) string {
	slug := strings.Trim(notInSlug.ReplaceAllString(strings.ToLower(name), "-"), "-")
	return strings.TrimPrefix(slug+"-"+strings.ReplaceAll(start, "-", ""), "-")
}
