package azure

import (
	"cmp"
	"crypto/subtle"
	"encoding/base64"
	"encoding/xml"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/storespec/storespec/internal/emulator/azureauth"
	"github.com/storespec/storespec/internal/emulator/odata"
)

// DelegationKey is a user delegation key: a principal with a token gets it, and signs with it instead of the account's
// key. https://learn.microsoft.com/rest/api/storageservices/get-user-delegation-key
type DelegationKey struct {
	XMLName  xml.Name `xml:"UserDelegationKey"`
	ObjectID string   `xml:"SignedOid"`
	TenantID string   `xml:"SignedTid"`
	Start    string   `xml:"SignedStart"`
	Expiry   string   `xml:"SignedExpiry"`
	Service  string   `xml:"SignedService"`
	Version  string   `xml:"SignedVersion"`
	Value    string   `xml:"Value"` // base64
}

const (
	maxDelegation     = 7 * 24 * time.Hour
	delegationTime    = "2006-01-02T15:04:05Z"
	noPrincipal       = "00000000-0000-0000-0000-000000000000" // of a token that names none
	delegationContext = "user delegation key"                  // what else the account's key signs never begins so
)

// DelegationKey returns the key for the body of a request with a token. Nothing is kept: the key's value follows from
// the rest of it and the account's key. Problems: AuthenticationFailed, InvalidXmlDocument, InvalidXmlNodeValue.
func (r *Request) DelegationKey(body []byte) (*DelegationKey, *Problem) {
	if !r.Bearer {
		return nil, AuthenticationFailed("Only authentication scheme Bearer is supported.")
	}
	object, tenant := cmp.Or(r.principal.ObjectID, noPrincipal), cmp.Or(r.principal.TenantID, noPrincipal)
	if !isGUID(object) || !isGUID(tenant) {
		return nil, AuthenticationFailed("The token's oid or tid is not a GUID.")
	}
	var asked struct {
		XMLName       xml.Name `xml:"KeyInfo"`
		Start, Expiry string
		Tenant        string `xml:"DelegatedUserTid"`
	}
	if err := DecodeXML(body, &asked); err != nil || asked.Expiry == "" {
		return nil, InvalidXML()
	}
	if asked.Tenant != "" { // signatures for users of another tenant are not built
		return nil, AuthenticationFailed("The tenant of the delegated user is not accepted.")
	}
	start, err := parseSASTime(asked.Start)
	if err != nil {
		return nil, invalidNode("Start", asked.Start)
	}
	if asked.Start == "" {
		start = r.Now
	}
	expiry, err := parseSASTime(asked.Expiry)
	if err != nil || !expiry.After(start) || !expiry.After(r.Now) || expiry.After(r.Now.Add(maxDelegation)) {
		return nil, invalidNode("Expiry", asked.Expiry)
	}
	k := &DelegationKey{
		ObjectID: object, TenantID: tenant, Start: start.Format(delegationTime), Expiry: expiry.Format(delegationTime),
		Service: string(r.Service)[:1], Version: r.Version,
	}
	k.Value = string(r.Account.delegated(k, 0))
	return k, nil
}

// delegated returns the value of a delegation key, by one of the account's keys. No field may contain a newline: the
// value would also be that of a key with other limits.
func (a *Account) delegated(k *DelegationKey, signer int) []byte {
	text := strings.Join([]string{delegationContext, k.ObjectID, k.TenantID, k.Start, k.Expiry, k.Service, k.Version},
		"\n")
	return a.signers[signer].AppendSignature(nil, []byte(text))
}

// The versions at which the string to sign of a user delegation signature changed.
// https://learn.microsoft.com/rest/api/storageservices/create-user-delegation-sas#specify-the-signature
const (
	delegationFirst   = "2018-11-09"
	delegationObjects = "2020-02-10" // saoid, suoid and scid are signed
	delegationBound   = "2025-07-05" // skdutid and sduoid are signed
	// delegationDynamic is the first version that may sign srh and srq. The documents do not say which one does, so
	// from here on both forms are taken.
	delegationDynamic = "2026-02-06"
)

