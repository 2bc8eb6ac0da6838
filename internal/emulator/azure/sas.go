package azure

import (
	"cmp"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"time"
)

// signature holds the query parameters of a shared access signature.
// https://learn.microsoft.com/rest/api/storageservices/create-service-sas
// https://learn.microsoft.com/rest/api/storageservices/create-account-sas
type signature struct {
	sv, sp, st, se, sip, spr, sig, ses string
	ss, srt                            string // of an account signature
	si, sr, snapshot, versionid        string // of a blob signature, si of a table's too
	rscc, rscd, rsce, rscl, rsct       string
	tn, spk, srk, epk, erk             string        // of a table signature
	delegation                         DelegationKey // of a user delegation signature
	scid                               string        // the same: for the caller's own records
	user                               string        // the same: whose token must come with it; "": none
	bound                              string        // the same: to whom or to what else it is bound

	hasSpk, hasSrk, hasEpk, hasErk bool
}

// readSAS collects the parameters. If one is repeated the first counts, as everywhere in a query.
func readSAS(q Query) *signature {
	s := &signature{}
	fields := map[string]*string{
		"sv": &s.sv, "sp": &s.sp, "st": &s.st, "se": &s.se, "sip": &s.sip, "spr": &s.spr, "sig": &s.sig, "ses": &s.ses,
		"ss": &s.ss, "srt": &s.srt, "si": &s.si, "sr": &s.sr, "snapshot": &s.snapshot, "versionid": &s.versionid,
		"rscc": &s.rscc, "rscd": &s.rscd, "rsce": &s.rsce, "rscl": &s.rscl, "rsct": &s.rsct,
		"tn": &s.tn, "spk": &s.spk, "srk": &s.srk, "epk": &s.epk, "erk": &s.erk,
		"skoid": &s.delegation.ObjectID, "sktid": &s.delegation.TenantID, "skt": &s.delegation.Start,
		"ske": &s.delegation.Expiry, "sks": &s.delegation.Service, "skv": &s.delegation.Version, "scid": &s.scid,
		"sduoid": &s.user,
	}
	ranges := map[string]*bool{"spk": &s.hasSpk, "srk": &s.hasSrk, "epk": &s.hasEpk, "erk": &s.hasErk}
	for name, value := range q.All() {
		name = strings.ToLower(name)
		switch name {
		case "saoid", "suoid", "skdutid", "srh", "srq":
			s.bound += value
		}
		field := fields[name]
		if field == nil {
			continue
		}
		*field = value
		if has := ranges[name]; has != nil {
			*has = true
		}
		delete(fields, name)
	}
	return s
}

// The versions at which the string to sign changed.
const (
	sasFirst           = "2012-02-12" // sv is signed
	sasHeaders         = "2013-08-15" // rscc and its like are signed
	sasService         = "2015-02-21" // the resource starts with the service
	sasAddress         = "2015-04-05" // sip and spr are signed
	sasResource        = "2018-11-09" // sr and the snapshot are signed
	sasEncryptionScope = "2020-12-06"
)

// stringToSign returns the text that the signature of s must sign.
func (s *signature) stringToSign(req *Request) string {
	if s.srt != "" {
		lines := []string{req.Account.Name, s.sp, s.ss, s.srt, s.st, s.se, s.sip, s.spr, s.sv}
		if s.sv >= sasEncryptionScope {
			lines = append(lines, s.ses)
		}
		return strings.Join(lines, "\n") + "\n"
	}
	resource := "/" + req.Account.Name + "/"
	if s.sv >= sasService {
		resource = "/" + string(req.Service) + resource
	}
	lines := []string{s.sp, s.st, s.se, "", s.si}
	if s.sv >= sasAddress {
		lines = append(lines, s.sip, s.spr)
	}
	lines = append(lines, s.sv)
	if req.Service == Table {
		lines[3] = resource + strings.ToLower(s.tn)
		return strings.Join(append(lines, s.spk, s.srk, s.epk, s.erk), "\n")
	}
	lines[3] = resource + s.blobResource(req)
	if s.sv >= sasResource {
		snapshot := ""
		switch s.sr {
		case "bs":
			snapshot = s.snapshot
		case "bv":
			snapshot = s.versionid
		}
		lines = append(lines, s.sr, snapshot)
	}
	if s.sv >= sasEncryptionScope {
		lines = append(lines, s.ses)
	}
	if s.sv >= sasHeaders {
		lines = append(lines, s.rscc, s.rscd, s.rsce, s.rscl, s.rsct)
	}
	return strings.Join(lines, "\n")
}

