package azure

import (
	"encoding/xml"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"

	"github.com/storespec/storespec/internal/emulator/patience"
)

// properties are a service's own settings. A request that leaves out an element does not change it. The emulator acts
// only on Cors and DeleteRetentionPolicy, and checks the format of DefaultServiceVersion; it stores and returns the
// rest.
// https://learn.microsoft.com/rest/api/storageservices/set-blob-service-properties
// https://learn.microsoft.com/rest/api/storageservices/set-table-service-properties
type properties struct {
	XMLName               xml.Name       `xml:"StorageServiceProperties"`
	Logging               *logging       `xml:"Logging"`
	HourMetrics           *metrics       `xml:"HourMetrics"`
	MinuteMetrics         *metrics       `xml:"MinuteMetrics"`
	Cors                  *corsRules     `xml:"Cors"`
	DefaultServiceVersion string         `xml:"DefaultServiceVersion,omitempty"`
	DeleteRetentionPolicy *retention     `xml:"DeleteRetentionPolicy"`
	StaticWebsite         *staticWebsite `xml:"StaticWebsite"`
}

// What a request has to contain is a pointer, so that its absence shows.
type logging struct {
	Version         string
	Delete          *bool
	Read            *bool
	Write           *bool
	RetentionPolicy *retention
}

type metrics struct {
	Version         string
	Enabled         *bool
	IncludeAPIs     *bool `xml:"IncludeAPIs"`
	RetentionPolicy *retention
}

type retention struct {
	Enabled              *bool
	Days                 *int  `xml:"Days"`
	AllowPermanentDelete *bool `xml:"AllowPermanentDelete"`
}

type staticWebsite struct {
	Enabled                  *bool
	IndexDocument            string `xml:"IndexDocument,omitempty"`
	ErrorDocument404Path     string `xml:"ErrorDocument404Path,omitempty"`
	DefaultIndexDocumentPath string `xml:"DefaultIndexDocumentPath,omitempty"`
}

const (
	maxProperties = 64 << 10 // bytes; five CORS rules of 2 KiB are the largest part
	maxCorsRules  = 5
	maxDays       = 365 // of retention
)

// propertiesKey is the key of a service's properties in the catalogue, under the service's name.
const propertiesKey = "service properties"

// isServiceProperties reports whether a request is one of the operations on a service itself that both services share.
func isServiceProperties(req *Request) bool {
	if req.Path != "" || req.Query == "" || !strings.EqualFold(req.Query.Get("restype"), "service") {
		return false
	}
	comp := req.Query.Get("comp")
	return comp == "properties" || comp == "stats"
}

func (f *Front) serveProperties(w http.ResponseWriter, req *Request) {
	stats := req.Query.Get("comp") == "stats"
	var p *Problem
	switch {
	case req.HTTP.Method == http.MethodGet && stats:
		p = f.getStats(w, req)
	case req.HTTP.Method == http.MethodGet:
		p = f.getProperties(w, req)
	case req.HTTP.Method == http.MethodPut && !stats:
		p = f.setProperties(w, req)
	default:
		p = UnsupportedVerb()
	}
	if p != nil {
		p.Write(w, req)
	}
}

// getStats answers for the secondary only, which never lags here.
// https://learn.microsoft.com/rest/api/storageservices/get-blob-service-stats
func (f *Front) getStats(w http.ResponseWriter, req *Request) *Problem {
	if p := req.Allow(ServiceLevel, "r"); p != nil {
		return p
	}
	if !req.Secondary {
		return InvalidQuery("comp", "stats", "Statistics are available from the secondary only.")
	}
	return f.answerXML(w, struct {
		XMLName  xml.Name `xml:"StorageServiceStats"`
		Status   string   `xml:"GeoReplication>Status"`
		LastSync string   `xml:"GeoReplication>LastSyncTime"`
	}{Status: "live", LastSync: req.Now.Format(http.TimeFormat)})
}

func (f *Front) getProperties(w http.ResponseWriter, req *Request) *Problem {
	if p := req.Allow(ServiceLevel, "r"); p != nil {
		return p
	}
	set, err := f.properties(req.Account)
	if err != nil {
		return f.broken("read service properties", err)
	}
	return f.answerXML(w, set)
}

func (f *Front) answerXML(w http.ResponseWriter, document any) *Problem {
	body, err := encodeXML(document)
	if err != nil {
		return f.broken("encode an answer", err)
	}
	w.Header().Set("Content-Type", "application/xml")
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	_, _ = w.Write(body) // the client is gone
	return nil
}

