package tables

import (
	"net/http"
	"strings"

	"github.com/storespec/storespec/internal/emulator/azure"
)

// permissions are those that a policy of a table can grant: query, add, update, delete.
// https://learn.microsoft.com/rest/api/storageservices/create-service-sas#permissions-for-a-table
const permissions = "raud"

// Policies returns the stored access policies of a table, nil if there is no such table. The error is the engine's.
func (s *Service) Policies(account *azure.Account, name string) ([]azure.SignedIdentifier, error) {
	c := s.catalogue(account)
	t, err := c.lookup(name)
	if t == nil || err != nil {
		return nil, err
	}
	stored, found, err := s.Engine.Get(c.key(cataloguePolicies, name), nil)
	if !found || err != nil {
		return nil, err
	}
	list, problem := azure.ParseIdentifiers(stored)
	if problem != nil {
		return nil, problem
	}
	return list, nil
}

// policies serves Get Table ACL and Set Table ACL, which require the account's key.
// https://learn.microsoft.com/rest/api/storageservices/get-table-acl
// https://learn.microsoft.com/rest/api/storageservices/set-table-acl
func (s *Service) policies(r *azure.Request, x *scratch, name string) (response, *azure.Problem) {
	if problem := r.Allow(azure.ContainerLevel); problem != nil {
		return response{}, problem
	}
	if r.Bearer {
		return response{}, azure.AuthorizationFailure()
	}
	if _, problem := s.tableOf(r.Account, name); problem != nil {
		return response{}, problem
	}
	switch r.HTTP.Method {
	case http.MethodGet, http.MethodHead:
		list, err := s.Policies(r.Account, name)
		var body []byte
		if err == nil {
			body, err = azure.EncodeIdentifiers(list)
		}
		return response{status: http.StatusOK, xml: true, body: body}, s.broken(err)
	case http.MethodPut:
		var problem *azure.Problem
		if x.body, problem = readBody(r.HTTP, x.body[:0]); problem != nil {
			return response{}, problem
		}
		list, problem := azure.ParseIdentifiers(x.body)
		if problem != nil {
			return response{}, problem
		}
		for _, policy := range list {
			if strings.Trim(policy.Permission, permissions) != "" {
				return response{}, azure.InvalidXML()
			}
		}
		body, err := azure.EncodeIdentifiers(list)
		if err == nil {
			err = s.Engine.Set(s.catalogue(r.Account).key(cataloguePolicies, name), body)
		}
		return response{status: http.StatusNoContent}, s.broken(err)
	}
	return response{}, methodNotAllowed()
}
