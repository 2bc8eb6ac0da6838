package bulk

const (
	// maxBatch is how many records the batch route accepts.
	maxBatch = 100
	// maxBatchBytes limits a request; a larger record is sent alone.
	maxBatchBytes = 1 << 20
)

// plan holds the waiting records, by owner, and decides which are sent next. An owner is free or busy: busy from the
// moment some of its records are taken until release. It is not safe for concurrent use.
type plan struct {
	owners map[string]*owner
	free   []*owner // those with records, in order of arrival
	ready  int      // records of the free owners
	queued int      // records of all owners
}

type owner struct {
	name    string
	records []record
	busy    bool
}

func newPlan() *plan { return &plan{owners: map[string]*owner{}} }

func (p *plan) add(r record) {
	o := p.owners[r.owner]
	if o == nil {
		o = &owner{name: r.owner}
		p.owners[r.owner] = o
	}
	o.records = append(o.records, r)
	p.queued++
	if o.busy {
		return
	}
	p.ready++
	if len(o.records) == 1 {
		p.free = append(p.free, o)
	}
}

// take returns at most maxBatch records of free owners and marks these owners busy. Each key occurs at most once among
// them, since a batch counts only the first record of a key: the next one waits for the release.
func (p *plan) take() (batch []record, owners []*owner) {
	bytes := 0
	for len(p.free) > 0 {
		o := p.free[0]
		seen := map[string]bool{}
		taken := 0
		for _, r := range o.records {
			if len(batch) == maxBatch || seen[r.name] || bytes+len(r.text) > maxBatchBytes && len(batch) > 0 {
				break
			}
			batch, bytes = append(batch, r), bytes+len(r.text)
			seen[r.name] = true
			taken++
		}
		if taken == 0 {
			break
		}
		p.free = p.free[1:]
		p.ready -= len(o.records)
		p.queued -= taken
		clear(o.records[:taken]) // so that the rest does not keep their text alive
		o.records, o.busy = o.records[taken:], true
		owners = append(owners, o)
	}
	return batch, owners
}

// release marks owners free again; those without records are removed.
func (p *plan) release(owners []*owner) {
	for _, o := range owners {
		o.busy = false
		if len(o.records) == 0 {
			delete(p.owners, o.name)
			continue
		}
		p.free = append(p.free, o)
		p.ready += len(o.records)
	}
}
