package kv

// The limits of Workers KV (Cloudflare's documents "KV limits", "Write key-value pairs", "List keys", and the REST
// API's "Write multiple key-value pairs").
const (
	maxKey         = 512      // bytes
	maxValue       = 25 << 20 // bytes
	maxMetadata    = 1024     // bytes of JSON
	minTTL         = 60       // seconds
	minCacheTTL    = 30       // seconds; 60 until January 2026
	maxList        = 1000     // keys of a page
	minListREST    = 10       // keys of a page, by REST
	maxBulkGet     = 100      // keys
	maxBulkWrite   = 10_000   // pairs, or keys to be deleted
	maxBulkBytes   = 100 << 20
	maxBulkAnswer  = 25 << 20 // bytes of the values of a bulk get
	maxNamespaces  = 1000
	namespacePage  = 20 // of a list of them, where per_page is not given
	maxTitle       = 512
	maxBulkGetBody = 1 << 20
)
