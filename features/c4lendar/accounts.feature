Feature: Accounts that are disconnected, and events from before the migration
  Updates have the form in which Telegram sends them. The harness plays the services google and telegram.

  Background:
    Given Chat stands for "-{number}"
    And Ana is a person
    And Ben is a person
    And the service telegram answers POST /bot* with 200 {"ok":true,"result":{}}
    And the service google answers POST /token with 200 {"access_token":"access-{tag}","expires_in":3599,"token_type":"Bearer"}
    And the service google answers POST /calendar/v3/calendars/primary/events with 200 {"kind":"calendar#event","status":"confirmed"}
    And the service google answers PATCH /calendar/v3/calendars/primary/events/* with 200 {"kind":"calendar#event"}
    And the service google answers DELETE /calendar/v3/calendars/primary/events/* with 204
    And Ana sends PUT /api/chats/{Chat}/connections/1 {"google_email":"{Ana.email}","refresh_token":"refresh-a-{tag}","scopes":"a"}
    And Ben sends PUT /api/chats/{Chat}/connections/21 {"google_email":"{Ben.email}","refresh_token":"refresh-b-{tag}","scopes":"a"}

  @CB-EVT-6
  Rule: Disconnecting an account removes its mappings in this chat and its token, and nothing else
    > Delete Event Mappings for Account (when #dis): filter to this google_sub. revoked: 1 = disconnected

    Background:
      Given Standup stands for "01JBZQ8F7VKPNX3QZ9M8J5K2W7"
      And Review stands for "01JBZR0A2VKPNX3QZ9M8J5K2W7"
      And Ana sends PUT /api/chats/{Chat}/events/{Standup}/mappings/1 {"google_event_id":"g1","event_title":"Standup","event_start":"2026-01-06T09:00:00+08:00"}
      And Ana sends PUT /api/chats/{Chat}/events/{Standup}/mappings/21 {"google_event_id":"g2","event_title":"Standup","event_start":"2026-01-06T09:00:00+08:00"}
      And Ana sends PUT /api/chats/{Chat}/events/{Review}/mappings/1 {"google_event_id":"g3","event_title":"Review","event_start":"2026-01-06T09:00:00+08:00"}
      And Ana sends PUT /api/chats/{Chat}9/connections/1 {"google_email":"{Ana.email}","refresh_token":"refresh-a-{tag}","scopes":"a"}
      And Ana sends PUT /api/chats/{Chat}9/events/{Standup}/mappings/1 {"google_event_id":"g4","event_title":"Standup","event_start":"2026-01-06T09:00:00+08:00"}

    Scenario: disconnecting account 1 leaves account 21 and other chats alone
      When Ana sends POST /telegram-webhook {"update_id":1,"message":{"message_id":1,"date":1769421600,"chat":{"id":{Chat}},"from":{"id":555},"text":"#dis {Ana.EMAIL}"}}
      Then the answer is 200
      And the keys with the prefix gc:event:{Chat}: are
        | gc:event:{Chat}:{Standup}:21 |
      And the key gc:event:{Chat}9:{Standup}:1 has
        | google_event_id | g4 |
      And the key gc:conn:{Chat}:1 has
        | revoked      | number 1    |
        | google_email | {Ana.email} |
      And the token of the key gc:conn:{Chat}:1 is ""
      And the key gc:conn:{Chat}:21 has
        | revoked | number 0 |
      And the token of the key gc:conn:{Chat}:21 is "refresh-b-{tag}"
      And the key gc:conn:{Chat}9:1 has
        | revoked | number 0 |
      And the service telegram was sent "{Chat}"
      When Ana sends GET /api/chats/{Chat}/events/recent
      Then "events" of the answer lists
        | bot_event_uid |
        | {Standup}     |
      When Ana sends GET /api/emails/{Ana.email}/chats
      Then "chats" of the answer has the items
        | {Chat}9 |

    Scenario: disconnecting an e-mail disconnects both of its accounts
      Given Ana sends PUT /api/chats/{Chat}/connections/3 {"google_email":"{Ana.email}","refresh_token":"refresh-c-{tag}","scopes":"a"}
      When Ana sends POST /telegram-webhook {"update_id":1,"message":{"message_id":1,"date":1769421600,"chat":{"id":{Chat}},"from":{"id":555},"text":"#dis {Ana.email}"}}
      Then the answer is 200
      And the key gc:conn:{Chat}:1 has
        | revoked | number 1 |
      And the key gc:conn:{Chat}:3 has
        | revoked | number 1 |
      When Ana sends GET /api/emails/{Ana.email}/chats
      Then "chats" of the answer has the items
        | {Chat}9 |

    Scenario: an account is disconnected whichever storage call fails
      When Ana sends POST /telegram-webhook {"update_id":1,"message":{"message_id":1,"date":1769421600,"chat":{"id":{Chat}},"from":{"id":555},"text":"#dis {Ana.email}"}}, and any one storage call fails
      Then the answer is 200
      And the keys with the prefix gc:event:{Chat}: are
        | gc:event:{Chat}:{Standup}:21 |
      And the key gc:conn:{Chat}:1 has
        | revoked | number 1 |
      And the token of the key gc:conn:{Chat}:1 is ""
      When Ana sends GET /api/chats/{Chat}/events/recent
      Then "events" of the answer lists
        | bot_event_uid |
        | {Standup}     |
      When Ana sends GET /api/emails/{Ana.email}/chats
      Then "chats" of the answer has the items
        | {Chat}9 |

    Scenario: the mappings of an account are deleted across all pages
      Given the store answers queries in pages of 1 row, with an empty page before each
      When Ana sends DELETE /api/chats/{Chat}/events?google_sub=1
      Then the answer has
        | deleted | number 2 |
      And the keys with the prefix gc:event:{Chat}: are
        | gc:event:{Chat}:{Standup}:21 |

    Scenario: disconnecting an unknown e-mail changes nothing
      When Ana sends POST /telegram-webhook {"update_id":1,"message":{"message_id":1,"date":1769421600,"chat":{"id":{Chat}},"from":{"id":555},"text":"#dis nobody-{tag}@example.com"}}
      Then the answer is 200
      And the key gc:conn:{Chat}:1 has
        | revoked | number 0 |
      And the key gc:conn:{Chat}:21 has
        | revoked | number 0 |
      And the key gc:event:{Chat}:{Standup}:1 has
        | google_event_id | g1 |
      And the service telegram was asked 1 time for POST /bot*

  @CB-TOK-1
  Rule: A token that Google refuses is never used, and a withdrawn one is forgotten
    > refreshAndGetAccessToken: return refreshed ? refreshed.access_token : null

    Background:
      Given Ben sends POST /api/chats/{Chat}/connections/21/revoke

    Scenario: an account whose token gets invalid_grant is disconnected
      Given the service google answers POST /token with 400 {"error":"invalid_grant"}
      When Ana sends POST /telegram-webhook {"update_id":1,"message":{"message_id":1,"date":1769421600,"chat":{"id":{Chat}},"from":{"id":555},"text":"#cal Team standup | 2026-12-01T09:00:00+08:00 | 2026-12-01T09:30:00+08:00"}}
      Then the answer is 200
      And the service google was asked 0 times for POST /calendar/v3/calendars/primary/events
      And the key gc:conn:{Chat}:1 has
        | revoked | number 1 |
      And there is no key with the prefix gc:event:{Chat}:
      And the service telegram was asked 1 time for POST /bot*

    Scenario Outline: a token is kept and not used when Google answers <answer>
      Given the service google answers POST /token with <answer>
      When Ana sends POST /telegram-webhook {"update_id":1,"message":{"message_id":1,"date":1769421600,"chat":{"id":{Chat}},"from":{"id":555},"text":"#cal Team standup | 2026-12-01T09:00:00+08:00 | 2026-12-01T09:30:00+08:00"}}
      Then the answer is <status>
      And the service google was asked 0 times for POST /calendar/v3/calendars/primary/events
      And the token of the key gc:conn:{Chat}:1 is "refresh-a-{tag}"
      And the key gc:conn:{Chat}:1 has
        | revoked | number 0 |
      And there is no key with the prefix gc:event:{Chat}:

      Examples:
        | answer                          | status |
        | 401 {"error":"invalid_client"}  | 200    |
        | 400 {"error":"invalid_request"} | 200    |
        | 503 {"error":"busy"}            | 503    |
        | 429 {"error":"slow_down"}       | 503    |

    Scenario: an account with invalid_grant is disconnected whichever storage call fails
      Given the service google answers POST /token with 400 {"error":"invalid_grant"}
      When Ana sends POST /telegram-webhook {"update_id":1,"message":{"message_id":1,"date":1769421600,"chat":{"id":{Chat}},"from":{"id":555},"text":"#cal Team standup | 2026-12-01T09:00:00Z"}}, and any one storage call fails
      Then the answer is 200
      And the key gc:conn:{Chat}:1 has
        | revoked | number 1 |
      When Ana sends GET /api/emails/{Ana.email}/chats
      Then "chats" of the answer is empty

    Scenario: deleting an event with invalid_grant disconnects the account
      Given Ana sends PUT /api/chats/{Chat}/events/01JBZQ8F7VKPNX3QZ9M8J5K2W7/mappings/1 {"google_event_id":"g1-{tag}","event_title":"Standup","event_start":"2026-01-06T09:00:00+08:00"}
      And the service google answers POST /token with 400 {"error":"invalid_grant"}
      When Ana sends POST /telegram-webhook {"update_id":1,"message":{"message_id":1,"date":1769421600,"chat":{"id":{Chat}},"from":{"id":555},"text":"#del EVT-01JBZQ8F"}}
      Then the answer is 200
      And there is no key with the prefix gc:event:{Chat}:
      And the key gc:conn:{Chat}:1 has
        | revoked | number 1 |

  @CB-MIG-2
  Rule: An event selected before the migration can still be changed and deleted
    > Keep selected_event keys temporarily for backward compatibility during transition

    Background:
      Given Ben sends POST /api/chats/{Chat}/connections/21/revoke
      And the key selected_event:{Chat}:555 is
        """
        {"eventId":"old-{tag}","event":{"summary":"Old"},"createdAt":"2026-01-05T10:30:00.000Z"}
        """

    Scenario Outline: an old selection is used by <command>
      When Ana sends POST /telegram-webhook {"update_id":1,"message":{"message_id":1,"date":1769421600,"chat":{"id":{Chat}},"from":{"id":555},"text":"<command>"}}
      Then the answer is 200
      And the service google was asked 1 time for <method> /calendar/v3/calendars/primary/events/old-{tag}
      And the key selected_event:{Chat}:555 has
        | eventId | old-{tag} |

      Examples:
        | command                    | method |
        | #del                       | DELETE |
        | #alt {\"title\":\"Daily\"} | PATCH  |

    Scenario: changing an old selection sends Google its title and times
      When Ana sends POST /telegram-webhook {"update_id":1,"message":{"message_id":1,"date":1769421600,"chat":{"id":{Chat}},"from":{"id":555},"text":"#alt Daily | 2026-12-02T09:00:00Z"}}
      Then the answer is 200
      And what matches "\Wsummary\W+(Daily)\W" in what the service google was sent is called Title
      And what matches "\Wstart\W[^}]*(2026-12-02T09:00:00)" in what the service google was sent is called Start

    Scenario Outline: an old selection gets 503 when Google does not answer <command>
      Given the service google answers <method> /calendar/v3/calendars/primary/events/* with 503 {"error":{"code":503}}
      When Ana sends POST /telegram-webhook {"update_id":1,"message":{"message_id":1,"date":1769421600,"chat":{"id":{Chat}},"from":{"id":555},"text":"<command>"}}
      Then the answer is 503

      Examples:
        | command                    | method |
        | #del                       | DELETE |
        | #alt {\"title\":\"Daily\"} | PATCH  |

    Scenario: an old selection is deleted at Google whichever storage call fails
      When Ana sends POST /telegram-webhook {"update_id":1,"message":{"message_id":1,"date":1769421600,"chat":{"id":{Chat}},"from":{"id":555},"text":"#del"}}, and any one storage call fails
      Then the answer is 200
      And the service google was sent "DELETE /calendar/v3/calendars/primary/events/old-{tag}"

    Scenario Outline: a selection that is <what> deletes nothing
      Given the key selected_event:{Chat}:555 is
        """
        <value>
        """
      When Ana sends POST /telegram-webhook {"update_id":1,"message":{"message_id":1,"date":1769421600,"chat":{"id":{Chat}},"from":{"id":555},"text":"#del"}}
      Then the answer is 200
      And the service google was asked 0 times for DELETE /calendar/v3/calendars/primary/events/*

      Examples:
        | what            | value                       |
        | not JSON        | old-{tag}                   |
        | without an id   | {"event":{"summary":"Old"}} |

    Scenario: a title that matches no event does not mean the old selection
      When Ana sends POST /telegram-webhook {"update_id":1,"message":{"message_id":1,"date":1769421600,"chat":{"id":{Chat}},"from":{"id":555},"text":"#del nothing"}}
      Then the answer is 200
      And the service google was asked 0 times for DELETE /calendar/v3/calendars/primary/events/*

    Scenario: another person's old selection is not deleted
      When Ana sends POST /telegram-webhook {"update_id":1,"message":{"message_id":1,"date":1769421600,"chat":{"id":{Chat}},"from":{"id":556},"text":"#del"}}
      Then the answer is 200
      And the service google was asked 0 times for DELETE /calendar/v3/calendars/primary/events/*

    Scenario: an event of the new form takes precedence over the old selection
      Given Ana sends POST /telegram-webhook {"update_id":1,"message":{"message_id":1,"date":1769421600,"chat":{"id":{Chat}},"from":{"id":555},"text":"#cal Team standup | 2026-12-01T09:00:00+08:00 | 2026-12-01T09:30:00+08:00"}}
      When Ana sends POST /telegram-webhook {"update_id":2,"message":{"message_id":2,"date":1769421700,"chat":{"id":{Chat}},"from":{"id":555},"text":"#del"}}
      Then the answer is 200
      And the service google was asked 0 times for DELETE /calendar/v3/calendars/primary/events/old-{tag}
      And the service google was asked 1 time for DELETE /calendar/v3/calendars/primary/events/*
      And there is no key with the prefix gc:event:{Chat}:
