package kv

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// restNamespaces lists and creates namespaces.
func (s *Service) restNamespaces(w http.ResponseWriter, r *http.Request) error {
	all, err := s.all()
	if err != nil {
		return err
	}
	switch r.Method {
	case http.MethodGet:
		return pageOf(all, w, r.URL.Query())
	case http.MethodPost:
		title, err := titleIn(r)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(all, func(one titled) bool { return one.Title == title }) {
			return refused(codeTitleTaken, "a namespace with this account ID and title already exists")
		}
		if len(all) >= maxNamespaces {
			return refused(codeNamespaces, "an account has at most %d namespaces", maxNamespaces)
		}
		random := make([]byte, 16)
		_, _ = rand.Read(random) // never fails
		id := hex.EncodeToString(random)
		if _, err := s.Add(id, title); err != nil {
			return err
		}
		return done(w, titled{id, title, true}, nil)
	}
	return wrongMethod(r)
}

// pageOf answers with a page of namespaces, in the order that is asked for.
func pageOf(all []titled, w http.ResponseWriter, query url.Values) error {
	page, wrong := pageNumber(query.Get("page"), "page", 1, math.MaxInt32)
	if wrong != nil {
		return wrong
	}
	size, wrong := pageNumber(query.Get("per_page"), "per_page", namespacePage, maxNamespaces)
	if wrong != nil {
		return wrong
	}
	if query.Get("order") == "id" {
		slices.SortFunc(all, func(a, b titled) int { return strings.Compare(a.ID, b.ID) })
	}
	if query.Get("direction") == "desc" {
		slices.Reverse(all)
	}
	some := []titled{}
	if first := (page - 1) * size; first < len(all) {
		some = all[first:min(first+size, len(all))]
	}
	return done(w, some, map[string]int{"count": len(some), "page": page, "per_page": size, "total_count": len(all)})
}

// pageNumber reads a parameter of a list of namespaces.
func pageNumber(given, name string, without, most int) (int, *problem) {
	if given == "" {
		return without, nil
	}
	n, err := strconv.Atoi(given)
	if err != nil || n < 1 || n > most {
		code := codePage
		if name == "per_page" {
			code = codePerPage
		}
		return 0, refused(code, "Invalid %s of %s.", name, given)
	}
	return n, nil
}

func titleIn(r *http.Request) (string, error) {
	var body struct {
		Title string `json:"title"`
	}
	if err := decodeBody(r, maxBulkGetBody, &body); err != nil {
		return "", err
	}
	if body.Title == "" || len(body.Title) > maxTitle {
		return "", &problem{http.StatusBadRequest, codeTitle, fmt.Sprintf("a title has 1 to %d bytes", maxTitle)}
	}
	return body.Title, nil
}

func wrongMethod(r *http.Request) error {
	return &problem{http.StatusMethodNotAllowed, codeMethod,
		fmt.Sprintf("Method %s not available for that URI.", r.Method)}
}

// restNamespace shows, renames and deletes one.
func (s *Service) restNamespace(w http.ResponseWriter, r *http.Request, n titled) error {
	switch r.Method {
	case http.MethodGet:
		return done(w, n, nil)
	case http.MethodPut:
		title, err := titleIn(r)
		if err != nil {
			return err
		}
		if err := s.setTitle(n.ID, title); err != nil {
			return err
		}
		return done(w, titled{n.ID, title, true}, nil)
	case http.MethodDelete:
		if err := s.remove(n.ID); err != nil {
			return err
		}
		return done(w, struct{}{}, nil)
	}
	return wrongMethod(r)
}
