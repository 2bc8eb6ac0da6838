package blobs

import (
	"encoding/base64"
	"net/http"
	"strconv"

	"github.com/storespec/storespec/internal/emulator/azure"
)

// maxBlockID is the limit of a block's id, decoded.
const maxBlockID = 64

// putBlock is Put Block and Put Block From URL.
// https://learn.microsoft.com/rest/api/storageservices/put-block
func (c *call) putBlock() *azure.Problem {
	if p := c.noSnapshot(); p != nil {
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
	b, p := c.blockBody()
	if p != nil {
		return p
	}
	defer c.s.release(b)
	if b.size == 0 {
		return azure.InvalidHeaderValue("Content-Length", "0")
	}
	if p := c.stage(id, b); p != nil {
		return p
	}
	c.answerSums(b)
	c.h["X-Ms-Request-Server-Encrypted"] = c.s.yes
	c.empty(http.StatusCreated)
	return nil
}

// blockBody is the request's body, or a range of the blob it names as its source.
func (c *call) blockBody() (*body, *azure.Problem) {
	if source := first(c.HTTP.Header, "X-Ms-Copy-Source"); source != "" {
		return c.sourceBody(source, maxBlock, blockLimit, c.partDigests())
	}
	return c.receive(maxBlock, blockLimit, c.partDigests())
}

// partDigests: a part of a blob is answered with the digest that was sent, or else with a CRC64.
func (c *call) partDigests() digests {
	byMD5 := first(c.HTTP.Header, "Content-Md5") != "" || first(c.HTTP.Header, "X-Ms-Source-Content-Md5") != ""
	return digests{md5: byMD5, crc: !byMD5}
}

// answerSums answers with the digest of partDigests.
func (c *call) answerSums(b *body) {
	if c.partDigests().md5 {
		c.h["Content-Md5"] = []string{b.md5Text()}
		return
	}
	c.h["X-Ms-Content-Crc64"] = []string{b.crcText()}
}

// stage writes an uncommitted block, in place of one with the same id.
func (c *call) stage(id string, b *body) *azure.Problem {
	var t target
	unlock, p := c.lock(&t)
	if p != nil {
		return p
	}
	defer unlock()
	defer c.done(&t)
	if p := c.mayStage(&t); p != nil {
		return p
	}
	sh := c.shelf
	sh.staged.Store(true)
	key := sh.space.Key(nil, stagedRows, c.id, c.blob, id)
	if p := c.checkBlockIDs(id); p != nil {
		return p
	}
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
	block := stagedBlock{id: id, chunk: ch.add(b), size: b.size}
	ch.use(block.chunk)
	ch.set(key, block.value())
	ch.set(sh.space.Key(nil, blobRows, c.id, c.blob, stagedMark), nil)
	if err := ch.commit(); err != nil {
		return c.failed(err)
	}
	b.keep()
	return nil
}

// mayStage: the blob, if there is one, is a block blob, and its lease is held.
func (c *call) mayStage(t *target) *azure.Problem {
	if p := c.checkLeaseID(); p != nil {
		return p
	}
	if t.exists && c.SAS != nil {
		if p := c.Allow(azure.ObjectLevel, "w"); p != nil {
			return azure.NewProblem(http.StatusForbidden, "UnauthorizedBlobOverwrite",
				"This request is not authorized to perform blob overwrites.")
		}
	}
	if t.exists && t.rec.kind != blockBlob {
		return invalidBlobType()
	}
	return t.rec.lease.guardWrite(leaseOfBlob, c.leaseID(), c.now)
}

// checkBlockIDs: the ids of a blob's uncommitted blocks all have one length.
func (c *call) checkBlockIDs(id string) *azure.Problem {
	sh := c.shelf
	it, err := sh.engine.Iter(sh.space.Range(stagedRows, c.id, c.blob))
	if err != nil {
		return c.failed(err)
	}
	same := true
	if it.First() {
		other, err := sh.stagedAt(it)
		if err != nil {
			_ = it.Close() // the row is the error
			return c.failed(err)
		}
		same = len(other.id) == len(id)
	}
	if err := it.Close(); err != nil {
		return c.failed(err)
	}
	if !same {
		return invalidBlobOrBlock()
	}
	return nil
}

// putBlockList is Put Block List.
// https://learn.microsoft.com/rest/api/storageservices/put-block-list
func (c *call) putBlockList() *azure.Problem {
	if p := c.noSnapshot(); p != nil {
		return p
	}
	if p := c.enter(); p != nil {
		return p
	}
	rec, p := c.newRecord(blockBlob, false)
	if p != nil {
		return p
	}
	b, p := c.receive(maxBlockListBytes, maxBlockListBytes, c.partDigests())
	if p != nil {
		return p
	}
	defer c.s.release(b)
	list, p := parseBlockList(b.data)
	if p != nil {
		return p
	}
	if p := c.commitBlocks(&rec, list); p != nil {
		return p
	}
	c.etagHeaders(rec.etag)
	c.answerSums(b)
	c.h["X-Ms-Request-Server-Encrypted"] = c.s.yes
	c.empty(http.StatusCreated)
	return nil
}

// commitBlocks makes the blob of the listed blocks. Problems: InvalidBlockList, InvalidBlobType and
// those of conditions and leases.
func (c *call) commitBlocks(rec *record, list []blockRef) *azure.Problem {
	var t target
	unlock, p := c.lock(&t)
	if p != nil {
		return p
	}
	defer unlock()
	defer c.done(&t)
	if p := c.mayWrite(&t, true); p != nil {
		return p
	}
	if t.exists && t.rec.kind != blockBlob {
		return invalidBlobType()
	}
	extents, p := c.resolve(t.rec.body, list)
	if p != nil {
		return p
	}
	c.succeed(rec, &t.rec, t.exists)
	ch := c.shelf.change()
	defer ch.discard()
	ch.dropBody(t.rec.body)
	ch.dropStaged(c.id, c.blob)
	rec.body = newBody()
	for _, x := range extents {
		ch.setExtent(rec.body, x)
		rec.size = x.end
	}
	ch.set(t.key, rec.append(nil))
	if err := ch.commit(); err != nil {
		return c.failed(err)
	}
	return nil
}

// resolve finds the listed blocks and lays them out.
func (c *call) resolve(body string, list []blockRef) ([]extent, *azure.Problem) {
	if len(list) == 0 {
		return nil, nil
	}
	committed := map[string]extent{}
	err := c.shelf.eachExtent(body, span{0, openEnd}, func(x extent) {
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
		switch {
		case isStaged && ref.list != committedList:
			x = extent{chunk: b.chunk, end: b.size, block: ref.id}
		case !isCommitted || ref.list == uncommittedList:
			return nil, invalidBlockList()
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
func (c *call) getBlockList() *azure.Problem {
	which, ok := c.Query.Lookup("blocklisttype")
	if !ok || which == "" {
		which = "committed"
	}
	wantCommitted, wantStaged := which != "uncommitted", which != "committed"
	if which != "all" && wantCommitted == wantStaged {
		return azure.InvalidQuery("blocklisttype", which, "Unexpected value.")
	}
	t, p := c.blockListTarget()
	if p != nil {
		return p
	}
	defer c.done(t)
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
		c.etagHeaders(t.rec.etag)
	}
	c.h["X-Ms-Blob-Content-Length"] = []string{strconv.FormatInt(t.rec.size, 10)}
	return c.answerXML(x)
}

// blockListTarget finds the blob of Get Block List, which may be one that only has uncommitted blocks.
func (c *call) blockListTarget() (*target, *azure.Problem) {
	version, p := c.version()
	if p != nil {
		return nil, p
	}
	if p := c.enter(); p != nil {
		return nil, p
	}
	t := &target{}
	if p := c.load(t, version); p != nil {
		return nil, p
	}
	if !t.exists {
		return t, nil
	}
	if p := c.mayRead(&t.rec); p != nil {
		c.done(t)
		return nil, p
	}
	if t.rec.kind != blockBlob {
		c.done(t)
		return nil, invalidBlobType()
	}
	return t, nil
}
