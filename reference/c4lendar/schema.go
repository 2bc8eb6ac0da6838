package c4lendar

import (
	"regexp"
	"strings"
	"time"
)

// The keys. Chats, subs and uids have no colon, nor has an e-mail that is accepted, so that no prefix of one is a
// prefix of another's.
//
//	gc:conn:{chat}:{sub}         connection
//	gc:idx:email:{email}:{chat}  entered: the chat has a connection of this e-mail; the truth of the next key
//	gc:idx:email:{email}         array of chats, a cache
//	gc:event:{chat}:{uid}:{sub}  mapping, for 90 days; the truth of the next key
//	gc:event:recent:{chat}       array of recent, a cache
//	gc:oauth:{state}             oauthState, for ten minutes
//	gc:done:{chat}:{update}      the uid that a command deleted, for a day
//	gc_tokens:chat:{chat}        oldTokens, before this design; read only
//	selected_event:{chat}:{user} oldSelection, before this design; read only
const (
	prefixConnections = "gc:conn:"
	prefixEmails      = "gc:idx:email:"
	prefixEvents      = "gc:event:"
	prefixRecent      = "gc:event:recent:"
	prefixOld         = "gc_tokens:chat:"
)

func connectionsOf(chat string) string         { return prefixConnections + chat + ":" }
func connectionKey(chat, sub string) string    { return connectionsOf(chat) + sub }
func chatsKey(email string) string             { return prefixEmails + email }
func chatsOf(email string) string              { return chatsKey(email) + ":" }
func chatKey(email, chat string) string        { return chatsOf(email) + chat }
func eventsOf(chat string) string              { return prefixEvents + chat + ":" }
func mappingsOf(chat, uid string) string       { return eventsOf(chat) + uid + ":" }
func mappingKey(chat, uid, sub string) string  { return mappingsOf(chat, uid) + sub }
func recentKey(chat string) string             { return prefixRecent + chat }
func oauthKey(state string) string             { return "gc:oauth:" + state }
func doneKey(chat, update string) string       { return "gc:done:" + chat + ":" + update }
func oldSelectionKey(chat, user string) string { return "selected_event:" + chat + ":" + user }
func cutLast(key string) (before, after string) {
	i := strings.LastIndexByte(key, ':')
	return key[:i], key[i+1:]
}

// How long keys live.
const (
	mappingTTL = 90 * 24 * time.Hour
	oauthTTL   = 10 * time.Minute
	doneTTL    = 24 * time.Hour // Telegram delivers an update again for a day at most
)

// The forms of what keys are made of.
var (
	chatForm = regexp.MustCompile(`^-?\d{1,19}$`)
	userForm = regexp.MustCompile(`^\d{1,18}$`) // an int64 holds it
	subForm  = regexp.MustCompile(`^[0-9A-Za-z_-]{1,255}$`)
	uidForm  = regexp.MustCompile(`^[` + crockford + `]{26}$`)
	// emailForm leaves out what separates keys, and characters that no address needs.
	emailForm = regexp.MustCompile(`^[^\s:@/\\"<>\x00-\x1f\x7f]+@[^\s:@/\\"<>\x00-\x1f\x7f]+$`)
)

// connection is a Google account of a chat.
type connection struct {
	ChatID       string `json:"chat_id"`
	GoogleSub    string `json:"google_sub"`
	GoogleEmail  string `json:"google_email"` // lower case
	RefreshToken string `json:"refresh_token_encrypted"`
	Scopes       string `json:"scopes"`
	Revoked      int    `json:"revoked"`                       // 0 or 1
	ConnectedBy  *int64 `json:"connected_by_telegram_user_id"` // nil: unknown
	CreatedAt    string `json:"created_at"`
	UpdatedAt    string `json:"updated_at"`
}

func (c *connection) active() bool { return c.Revoked == 0 }

// entered is what the key of one chat of an e-mail holds.
type entered struct {
	ChatID string `json:"chat_id"`
	At     string `json:"updated_at"`
}

// mapping says which event of Google's is an account's copy of an event of the bot.
type mapping struct {
	ChatID        string  `json:"chat_id"`
	BotEventUID   string  `json:"bot_event_uid"`
	GoogleSub     string  `json:"google_sub"`
	GoogleEventID string  `json:"google_event_id"`
	EventTitle    *string `json:"event_title"`
	EventStart    *string `json:"event_start"`
	CreatedAt     string  `json:"created_at"`
	UpdatedAt     string  `json:"updated_at"`
}

// recent is an event in the array of a chat's recent ones.
type recent struct {
	BotEventUID string  `json:"bot_event_uid"`
	EventTitle  *string `json:"event_title"`
	EventStart  *string `json:"event_start"`
	CreatedAt   string  `json:"created_at"`
}

func (m *mapping) summary() recent {
	return recent{m.BotEventUID, m.EventTitle, m.EventStart, m.CreatedAt}
}

// oauthState is for whom a link to Google is.
type oauthState struct {
	ChatID string `json:"chat_id"`
	UserID string `json:"user_id"`
}

// oldTokens is how a chat's only account was stored before.
type oldTokens struct {
	AccessToken  string `json:"access_token"`
	RefreshToken string `json:"refresh_token"` // in clear
	LinkedBy     *int64 `json:"linkedBy"`
	LinkedAt     string `json:"linkedAt"`
	Scope        string `json:"scope"`
}

// oldSelection is the event that a person had selected before.
type oldSelection struct {
	EventID string `json:"eventId"`
}
