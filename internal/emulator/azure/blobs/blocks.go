package blobs

import (
	"cmp"
	"encoding/base64"
	"encoding/binary"

	"github.com/storespec/storespec/internal/emulator/azure"
)

// maxBlockID is the maximum length of a block's id, decoded.
const maxBlockID = 64

// putBlock is Put Block and Put Block From URL.
// https://learn.microsoft.com/rest/api/storageservices/put-block
func putBlock(c *call) *azure.Problem {
	if p := c.onlyCurrent(); p != nil {
		return p
	}
	id, ok := c.Query.Lookup("blockid")
	if !ok {
		return azure.MissingQuery("blockid")
	}
	raw, err := base64.StdEncoding.DecodeString(id)
	if err != nil || len(raw) == 0 {
		return azure.InvalidQuery("blockid", id, "Not a valid base64 string.")
	}
	if len(raw) > maxBlockID {
		return azure.QueryOutOfRange("blockid", id, 1, maxBlockID)
	}
	if p := c.enter(); p != nil {
		return p
	}
	b, p := filledBody(c, maxBlock)
	if p != nil {
		return p
	}
	defer c.s.release(b)
	if p := stageBlock(c, id, b); p != nil {
		return p
	}
	c.answer.sums(partDigests(c), b)
	return c.answer.created(c.key)
}

// partBody returns the request's body, or a range of the blob it names as its source.
func partBody(c *call, most int64) (*body, *azure.Problem) {
	if source := first(c.HTTP.Header, "X-Ms-Copy-Source"); source != "" {
		return sourceBody(c, source, most, blockLimit, partDigests(c))
	}
	return receive(c, most, blockLimit, partDigests(c))
}

// filledBody is partBody for a part that must not be empty.
func filledBody(c *call, most int64) (*body, *azure.Problem) {
	b, p := partBody(c, most)
	if p == nil && b.size == 0 {
		c.s.release(b)
		return nil, azure.InvalidHeaderValue("Content-Length", "0")
	}
	return b, p
}

// bothDigests is the first version that answers a part sent with Content-MD5 with its CRC64 too.
const bothDigests = "2026-10-06"

// partDigests returns the digests for a part of a blob: the answer has the digest that was sent, or otherwise a CRC64.
func partDigests(c *call) digests {
	byMD5 := first(c.HTTP.Header, "Content-Md5") != "" || first(c.HTTP.Header, "X-Ms-Source-Content-Md5") != ""
	return digests{md5: byMD5, crc: !byMD5 || c.Version >= bothDigests}
}

// stageBlock writes an uncommitted block, replacing one with the same id.
func stageBlock(c *call, id string, b *body) *azure.Problem {
	return c.locked(baseMark, func(t *target) *azure.Problem {
		if p := cmp.Or(mayStage(c, t), checkBlockIDs(c, id)); p != nil {
			return p
		}
		return replaceBlock(c, t, id, b)
	})
}

// replaceBlock writes an uncommitted block and drops the old one with its id.
func replaceBlock(c *call, t *target, id string, b *body) *azure.Problem {
	sh := c.shelf
	sh.staged.Store(true)
	key := sh.space.Key(nil, stagedRows, c.id, c.blob, id)
	ch := sh.change()
	defer ch.discard()
	value, found, err := sh.engine.Get(key, nil)
	if err == nil && found {
		var old stagedBlock
		if old, err = decodeStaged(id, value); err == nil {
			ch.drop(old.chunk)
		}
	}
	if err != nil {
		return c.failed(err)
	}
	if !t.exists {
		c.history().supersedeGone(ch, blockBlob)
	}
	block := stagedBlock{id: id, chunk: ch.add(b), size: b.size, key: c.key}
	ch.use(block.chunk)
	ch.set(key, block.value())
	ch.set(sh.space.Key(nil, blobRows, c.id, c.blob, stagedMark), binary.BigEndian.AppendUint64(nil, uint64(c.now)))
	if err := ch.commit(); err != nil {
		return c.failed(err)
	}
	b.keep()
	return nil
}

// mayStage checks that the blob, if it exists, is a block blob, and that its lease is held.
func mayStage(c *call, t *target) *azure.Problem {
	if p := c.checkLeaseID(); p != nil {
		return p
	}
	if !c.mayOverwrite(t) {
		return unauthorizedOverwrite()
	}
	if t.exists && t.rec.kind != blockBlob {
		return invalidBlobType()
	}
	return t.rec.lease.guardWrite(leaseOfBlob, c.leaseID(), c.now)
}

// checkBlockIDs checks that the ids of a blob's uncommitted blocks all have the same length.
func checkBlockIDs(c *call, id string) *azure.Problem {
	same := true
	err := c.shelf.eachStaged(c.id, c.blob, func(other stagedBlock) bool {
		same = len(other.id) == len(id)
		return false // all others have its length
	})
	if err == nil && !same {
		return invalidBlobOrBlock()
	}
	return c.failed(err)
}

