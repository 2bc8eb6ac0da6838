// Package browsertest opens pages in headless Chromium, for tests. It is imported by tests only.
//
// It never installs a browser: without one a test is skipped, but not in CI. What goes wrong in a page is kept, and
// fails the test only where [Tab.NoProblems] asks for it.
//
// Open [Open] first.
package browsertest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// artifacts is the environment variable that names a directory for screenshots; without it none are made.
const artifacts = "STORESPEC_ARTIFACTS"

// browserPath finds Chromium. Without one the test is skipped, but not in CI.
func browserPath(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	if os.Getenv("CI") == "true" {
		t.Fatal("no Chromium is in PATH: .ci/setup.sh installs it")
	}
	t.Skip("no Chromium is in PATH")
	return ""
}

// Tab is a browser tab that remembers what went wrong in it.
type Tab struct {
	t   *testing.T
	run func(actions ...chromedp.Action) error // an error of context once the browser has ended

	mu       sync.Mutex
	problems []string
	requests []string
}

// Open opens a tab of a browser of its own, which ends with the test.
func Open(t *testing.T) *Tab {
	t.Helper()
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(browserPath(t)), chromedp.NoSandbox, chromedp.DisableGPU, chromedp.UserDataDir(t.TempDir()),
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true),
	)
	// The browser outlives the test's own context, which ends before the clean-up.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), 90*time.Second)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewExecAllocator(ctx, options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(func() {
		if err := chromedp.Cancel(ctx); err != nil {
			t.Logf("closing the browser: %v", err)
		}
		cancel()
	})
	b := &Tab{t: t, run: func(actions ...chromedp.Action) error { return chromedp.Run(ctx, actions...) }}
	chromedp.ListenTarget(ctx, b.watch)
	b.Do(log.Enable(), runtime.Enable(), network.Enable())
	return b
}

// watch keeps errors of the console, of scripts and of the network.
func (b *Tab) watch(event any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		b.requests = append(b.requests, e.Request.URL)
	case *runtime.EventExceptionThrown:
		b.problems = append(b.problems, e.ExceptionDetails.Error())
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.APITypeError || e.Type == runtime.APITypeWarning {
			b.problems = append(b.problems, fmt.Sprintf("console.%s", e.Type))
		}
	case *log.EventEntryAdded:
		if e.Entry.Level == log.LevelError || e.Entry.Level == log.LevelWarning {
			b.problems = append(b.problems, e.Entry.Text)
		}
	}
}

// Do runs actions; one that fails ends the test.
func (b *Tab) Do(actions ...chromedp.Action) {
	b.t.Helper()
	if err := b.run(actions...); err != nil {
		b.t.Fatal(err)
	}
}

// Eval is a JavaScript expression's value as text; it runs past the page's policy, as a debugger does.
func (b *Tab) Eval(expression string) string {
	b.t.Helper()
	var text string
	b.Do(chromedp.Evaluate("String("+expression+")", &text))
	return text
}

// Await waits until a JavaScript expression is true. Between two pages there is nothing to ask: such errors are waited
// out too. After 15 s the test ends and shows what is there instead.
func (b *Tab) Await(condition string) {
	b.t.Helper()
	retry := time.NewTicker(10 * time.Millisecond)
	defer retry.Stop()
	for deadline := time.Now().Add(15 * time.Second); ; <-retry.C {
		var ok bool
		err := b.run(chromedp.Evaluate(condition, &ok))
		if ok && err == nil {
			return
		}
		ended := errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
		if ended || time.Now().After(deadline) {
			b.t.Fatalf("%s does not come true (%v); the page shows %q", condition, err,
				b.Eval("document.body?.innerText"))
		}
	}
}

// Requests is every address that was asked for.
func (b *Tab) Requests() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.requests)
}

// Looks checks the page in both color schemes on a desk and at 360 px, and keeps a picture of each.
func (b *Tab) Looks(name string) {
	b.t.Helper()
	for _, scheme := range []string{"light", "dark"} {
		for _, width := range []int64{1280, 360} {
			b.Do(
				emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme",
					Value: scheme}}),
				emulation.SetDeviceMetricsOverride(width, 740, 1, false),
			)
			if got := b.Eval("document.scrollingElement.scrollWidth"); got != fmt.Sprint(width) {
				b.t.Errorf("%s is %s px wide on a screen of %d", name, got, width)
			}
			if got := b.Eval(lowestContrast); got != "" {
				b.t.Errorf("%s, %s: %s", name, scheme, got)
			}
			var picture []byte
			b.Do(chromedp.FullScreenshot(&picture, 100))
			if directory := os.Getenv(artifacts); directory != "" {
				file := filepath.Join(directory, fmt.Sprintf("%s-%s-%d.png", name, scheme, width))
				if err := errors.Join(os.MkdirAll(directory, 0o700), os.WriteFile(file, picture, 0o600)); err != nil {
					b.t.Fatal(err)
				}
			}
		}
	}
}

// lowestContrast names the texts whose contrast is below 4.5:1 (WCAG 2.2, 1.4.3), or "".
const lowestContrast = `(() => {
	const channels = c => c.match(/[\d.]+/g).map(Number);
	const luminance = c => channels(c).slice(0, 3).map(v => v / 255)
		.map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
		.reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
	const ground = e => {
		for (; e; e = e.parentElement) {
			const c = getComputedStyle(e).backgroundColor;
			if (channels(c)[3] !== 0) return c;
		}
		return 'rgb(255,255,255)';
	};
	const hasText = e => [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim());
	return [...document.querySelectorAll('body *')].filter(hasText).map(e => {
		const [a, b] = [luminance(getComputedStyle(e).color), luminance(ground(e))].sort((x, y) => y - x);
		return [(a + 0.05) / (b + 0.05), e.textContent.trim()];
	}).filter(([ratio]) => ratio < 4.5)
		.map(([ratio, text]) => text + ' has the contrast ' + ratio.toFixed(1)).join('; ');
})()`

// NoProblems fails the test when the browser reported an error or a warning.
func (b *Tab) NoProblems() {
	b.t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.problems) > 0 {
		b.t.Errorf("the browser reports: %s", strings.Join(b.problems, "\n"))
	}
}

// TabTo moves the focus by the keyboard to what has a label.
func (b *Tab) TabTo(label string) {
	b.t.Helper()
	const focused = `(document.activeElement.labels?.[0] || document.activeElement).innerText || ''`
	for range 20 {
		if strings.HasPrefix(b.Eval(focused), label) {
			return
		}
		b.Do(chromedp.KeyEvent(kb.Tab))
	}
	b.t.Fatalf("%q cannot be reached by the Tab key; the focus is on %q", label,
		b.Eval("document.activeElement.outerHTML"))
}
