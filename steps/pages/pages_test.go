package pages

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/storespec/storespec/internal/scenario"
)

const samplePage = `<html><head><title>hidden title</title><style>.x{}</style></head><body data-page="home">
<h1>Your
  groups</h1><p hidden>not this</p><script>nor this</script><ul><li>One</li><li>Two <span>of</span> two</li></ul>
<form method="post" action="/join?x=1"><input type="hidden" name="csrf" value="t"><input name="groupId" value="g">
<input type="submit" name="no" value="Decline">
<button name="yes" value="1">Accept <span>now</span></button></form></body></html>`

func parsed(t *testing.T, text string) *page {
	t.Helper()
	root, err := html.Parse(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return &page{root, &url.URL{Path: "/"}}
}

func TestAPageIsReadAsAPersonReadsIt(t *testing.T) {
	p := parsed(t, samplePage)
	shown := visible(p.root)
	for text, want := range map[string]bool{
		"your groups": true, "Two of two": true, "One Two": true, "hidden title": false, "not this": false,
		"nor this": false,
	} {
		if got := contains(shown, text); got != want {
			t.Errorf("%q: %v, in %q", text, got, shown)
		}
	}
	if p.button("Accept now") == nil || p.button("decline") == nil || p.button("One") != nil {
		t.Error("the buttons are Accept and Decline, and no others")
	}
}

func TestAFormSendsTheButtonThatWasPressed(t *testing.T) {
	p := parsed(t, samplePage)
	form := p.button("Accept").Parent
	if got := fields(form, p.button("Accept")).Encode(); got != "csrf=t&groupId=g&yes=1" {
		t.Errorf("Accept sends %s", got)
	}
	if got := fields(form, p.button("Decline")).Encode(); got != "csrf=t&groupId=g&no=Decline" {
		t.Errorf("Decline sends %s", got)
	}
}

func TestABrowserKeepsAndForgetsTheCookie(t *testing.T) {
	p := &scenario.Person{}
	takeCookie(p, "fs_session", http.Header{"Set-Cookie": {"other=1", "fs_session=abc; Path=/; HttpOnly"}})
	if p.Session != "abc" {
		t.Errorf("the session is %q", p.Session)
	}
	takeCookie(p, "fs_session", http.Header{})
	if p.Session != "abc" {
		t.Error("an answer without a cookie ended the session")
	}
	takeCookie(p, "fs_session", http.Header{"Set-Cookie": {"fs_session=; Expires=Thu, 01 Jan 1970 00:00:01 GMT"}})
	if p.Session != "" {
		t.Errorf("after signing out the session is %q", p.Session)
	}
}
