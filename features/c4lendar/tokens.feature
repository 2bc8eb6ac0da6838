Feature: Tokens at rest, and how they arrive

  Background:
    Given Chat stands for "-{number}"
    And Ana is a person

  @CB-ENC-1
  Rule: A token is stored as AES-256-GCM, in base64, under the first 32 characters of ENCRYPTION_KEY
    > Combine IV + ciphertext. iv: 12 bytes, tagLength: 128. btoa. ENCRYPTION_KEY: 32+ character random string, slice(0, 32)

    Scenario Outline: a token of <what> is stored encrypted and decrypts to itself
      When Ana sends PUT /api/chats/{Chat}/connections/115 {"google_email":"{Ana.email}","refresh_token":"<token>","scopes":"a"}
      Then the answer is 200
      And the token of the key gc:conn:{Chat}:115 is "<token>"

      Examples:
        | what        | token               |
        | 1 character | a                   |
        | Google      | 1//0g-{tag}_x       |
        | 512 letters | {512×a}             |
        | umlauts     | geheimnis-äöü-{tag} |

    Scenario: a token encrypted by the design's own JavaScript is used
      Given the service google answers POST /token with 200 {"access_token":"access-{tag}","expires_in":3599}
      And the service google answers POST /calendar/v3/calendars/primary/events with 200 {"kind":"calendar#event"}
      And the service telegram answers POST /bot* with 200 {"ok":true}
      And the key gc:conn:{Chat}:115 is
        """
        {"chat_id":"{Chat}","google_sub":"115","google_email":"{Ana.email}","refresh_token_encrypted":"AQIDBAUGBwgJCgsMfI13XEWPlZps9xej7G6ULZCCk40lZXrKt4lg13B02g==","scopes":"a","revoked":0,"connected_by_telegram_user_id":1,"created_at":"2026-01-05T10:30:00.000Z","updated_at":"2026-01-05T10:30:00.000Z"}
        """
      And the token of the key gc:conn:{Chat}:115 is "refresh-of-node"
      When Ana sends POST /telegram-webhook {"update_id":1,"message":{"message_id":1,"date":1769421600,"chat":{"id":{Chat}},"from":{"id":555},"text":"#cal Standup | 2026-12-01T09:00:00+08:00"}}
      Then the answer is 200
      And the service google was sent "refresh-of-node"
      And the service google was asked 1 time for POST /calendar/v3/calendars/primary/events

    Scenario Outline: a server with the ENCRYPTION_KEY "<key>" refuses to start
      Then a fresh target does not start with ENCRYPTION_KEY "<key>"

      Examples:
        | key                              |
        |                                  |
        | 0123456789abcdef0123456789abcde  |
        | 0123456789abcdef0123456789abcdeü |

  @CB-ENC-2
  Rule: No two tokens share an IV, and a token that was tampered with is not used
    > Generate random 12-byte IV

    Scenario: one token for 16 accounts gets an IV for each write
      Given Ana sends 16 times one after the other PUT /api/chats/{Chat}/connections/{i} {"google_email":"{Ana.email}","refresh_token":"refresh-{tag}","scopes":"a"}
      When Ana sends PUT /api/chats/{Chat}/connections/1 {"google_email":"{Ana.email}","refresh_token":"refresh-{tag}","scopes":"a"}
      Then the answer is 200
      And each token that was written has an IV of its own

    Scenario: IVs are not repeated after a restart
      Given Ana sends PUT /api/chats/{Chat}/connections/1 {"google_email":"{Ana.email}","refresh_token":"refresh-{tag}","scopes":"a"}
      When the target starts again
      And Ana sends PUT /api/chats/{Chat}/connections/1 {"google_email":"{Ana.email}","refresh_token":"refresh-{tag}","scopes":"a"}
      Then each token that was written has an IV of its own

    Scenario Outline: a damaged stored token is not used: <what>
      Given the service google answers POST /token with 200 {"access_token":"access-{tag}","expires_in":3599}
      And the service google answers POST /calendar/v3/calendars/primary/events with 200 {"kind":"calendar#event"}
      And the service telegram answers POST /bot* with 200 {"ok":true}
      And the key gc:conn:{Chat}:115 is
        """
        {"chat_id":"{Chat}","google_sub":"115","google_email":"{Ana.email}","refresh_token_encrypted":"<token>","scopes":"a","revoked":0,"connected_by_telegram_user_id":1,"created_at":"2026-01-05T10:30:00.000Z","updated_at":"2026-01-05T10:30:00.000Z"}
        """
      When Ana sends POST /telegram-webhook {"update_id":1,"message":{"message_id":1,"date":1769421600,"chat":{"id":{Chat}},"from":{"id":555},"text":"#cal Standup | 2026-12-01T09:00:00+08:00"}}
      Then the answer is 200
      And the service google was asked 0 times for POST /token
      And the service google was asked 0 times for POST /calendar/v3/calendars/primary/events
      And there is no key with the prefix gc:event:{Chat}:
      And the key gc:conn:{Chat}:115 has
        | revoked | number 0 |

      Examples:
        | what                | token                                                        |
        | another first byte  | AgIDBAUGBwgJCgsMfI13XEWPlZps9xej7G6ULZCCk40lZXrKt4lg13B02g== |
        | another letter      | AQIDBAUGBwgJCgsMfI13XEWPlZps9xej7G6VLZCCk40lZXrKt4lg13B02g== |
        | another tag         | AQIDBAUGBwgJCgsMfI13XEWPlZps9xej7G6ULZCCk40lZXrKt4lg13B02w== |
        | too short for a tag | AQIDBAUGBwgJCgsMfI13                                         |
        | too short for an IV | AQID                                                         |
        | not base64          | refresh-of-node!                                             |
        | a token in clear    | 1//0gRefreshOfSomebodyWhoWroteItByHand                       |

  @CB-ENC-3
  Rule: No token in clear is in the store, in the log or in an answer
    > Encryption: all refresh tokens encrypted with AES-GCM. refreshAndGetAccessToken

    Background:
      Given Secret stands for "refresh-{tag}-of-ana"
      And the service google answers POST /token with 200 {"access_token":"access-{tag}","refresh_token":"{Secret}","scope":"a","expires_in":3599}
      And the service google answers GET /oauth2/v2/userinfo with 200 {"id":"115","email":"{Ana.email}"}
      And the service telegram answers POST /bot* with 200 {"ok":true}

    Scenario: a token sent to the API never appears in clear
      When Ana sends PUT /api/chats/{Chat}/connections/115 {"google_email":"{Ana.email}","refresh_token":"{Secret}","scopes":"a"}
      Then the answer does not contain "{Secret}"
      And the answer does not contain "refresh_token"
      And the log does not contain "{Secret}"
      And no storage call of the scenario holds "{Secret}"
      When Ana sends GET /api/chats/{Chat}/connections
      Then the answer does not contain "{Secret}"
      And the answer does not contain "refresh_token"
      When Ana sends GET /api/chats/{Chat}/connections?email={Ana.email}
      Then the answer does not contain "refresh_token"
      When Ana sends POST /api/chats/{Chat}/connections/115/revoke
      Then the answer does not contain "refresh_token"

    Scenario: a token received from Google never appears in clear
      Given Nobody sends GET /oauth/start?chatId={Chat}&userId=555
      And what matches "state=([^&]+)" in the header Location of the answer is called State
      When Nobody sends GET /oauth/callback?code=code-{tag}&state={State}
      Then the answer is 200
      And the token of the key gc:conn:{Chat}:115 is "{Secret}"
      And the answer does not contain "{Secret}"
      And the log does not contain "{Secret}"
      And no storage call of the scenario holds "{Secret}"

    Scenario: a token sent while the store is down never appears in clear
      Given storage is down
      When Ana sends PUT /api/chats/{Chat}/connections/115 {"google_email":"{Ana.email}","refresh_token":"{Secret}","scopes":"a"}
      Then the answer is 503 storage_unavailable
      And the answer does not contain "{Secret}"
      And the log does not contain "{Secret}"
      And no storage call of the scenario holds "{Secret}"

    Scenario: a token that Google refuses never appears in clear
      Given Ana sends PUT /api/chats/{Chat}/connections/115 {"google_email":"{Ana.email}","refresh_token":"{Secret}","scopes":"a"}
      And the service google answers POST /token with 400 {"error":"invalid_grant","error_description":"{Secret} was taken back"}
      When Ana sends POST /telegram-webhook {"update_id":1,"message":{"message_id":1,"date":1769421600,"chat":{"id":{Chat}},"from":{"id":555},"text":"#cal Standup | 2026-12-01T09:00:00+08:00"}}
      Then the answer is 200
      And the service google was sent "{Secret}"
      And the answer does not contain "{Secret}"
      And the service telegram was not sent "{Secret}"
      And the log does not contain "{Secret}"
      And no storage call of the scenario holds "{Secret}"

  @CB-ENC-4
  Rule: After a rotation the previous key can still read, and the new key encrypts all writes
    > Required Environment Variable: ENCRYPTION_KEY
    > (contract) ENCRYPTION_KEY_PREVIOUS is tried where ENCRYPTION_KEY does not decrypt.

    Background:
      Given the service google answers POST /token with 200 {"access_token":"access-{tag}","expires_in":3599}
      And the service google answers POST /calendar/v3/calendars/primary/events with 200 {"kind":"calendar#event"}
      And the service telegram answers POST /bot* with 200 {"ok":true}

    Scenario: a token encrypted under the previous key is used
      Given the key gc:conn:{Chat}:115 is
        """
        {"chat_id":"{Chat}","google_sub":"115","google_email":"{Ana.email}","refresh_token_encrypted":"AQIDBAUGBwgJCgsMxF3SucedJDzXfFgWXgMJeIvOf3zWkjnELHs3d5xlJ5wg","scopes":"a","revoked":0,"connected_by_telegram_user_id":1,"created_at":"2026-01-05T10:30:00.000Z","updated_at":"2026-01-05T10:30:00.000Z"}
        """
      When Ana sends POST /telegram-webhook {"update_id":1,"message":{"message_id":1,"date":1769421600,"chat":{"id":{Chat}},"from":{"id":555},"text":"#cal Standup | 2026-12-01T09:00:00+08:00"}}
      Then the answer is 200
      And the service google was sent "refresh-of-before"
      And the service google was asked 1 time for POST /calendar/v3/calendars/primary/events
      When Ana sends PUT /api/chats/{Chat}/connections/115 {"google_email":"{Ana.email}","refresh_token":"refresh-{tag}","scopes":"a"}
      Then the token of the key gc:conn:{Chat}:115 is "refresh-{tag}"

    Scenario: repair encrypts tokens of the previous key again under the new key
      Given a fresh target with BUILD_SHA "of today"
      And the service google answers POST /token with 200 {"access_token":"access-{tag}","expires_in":3599}
      And the service google answers POST /calendar/v3/calendars/primary/events with 200 {"kind":"calendar#event"}
      And the service telegram answers POST /bot* with 200 {"ok":true}
      And the key gc:conn:{Chat}:115 is
        """
        {"chat_id":"{Chat}","google_sub":"115","google_email":"{Ana.email}","refresh_token_encrypted":"AQIDBAUGBwgJCgsMxF3SucedJDzXfFgWXgMJeIvOf3zWkjnELHs3d5xlJ5wg","scopes":"a","revoked":0,"connected_by_telegram_user_id":1,"created_at":"2026-01-05T10:30:00.000Z","updated_at":"2026-01-05T10:30:00.000Z"}
        """
      And the key gc:conn:{Chat}:116 is
        """
        {"chat_id":"{Chat}","google_sub":"116","google_email":"{Ana.email}","refresh_token_encrypted":"refresh-of-nobody","scopes":"a","revoked":0,"connected_by_telegram_user_id":1,"created_at":"2026-01-05T10:30:00.000Z","updated_at":"2026-01-05T10:30:00.000Z"}
        """
      When Ana sends POST /api/admin/repair {} on and on, with "cursor" of each answer
      Then the answer is 200
      And the key gc:conn:{Chat}:115 has
        | revoked                       | number 0    |
        | google_email                  | {Ana.email} |
        | connected_by_telegram_user_id | number 1    |
      And the key gc:conn:{Chat}:116 has
        | refresh_token_encrypted | refresh-of-nobody |
      When the target starts again with ENCRYPTION_KEY_PREVIOUS ""
      And Ana sends POST /telegram-webhook {"update_id":1,"message":{"message_id":1,"date":1769421600,"chat":{"id":{Chat}},"from":{"id":555},"text":"#cal Standup | 2026-12-01T09:00:00+08:00"}}
      Then the answer is 200
      And the service google was sent "refresh-of-before"

    @reference
    Scenario: a connection stored during repair keeps its own token
      Given the key gc:conn:{Chat}:115 is
        """
        {"chat_id":"{Chat}","google_sub":"115","google_email":"{Ana.email}","refresh_token_encrypted":"AQIDBAUGBwgJCgsMxF3SucedJDzXfFgWXgMJeIvOf3zWkjnELHs3d5xlJ5wg","scopes":"a","revoked":0,"connected_by_telegram_user_id":1,"created_at":"2026-01-05T10:30:00.000Z","updated_at":"2026-01-05T10:30:00.000Z"}
        """
      And after the 3rd read on KV of the next request Ana sends PUT /api/chats/{Chat}/connections/115 {"google_email":"{Ana.email}","refresh_token":"refresh-{tag}","scopes":"a"}
      When Ana sends POST /api/admin/repair {}
      Then the answer is 200
      And the token of the key gc:conn:{Chat}:115 is "refresh-{tag}"

    Scenario: a token of an unknown previous key is not used
      Given a fresh target with ENCRYPTION_KEY_PREVIOUS ""
      And the service google answers POST /token with 200 {"access_token":"access-{tag}","expires_in":3599}
      And the service telegram answers POST /bot* with 200 {"ok":true}
      And the key gc:conn:{Chat}:115 is
        """
        {"chat_id":"{Chat}","google_sub":"115","google_email":"{Ana.email}","refresh_token_encrypted":"AQIDBAUGBwgJCgsMxF3SucedJDzXfFgWXgMJeIvOf3zWkjnELHs3d5xlJ5wg","scopes":"a","revoked":0,"connected_by_telegram_user_id":1,"created_at":"2026-01-05T10:30:00.000Z","updated_at":"2026-01-05T10:30:00.000Z"}
        """
      When Ana sends POST /telegram-webhook {"update_id":1,"message":{"message_id":1,"date":1769421600,"chat":{"id":{Chat}},"from":{"id":555},"text":"#cal Standup | 2026-12-01T09:00:00+08:00"}}
      Then the answer is 200
      And the service google was asked 0 times for POST /token

  @CB-OAUTH-1
  Rule: Google's answer is for the chat and the person who asked, once, and only for ten minutes
    > Usage in OAuth Callback: chat_id: chatId, connected_by_telegram_user_id: userId
    > (contract) The state is used once, is bound to chat and user, and expires.

    Background:
      Given the service google answers POST /token with 200 {"access_token":"access-{tag}","refresh_token":"refresh-{tag}","scope":"https://www.googleapis.com/auth/calendar.events","expires_in":3599}
      And the service google answers GET /oauth2/v2/userinfo with 200 {"id":"115","email":"{Ana.EMAIL}"}
      And Nobody sends GET /oauth/start?chatId={Chat}&userId=555
      And the answer is 302
      And what matches "state=([^&]+)" in the header Location of the answer is called State

    Scenario: a callback with a valid state connects the account
      When Nobody sends GET /oauth/callback?code=code-{tag}&state={State}
      Then the answer is 200
      And the service google was sent "code-{tag}"
      And the service google was sent "Bearer access-{tag}"
      And the token of the key gc:conn:{Chat}:115 is "refresh-{tag}"
      And the key gc:conn:{Chat}:115 has
        | chat_id                       | {Chat}                                          |
        | google_sub                    | 115                                             |
        | google_email                  | {Ana.email}                                     |
        | scopes                        | https://www.googleapis.com/auth/calendar.events |
        | revoked                       | number 0                                        |
        | connected_by_telegram_user_id | number 555                                      |
        | created_at                    | a time                                          |
      When Ana sends GET /api/emails/{Ana.email}/chats
      Then "chats" of the answer has the items
        | {Chat} |

    Scenario: a callback used a second time is refused
      Given Nobody sends GET /oauth/callback?code=code-{tag}&state={State}
      And Ana sends DELETE /api/chats/{Chat}/connections/115
      When Nobody sends GET /oauth/callback?code=again-{tag}&state={State}
      Then the answer is 400
      And there is no key gc:conn:{Chat}:115
      And the service google was not sent "again-{tag}"

    Scenario: a callback after nine minutes still connects
      Given the store's clock is 9 minutes ahead
      When Nobody sends GET /oauth/callback?code=code-{tag}&state={State}
      Then the answer is 200
      And the token of the key gc:conn:{Chat}:115 is "refresh-{tag}"

    @reference
    Scenario: a callback after eleven minutes is refused
      Given the store's clock is 11 minutes ahead
      When Nobody sends GET /oauth/callback?code=code-{tag}&state={State}
      Then the answer is 400
      And there is no key with the prefix gc:conn:{Chat}:

    Scenario Outline: an invalid callback connects nothing: <what>
      Given Tampered stands for {State} with another letter in its middle
      When Nobody sends GET /oauth/callback?<query>
      Then the answer is <status>
      And there is no key with the prefix gc:conn:{Chat}:
      And the service google was asked 0 times for POST /token

      Examples:
        | what               | query                             | status     |
        | no state           | code=code-{tag}                   | 400        |
        | another state      | code=code-{tag}&state={Tampered}  | 400        |
        | an empty state     | code=code-{tag}&state=            | 400        |
        | no code            | state={State}                     | 200 or 400 |
        | a person's refusal | error=access_denied&state={State} | 200 or 400 |

    Scenario: the links to Google carry client, redirect, scope and state
      When Nobody sends GET /oauth/start?chatId={Chat}&userId=555
      Then what matches "^http://[^/]+/o/oauth2/v2/auth\?(.*client_id=storespec\.apps\.example)" in the header Location of the answer is called Client
      And what matches "[?&]redirect_uri=(https(?:%3A|:)(?:%2F|/){2}c4lendar\.example(?:%2F|/)oauth(?:%2F|/)callback)(?:&|$)" in the header Location of the answer is called Redirect
      And what matches "[?&]response_type=(code)" in the header Location of the answer is called Type
      And what matches "[?&]access_type=(offline)" in the header Location of the answer is called Access
      And what matches "[?&]scope=([^&]*calendar\.events)" in the header Location of the answer is called Scope
      When Nobody sends GET /oauth/callback?code=code-{tag}&state={State}
      Then the answer is 200
      And the service google was sent "grant_type=authorization_code"
      And the service google was sent "client_id=storespec.apps.example"
      And the service google was sent "client_secret=storespec-client-secret"
      And what matches "redirect_uri=(https(?:%3A|:)(?:%2F|/){2}c4lendar\.example(?:%2F|/)oauth(?:%2F|/)callback)" in what the service google was sent is called Sent

    Scenario Outline: a callback connects nothing when Google's answer is unusable: <what>
      Given the service google answers <request> with <answer>
      When Nobody sends GET /oauth/callback?code=code-{tag}&state={State}
      Then the answer is <status>
      And there is no key with the prefix gc:conn:{Chat}:

      Examples:
        | what                    | request                  | answer                                       | status     |
        | no token to keep        | POST /token              | 200 {"access_token":"access-{tag}"}          | 400        |
        | not JSON                | POST /token              | 200 access                                   | 400 or 502 |
        | a busy service          | POST /token              | 503 {"error":"busy"}                         | 502 or 503 |
        | no account              | GET /oauth2/v2/userinfo  | 403 {"error":{"code":403}}                   | 400 or 502 |
        | no owner                | GET /oauth2/v2/userinfo  | 500 {"error":{"code":500}}                   | 502 or 503 |
        | an account with a colon | GET /oauth2/v2/userinfo  | 200 {"id":"1:2","email":"ana@example.com"}   | 400 or 502 |
        | an e-mail without an at | GET /oauth2/v2/userinfo  | 200 {"id":"115","email":"ana"}               | 400 or 502 |

    Scenario: a callback that failed during an outage can be repeated
      Given storage is down
      And Nobody sends GET /oauth/callback?code=code-{tag}&state={State}
      And the answer is 503 storage_unavailable
      And storage is back
      When Nobody sends GET /oauth/callback?code=code-{tag}&state={State}
      Then the answer is 200
      And the token of the key gc:conn:{Chat}:115 is "refresh-{tag}"

    Scenario: a callback that failed while Google was busy can be repeated
      Given the service google answers POST /token with 503 {"error":"busy"}
      And Nobody sends GET /oauth/callback?code=code-{tag}&state={State}
      And the service google answers POST /token with 200 {"access_token":"access-{tag}","refresh_token":"refresh-{tag}","scope":"a","expires_in":3599}
      When Nobody sends GET /oauth/callback?code=code-{tag}&state={State}
      Then the answer is 200
      And the token of the key gc:conn:{Chat}:115 is "refresh-{tag}"

    Scenario: a code that Google does not know connects nothing
      Given the service google answers POST /token with 400 {"error":"invalid_grant"}
      When Nobody sends GET /oauth/callback?code=code-{tag}&state={State}
      Then the answer is 400 or 502
      And there is no key with the prefix gc:conn:{Chat}:

    Scenario Outline: a link for <query> is refused
      When Nobody sends GET /oauth/start?<query>
      Then the answer is 400

      Examples:
        | query                      |
        | userId=555                 |
        | chatId={Chat}              |
        | chatId=a:b&userId=555      |
        | chatId={Chat}&userId=5%3A5 |