// putBlockList is Put Block List.
// https://learn.microsoft.com/rest/api/storageservices/put-block-list
func putBlockList(c *call) *azure.Problem {
	if p := cmp.Or(c.onlyCurrent(), c.enter()); p != nil {
		return p
	}
	rec, p := newRecord(c, blockBlob, false)
	if p != nil {
		return p
	}
	b, p := receive(c, maxBlockListBytes, maxBlockListBytes, partDigests(c))
	if p != nil {
		return p
	}
	defer c.s.release(b)
	list, p := parseBlockList(b.data)
	if p != nil {
		return p
	}
	if p := commitBlocks(c, &rec, list); p != nil {
		return p
	}
	c.answer.etag(rec.etag)
	c.answer.version(rec.version)
	c.answer.sums(partDigests(c), b)
	return c.answer.created(c.key)
}

// commitBlocks builds the blob from the listed blocks. Problems: InvalidBlockList, InvalidBlobType and those of
// conditions and leases.
func commitBlocks(c *call, rec *record, list []blockRef) *azure.Problem {
	return c.locked(baseMark, func(t *target) *azure.Problem {
		if p := c.mayWrite(t, true); p != nil {
			return p
		}
		if t.exists && t.rec.kind != blockBlob {
			return invalidBlobType()
		}
		if p := checkKind(c, t, blockBlob); p != nil {
			return p
		}
		extents, p := resolveBlocks(c, &t.rec, list)
		if p != nil {
			return p
		}
		c.history().succeed(rec, t)
		ch := replaceBlob(c, t, blockBlob)
		defer ch.discard()
		rec.body = newBody()
		for _, x := range extents {
			ch.setExtent(rec.body, x)
			rec.size = x.end
		}
		ch.set(t.key, rec.append(nil))
		return c.failed(ch.commit())
	})
}

// resolveBlocks finds the blocks that are listed for a blob, and computes their extents. All have to have the request's
// key.
func resolveBlocks(c *call, rec *record, list []blockRef) ([]extent, *azure.Problem) {
	if len(list) == 0 {
		return nil, nil
	}
	committed := map[string]extent{}
	err := c.shelf.eachExtent(rec.body, span{0, openEnd}, func(x extent) {
		if x.block != "" {
			committed[x.block] = x
		}
	})
	if err != nil {
		return nil, c.failed(err)
	}
	blocks, err := c.shelf.stagedBlocks(c.id, c.blob)
	if err != nil {
		return nil, c.failed(err)
	}
	staged := make(map[string]stagedBlock, len(blocks))
	for _, b := range blocks {
		staged[b.id] = b
	}
	out := make([]extent, 0, len(list))
	at := int64(0)
	for _, ref := range list {
		b, isStaged := staged[ref.id]
		x, isCommitted := committed[ref.id]
		key := rec.key
		switch {
		case isStaged && ref.list != committedList:
			x, key = extent{chunk: b.chunk, end: b.size, block: ref.id}, b.key
		case !isCommitted || ref.list == uncommittedList:
			return nil, invalidBlockList()
		}
		if p := sameKey(key, c.key); p != nil {
			return nil, p
		}
		size := x.end - x.start
		x.start, x.end = at, at+size
		at = x.end
		out = append(out, x)
	}
	return out, nil
}

// getBlockList is Get Block List.
// https://learn.microsoft.com/rest/api/storageservices/get-block-list
func getBlockList(c *call) *azure.Problem {
	which := cmp.Or(c.Query.Get("blocklisttype"), "committed")
	wantCommitted, wantStaged := which != "uncommitted", which != "committed"
	if which != "all" && wantCommitted == wantStaged {
		return azure.InvalidQuery("blocklisttype", which, "Unexpected value.")
	}
	t := &c.target // a blob with only uncommitted blocks does not exist
	if p := c.find(t); p != nil {
		return p
	}
	defer c.done(t)
	if t.exists && t.rec.kind != blockBlob {
		return invalidBlobType()
	}
	var staged []stagedBlock
	if version, _ := c.version(); version == baseMark {
		var err error
		if staged, err = c.shelf.stagedBlocks(c.id, c.blob); err != nil {
			return c.failed(err)
		}
	}
	if !t.exists && len(staged) == 0 {
		return blobNotFound()
	}
	x := newXML()
	x.open("BlockList")
	if wantCommitted {
		x.open("CommittedBlocks")
		err := c.shelf.eachExtent(t.rec.body, span{0, openEnd}, func(e extent) {
			if e.block != "" {
				x.block(e.block, e.end-e.start)
			}
		})
		if err != nil {
			return c.failed(err)
		}
		x.close("CommittedBlocks")
	}
	if wantStaged {
		x.open("UncommittedBlocks")
		for _, b := range staged {
			x.block(b.id, b.size)
		}
		x.close("UncommittedBlocks")
	}
	x.close("BlockList")
	if t.exists {
		c.answer.etag(t.rec.etag)
	}
	c.answer.number("X-Ms-Blob-Content-Length", t.rec.size)
	return c.answer.xml(x)
}
