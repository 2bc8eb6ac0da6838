package azure

import (
	"cmp"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/storespec/storespec/internal/emulator/azureauth"
)

// clockSkew is how far a request's date may be from the server's.
// https://learn.microsoft.com/rest/api/storageservices/authorize-with-shared-key#specify-the-date-header
const clockSkew = 15 * time.Minute

// authenticate determines what authorizes a request: the account's key, a shared access signature, a token, or both of
// these if the signature is bound to a user. path is the address as sent, including the account.
func (f *Front) authenticate(req *Request, path string) *Problem {
	header := req.HTTP.Header.Get("Authorization")
	if header == "" {
		if req.Query != "" && req.Query.Has("sig") {
			return f.checkSAS(req)
		}
		if f.Public != nil {
			if permissions, levels := f.Public(req); permissions != "" {
				req.SAS = &Grant{Permissions: permissions, account: true, resourceTypes: levels}
				return nil
			}
		}
		return anonymous(req)
	}
	scheme, rest, _ := strings.Cut(header, " ")
	if strings.EqualFold(scheme, "Bearer") {
		if p := f.checkToken(req, strings.TrimSpace(rest)); p != nil || !boundToUser(req.Query) {
			return p
		}
		return f.checkSAS(req)
	}
	account, signature, found := strings.Cut(rest, ":")
	if !found || account == "" || signature == "" ||
		(scheme != azureauth.SharedKey && scheme != azureauth.SharedKeyLite) {
		return invalidAuthentication()
	}
	if account != req.Account.Name {
		return AuthenticationFailed("The account in the Authorization header is not the one in the address.")
	}
	if p := checkDate(req); p != nil {
		return p
	}
	return f.checkSignature(req, scheme, path, signature)
}

// scratch holds a string to sign and its signature, for use by one request after another.
type scratch struct {
	text      []byte
	signature []byte // with room for one
}

func (f *Front) checkSignature(req *Request, scheme, path, signature string) *Problem {
	s := f.scratches.Get().(*scratch)
	defer f.scratches.Put(s)
	s.text = azureauth.AppendStringToSign(s.text[:0], scheme, req.Service, req.Account.Name, req.HTTP, path,
		string(req.Query))
	if req.Account.signed(s.text, []byte(signature), s.signature) {
		return nil
	}
	return AuthenticationFailed(fmt.Sprintf("The MAC signature found in the HTTP request is not the same as any "+
		"computed signature. Server used following string to sign: '%s'.", s.text))
}

// checkDate rejects a request that is signed for another time, so that no one can replay it later.
func checkDate(req *Request) *Problem {
	value := cmp.Or(req.HTTP.Header.Get("X-Ms-Date"), req.HTTP.Header.Get("Date"))
	if value == "" {
		return AuthenticationFailed("The Date header in the request is missing: specify x-ms-date or Date.")
	}
	date, err := http.ParseTime(value)
	if err != nil {
		return AuthenticationFailed("The Date header in the request is incorrect.")
	}
	if age := req.Now.Sub(date); age > clockSkew || age < -clockSkew {
		return AuthenticationFailed(fmt.Sprintf("Request date header too old: '%s'; the server's time is '%s'.", value,
			req.Now.Format(http.TimeFormat)))
	}
	return nil
}

// anonymous answers a request without credentials for what is not public. The table service answers
// as recorded in azure-data-tables for Python, test_challenge_auth; a blob's existence is not revealed.
func anonymous(req *Request) *Problem {
	asked := req.HTTP.Header.Get("X-Ms-Version") >= challengeVersion
	switch {
	case req.Service == Table && asked:
		return challenged("InvalidAuthenticationInfo", "")
	case req.Service == Table:
		return AuthenticationFailed("")
	case asked:
		return challenged("NoAuthenticationInformation", "")
	}
	return ResourceNotFound()
}

// invalidAuthentication is for an Authorization header of another scheme, or without what it needs.
func invalidAuthentication() *Problem {
	return NewProblem(http.StatusBadRequest, "InvalidAuthenticationInfo",
		"The authentication information was not provided in the correct format. Verify the value of Authorization "+
			"header.")
}

// AuthenticationFailed is for a signature that does not authorize the request; detail says why, unless it is empty.
func AuthenticationFailed(detail string) *Problem {
	return NewProblem(http.StatusForbidden, "AuthenticationFailed",
		"Server failed to authenticate the request. Make sure the value of Authorization header is formed correctly "+
			"including the signature.").because(detail)
}

func unauthorized(code, using string) *Problem {
	return NewProblem(http.StatusForbidden, code, "This request is not authorized to perform this operation"+using+".")
}

func permissionMismatch() *Problem {
	return unauthorized("AuthorizationPermissionMismatch", " using this permission")
}

func resourceTypeMismatch() *Problem {
	return unauthorized("AuthorizationResourceTypeMismatch", " using this resource type")
}

// AuthorizationFailure is for an operation that what authorizes the request does not cover.
func AuthorizationFailure() *Problem { return unauthorized("AuthorizationFailure", "") }

// unknownAccount takes the place of the DNS error for an account that does not exist in Azure.
func unknownAccount() *Problem {
	return NewProblem(http.StatusNotFound, "ResourceNotFound",
		"The specified resource does not exist: this emulator has no account of that name.")
}
