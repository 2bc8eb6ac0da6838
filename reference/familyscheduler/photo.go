package familyscheduler

import (
	"context"

	"github.com/storespec/storespec/reference/web"
)

// putPhoto is POST /api/ignite/photo {groupId, sessionId, imageMime, imageBase64}: the caller's photo in an open ignite
// session, which becomes the photo of the caller's profile.
func (s gatherings) putPhoto(ctx context.Context, c *call, in *access) (web.Reply, error) {
	sessionID, err := idField(c.body, "sessionId")
	if err != nil {
		return nil, err
	}
	photo, err := pictureField(c.body, maxPhoto)
	if err != nil {
		return nil, err
	}
	if _, err := s.openIgnite(ctx, in.groupID, sessionID); err != nil {
		return nil, err
	}
	name := photoBlob(in.groupID, sessionID, c.who.memberKey)
	if err := s.store.writeBlob(ctx, name, photo.mime, photo.data); err != nil {
		return nil, err
	}
	row, err := s.profiles.changeProfile(ctx, c, func(row *profileRow) { row.PhotoKey = name })
	if err != nil {
		return nil, err
	}
	return web.OK{"personId": c.who.memberKey, "updatedAt": row.UpdatedAt}, nil
}

// getPhoto is GET /api/ignite/photo?groupId&sessionId&personId?, for closed sessions too; personId defaults to the
// caller's.
func (s gatherings) getPhoto(ctx context.Context, c *call, in *access) (web.Reply, error) {
	sessionID, err := idField(c.body, "sessionId")
	if err != nil {
		return nil, err
	}
	personID := c.who.memberKey
	if c.body.Has("personId") {
		if personID, err = memberKeyField(c.body, "personId"); err != nil {
			return nil, err
		}
	}
	doc, err := s.store.readBlob(ctx, photoBlob(in.groupID, sessionID, personID))
	if err != nil {
		return nil, err
	}
	if doc == nil {
		return nil, photoNotFound()
	}
	return c.picture(doc), nil
}

func photoNotFound() error { return notFound("photo_not_found", "there is no such picture") }