// delegatedText returns what a user delegation signature signs; dynamic: with the places of srh and srq.
func (s *signature) delegatedText(req *Request, dynamic bool) string {
	k := &s.delegation
	resource := "/" + string(req.Service) + "/" + req.Account.Name + "/" + s.blobResource(req)
	lines := []string{s.sp, s.st, s.se, resource,
		k.ObjectID, k.TenantID, k.Start, k.Expiry, k.Service, k.Version}
	if s.sv >= delegationObjects {
		lines = append(lines, "", "", s.scid)
	}
	if s.sv >= delegationBound {
		lines = append(lines, "", s.user)
	}
	snapshot := ""
	switch s.sr {
	case "bs":
		snapshot = s.snapshot
	case "bv":
		snapshot = s.versionid
	}
	lines = append(lines, s.sip, s.spr, s.sv, s.sr, snapshot)
	if s.sv >= sasEncryptionScope {
		lines = append(lines, s.ses)
	}
	if dynamic {
		lines = append(lines, "", "")
	}
	return strings.Join(append(lines, s.rscc, s.rscd, s.rsce, s.rscl, s.rsct), "\n")
}

// boundToUser reports whether a request has a user delegation signature that needs a user's token as well.
// https://learn.microsoft.com/rest/api/storageservices/create-user-delegation-sas
func boundToUser(q Query) bool {
	return q.Has("sig") && q.Get("skoid") != "" && q.Get("sduoid") != ""
}

// is reports whether a token was issued to the user of a tenant.
func (p principal) is(object, tenant string) bool {
	return strings.EqualFold(p.ObjectID, object) && strings.EqualFold(cmp.Or(p.TenantID, noPrincipal), tenant)
}

// checkDelegation checks a signature that was made with a user delegation key.
func (s *signature) checkDelegation(req *Request) *Problem {
	k := &s.delegation
	switch "" {
	case k.TenantID:
		return mandatory("sktid")
	case k.Start:
		return mandatory("skt")
	case k.Expiry:
		return mandatory("ske")
	case k.Service:
		return mandatory("sks")
	case k.Version:
		return mandatory("skv")
	}
	start, errStart := parseSASTime(k.Start)
	expiry, errExpiry := parseSASTime(k.Expiry)
	switch {
	case !isGUID(k.ObjectID) || !isGUID(k.TenantID):
		return AuthenticationFailed("skoid or sktid is not a GUID")
	case !isVersion(k.Version):
		return AuthenticationFailed("skv is not a version")
	case errStart != nil || errExpiry != nil:
		return AuthenticationFailed("skt or ske is not a time")
	case k.Service != string(req.Service)[:1]:
		return AuthenticationFailed("sks is not this service")
	case s.si != "":
		return AuthenticationFailed("Signed identifiers are not for user delegation signatures")
	case s.bound != "":
		return AuthenticationFailed("This emulator cannot check signatures that are bound to a user of another " +
			"tenant, to a user's rights, or to headers or parameters")
	case s.user != "" && s.sv < delegationBound:
		return AuthenticationFailed("sduoid needs an sv of 2025-07-05 or newer")
	case s.user != "" && !req.principal.is(s.user, k.TenantID):
		return AuthenticationFailed("The request has no token of the user that the signature is bound to")
	case req.Now.Before(start) || !req.Now.Before(expiry):
		return AuthenticationFailed(fmt.Sprintf("The user delegation key is not valid: Start [%s] - Expiry [%s] - "+
			"Current [%s]", start.Format(http.TimeFormat), expiry.Format(http.TimeFormat),
			req.Now.Format(http.TimeFormat)))
	}
	texts := []string{s.delegatedText(req, false)}
	if s.sv >= delegationDynamic {
		texts = append(texts, s.delegatedText(req, true))
	}
	for i := range req.Account.signers {
		value, err := base64.StdEncoding.DecodeString(string(req.Account.delegated(k, i)))
		if err != nil {
			return Internal()
		}
		signer := azureauth.NewKey(value)
		for _, text := range texts {
			if subtle.ConstantTimeCompare(signer.AppendSignature(nil, []byte(text)), []byte(s.sig)) == 1 {
				return nil
			}
		}
	}
	return AuthenticationFailed("Signature did not match. String to sign used was " + texts[len(texts)-1])
}

// isGUID reports whether s is a GUID in its usual form.
func isGUID(s string) bool {
	_, ok := odata.ParseGUID(s)
	return ok
}
