Feature: Updates from Telegram
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

  @CB-HOOK-1
  Rule: Telegram redelivers an update that failed temporarily, and only that, and nothing is created twice
    > Stable ULID (26 chars)
    > (contract) 200 for everything understood or refused. 503 when KV fails, or when no account took the event for a
    > passing cause. A redelivery fills in what is missing and duplicates nothing.

    Scenario Outline: an update with <what> is acknowledged and changes nothing
      When Ana sends POST /telegram-webhook <update>
      Then the answer is 200
      And there is no key with the prefix gc:event:{Chat}:
      And the key gc:conn:{Chat}:1 has
        | revoked | number 0 |
      And the service google was asked 0 times for POST /calendar/v3/calendars/primary/events

      Examples:
        | what                         | update |
        | a text for people            | {"update_id":1,"message":{"message_id":1,"date":1769421600,"chat":{"id":{Chat}},"from":{"id":555},"text":"Good morning"}} |
        | an unknown command           | {"update_id":1,"message":{"message_id":1,"date":1769421600,"chat":{"id":{Chat}},"from":{"id":555},"text":"#xyz 1"}} |
        | a photo                      | {"update_id":1,"message":{"message_id":1,"date":1769421600,"chat":{"id":{Chat}},"from":{"id":555},"photo":[]}} |
        | anything but messages        | {"update_id":1,"my_chat_member":{"chat":{"id":{Chat}}}} |
        | an event without a time      | {"update_id":1,"message":{"message_id":1,"date":1769421600,"chat":{"id":{Chat}},"from":{"id":555},"text":"#cal Team standup"}} |
        | a time that is a word        | {"update_id":1,"message":{"message_id":1,"date":1769421600,"chat":{"id":{Chat}},"from":{"id":555},"text":"#cal Team standup \| 2026-12-01T09:00:00Z \| later"}} |
        | an event without a title     | {"update_id":1,"message":{"message_id":1,"date":1769421600,"chat":{"id":{Chat}},"from":{"id":555},"text":"#cal \| 2026-12-01T09:00:00Z"}} |
        | a title that is a number     | {"update_id":1,"message":{"message_id":1,"date":1769421600,"chat":{"id":{Chat}},"from":{"id":555},"text":"#cal {\"title\":7,\"start\":\"2026-12-01T09:00:00Z\"}"}} |
        | a title of 4,097 letters     | {"update_id":1,"message":{"message_id":1,"date":1769421600,"chat":{"id":{Chat}},"from":{"id":555},"text":"#cal {4097×a} \| 2026-12-01T09:00:00Z"}} |
        | no change                    | {"update_id":1,"message":{"message_id":1,"date":1769421600,"chat":{"id":{Chat}},"from":{"id":555},"text":"#alt EVT-01JBZQ8F"}} |
        | a change of an unknown event | {"update_id":1,"message":{"message_id":1,"date":1769421600,"chat":{"id":{Chat}},"from":{"id":555},"text":"#alt EVT-01JBZQ8F Daily"}} |
        | an unknown e-mail            | {"update_id":1,"message":{"message_id":1,"date":1769421600,"chat":{"id":{Chat}},"from":{"id":555},"text":"#dis nobody@example.com"}} |
        | an event tomorrow evening    | {"update_id":1,"message":{"message_id":1,"date":1769421600,"chat":{"id":{Chat}},"from":{"id":555},"text":"#cal Team standup \| tomorrow evening"}} |
        | broken JSON                  | {"update_id":1,"message":{"message_id":1,"date":1769421600,"chat":{"id":{Chat}},"from":{"id":555},"text":"#cal {\"title\":"}} |
        | an unknown reference         | {"update_id":1,"message":{"message_id":1,"date":1769421600,"chat":{"id":{Chat}},"from":{"id":555},"text":"#del EVT-01JBZQ8F"}} |
        | no event to delete           | {"update_id":1,"message":{"message_id":1,"date":1769421600,"chat":{"id":{Chat}},"from":{"id":555},"text":"#del"}} |
        | no e-mail                    | {"update_id":1,"message":{"message_id":1,"date":1769421600,"chat":{"id":{Chat}},"from":{"id":555},"text":"#dis"}} |

    Scenario Outline: a text longer than Telegram delivers is answered and changes nothing: <command>
      When Ana sends POST /telegram-webhook {"update_id":1,"message":{"message_id":1,"date":1769421600,"chat":{"id":{Chat}},"from":{"id":555},"text":"<command> {5000×a} <rest>"}}
      Then the answer is 200
      And the service telegram was asked 1 time for POST /bot*
      And there is no key with the prefix gc:event:{Chat}:

      Examples:
        | command               | rest                      |
        | #cal                  | \| 2026-12-01T09:00:00Z  |
        | #cal {\"title\":\" | \",\"start\":\"2026-12-01T09:00:00Z\"} |
        | #alt EVT-01JBZQ8F     |                           |
        | #del                  |                           |
        | #dis                  |                           |

    Scenario: #aut replies with a link for the chat and person
      When Ana sends POST /telegram-webhook {"update_id":1,"message":{"message_id":1,"date":1769421600,"chat":{"id":{Chat}},"from":{"id":555},"text":"#aut"}}
      Then the answer is 200
      And the service telegram was sent "https://c4lendar.example/oauth/start?"
      And the service telegram was sent "chatId={Chat}"
      And the service telegram was sent "userId=555"
      And what matches "\Wchat_id\W+(-?[0-9]+)" in what the service telegram was sent is called To
      And the service telegram was asked 1 time for POST /bot4711:storespec-bot/sendMessage

    Scenario: an update without Telegram's secret is refused
      When Nobody sends POST /telegram-webhook {"update_id":1,"message":{"message_id":1,"date":1769421600,"chat":{"id":{Chat}},"from":{"id":555},"text":"#dis {Ana.email}"}}
      Then the answer is 401 or 403
      And no storage call was made
      When Ana sends POST /telegram-webhook {"update_id":1,"message":{"message_id":1,"date":1769421600,"chat":{"id":{Chat}},"from":{"id":555},"text":"#dis {Ana.email}"}} with the header X-Telegram-Bot-Api-Secret-Token "storespec-webhoo"
      Then the answer is 401 or 403
      And no storage call was made
      And the service telegram was asked 0 times for POST /bot*

    Scenario: an event is stored even when Telegram refuses the reply
      Given the service telegram answers POST /bot* with 500 {"ok":false}
      When Ana sends POST /telegram-webhook {"update_id":1,"message":{"message_id":1,"date":1769421600,"chat":{"id":{Chat}},"from":{"id":555},"text":"#cal Team standup | 2026-12-01T09:00:00+08:00 | 2026-12-01T09:30:00+08:00"}}
      Then the answer is 200
      When Ana sends GET /api/chats/{Chat}/events/recent
      Then "events" of the answer lists
        | event_title  |
        | Team standup |

    Scenario Outline: an update that no account accepts is redelivered only if the cause is temporary: <cause>
      Given the service google <cause>
      When Ana sends POST /telegram-webhook {"update_id":1,"message":{"message_id":1,"date":1769421600,"chat":{"id":{Chat}},"from":{"id":555},"text":"#cal Team standup | 2026-12-01T09:00:00+08:00 | 2026-12-01T09:30:00+08:00"}}
      Then the answer is <status>

      Examples:
        | cause | status |
        | answers POST /calendar/v3/calendars/primary/events with 503 {"error":{"code":503}} | 503    |
        | answers POST /calendar/v3/calendars/primary/events with 429 {"error":{"code":429}} | 503    |
        | gives POST /calendar/v3/calendars/primary/events no answer | 503    |
        | gives POST /token no answer | 503    |
        | answers POST /calendar/v3/calendars/primary/events with 403 {"error":{"errors":[{"reason":"rateLimitExceeded"}]}} | 503    |
        | answers POST /calendar/v3/calendars/primary/events with 403 {"error":{"code":403}} | 200    |
        | answers POST /calendar/v3/calendars/primary/events with 400 {"error":{"code":400}} | 200    |
        | answers POST /calendar/v3/calendars/primary/events with 400 {"error":{"message":"not rateLimitExceeded"}} | 200    |

    @reference
    Scenario Outline: an update that Telegram never sends is ignored: <what>
      When Ana sends POST /telegram-webhook {"update_id":<id>,"message":{"message_id":1,"date":<date>,"chat":{"id":{Chat}},"from":{"id":555},"text":"#cal Team standup | 2026-12-01T09:00:00+08:00 | 2026-12-01T09:30:00+08:00"}}
      Then the answer is 200
      And nothing was written

      Examples:
        | what                  | id   | date          |
        | before 1970           | 1    | -5            |
        | after the year 9999   | 1    | 9999999999999 |
        | an id that is missing | null | 1769421600    |
        | an id below 0         | -1   | 1769421600    |

    @reference
    Scenario: a command without a sender gets a reply without a link
      When Ana sends POST /telegram-webhook {"update_id":1,"message":{"message_id":1,"date":1769421600,"chat":{"id":{Chat}},"text":"#aut"}}
      Then the answer is 200
      And the service telegram was asked 1 time for POST /bot4711:storespec-bot/sendMessage
      And the service telegram was not sent "/oauth/start"

    @reference
    Scenario: a message without a chat gets no reply
      When Ana sends POST /telegram-webhook {"update_id":1,"message":{"message_id":1,"date":1769421600,"from":{"id":555},"text":"#aut"}}
      Then the answer is 200
      And the service telegram was asked 0 times for POST /bot*

    Scenario: an update that one account refuses and another is too busy for is redelivered
      Given the service google answers POST /calendar/v3/calendars/primary/events with 403 {"error":{"code":403}}
      And the service google answers POST /calendar/v3/calendars/primary/events then with 503 {"error":{"code":503}}
      When Ana sends POST /telegram-webhook {"update_id":1,"message":{"message_id":1,"date":1769421600,"chat":{"id":{Chat}},"from":{"id":555},"text":"#cal Team standup | 2026-12-01T09:00:00Z"}}
      Then the answer is 503

    Scenario: a redelivered event that Google already has is stored once
      Given the service google gives POST /calendar/v3/calendars/primary/events no answer
      And Ben sends POST /api/chats/{Chat}/connections/21/revoke
      And Ana sends POST /telegram-webhook {"update_id":1,"message":{"message_id":1,"date":1769421600,"chat":{"id":{Chat}},"from":{"id":555},"text":"#cal Team standup | 2026-12-01T09:00:00+08:00 | 2026-12-01T09:30:00+08:00"}}
      And the answer is 503
      And what matches "[{,].id.: ?.([0-9a-v]{5,})\W" in what the service google was sent is called GoogleId
      And the service google answers POST /calendar/v3/calendars/primary/events with 409 {"error":{"code":409}}
      When Ana sends POST /telegram-webhook {"update_id":1,"message":{"message_id":1,"date":1769421600,"chat":{"id":{Chat}},"from":{"id":555},"text":"#cal Team standup | 2026-12-01T09:00:00+08:00 | 2026-12-01T09:30:00+08:00"}}
      Then the answer is 200
      When Ana sends GET /api/chats/{Chat}/events/resolve
      Then "bot_event_uid" of the answer is called Uid
      And the keys with the prefix gc:event:{Chat}: are
        | gc:event:{Chat}:{Uid}:1 |
      And the key gc:event:{Chat}:{Uid}:1 has
        | google_event_id | {GoogleId} |
      When Ana sends GET /api/chats/{Chat}/events/recent
      Then "events" of the answer lists
        | bot_event_uid | event_title  |
        | {Uid}         | Team standup |

    Scenario: a redelivered event is created at the account that failed
      Given the service google answers POST /calendar/v3/calendars/primary/events with 200 {"kind":"calendar#event"}
      And the service google answers POST /calendar/v3/calendars/primary/events then with 503 {"error":{"code":503}}
      And the service google answers POST /calendar/v3/calendars/primary/events then with 200 {"kind":"calendar#event"}
      And Ana sends POST /telegram-webhook {"update_id":1,"message":{"message_id":1,"date":1769421600,"chat":{"id":{Chat}},"from":{"id":555},"text":"#cal Team standup | 2026-12-01T09:00:00+08:00 | 2026-12-01T09:30:00+08:00"}}
      When Ana sends POST /telegram-webhook {"update_id":1,"message":{"message_id":1,"date":1769421600,"chat":{"id":{Chat}},"from":{"id":555},"text":"#cal Team standup | 2026-12-01T09:00:00+08:00 | 2026-12-01T09:30:00+08:00"}}
      Then the answer is 200
      When Ana sends GET /api/chats/{Chat}/events/resolve
      Then "bot_event_uid" of the answer is called Uid
      And the keys with the prefix gc:event:{Chat}: are
        | gc:event:{Chat}:{Uid}:1  |
        | gc:event:{Chat}:{Uid}:21 |

    Scenario: a repeated update creates one event, another update a second one
      Given Ana sends 2 times one after the other POST /telegram-webhook {"update_id":1,"message":{"message_id":1,"date":1769421600,"chat":{"id":{Chat}},"from":{"id":555},"text":"#cal Team standup | 2026-12-01T09:00:00+08:00 | 2026-12-01T09:30:00+08:00"}}
      When Ana sends GET /api/chats/{Chat}/events/recent
      Then "events" of the answer lists
        | event_title  |
        | Team standup |
      When Ana sends POST /telegram-webhook {"update_id":2,"message":{"message_id":2,"date":1769421600,"chat":{"id":{Chat}},"from":{"id":555},"text":"#cal Team standup | 2026-12-01T09:00:00+08:00 | 2026-12-01T09:30:00+08:00"}}
      And Ana sends GET /api/chats/{Chat}/events/recent
      Then "events" of the answer lists
        | event_title  |
        | Team standup |
        | Team standup |

    Scenario: one update delivered twice at once creates one event
      When these run at the same time
        | who | method | path              | body |
        | Ana | POST   | /telegram-webhook | {"update_id":1,"message":{"message_id":1,"date":1769421600,"chat":{"id":{Chat}},"from":{"id":555},"text":"#cal Team standup \| 2026-12-01T09:00:00+08:00 \| 2026-12-01T09:30:00+08:00"}} |
        | Ben | POST   | /telegram-webhook | {"update_id":1,"message":{"message_id":1,"date":1769421600,"chat":{"id":{Chat}},"from":{"id":555},"text":"#cal Team standup \| 2026-12-01T09:00:00+08:00 \| 2026-12-01T09:30:00+08:00"}} |
      Then all answers are 200
      When Ana sends GET /api/chats/{Chat}/events/recent
      Then the answer has
        | events[0].event_title | Team standup |
        | events[1]             | absent       |
      And "events[0].bot_event_uid" of the answer is called Uid
      And the keys with the prefix gc:event:{Chat}: are
        | gc:event:{Chat}:{Uid}:1  |
        | gc:event:{Chat}:{Uid}:21 |

    Scenario: a new event is created once whichever storage call fails
      When Ana sends POST /telegram-webhook {"update_id":1,"message":{"message_id":1,"date":1769421600,"chat":{"id":{Chat}},"from":{"id":555},"text":"#cal Team standup | 2026-12-01T09:00:00+08:00 | 2026-12-01T09:30:00+08:00"}}, and any one storage call fails
      Then the answer is 200
      When Ana sends GET /api/chats/{Chat}/events/recent
      Then the answer has
        | events[0].event_title | Team standup |
        | events[1]             | absent       |
      And "events[0].bot_event_uid" of the answer is called Uid
      And the keys with the prefix gc:event:{Chat}: are
        | gc:event:{Chat}:{Uid}:1  |
        | gc:event:{Chat}:{Uid}:21 |

    Scenario: a changed event is consistent whichever storage call fails
      Given Ana sends PUT /api/chats/{Chat}/events/01JBZQ8F7VKPNX3QZ9M8J5K2W7/mappings/1 {"google_event_id":"g1-{tag}","event_title":"Standup","event_start":"2026-01-06T09:00:00+08:00"}
      And Ana sends PUT /api/chats/{Chat}/events/01JBZQ8F7VKPNX3QZ9M8J5K2W7/mappings/21 {"google_event_id":"g2-{tag}","event_title":"Standup","event_start":"2026-01-06T09:00:00+08:00"}
      When Ana sends POST /telegram-webhook {"update_id":1,"message":{"message_id":1,"date":1769421600,"chat":{"id":{Chat}},"from":{"id":555},"text":"#alt EVT-01JBZQ8F {\"title\":\"Daily\"}"}}, and any one storage call fails
      Then the answer is 200
      And the key gc:event:{Chat}:01JBZQ8F7VKPNX3QZ9M8J5K2W7:1 has
        | event_title | Daily |
      And the key gc:event:{Chat}:01JBZQ8F7VKPNX3QZ9M8J5K2W7:21 has
        | event_title | Daily |
      When Ana sends GET /api/chats/{Chat}/events/recent
      Then "events" of the answer lists
        | event_title |
        | Daily       |

    Scenario: a deletion removes one event whichever storage call fails
      Given Ana sends PUT /api/chats/{Chat}/events/01JBZQ8F7VKPNX3QZ9M8J5K2W7/mappings/1 {"google_event_id":"g1-{tag}","event_title":"Standup","event_start":"2026-01-06T09:00:00+08:00"}
      And Ana sends PUT /api/chats/{Chat}/events/01JBZR0A2VKPNX3QZ9M8J5K2W7/mappings/1 {"google_event_id":"g2-{tag}","event_title":"Review","event_start":"2026-01-06T09:00:00+08:00"}
      When Ana sends POST /telegram-webhook {"update_id":1,"message":{"message_id":1,"date":1769421600,"chat":{"id":{Chat}},"from":{"id":555},"text":"#del"}}, and any one storage call fails
      Then the answer is 200
      And the service google was sent "g2-{tag}"
      And the service google was not sent "g1-{tag}"
      And the keys with the prefix gc:event:{Chat}: are
        | gc:event:{Chat}:01JBZQ8F7VKPNX3QZ9M8J5K2W7:1 |
      When Ana sends GET /api/chats/{Chat}/events/recent
      Then "events" of the answer lists
        | event_title |
        | Standup     |

    Scenario: a redelivered deletion removes no second event whichever storage call fails
      Given Ana sends PUT /api/chats/{Chat}/events/01JBZQ8F7VKPNX3QZ9M8J5K2W7/mappings/1 {"google_event_id":"g1-{tag}","event_title":"Standup","event_start":"2026-01-06T09:00:00+08:00"}
      And Ana sends PUT /api/chats/{Chat}/events/01JBZR0A2VKPNX3QZ9M8J5K2W7/mappings/1 {"google_event_id":"g2-{tag}","event_title":"Review","event_start":"2026-01-06T09:00:00+08:00"}
      And Ana sends POST /telegram-webhook {"update_id":1,"message":{"message_id":1,"date":1769421600,"chat":{"id":{Chat}},"from":{"id":555},"text":"#del"}}
      When Ana sends POST /telegram-webhook {"update_id":1,"message":{"message_id":1,"date":1769421600,"chat":{"id":{Chat}},"from":{"id":555},"text":"#del"}}, and any one storage call fails
      Then the answer is 200
      And the keys with the prefix gc:event:{Chat}: are
        | gc:event:{Chat}:01JBZQ8F7VKPNX3QZ9M8J5K2W7:1 |

    Scenario: an update that failed during an outage is processed when redelivered
      Given storage is down
      When Ana sends POST /telegram-webhook {"update_id":1,"message":{"message_id":1,"date":1769421600,"chat":{"id":{Chat}},"from":{"id":555},"text":"#cal Team standup | 2026-12-01T09:00:00+08:00 | 2026-12-01T09:30:00+08:00"}}
      Then the answer is 503
      When storage is back
      And Ana sends POST /telegram-webhook {"update_id":1,"message":{"message_id":1,"date":1769421600,"chat":{"id":{Chat}},"from":{"id":555},"text":"#cal Team standup | 2026-12-01T09:00:00+08:00 | 2026-12-01T09:30:00+08:00"}}
      Then the answer is 200
      When Ana sends GET /api/chats/{Chat}/events/recent
      Then "events" of the answer lists
        | event_title  |
        | Team standup |
