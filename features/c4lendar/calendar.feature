Feature: Events that people create, change and delete by writing to the bot
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

  @CB-EVT-7
  Rule: The author of an event gets its reference, and can use it
    > First 8 characters for the user: "01JBZQ8F". Ref: EVT-${shortRef}

    Scenario: a new event is changed and deleted by the reference in the reply
      When Ana sends POST /telegram-webhook {"update_id":1,"message":{"message_id":1,"date":1769421600,"chat":{"id":{Chat}},"from":{"id":555},"text":"#cal Team standup | 2026-12-01T09:00:00+08:00 | 2026-12-01T09:30:00+08:00"}}
      Then the answer is 200
      And what matches "EVT-([0-9A-Z]{8})\b" in what the service telegram was sent is called Ref
      When Ana sends GET /api/chats/{Chat}/events/resolve?ref={Ref}
      Then the answer is 200
      And "bot_event_uid" of the answer is called Uid
      And the key gc:event:{Chat}:{Uid}:1 has
        | event_title | Team standup              |
        | event_start | 2026-12-01T09:00:00+08:00 |
      When Ana sends POST /telegram-webhook {"update_id":2,"message":{"message_id":2,"date":1769421700,"chat":{"id":{Chat}},"from":{"id":555},"text":"#alt EVT-{Ref} {\"title\":\"Daily\"}"}}
      Then the answer is 200
      And the key gc:event:{Chat}:{Uid}:1 has
        | event_title | Daily                     |
        | event_start | 2026-12-01T09:00:00+08:00 |
      And the key gc:event:{Chat}:{Uid}:21 has
        | event_title | Daily |
      And the key gc:event:{Chat}:{Uid}:21 expires in 90 days
      And the service google was asked 2 times for PATCH /calendar/v3/calendars/primary/events/*
      When Ana sends GET /api/chats/{Chat}/events/recent
      Then "events" of the answer lists
        | bot_event_uid | event_title |
        | {Uid}         | Daily       |
      When Ana sends POST /telegram-webhook {"update_id":3,"message":{"message_id":3,"date":1769421800,"chat":{"id":{Chat}},"from":{"id":555},"text":"#del EVT-{Ref}"}}
      Then the answer is 200
      And there is no key with the prefix gc:event:{Chat}:
      And the service google was asked 2 times for DELETE /calendar/v3/calendars/primary/events/*
      When Ana sends GET /api/chats/{Chat}/events/recent
      Then "events" of the answer is empty

    Scenario: #del deletes the most recent event or the one whose title matches
      Given Ana sends POST /telegram-webhook {"update_id":1,"message":{"message_id":1,"date":1769421600,"chat":{"id":{Chat}},"from":{"id":555},"text":"#cal {\"title\":\"Standup\",\"start\":\"2026-12-01T09:00:00+08:00\",\"end\":\"2026-12-01T09:30:00+08:00\"}"}}
      And Ana sends POST /telegram-webhook {"update_id":2,"message":{"message_id":2,"date":1769421700,"chat":{"id":{Chat}},"from":{"id":555},"text":"#cal {\"title\":\"Review\",\"start\":\"2026-12-02T09:00:00+08:00\"}"}}
      And Ana sends POST /telegram-webhook {"update_id":3,"message":{"message_id":3,"date":1769421800,"chat":{"id":{Chat}},"from":{"id":555},"text":"#cal {\"title\":\"Lunch\",\"start\":\"2026-12-03T09:00:00+08:00\"}"}}
      When Ana sends POST /telegram-webhook {"update_id":4,"message":{"message_id":4,"date":1769421900,"chat":{"id":{Chat}},"from":{"id":555},"text":"#del"}}
      And Ana sends POST /telegram-webhook {"update_id":5,"message":{"message_id":5,"date":1769422000,"chat":{"id":{Chat}},"from":{"id":555},"text":"#del STAND"}}
      And Ana sends GET /api/chats/{Chat}/events/recent
      Then "events" of the answer lists
        | event_title |
        | Review      |

    Scenario: #alt with a new time moves the event at every account
      Given Ana sends PUT /api/chats/{Chat}/events/01JBZQ8F7VKPNX3QZ9M8J5K2W7/mappings/1 {"google_event_id":"g1-{tag}","event_title":"Standup","event_start":"2026-01-06T09:00:00+08:00"}
      And Ana sends PUT /api/chats/{Chat}/events/01JBZQ8F7VKPNX3QZ9M8J5K2W7/mappings/21 {"google_event_id":"g2-{tag}","event_title":"Standup","event_start":"2026-01-06T09:00:00+08:00"}
      When Ana sends POST /telegram-webhook {"update_id":1,"message":{"message_id":1,"date":1769421600,"chat":{"id":{Chat}},"from":{"id":555},"text":"#alt evt-01jbzq8f | 2026-12-02T09:00:00Z | 2026-12-02T09:45:00Z"}}
      Then the answer is 200
      And what matches "\Wstart\W[^}]*(2026-12-02T09:00:00)" in what the service google was sent is called Start
      And what matches "\Wend\W[^}]*(2026-12-02T09:45:00)" in what the service google was sent is called End
      And the key gc:event:{Chat}:01JBZQ8F7VKPNX3QZ9M8J5K2W7:1 has
        | event_title     | Standup              |
        | event_start     | 2026-12-02T09:00:00Z |
        | google_event_id | g1-{tag}             |
      When Ana sends GET /api/chats/{Chat}/events/recent
      Then "events" of the answer lists
        | event_title | event_start          |
        | Standup     | 2026-12-02T09:00:00Z |

    Scenario Outline: <command> calls Google with an access token
      Given Ana sends PUT /api/chats/{Chat}/events/01JBZQ8F7VKPNX3QZ9M8J5K2W7/mappings/1 {"google_event_id":"g1-{tag}","event_title":"Standup","event_start":"2026-01-06T09:00:00+08:00"}
      When Ana sends POST /telegram-webhook {"update_id":1,"message":{"message_id":1,"date":1769421600,"chat":{"id":{Chat}},"from":{"id":555},"text":"<command>"}}
      Then the answer is 200
      And what matches "^<method> /calendar/v3/calendars/primary/events/g1-[^\n]*\n(Bearer access-)" in what the service google was sent is called Access

      Examples:
        | command                 | method |
        | #alt EVT-01JBZQ8F Daily | PATCH  |
        | #del EVT-01JBZQ8F       | DELETE |

    Scenario: #alt with JSON changes both title and time
      Given Ana sends PUT /api/chats/{Chat}/events/01JBZQ8F7VKPNX3QZ9M8J5K2W7/mappings/1 {"google_event_id":"g1-{tag}","event_title":"Standup","event_start":"2026-01-06T09:00:00+08:00"}
      And Ana sends PUT /api/chats/{Chat}/events/01JBZQ8F7VKPNX3QZ9M8J5K2W7/mappings/21 {"google_event_id":"g2-{tag}","event_title":"Standup","event_start":"2026-01-06T09:00:00+08:00"}
      When Ana sends POST /telegram-webhook {"update_id":1,"message":{"message_id":1,"date":1769421600,"chat":{"id":{Chat}},"from":{"id":555},"text":"#alt 01JBZQ8F {\"title\":\"Daily\",\"start\":\"2026-12-02T09:00:00Z\"}"}}
      Then the answer is 200
      And what matches "\Wsummary\W+(Daily)\W" in what the service google was sent is called Title
      And the key gc:event:{Chat}:01JBZQ8F7VKPNX3QZ9M8J5K2W7:21 has
        | event_title | Daily                |
        | event_start | 2026-12-02T09:00:00Z |

    @reference
    Scenario: fields that do not change are not sent to Google
      Given Ana sends PUT /api/chats/{Chat}/events/01JBZQ8F7VKPNX3QZ9M8J5K2W7/mappings/1 {"google_event_id":"g1-{tag}","event_title":"Standup","event_start":"2026-01-06T09:00:00+08:00"}
      When Ana sends POST /telegram-webhook {"update_id":1,"message":{"message_id":1,"date":1769421600,"chat":{"id":{Chat}},"from":{"id":555},"text":"#alt EVT-01JBZQ8F Daily"}}
      Then the answer is 200
      And the service google was sent "Daily"
      And the service google was not sent "start"
      And the service google was not sent "dateTime"
      When Ana sends POST /telegram-webhook {"update_id":2,"message":{"message_id":2,"date":1769421700,"chat":{"id":{Chat}},"from":{"id":555},"text":"#alt EVT-01JBZQ8F | 2026-12-02T09:00:00Z"}}
      Then the answer is 200
      And the service google was not sent "Standup"

    @reference
    Scenario: a title that does not change is not sent empty
      Given Ana sends PUT /api/chats/{Chat}/events/01JBZQ8F7VKPNX3QZ9M8J5K2W7/mappings/1 {"google_event_id":"g1-{tag}","event_title":"Standup","event_start":"2026-01-06T09:00:00+08:00"}
      When Ana sends POST /telegram-webhook {"update_id":2,"message":{"message_id":2,"date":1769421700,"chat":{"id":{Chat}},"from":{"id":555},"text":"#alt EVT-01JBZQ8F | 2026-12-02T09:00:00Z"}}
      Then the answer is 200
      And the service google was not sent "summary"

    Scenario Outline: a malformed change leaves the event unchanged: <rest>
      Given Ana sends PUT /api/chats/{Chat}/events/01JBZQ8F7VKPNX3QZ9M8J5K2W7/mappings/1 {"google_event_id":"g1-{tag}","event_title":"Standup","event_start":"2026-01-06T09:00:00+08:00"}
      When Ana sends POST /telegram-webhook {"update_id":1,"message":{"message_id":1,"date":1769421600,"chat":{"id":{Chat}},"from":{"id":555},"text":"#alt EVT-01JBZQ8F <rest>"}}
      Then the answer is 200
      And the service google was asked 0 times for PATCH /calendar/v3/calendars/primary/events/*
      And the key gc:event:{Chat}:01JBZQ8F7VKPNX3QZ9M8J5K2W7:1 has
        | event_title | Standup |

      Examples:
        | rest                    |
        | \|                      |
        | Daily \| later          |
        | Daily \| 2026-12-01T09:30:00Z \| 2026-12-01T09:00:00Z |
        | Daily \| 2026-12-01T09:30:00Z \| 2026-12-01T09:40:00Z \| 1 |
        | {\"title\":\"Daily\",\"start\":7} |
        | {\"title\":7}           |

  @CB-GOO-1
  Rule: An event is created at every active account, and one account's refusal does not stop the others
    > Map logical bot events to per-account Google Calendar event IDs. Required for #del and #alt to work reliably across
    > multiple accounts.

    Scenario: a new event is created at both accounts with their own tokens
      When Ana sends POST /telegram-webhook {"update_id":1,"message":{"message_id":1,"date":1769421600,"chat":{"id":{Chat}},"from":{"id":555},"text":"#cal Team standup | 2026-12-01T09:00:00+08:00 | 2026-12-01T09:30:00+08:00"}}
      Then the answer is 200
      And the service google was asked 2 times for POST /calendar/v3/calendars/primary/events
      And the service google was sent "Team standup"
      And the service google was sent "2026-12-01T0"
      And the service google was sent "refresh-a-{tag}"
      And the service google was sent "refresh-b-{tag}"
      And the service google was sent "Bearer access-{tag}"
      When Ana sends GET /api/chats/{Chat}/events/resolve
      Then "bot_event_uid" of the answer is called Uid
      And the keys with the prefix gc:event:{Chat}: are
        | gc:event:{Chat}:{Uid}:1  |
        | gc:event:{Chat}:{Uid}:21 |
      And the key gc:event:{Chat}:{Uid}:1 has
        | google_event_id | anything |
      And the key gc:event:{Chat}:{Uid}:1 expires in 90 days

    Scenario: Google gets the title, times and credentials of a new event
      When Ana sends POST /telegram-webhook {"update_id":1,"message":{"message_id":1,"date":1769421600,"chat":{"id":{Chat}},"from":{"id":555},"text":"#cal Team standup | 2026-12-01T09:00:00Z | 2026-12-01T09:30:00Z"}}
      Then the answer is 200
      And what matches "\Wsummary\W+(Team standup)\W" in what the service google was sent is called Title
      And what matches "\Wstart\W[^}]*(2026-12-01T09:00:00)" in what the service google was sent is called Start
      And what matches "\Wend\W[^}]*(2026-12-01T09:30:00)" in what the service google was sent is called End
      And the service google was sent "grant_type=refresh_token"
      And the service google was sent "refresh_token=refresh-a-{tag}"
      And the service google was sent "client_id=storespec.apps.example"
      And the service google was sent "client_secret=storespec-client-secret"

    Scenario: an event without an end gets a default end
      When Ana sends POST /telegram-webhook {"update_id":1,"message":{"message_id":1,"date":1769421600,"chat":{"id":{Chat}},"from":{"id":555},"text":"#cal {\"title\":\"Lunch\",\"start\":\"2026-12-01T09:00:00Z\"}"}}
      Then the answer is 200
      And what matches "\Wend\W[^}]*(2026-12-01T)" in what the service google was sent is called End

    Scenario Outline: a revoked account is not called for <command>
      Given Ana sends PUT /api/chats/{Chat}/events/01JBZQ8F7VKPNX3QZ9M8J5K2W7/mappings/1 {"google_event_id":"g1-{tag}","event_title":"Standup","event_start":"2026-01-06T09:00:00+08:00"}
      And Ana sends PUT /api/chats/{Chat}/events/01JBZQ8F7VKPNX3QZ9M8J5K2W7/mappings/21 {"google_event_id":"g2-{tag}","event_title":"Standup","event_start":"2026-01-06T09:00:00+08:00"}
      And Ana sends POST /api/chats/{Chat}/connections/1/revoke
      When Ana sends POST /telegram-webhook {"update_id":1,"message":{"message_id":1,"date":1769421600,"chat":{"id":{Chat}},"from":{"id":555},"text":"<command>"}}
      Then the answer is 200
      And the service google was asked 1 time for <method> /calendar/v3/calendars/primary/events/*
      And the service google was not sent "g1-{tag}"
      And the service google was sent "g2-{tag}"

      Examples:
        | command                             | method |
        | #alt EVT-01JBZQ8F {\"title\":\"a\"} | PATCH  |
        | #del EVT-01JBZQ8F                   | DELETE |

    Scenario: a deleted account is not called when its event is deleted
      Given Ana sends PUT /api/chats/{Chat}/events/01JBZQ8F7VKPNX3QZ9M8J5K2W7/mappings/1 {"google_event_id":"g1-{tag}","event_title":"Standup","event_start":"2026-01-06T09:00:00+08:00"}
      And Ana sends PUT /api/chats/{Chat}/events/01JBZQ8F7VKPNX3QZ9M8J5K2W7/mappings/21 {"google_event_id":"g2-{tag}","event_title":"Standup","event_start":"2026-01-06T09:00:00+08:00"}
      And Ana sends DELETE /api/chats/{Chat}/connections/1
      When Ana sends POST /telegram-webhook {"update_id":1,"message":{"message_id":1,"date":1769421600,"chat":{"id":{Chat}},"from":{"id":555},"text":"#del EVT-01JBZQ8F"}}
      Then the answer is 200
      And the service google was asked 1 time for DELETE /calendar/v3/calendars/primary/events/*
      And the service google was sent "g2-{tag}"
      And there is no key with the prefix gc:event:{Chat}:

    @reference
    Scenario Outline: the event of a <what> account does not change
      Given Ana sends PUT /api/chats/{Chat}/events/01JBZQ8F7VKPNX3QZ9M8J5K2W7/mappings/1 {"google_event_id":"g1-{tag}","event_title":"Standup","event_start":"2026-01-06T09:00:00+08:00"}
      And Ana sends PUT /api/chats/{Chat}/events/01JBZQ8F7VKPNX3QZ9M8J5K2W7/mappings/21 {"google_event_id":"g2-{tag}","event_title":"Standup","event_start":"2026-01-06T09:00:00+08:00"}
      And Ana sends <request>
      When Ana sends POST /telegram-webhook {"update_id":1,"message":{"message_id":1,"date":1769421600,"chat":{"id":{Chat}},"from":{"id":555},"text":"#alt EVT-01JBZQ8F Daily"}}
      Then the answer is 200
      And the service google was asked 1 time for PATCH /calendar/v3/calendars/primary/events/*
      And the key gc:event:{Chat}:01JBZQ8F7VKPNX3QZ9M8J5K2W7:1 has
        | event_title | Standup |
      And the key gc:event:{Chat}:01JBZQ8F7VKPNX3QZ9M8J5K2W7:21 has
        | event_title | Daily |

      Examples:
        | what    | request                                     |
        | revoked | POST /api/chats/{Chat}/connections/1/revoke |
        | deleted | DELETE /api/chats/{Chat}/connections/1      |

    Scenario: an event that only a revoked account has is forgotten
      Given Ana sends PUT /api/chats/{Chat}/events/01JBZQ8F7VKPNX3QZ9M8J5K2W7/mappings/1 {"google_event_id":"g1-{tag}","event_title":"Standup","event_start":"2026-01-06T09:00:00+08:00"}
      And Ana sends POST /api/chats/{Chat}/connections/1/revoke
      When Ana sends POST /telegram-webhook {"update_id":1,"message":{"message_id":1,"date":1769421600,"chat":{"id":{Chat}},"from":{"id":555},"text":"#del EVT-01JBZQ8F"}}
      Then the answer is 200
      And there is no key with the prefix gc:event:{Chat}:
      When Ana sends GET /api/chats/{Chat}/events/recent
      Then "events" of the answer is empty

    Scenario: one account refusing a change does not stop the other
      Given Ana sends PUT /api/chats/{Chat}/events/01JBZQ8F7VKPNX3QZ9M8J5K2W7/mappings/1 {"google_event_id":"g1-{tag}","event_title":"Standup","event_start":"2026-01-06T09:00:00+08:00"}
      And Ana sends PUT /api/chats/{Chat}/events/01JBZQ8F7VKPNX3QZ9M8J5K2W7/mappings/21 {"google_event_id":"g2-{tag}","event_title":"Standup","event_start":"2026-01-06T09:00:00+08:00"}
      And the service google answers PATCH /calendar/v3/calendars/primary/events/g1-{tag} with 403 {"error":{"code":403}}
      When Ana sends POST /telegram-webhook {"update_id":1,"message":{"message_id":1,"date":1769421600,"chat":{"id":{Chat}},"from":{"id":555},"text":"#alt EVT-01JBZQ8F Daily"}}
      Then the answer is 200
      And the key gc:event:{Chat}:01JBZQ8F7VKPNX3QZ9M8J5K2W7:1 has
        | event_title | Standup |
      And the key gc:event:{Chat}:01JBZQ8F7VKPNX3QZ9M8J5K2W7:21 has
        | event_title | Daily |

    Scenario Outline: the event stays unchanged when Google answers every account with <answer>
      Given Ana sends PUT /api/chats/{Chat}/events/01JBZQ8F7VKPNX3QZ9M8J5K2W7/mappings/1 {"google_event_id":"g1-{tag}","event_title":"Standup","event_start":"2026-01-06T09:00:00+08:00"}
      And Ana sends PUT /api/chats/{Chat}/events/01JBZQ8F7VKPNX3QZ9M8J5K2W7/mappings/21 {"google_event_id":"g2-{tag}","event_title":"Standup","event_start":"2026-01-06T09:00:00+08:00"}
      And the service google answers PATCH /calendar/v3/calendars/primary/events/* with <answer> {"error":{"code":<answer>}}
      When Ana sends POST /telegram-webhook {"update_id":1,"message":{"message_id":1,"date":1769421600,"chat":{"id":{Chat}},"from":{"id":555},"text":"#alt EVT-01JBZQ8F Daily"}}
      Then the answer is <status>
      And the key gc:event:{Chat}:01JBZQ8F7VKPNX3QZ9M8J5K2W7:1 has
        | event_title | Standup |
      When Ana sends GET /api/chats/{Chat}/events/recent
      Then "events" of the answer lists
        | event_title |
        | Standup     |

      Examples:
        | answer | status |
        | 403    | 200    |
        | 503    | 503    |

    Scenario: an event stays known at the account that refuses to delete it
      Given Ana sends PUT /api/chats/{Chat}/events/01JBZQ8F7VKPNX3QZ9M8J5K2W7/mappings/1 {"google_event_id":"g1-{tag}","event_title":"Standup","event_start":"2026-01-06T09:00:00+08:00"}
      And Ana sends PUT /api/chats/{Chat}/events/01JBZQ8F7VKPNX3QZ9M8J5K2W7/mappings/21 {"google_event_id":"g2-{tag}","event_title":"Standup","event_start":"2026-01-06T09:00:00+08:00"}
      And the service google answers DELETE /calendar/v3/calendars/primary/events/g1-{tag} with 403 {"error":{"code":403}}
      When Ana sends POST /telegram-webhook {"update_id":1,"message":{"message_id":1,"date":1769421600,"chat":{"id":{Chat}},"from":{"id":555},"text":"#del EVT-01JBZQ8F"}}
      Then the answer is 200
      And the keys with the prefix gc:event:{Chat}: are
        | gc:event:{Chat}:01JBZQ8F7VKPNX3QZ9M8J5K2W7:1 |
      When Ana sends GET /api/chats/{Chat}/events/recent
      Then "events" of the answer lists
        | event_title |
        | Standup     |

    Scenario: a revoked account is not called for a new event
      Given Ana sends POST /api/chats/{Chat}/connections/1/revoke
      When Ana sends POST /telegram-webhook {"update_id":1,"message":{"message_id":1,"date":1769421600,"chat":{"id":{Chat}},"from":{"id":555},"text":"#cal Team standup | 2026-12-01T09:00:00+08:00 | 2026-12-01T09:30:00+08:00"}}
      Then the answer is 200
      And the service google was asked 1 time for POST /calendar/v3/calendars/primary/events
      And the service google was not sent "refresh-a-{tag}"

    Scenario Outline: a new event is stored for the account that succeeds when another answers <status>
      Given the service google answers POST /calendar/v3/calendars/primary/events with <status> {"error":{"code":<status>}}
      And the service google answers POST /calendar/v3/calendars/primary/events then with 200 {"kind":"calendar#event"}
      When Ana sends POST /telegram-webhook {"update_id":1,"message":{"message_id":1,"date":1769421600,"chat":{"id":{Chat}},"from":{"id":555},"text":"#cal Team standup | 2026-12-05T09:00:00+08:00 | 2026-12-05T09:30:00+08:00"}}
      Then the answer is 200
      And the service telegram was sent "EVT-"
      And what matches "[^0-9a-mo-zA-Z:.,+-](1)[^0-9]" in what the service telegram was sent is called Stored
      When Ana sends GET /api/chats/{Chat}/events/resolve
      Then "bot_event_uid" of the answer is called Uid
      When Ana sends GET /api/chats/{Chat}/events/{Uid}/mappings
      Then the answer has
        | mappings[0].event_title | Team standup |
        | mappings[1]             | absent       |

      Examples:
        | status |
        | 403    |
        | 503    |
        | 429    |

    Scenario: a new event in a chat without accounts only gets a reply
      When Ana sends POST /telegram-webhook {"update_id":1,"message":{"message_id":1,"date":1769421600,"chat":{"id":{Chat}9},"from":{"id":555},"text":"#cal Team standup | 2026-12-01T09:00:00+08:00 | 2026-12-01T09:30:00+08:00"}}
      Then the answer is 200
      And there is no key with the prefix gc:event:{Chat}9:
      And the service telegram was asked 1 time for POST /bot*
      And the service google was asked 0 times for POST /calendar/v3/calendars/primary/events

    Scenario Outline: a deletion that Google answers with <status> counts as done
      Given Ana sends PUT /api/chats/{Chat}/events/01JBZQ8F7VKPNX3QZ9M8J5K2W7/mappings/1 {"google_event_id":"g1-{tag}","event_title":"Standup","event_start":"2026-01-06T09:00:00+08:00"}
      And the service google answers DELETE /calendar/v3/calendars/primary/events/g1-{tag} with <status> {"error":{"code":<status>}}
      When Ana sends POST /telegram-webhook {"update_id":1,"message":{"message_id":1,"date":1769421600,"chat":{"id":{Chat}},"from":{"id":555},"text":"#del EVT-01JBZQ8F"}}
      Then the answer is 200
      And the service google was asked 1 time for DELETE /calendar/v3/calendars/primary/events/g1-{tag}
      And there is no key with the prefix gc:event:{Chat}:
      When Ana sends GET /api/chats/{Chat}/events/recent
      Then "events" of the answer is empty

      Examples:
        | status |
        | 404    |
        | 410    |

    Scenario: an event that Google could not delete stays for a later attempt
      Given Ana sends PUT /api/chats/{Chat}/events/01JBZQ8F7VKPNX3QZ9M8J5K2W7/mappings/1 {"google_event_id":"g1-{tag}","event_title":"Standup","event_start":"2026-01-06T09:00:00+08:00"}
      And the service google answers DELETE /calendar/v3/calendars/primary/events/* with 503 {"error":{"code":503}}
      When Ana sends POST /telegram-webhook {"update_id":1,"message":{"message_id":1,"date":1769421600,"chat":{"id":{Chat}},"from":{"id":555},"text":"#del EVT-01JBZQ8F"}}
      Then the answer is 503
      And the key gc:event:{Chat}:01JBZQ8F7VKPNX3QZ9M8J5K2W7:1 has
        | google_event_id | g1-{tag} |
      When Ana sends GET /api/chats/{Chat}/events/recent
      Then "events" of the answer lists
        | event_title |
        | Standup     |

  @CB-ULID-1
  Rule: An event's id is a ULID: later events have greater ones
    > ULID (26 chars): lexicographically sortable (timestamp prefix), URL-safe, Crockford's Base32

    Scenario: three consecutive events have increasing ids
      Given Ana sends POST /telegram-webhook {"update_id":7,"message":{"message_id":1,"date":1769421600,"chat":{"id":{Chat}},"from":{"id":555},"text":"#cal First | 2026-12-01T09:00:00+08:00"}}
      And Ana sends GET /api/chats/{Chat}/events/resolve
      And "bot_event_uid" of the answer matches "^0[0-9A-HJKMNP-TV-Z]{25}$"
      And Ana sends POST /telegram-webhook {"update_id":6,"message":{"message_id":2,"date":1769421602,"chat":{"id":{Chat}},"from":{"id":555},"text":"#cal Second | 2026-12-01T09:00:00+08:00"}}
      And Ana sends POST /telegram-webhook {"update_id":5,"message":{"message_id":3,"date":1769421700,"chat":{"id":{Chat}},"from":{"id":555},"text":"#cal Third | 2026-12-01T09:00:00+08:00"}}
      When Ana sends GET /api/chats/{Chat}/events/recent
      Then "events" of the answer lists, in this order
        | event_title |
        | Third       |
        | Second      |
        | First       |
      And "events" of the answer is in descending order of "bot_event_uid"

    @reference
    Scenario: three events within one second have increasing ids
      Given Ana sends POST /telegram-webhook {"update_id":8,"message":{"message_id":1,"date":1769421600,"chat":{"id":{Chat}},"from":{"id":555},"text":"#cal First | 2026-12-01T09:00:00+08:00"}}
      And Ana sends POST /telegram-webhook {"update_id":9,"message":{"message_id":2,"date":1769421600,"chat":{"id":{Chat}},"from":{"id":555},"text":"#cal Second | 2026-12-01T09:00:00+08:00"}}
      And Ana sends POST /telegram-webhook {"update_id":10,"message":{"message_id":3,"date":1769421600,"chat":{"id":{Chat}},"from":{"id":555},"text":"#cal Third | 2026-12-01T09:00:00+08:00"}}
      When Ana sends GET /api/chats/{Chat}/events/recent
      Then "events" of the answer lists, in this order
        | event_title |
        | Third       |
        | Second      |
        | First       |
      And "events" of the answer is in descending order of "bot_event_uid"
