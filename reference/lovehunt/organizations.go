package lovehunt

import (
	"context"
	"errors"
	"net/http"
	"strconv"

	"github.com/storespec/storespec/reference/web"
)

// getApp is GET /api/v2/app: 1 point read.
func (s *Server) getApp(ctx context.Context, c *call) (web.Reply, error) {
	return s.get(ctx, c, appPlace(), "there is no AppData yet")
}

// putApp is PUT /api/v2/app: the first write inserts, later ones need If-Match (LH-APP-1).
func (s *Server) putApp(ctx context.Context, c *call) (web.Reply, error) {
	on, p := c.condition(), appPlace()
	data, err := p.accepted(c.body)
	if err != nil {
		return nil, err
	}
	saved, err := s.change(ctx, p, func(now *record) (web.Object, error) {
		switch {
		case now != nil:
			return on.replacing(now, data)
		case on != "":
			return nil, &stale{}
		}
		return data, nil
	})
	if err != nil {
		return nil, err
	}
	s.audited(c, "app.put", p)
	return s.one(c, http.StatusOK, saved), nil
}

// getOrg is GET /api/v2/organizations/:slug: 1 point read.
func (s *Server) getOrg(ctx context.Context, c *call) (web.Reply, error) {
	slug, err := c.slug()
	if err != nil {
		return nil, err
	}
	return s.get(ctx, c, orgPlace(slug), "there is no such organization")
}

// get answers with one record. Errors: 404; errSchema.
func (s *Server) get(ctx context.Context, c *call, p place, missing string) (web.Reply, error) {
	found, from, err := s.read(ctx, p)
	if err != nil {
		return nil, err
	}
	c.from(from)
	if found == nil {
		return nil, notFound(missing)
	}
	return s.one(c, http.StatusOK, found), nil
}

// listOrgs is GET /api/v2/organizations[?name=]: one query, with the range of a prefix of the name (LH-ORG-2,
// LH-ORG-3).
func (s *Server) listOrgs(ctx context.Context, c *call) (web.Reply, error) {
	query, err := c.query("name")
	if err != nil {
		return nil, err
	}
	found, err := s.list(ctx, kindOrg, selection{prefix: query["name"]})
	if err != nil {
		return nil, err
	}
	return s.many(c, found), nil
}

// many is an answer with a list. Unreadable records are left out, and counted.
func (s *Server) many(c *call, found *listed) web.Reply {
	c.from(found.from)
	c.leftOut(found.invalid)
	data := make([]web.Object, len(found.records))
	for i, r := range found.records {
		data[i] = r.data
	}
	return s.success(http.StatusOK, data)
}

// leftOut says how many unreadable records a list leaves out.
func (c *call) leftOut(invalid int) {
	if invalid > 0 {
		c.Header.Set("X-Invalid-Records", strconv.Itoa(invalid))
		c.Log.Warn("records left out: they do not match the schema", "count", invalid)
	}
}

// createOrg is POST /api/v2/organizations {slug, orgName, …}.
func (s *Server) createOrg(ctx context.Context, c *call) (web.Reply, error) {
	slug, ok := c.body.String("slug")
	if !ok || !isSlug(slug) {
		return nil, badSlug()
	}
	return s.create(ctx, c, orgPlace(slug), "organizations.create")
}

// create inserts a record: 409 if another one is there already. If that is what this request asks for, an earlier
// attempt may have written it without what follows the row: this one completes it, and answers as that would have.
func (s *Server) create(ctx context.Context, c *call, p place, operation string) (web.Reply, error) {
	data, err := p.accepted(c.body)
	if err != nil {
		return nil, err
	}
	saved, err := s.change(ctx, p, func(now *record) (web.Object, error) {
		switch {
		case now == nil:
			return data, nil
		case now.etag() == etagOf(data):
			return nil, nil
		}
		return nil, conflict("there is one already")
	})
	if err != nil {
		return nil, err
	}
	s.audited(c, operation, p)
	return s.one(c, http.StatusCreated, saved), nil
}

// putOrg is PUT /api/v2/organizations/:slug.
func (s *Server) putOrg(ctx context.Context, c *call) (web.Reply, error) {
	slug, err := c.slug()
	if err != nil {
		return nil, err
	}
	return s.replace(ctx, c, orgPlace(slug), "organizations.put", "there is no such organization")
}

// replace replaces a record under the request's If-Match (LH-CON-1, LH-CON-2).
func (s *Server) replace(ctx context.Context, c *call, p place, operation, missing string) (web.Reply, error) {
	on := c.condition()
	data, err := p.accepted(c.body)
	if err != nil {
		return nil, err
	}
	saved, err := s.change(ctx, p, func(now *record) (web.Object, error) {
		if now == nil {
			return nil, notFound(missing)
		}
		return on.replacing(now, data)
	})
	if err != nil {
		return nil, err
	}
	s.audited(c, operation, p)
	return s.one(c, http.StatusOK, saved), nil
}

// replacing returns the data to be written; nil if an earlier attempt of this request, whose answer was lost, has
// written it.
func (on condition) replacing(now *record, data web.Object) (web.Object, error) {
	err := on.allows(now)
	var old *stale
	if errors.As(err, &old) && now.row != nil && now.etag() == etagOf(data) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return data, nil
}

func badSlug() error {
	return web.BadRequest("a slug is 1 to 63 small letters, digits and dashes, and neither begins nor ends with a dash")
}

// slug is the organization in the request's path.
func (c *call) slug() (string, error) {
	slug := c.Request.PathValue("slug")
	if !isSlug(slug) {
		return "", badSlug()
	}
	return slug, nil
}

func (c *call) condition() condition { return condition(c.Request.Header.Get("If-Match")) }

// query returns the request's query, which may have these names only.
func (c *call) query(names ...string) (map[string]string, error) {
	object, err := web.QueryObject(c.Request)
	if err != nil {
		return nil, err
	}
	values := map[string]string{}
	for _, name := range names {
		values[name], _ = object.String(name)
	}
	if status := values[columnStatus]; status != "" && !statusForm.MatchString(status) {
		return nil, web.BadRequest("status must be 1 to 32 small letters and dashes")
	}
	for _, name := range []string{"date", "from", "to"} {
		if day := values[name]; day != "" && !isDate(day) {
			return nil, web.BadRequest(name + " must be a date such as 2024-07-15")
		}
	}
	if slug := values[columnSlug]; slug != "" && !isSlug(slug) {
		return nil, badSlug()
	}
	return values, nil
}

// accepted checks what a client sent as the record at a place, and completes it. Errors: 400, 413.
func (p place) accepted(body web.Object) (web.Object, error) {
	for field, own := range map[string]string{"slug": p.slug, columnSlug: p.slug, columnHuntID: p.huntID} {
		if given, ok := body.String(field); own != "" && (!ok || given != "" && given != own) {
			return nil, web.BadRequest(field + " differs from the address")
		}
	}
	p.complete(body)
	if wrong := p.invalid(body); wrong != "" {
		return nil, web.BadRequest(wrong)
	}
	if len(encoded(body)) > maxData {
		return nil, web.TooLarge("a record has 1 MiB at most")
	}
	return body, nil
}