func (f *Front) setProperties(w http.ResponseWriter, req *Request) *Problem {
	if p := req.Allow(ServiceLevel, "w"); p != nil {
		return p
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, req.HTTP.Body, maxProperties))
	switch {
	case patience.RanOut(err):
		return OperationTimedOut()
	case errors.As(err, new(*http.MaxBytesError)):
		return BodyTooLarge()
	case err != nil:
		return InvalidInput("") // the client is gone, or sent less than announced
	}
	var asked properties
	if err := DecodeXML(body, &asked); err != nil {
		return InvalidXML()
	}
	if p := asked.check(f.Service); p != nil {
		return p
	}
	defer req.Account.Data.Lock([]byte(propertiesKey))()
	set, err := f.properties(req.Account)
	if err != nil {
		return f.broken("read service properties", err)
	}
	set.update(&asked)
	encoded, err := encodeXML(set)
	if err != nil {
		return f.broken("encode service properties", err)
	}
	if err := f.Accounts.engine.Set(f.propertiesKey(req.Account), encoded); err != nil {
		return f.broken("write service properties", err)
	}
	req.Account.softDelete.Store(nil)
	w.WriteHeader(http.StatusAccepted)
	return nil
}

func (f *Front) propertiesKey(account *Account) []byte {
	return account.Data.Catalogue().Key(nil, propertiesKey, string(f.Service))
}

// properties returns an account's settings, or Azure's defaults for a new one.
func (f *Front) properties(account *Account) (*properties, error) {
	value, found, err := f.Accounts.engine.Get(f.propertiesKey(account), nil)
	if err != nil {
		return nil, err
	}
	if found {
		set := &properties{}
		return set, DecodeXML(value, set)
	}
	days, yes, no := 7, true, false
	kept, none := &retention{Enabled: &yes, Days: &days}, &retention{Enabled: &no}
	set := &properties{
		Logging:       &logging{Version: "1.0", Delete: &no, Read: &no, Write: &no, RetentionPolicy: none},
		HourMetrics:   &metrics{Version: "1.0", Enabled: &yes, IncludeAPIs: &yes, RetentionPolicy: kept},
		MinuteMetrics: &metrics{Version: "1.0", Enabled: &no, RetentionPolicy: none},
		Cors:          &corsRules{},
	}
	if f.Service == Blob {
		set.DeleteRetentionPolicy = &retention{Enabled: &no, AllowPermanentDelete: &no}
		set.StaticWebsite = &staticWebsite{Enabled: &no}
	}
	return set, nil
}

// update copies the settings that asked contains.
func (p *properties) update(asked *properties) {
	replace(&p.Logging, asked.Logging)
	replace(&p.HourMetrics, asked.HourMetrics)
	replace(&p.MinuteMetrics, asked.MinuteMetrics)
	replace(&p.Cors, asked.Cors)
	if policy := asked.DeleteRetentionPolicy; policy != nil {
		permanent := policy.permanent()
		p.DeleteRetentionPolicy = &retention{policy.Enabled, policy.Days, &permanent}
	}
	replace(&p.StaticWebsite, asked.StaticWebsite)
	if asked.DefaultServiceVersion != "" {
		p.DefaultServiceVersion = asked.DefaultServiceVersion
	}
}

func replace[T any](old **T, asked *T) {
	if asked != nil {
		*old = asked
	}
}

// check returns what Azure would reject in a request's properties. What is missing or out of range is
// InvalidXmlDocument, as Azure's answers to its SDKs' tests show (aztables, TestRetentionTooLong).
func (p *properties) check(service Service) *Problem {
	whole := p.Logging.whole() && p.HourMetrics.whole() && p.MinuteMetrics.whole()
	if service == Table {
		whole = whole && p.DeleteRetentionPolicy == nil && p.StaticWebsite == nil && p.DefaultServiceVersion == ""
	} else {
		whole = whole && (p.DeleteRetentionPolicy == nil || p.DeleteRetentionPolicy.whole()) &&
			(p.StaticWebsite == nil || p.StaticWebsite.Enabled != nil)
	}
	if !whole {
		return InvalidXML()
	}
	if p.StaticWebsite != nil && *p.StaticWebsite.Enabled {
		return NotImplemented()
	}
	if p.DefaultServiceVersion != "" && !isVersion(p.DefaultServiceVersion) {
		return invalidNode("DefaultServiceVersion", p.DefaultServiceVersion)
	}
	if p.Cors != nil {
		return p.Cors.check()
	}
	return nil
}

// whole reports whether an element, if present, has all that it needs.
func (l *logging) whole() bool {
	return l == nil || l.Delete != nil && l.Read != nil && l.Write != nil && l.RetentionPolicy.whole()
}

func (m *metrics) whole() bool {
	return m == nil || m.Enabled != nil && (!*m.Enabled || m.IncludeAPIs != nil) && m.RetentionPolicy.whole()
}

// whole reports whether the policy is present, and has a number of days if it is enabled.
func (r *retention) whole() bool {
	return r != nil && r.Enabled != nil && (!*r.Enabled || r.Days != nil && *r.Days >= 1 && *r.Days <= maxDays)
}

func (r *retention) on() bool { return r != nil && *r.Enabled }

// broken is the answer when the emulator itself fails; the log has the details.
func (f *Front) broken(what string, err error) *Problem {
	f.Log("%s: %v", what, err)
	return Internal()
}