// blobResource returns the container, or the container and blob, of a request: a signature for another resource is
// therefore a wrong signature.
func (s *signature) blobResource(req *Request) string {
	container, blob := req.BlobPath()
	if s.sr == "c" {
		return container
	}
	return container + "/" + blob
}

// checkSAS verifies the signature of a request that has one, and records what it grants.
func (f *Front) checkSAS(req *Request) *Problem {
	s := readSAS(req.Query)
	if p := s.complete(req.Service); p != nil {
		return p
	}
	if p := f.checkKeyOf(req, s); p != nil {
		return p
	}
	if s.si != "" {
		if p := f.applyPolicy(req, s); p != nil {
			return p
		}
	}
	if p := cmp.Or(s.checkTimes(req.Now), s.checkOrigin(req.HTTP)); p != nil {
		return p
	}
	if s.srt != "" && !strings.Contains(s.ss, string(req.Service)[:1]) {
		return unauthorized("AuthorizationServiceMismatch", " using this service")
	}
	// A token may have come with it, but then grants nothing by itself.
	req.SAS, req.Bearer = s.grant(), false
	return nil
}

// checkKeyOf checks the signature itself, by the key that made it.
func (f *Front) checkKeyOf(req *Request, s *signature) *Problem {
	if s.delegation.ObjectID != "" {
		if !f.OAuth {
			return AuthenticationFailed("This emulator does not take user delegation signatures without --oauth")
		}
		return s.checkDelegation(req)
	}
	sc := f.scratches.Get().(*scratch)
	defer f.scratches.Put(sc)
	sc.text = append(sc.text[:0], s.stringToSign(req)...)
	if !req.Account.signed(sc.text, []byte(s.sig), sc.signature) {
		return AuthenticationFailed(fmt.Sprintf("Signature did not match. String to sign used was %s", sc.text))
	}
	return nil
}

// complete returns which parameter is missing or invalid.
func (s *signature) complete(service Service) *Problem {
	switch {
	case s.delegation.ObjectID != "" && service != Blob:
		return AuthenticationFailed("User delegation signatures are for blobs only")
	case s.delegation.ObjectID != "" && (s.srt != "" || s.ss != "" || s.sv != "" && s.sv < delegationFirst):
		return AuthenticationFailed("A user delegation signature is for a container or a blob, of version 2018-11-09 " +
			"or newer")
	case s.sv == "":
		return mandatory("sv")
	case !isVersion(s.sv) || s.sv < sasFirst:
		return AuthenticationFailed("sv is not a version")
	case s.srt != "" || s.ss != "":
		switch {
		case s.srt == "":
			return mandatory("srt")
		case s.ss == "":
			return mandatory("ss")
		case s.si != "":
			return AuthenticationFailed("Signed identifiers are not for account signatures")
		}
	case service == Table && s.tn == "":
		return mandatory("tn")
	case service == Blob && s.sr == "":
		return mandatory("sr")
	case service == Blob && !slices.Contains([]string{"b", "bs", "bv", "c"}, s.sr):
		return AuthenticationFailed("sr is invalid")
	}
	if s.si == "" {
		return s.limited()
	}
	return nil
}

// limited checks that the signature or its policy says what it grants and until when.
func (s *signature) limited() *Problem {
	switch "" {
	case s.sp:
		return mandatory("sp")
	case s.se:
		return mandatory("se")
	}
	return nil
}

func mandatory(name string) *Problem {
	return AuthenticationFailed(name + " is mandatory. Cannot be empty")
}

