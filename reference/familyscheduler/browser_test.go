package familyscheduler_test

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/storespec/storespec/internal/dev/browsertest"
)

// tab is a browser tab on the pages of the reference.
type tab struct{ *browsertest.Tab }

// shown waits until the page has some name and shows some text.
func (b *tab) shown(name, text string) {
	b.Await(fmt.Sprintf("document.readyState === 'complete' && document.body?.dataset.page === %q && "+
		"document.body.innerText.includes(%q)", name, text))
}

// clickOn clicks the button with a label.
func (b *tab) clickOn(label string) {
	b.Do(chromedp.Click(fmt.Sprintf(`//button[starts-with(normalize-space(.), %q)]`, label), chromedp.BySearch))
}

func TestInABrowser(t *testing.T) {
	b := &tab{browsertest.Open(t)}
	h := startHost(t)
	ana := h.signIn(t, "ana@example.com")
	family, choir := h.createGroup(t, ana, "The Smiths"),
		h.createGroup(t, ana, "Choir of the Valley, Tuesdays and Thursdays")
	ben := "benedikt@example.com"
	h.post(t, ana, "/api/group/join-link", map[string]any{"groupId": choir, "email": ben})
	h.post(t, ana, "/api/group/join-link", map[string]any{"groupId": family, "email": ben})
	h.post(t, h.signIn(t, ben), "/api/group/join", map[string]any{"groupId": family})

	b.Do(chromedp.Navigate(h.url + "/"))
	b.shown("marketing", "Sign in")
	b.Looks("marketing")
	b.Do(chromedp.SendKeys("#email", ben, chromedp.ByID))
	b.clickOn("Send me a link")
	b.shown("marketing", "Look into your mailbox")
	b.Do(chromedp.Navigate(h.linkFor(t, ben)))
	b.shown("marketing", "Almost there")
	b.Looks("link")
	b.clickOn("Sign in")
	b.shown("DashboardHomePage", "Your groups")
	b.shown("DashboardHomePage", "The Smiths")
	b.shown("DashboardHomePage", "Invited just now")
	b.shown("DashboardHomePage", "To come")
	b.Looks("dashboard-invited")
	b.clickOn("Accept")
	b.shown("DashboardHomePage", "Choir of the Valley")
	b.Do(chromedp.WaitNotPresent(`[data-status="invited"]`))
	if active := b.Eval(`document.querySelectorAll('[data-status="active"]').length`); active != "2" {
		t.Errorf("%s groups are active", active)
	}
	b.Looks("dashboard")
	b.clickOn("Sign out")
	b.shown("marketing", "Sign in")
	b.NoProblems()
}

func TestByKeyboardOnly(t *testing.T) {
	b := &tab{browsertest.Open(t)}
	h := startHost(t)
	ana := h.signIn(t, "ana@example.com")
	h.post(t, ana, "/api/group/join-link",
		map[string]any{"groupId": h.createGroup(t, ana, "Family"), "email": "ben@example.com"})

	b.Do(chromedp.Navigate(h.url + "/"))
	b.shown("marketing", "Sign in")
	b.TabTo("E-mail")
	b.Do(chromedp.KeyEvent("ben@example.com" + kb.Enter))
	b.shown("marketing", "Look into your mailbox")
	b.Do(chromedp.Navigate(h.linkFor(t, "ben@example.com")))
	b.shown("marketing", "Almost there")
	b.TabTo("Sign in")
	b.Do(chromedp.KeyEvent(kb.Enter))
	b.shown("DashboardHomePage", "Invited")
	b.TabTo("Accept")
	b.Do(chromedp.KeyEvent(kb.Enter))
	b.shown("DashboardHomePage", "Active, since")
	b.TabTo("Sign out")
	b.Do(chromedp.KeyEvent(kb.Enter))
	b.shown("marketing", "Sign in")
	b.NoProblems()
}
