package report

import (
	"math"
	"regexp"
	"strconv"
	"testing"
)

var (
	scheme   = regexp.MustCompile(`(?s):root \{(.*?)\}`)
	variable = regexp.MustCompile(`--(\w+): #([0-9a-f]{3,6});`)
)

// Each text has a contrast of 4.5:1 with what it stands on (WCAG 2.2, 1.4.3), in every scheme.
func TestPaletteHasContrast(t *testing.T) {
	style, err := pageFiles.ReadFile("page/report.css")
	if err != nil {
		t.Fatal(err)
	}
	schemes := scheme.FindAllStringSubmatch(string(style), -1)
	if len(schemes) != 3 {
		t.Fatalf("%d schemes, not light, dark and print", len(schemes))
	}
	colors := map[string]string{}
	for i, found := range schemes {
		for _, v := range variable.FindAllStringSubmatch(found[1], -1) {
			colors[v[1]] = v[2]
		}
		for _, ground := range []string{"ground", "card", "mark"} {
			for _, on := range []string{"text", "soft", "accent", "good", "bad", "warn", "idle"} {
				if ratio := contrast(t, colors[on], colors[ground]); ratio < 4.5 {
					t.Errorf("scheme %d: --%s on --%s has the contrast %.2f", i, on, ground, ratio)
				}
			}
		}
	}
}

// contrast is the ratio of two colors (WCAG 2.2, "contrast ratio").
func contrast(t *testing.T, a, b string) float64 {
	t.Helper()
	x, y := luminance(t, a), luminance(t, b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func luminance(t *testing.T, color string) float64 {
	t.Helper()
	if len(color) == 3 {
		color = string([]byte{color[0], color[0], color[1], color[1], color[2], color[2]})
	}
	sum := 0.0
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		channel, err := strconv.ParseUint(color[2*i:2*i+2], 16, 8)
		if err != nil {
			t.Fatalf("the color %q: %v", color, err)
		}
		v := float64(channel) / 255
		if v <= 0.04045 {
			v /= 12.92
		} else {
			v = math.Pow((v+0.055)/1.055, 2.4)
		}
		sum += weight * v
	}
	return sum
}