// applyPolicy fills in what the signature leaves to the stored policy it names.
// https://learn.microsoft.com/rest/api/storageservices/define-stored-access-policy
func (f *Front) applyPolicy(req *Request, s *signature) *Problem {
	resource := s.tn
	if req.Service == Blob {
		resource, _ = req.BlobPath()
	}
	var policies []SignedIdentifier
	if f.Policies != nil {
		var err error
		if policies, err = f.Policies(req.Account, resource); err != nil {
			f.Log("read the access policies of a %s: %v", req.Service, err)
			return Internal()
		}
	}
	i := slices.IndexFunc(policies, func(p SignedIdentifier) bool { return p.ID == s.si })
	if i < 0 {
		return AuthenticationFailed("SAS identifier cannot be found for specified signed identifier")
	}
	for _, field := range []struct{ own, stored *string }{
		{&s.sp, &policies[i].Permission}, {&s.st, &policies[i].Start}, {&s.se, &policies[i].Expiry},
	} {
		if *field.own != "" && *field.stored != "" {
			return AuthenticationFailed("Access policy fields can be associated with signature or SAS identifier " +
				"but not both")
		}
		*field.own += *field.stored
	}
	return s.limited()
}

// checkTimes checks that a signature is used between its start and its expiry, with no tolerance for clock skew.
func (s *signature) checkTimes(now time.Time) *Problem {
	start, err := parseSASTime(s.st)
	if err != nil {
		return AuthenticationFailed("st is not a time")
	}
	expiry, err := parseSASTime(s.se)
	if err != nil {
		return AuthenticationFailed("se is not a time")
	}
	if now.Before(start) || !now.Before(expiry) {
		return AuthenticationFailed(fmt.Sprintf("Signature not valid in the specified time frame: Start [%s] - "+
			"Expiry [%s] - Current [%s]",
			start.Format(http.TimeFormat), expiry.Format(http.TimeFormat), now.Format(http.TimeFormat)))
	}
	return nil
}

// parseSASTime parses the ISO 8601 formats that the services accept; the empty string is the zero time.
// https://learn.microsoft.com/rest/api/storageservices/formatting-datetime-values
func parseSASTime(s string) (time.Time, error) {
	if s == "" {
		return time.Time{}, nil
	}
	var err error
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04Z07:00", time.DateOnly} {
		var t time.Time
		if t, err = time.Parse(layout, s); err == nil {
			return t.UTC(), nil
		}
	}
	return time.Time{}, err
}

// checkOrigin compares the client's address and protocol with the signed ones.
func (s *signature) checkOrigin(r *http.Request) *Problem {
	switch s.spr {
	case "", "https,http", "http,https":
	case "https":
		if r.TLS == nil {
			return unauthorized("AuthorizationProtocolMismatch", " using this protocol")
		}
	default:
		return AuthenticationFailed("spr is invalid")
	}
	if s.sip == "" {
		return nil
	}
	first, last, isRange := strings.Cut(s.sip, "-")
	if !isRange {
		last = first
	}
	least, errLeast := netip.ParseAddr(first)
	most, errMost := netip.ParseAddr(last)
	if errLeast != nil || errMost != nil {
		return AuthenticationFailed("sip is invalid")
	}
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		host = r.RemoteAddr
	}
	client, err := netip.ParseAddr(host)
	if client = client.Unmap(); err != nil || client.Less(least) || most.Less(client) {
		return unauthorized("AuthorizationSourceIPMismatch", " using this source IP "+host)
	}
	return nil
}

// grant returns what a valid signature allows.
func (s *signature) grant() *Grant {
	g := &Grant{Permissions: s.sp, account: s.srt != "", resourceTypes: s.srt}
	if g.account {
		return g
	}
	g.table = strings.ToLower(s.tn)
	if s.hasSpk || s.hasEpk {
		g.Rows = &KeyRange{
			StartPartition: s.spk, StartRow: s.srk, EndPartition: s.epk, EndRow: s.erk,
			HasStart: s.hasSpk, HasStartRow: s.hasSrk, HasEnd: s.hasEpk, HasEndRow: s.hasErk,
		}
	}
	for name, value := range map[string]string{
		"Cache-Control": s.rscc, "Content-Disposition": s.rscd, "Content-Encoding": s.rsce, "Content-Language": s.rscl,
		"Content-Type": s.rsct,
	} {
		if value == "" {
			continue
		}
		if g.Headers == nil {
			g.Headers = http.Header{}
		}
		g.Headers[name] = []string{value}
	}
	return g
}
