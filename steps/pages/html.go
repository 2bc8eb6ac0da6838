package pages

import (
	"net/url"
	"strings"

	"golang.org/x/net/html"
)

// attribute returns an attribute of an element; n may be nil.
func attribute(n *html.Node, name string) (string, bool) {
	if n == nil || n.Type != html.ElementNode {
		return "", false
	}
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val, true
		}
	}
	return "", false
}

// visible returns the text below a node that a browser would show, with single spaces.
func visible(n *html.Node) string {
	var text strings.Builder
	var walk func(*html.Node)
	walk = func(n *html.Node) {
		if _, hidden := attribute(n, "hidden"); hidden {
			return
		}
		switch {
		case n.Type == html.TextNode:
			text.WriteString(n.Data)
		case n.Type == html.ElementNode &&
			(n.Data == "script" || n.Data == "style" || n.Data == "template" || n.Data == "head"):
			return
		}
		for child := range n.ChildNodes() {
			walk(child)
		}
		if n.Type == html.ElementNode && n.Data != "a" && n.Data != "span" && n.Data != "b" && n.Data != "em" &&
			n.Data != "strong" {
			text.WriteString(" ")
		}
	}
	walk(n)
	return strings.Join(strings.Fields(text.String()), " ")
}

func contains(shown, text string) bool {
	return strings.Contains(strings.ToLower(shown), strings.ToLower(strings.Join(strings.Fields(text), " ")))
}

// button returns the first button whose text or value contains a label; nil if there is none.
func (p *page) button(label string) *html.Node {
	for n := range p.root.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		kind, _ := attribute(n, "type")
		value, _ := attribute(n, "value")
		if n.Data == "button" && contains(visible(n), label) ||
			n.Data == "input" && kind == "submit" && contains(value, label) {
			return n
		}
	}
	return nil
}

// fields returns what a browser sends when a form is submitted with one of its buttons and nothing was typed.
func fields(form, button *html.Node) url.Values {
	values := url.Values{}
	for n := range form.Descendants() {
		name, named := attribute(n, "name")
		kind, _ := attribute(n, "type")
		if value, _ := attribute(n, "value"); named && (n.Data == "input" && kind != "submit" || n == button) {
			values.Add(name, value)
		}
	}
	return values
}
