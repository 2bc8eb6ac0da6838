package report

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/storespec/storespec/internal/dev/browsertest"
)

func TestHTMLInABrowser(t *testing.T) {
	stream := rich()
	stream.Runs[0].Result.Rules[1].Name = "A removed member is refused \u202eright to left"
	file := filepath.Join(t.TempDir(), "report.html")
	page := html(t, stream, Extras{Mutants: matrices(), Prices: prices(t)})
	if err := os.WriteFile(file, []byte(page), 0o600); err != nil {
		t.Fatal(err)
	}
	address := "file://" + filepath.ToSlash(file)
	b := browsertest.Open(t)
	b.Do(chromedp.Navigate(address))
	b.Await(`document.documentElement.dataset.ready === "true"`)
	b.Looks("report")

	b.TabTo("Find rules")
	b.Do(chromedp.SendKeys("#filter", "removed member", chromedp.ByID))
	b.Await(`document.getElementById("found").textContent === "1 of 6 rules" && ` +
		`document.getElementById("FS-ID-1").hidden && !document.getElementById("FS-GATE-4").hidden`)

	// A link to what the filter hides, and what is folded, shows it.
	b.Do(chromedp.Evaluate(`location.hash = "FS-ID-1.1"`, nil))
	b.Await(`!document.getElementById("FS-ID-1").hidden && document.getElementById("FS-ID-1.1").open && ` +
		`document.querySelector(".rest").open && ` +
		`document.activeElement === document.querySelector("[id='FS-ID-1.1'] > summary")`)
	b.Await(`document.querySelector("[id='FS-ID-1.1'] .brief").innerText.includes("table scan on Groups")`)

	// By keyboard alone: the summary that has the focus closes.
	b.Do(chromedp.KeyEvent(kb.Enter))
	b.Await(`!document.getElementById("FS-ID-1.1").open`)

	goesFromFailureToFailure(t, b)

	// What is copied is the command, or it is selected.
	b.Do(chromedp.Evaluate(`document.querySelector("[id='FS-GATE-4.1'] .copy button").click()`, nil))
	b.Await(`/^(Copied|Selected)/.test(document.querySelector("[id='FS-GATE-4.1'] .copy button").textContent)`)

	// The two requests of an order stand side by side, each turn in its row.
	b.Await(`(() => { const [a, other] = [...document.querySelectorAll(".order .meets")].map((e) => ` +
		`e.getBoundingClientRect()); return a.right <= other.left + 1 && a.bottom <= other.top; })()`)

	b.Do(chromedp.Evaluate(`for (const d of document.querySelectorAll("details")) d.open = true`, nil))
	b.Looks("report-open")
	b.Do(emulation.SetDeviceMetricsOverride(1280, 740, 1, false))
	b.Await(`document.documentElement.clientWidth === 1280`)
	if got := b.Eval(`document.querySelector("[id='FS-GATE-4'] .outcome").getBoundingClientRect().left <
		document.querySelector("[id='FS-GATE-4'] .many").getBoundingClientRect().left`); got != "true" {
		t.Error("a name from right to left turns what stands around it")
	}
	if got := b.Eval(brokenWords); got != "" {
		t.Errorf("narrow columns break words: %s", got)
	}
	if got := b.Eval(obscured); got != "" {
		t.Errorf("the focus hides behind the filter box: %s", got)
	}
	b.NoProblems()
	for _, asked := range b.Requests() {
		if asked, _, _ := strings.Cut(asked, "#"); asked != address && !strings.HasPrefix(asked, "data:image/svg") {
			t.Errorf("the page asks for %s", asked)
		}
	}
}

// goesFromFailureToFailure presses the keys and the buttons, in a circle.
func goesFromFailureToFailure(t *testing.T, b *browsertest.Tab) {
	t.Helper()
	b.Do(chromedp.Evaluate(`location.hash = "FS-GATE-4.1"`, nil))
	at := func(id string) {
		t.Helper()
		b.Await(`(of => of?.id === "` + id + `" && of.open)(document.activeElement.closest(".scenario"))`)
	}
	at("FS-GATE-4.1")
	failures := strings.Split(b.Eval(`[...document.querySelectorAll(".scenario")].filter((e) => `+
		`!["passed", "skipped"].includes(e.dataset.outcome)).map((e) => e.id).join(" ")`), " ")
	for i := range failures {
		b.Do(chromedp.KeyEvent("n"))
		at(failures[(i+1)%len(failures)])
	}
	b.Do(chromedp.Click("#failures button:first-child", chromedp.ByQuery))
	at(failures[len(failures)-1])
}

// brokenWords names the short texts of tables that stand in more lines than they have words.
const brokenWords = `[...document.querySelectorAll("th, td.number, [data-as=seen] code")].filter((e) => {
	const text = document.createRange();
	text.selectNodeContents(e);
	return new Set([...text.getClientRects()].map((line) => line.top)).size > e.textContent.trim().split(/\s+/).length;
}).map((e) => e.textContent)`

// obscured names what stands behind the filter box when it has the focus, on the way from the end of the page to its
// begin (WCAG 2.2, 2.4.11).
const obscured = `[...document.querySelectorAll("main summary, main [href]")].filter((e) => e.offsetParent)
.reverse().filter((e) => {
	e.focus();
	return e.getBoundingClientRect().top < document.querySelector(".find").getBoundingClientRect().bottom - 1;
}).map((e) => e.textContent)`
