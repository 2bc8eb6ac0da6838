package wire

import (
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"
)

// copyBuffer is the size of the buffers answers are copied with, the same as in io.Copy.
const copyBuffer = 32 << 10

// NewTransport returns a transport suited to a proxy in front of a store: it neither asks for compressed answers nor
// decompresses them, uses no other proxy, and keeps as many idle connections to one host as a busy target has calls.
// Its owner must close its idle connections when done.
func NewTransport() *http.Transport {
	return &http.Transport{
		DialContext:         (&net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}).DialContext,
		DisableCompression:  true,
		MaxIdleConnsPerHost: 256,
		IdleConnTimeout:     90 * time.Second, // as http.DefaultTransport
		TLSHandshakeTimeout: 10 * time.Second, // as http.DefaultTransport
	}
}

// NewProxy returns a handler that passes requests on to a store and streams its answers back. Path and query are
// forwarded exactly as received, below the upstream's path: signatures cover them, and filters contain characters that
// httputil.ReverseProxy drops. Redirects are returned to the client. Requests are sent without Accept-Encoding, so that
// answers can be counted; no signature covers it.
//
// The Host is replaced by the upstream's, unless keeps reports that it is part of the address; nil keeps none.
//
// If the upstream cannot be reached, or its answer breaks off, the connection to the client is cut by a panic with
// http.ErrAbortHandler: the client sees a dead store. A nil transport means NewTransport().
func NewProxy(upstream *url.URL, transport http.RoundTripper, keeps func(host string) bool) http.Handler {
	if transport == nil {
		transport = NewTransport()
	}
	p := &proxy{upstream: upstream, transport: transport, keeps: keeps}
	p.buffers.New = func() any { return new([copyBuffer]byte) }
	return p
}

type proxy struct {
	upstream  *url.URL
	transport http.RoundTripper
	keeps     func(host string) bool
	buffers   sync.Pool // of *[copyBuffer]byte
}

func (p *proxy) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	res, err := p.transport.RoundTrip(p.outgoing(req))
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	defer res.Body.Close()
	dropHopByHop(res.Header)
	header := w.Header()
	for name, values := range res.Header {
		header[name] = values
	}
	w.WriteHeader(res.StatusCode)
	if err := p.copyBody(w, res); err != nil {
		panic(http.ErrAbortHandler)
	}
}

func (p *proxy) outgoing(req *http.Request) *http.Request {
	out := req.WithContext(req.Context())
	out.Header = req.Header.Clone()
	dropHopByHop(out.Header)
	out.Header.Del("Accept-Encoding")
	out.Header.Del("Expect") // this hop has already sent 100 Continue, or will when the body is read
	if _, ok := out.Header["User-Agent"]; !ok {
		out.Header["User-Agent"] = []string{""} // else the transport adds its own
	}
	out.RequestURI, out.Close = "", false
	out.URL = p.address(req)
	if p.keeps == nil || !p.keeps(req.Host) {
		out.Host = p.upstream.Host
	}
	if req.ContentLength == 0 {
		out.Body = http.NoBody // a body of unknown content would be sent in chunks
	}
	return out
}

// address keeps the path as sent: URL.Path does not preserve which characters were escaped.
func (p *proxy) address(req *http.Request) *url.URL {
	path, _, _ := strings.Cut(req.RequestURI, "?")
	if !strings.HasPrefix(path, "/") {
		path = req.URL.EscapedPath() // in absolute form, or called without a connection
	}
	out := &url.URL{Scheme: p.upstream.Scheme, Host: p.upstream.Host, RawQuery: req.URL.RawQuery,
		ForceQuery: req.URL.ForceQuery}
	out.Opaque = strings.TrimSuffix(p.upstream.EscapedPath(), "/") + path
	if strings.HasPrefix(out.Opaque, "//") {
		// An opaque part that starts with two slashes would be taken for a host.
		out.Opaque, out.Path, out.RawPath = "", req.URL.Path, req.URL.RawPath
	}
	return out
}

// dropHopByHop removes headers that concern only one connection (RFC 9110, section 7.6.1).
func dropHopByHop(header http.Header) {
	for _, list := range header["Connection"] {
		for _, name := range strings.Split(list, ",") {
			header.Del(strings.TrimSpace(name))
		}
	}
	for _, name := range []string{"Connection", "Keep-Alive", "Proxy-Authenticate", "Proxy-Authorization",
		"Proxy-Connection", "Te", "Trailer", "Transfer-Encoding", "Upgrade"} {
		delete(header, name)
	}
}

// copyBody flushes each piece as it arrives. The last one needs no flush: the server sends it with the end of the
// answer.
func (p *proxy) copyBody(w http.ResponseWriter, res *http.Response) error {
	buffer := p.buffers.Get().(*[copyBuffer]byte)
	defer p.buffers.Put(buffer)
	flusher := http.NewResponseController(w)
	left := res.ContentLength
	for {
		n, err := res.Body.Read(buffer[:])
		if n > 0 {
			if _, err := w.Write(buffer[:n]); err != nil {
				return err
			}
			left -= int64(n)
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if n > 0 && left != 0 {
			if err := flusher.Flush(); err != nil {
				return err
			}
		}
	}
}
