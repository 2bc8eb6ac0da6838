Feature: The store: its limits, its refusals, and its delayed reads

  Background:
    Given Chat stands for "-{number}"
    And Other stands for "-{number}1"
    And Ana is a person
    And Ben is a person

  @CB-LIM-1
  Rule: A value that does not fit into a key or a value is refused without a storage call
    > Key size: Max 512 bytes. Value size: Max 25 MB

    Scenario Outline: a request with <what> is refused without a storage call
      Given Long stands for "{600×1}"
      When Ana sends <request> <body>
      Then the answer is 400, 413, 414 or 422
      And no storage call was made

      Examples:
        | what                      | request                                  | body                                                                    |
        | an e-mail of 500 letters  | PUT /api/chats/{Chat}/connections/115    | {"google_email":"{500×a}@example.com","refresh_token":"a","scopes":"a"} |
        | an e-mail of 500 bytes    | PUT /api/chats/{Chat}/connections/115    | {"google_email":"{250×ä}@example.com","refresh_token":"a","scopes":"a"} |
        | a cursor of 4,097 letters | POST /api/admin/cleanup | {"cursor":"{4097×a}"} |
        | an account of 600 letters | PUT /api/chats/{Chat}/connections/{Long} | {"google_email":"{Ana.email}","refresh_token":"a","scopes":"a"}         |
        | scopes of 4,097 letters | PUT /api/chats/{Chat}/connections/115 | {"google_email":"{Ana.email}","refresh_token":"a","scopes":"{4097×a}"} |
        | a token of 4,097 letters | PUT /api/chats/{Chat}/connections/115 | {"google_email":"{Ana.email}","refresh_token":"{4097×a}","scopes":"a"} |
        | an event of Google's of 4,097 | PUT /api/chats/{Chat}/events/01JBZQ8F7VKPNX3QZ9M8J5K2W7/mappings/115 | {"google_event_id":"{4097×a}"} |
        | a title of 4,097 letters | PUT /api/chats/{Chat}/events/01JBZQ8F7VKPNX3QZ9M8J5K2W7/mappings/115 | {"google_event_id":"g1","event_title":"{4097×a}"} |

    Scenario: an e-mail too long for a key is refused without a storage call
      Given Long stands for "{500×a}@example.com"
      When Ana sends GET /api/emails/{Long}/chats
      Then the answer is 400, 413 or 414
      And no storage call was made

    Scenario: a title of 26 MiB is refused without a storage call
      When Ana sends PUT /api/chats/{Chat}/events/01JBZQ8F7VKPNX3QZ9M8J5K2W7/mappings/1 with a body of 27262976 bytes
      Then the answer is 400 or 413
      And no storage call was made

    Scenario: a cursor of 26 MiB is refused without a storage call
      When Ana sends POST /api/admin/cleanup with a body of 27262976 bytes
      Then the answer is 400 or 413
      And no storage call was made

    Scenario: an account id of 255 digits is stored
      Given Sub stands for "{255×7}"
      When Ana sends PUT /api/chats/{Chat}/connections/{Sub} {"google_email":"{Ana.email}","refresh_token":"refresh-{tag}","scopes":"a"}
      Then the answer is 200
      And the token of the key gc:conn:{Chat}:{Sub} is "refresh-{tag}"

  @should @CB-LIM-3
  Rule: Two events of a chat within a second both succeed, though a key accepts one write per second
    > Recent Events per Chat: gc:event:recent:{chat_id}

    Scenario: two events within a second are both stored and recent
      Given a key takes one write a second
      And Ana sends PUT /api/chats/{Chat}/events/01JBZQ8F7VKPNX3QZ9M8J5K2W7/mappings/1 {"google_event_id":"g1","event_title":"Standup","event_start":"2026-01-06T09:00:00+08:00"}
      When Ana sends PUT /api/chats/{Chat}/events/01JBZR0A2VKPNX3QZ9M8J5K2W7/mappings/1 {"google_event_id":"g2","event_title":"Review","event_start":"2026-01-06T09:00:00+08:00"}
      Then the answer is 200
      And the keys with the prefix gc:event:{Chat}: are
        | gc:event:{Chat}:01JBZQ8F7VKPNX3QZ9M8J5K2W7:1 |
        | gc:event:{Chat}:01JBZR0A2VKPNX3QZ9M8J5K2W7:1 |
      When 1100 milliseconds pass
      And Ana sends POST /api/admin/repair {} on and on, with "cursor" of each answer
      And Ana sends GET /api/chats/{Chat}/events/recent
      Then "events" of the answer lists, in this order
        | event_title |
        | Review      |
        | Standup     |

    Scenario: two chats that connect one e-mail within a second are both listed
      Given a key takes one write a second
      And Ana sends PUT /api/chats/{Chat}/connections/115 {"google_email":"{Ana.email}","refresh_token":"a-{tag}","scopes":"a"}
      When Ana sends PUT /api/chats/{Other}/connections/115 {"google_email":"{Ana.email}","refresh_token":"b-{tag}","scopes":"a"}
      Then the answer is 200
      When Ana sends GET /api/emails/{Ana.email}/chats
      Then "chats" of the answer has the items
        | {Chat}  |
        | {Other} |

  @CB-RATE-1
  Rule: A request waits for a throttling store, within limits
    > Operations: KV limits
    > (contract) 429: back off and try again, a bounded number of times.

    Scenario: a write throttled once succeeds after a retry
      Given storage throttles the next request once
      When Ana sends PUT /api/chats/{Chat}/connections/115 {"google_email":"{Ana.email}","refresh_token":"refresh-{tag}","scopes":"a"}
      Then the answer is 200
      And the token of the key gc:conn:{Chat}:115 is "refresh-{tag}"

    Scenario: a read throttled once succeeds after a retry
      Given Ana sends PUT /api/chats/{Chat}/connections/115 {"google_email":"{Ana.email}","refresh_token":"refresh-{tag}","scopes":"a"}
      And storage throttles the next request once
      When Ana sends GET /api/chats/{Chat}/connections/115
      Then the answer is 200

    Scenario: a list is complete whichever storage call fails
      Given Ana sends PUT /api/chats/{Chat}/connections/115 {"google_email":"{Ana.email}","refresh_token":"refresh-{tag}","scopes":"a"}
      When Ana sends GET /api/chats/{Chat}/connections, and any one storage call fails
      Then the answer is 200
      And "connections" of the answer lists
        | google_sub |
        | 115        |

    Scenario: a store that keeps throttling gets 503 and no lost write
      Given storage throttles the next request
      When Ana sends PUT /api/chats/{Chat}/connections/115 {"google_email":"{Ana.email}","refresh_token":"refresh-{tag}","scopes":"a"}
      Then the answer is 200 or 503
      When Ana sends PUT /api/chats/{Chat}/connections/115 {"google_email":"{Ana.email}","refresh_token":"refresh-{tag}","scopes":"a"}
      Then the answer is 200
      And the token of the key gc:conn:{Chat}:115 is "refresh-{tag}"

    Scenario Outline: a request gets 503 while the store is down: <request>
      Given storage is down
      When Ana sends <request>
      Then the answer is 503 storage_unavailable
      And the answer says to retry later

      Examples:
        | request                                  |
        | PUT /api/chats/{Chat}/connections/115 {"google_email":"{Ana.email}","refresh_token":"refresh-{tag}","scopes":"a"} |
        | POST /api/chats/{Chat}/connections/115/revoke |
        | PUT /api/chats/{Chat}/events/01JBZQ8F7VKPNX3QZ9M8J5K2W7/mappings/1 {"google_event_id":"g1","event_title":"Standup","event_start":"2026-01-06T09:00:00+08:00"} |
        | GET /api/chats/{Chat}/events/01JBZQ8F7VKPNX3QZ9M8J5K2W7/mappings |
        | PATCH /api/chats/{Chat}/events/01JBZQ8F7VKPNX3QZ9M8J5K2W7 {"event_title":"Daily"} |
        | DELETE /api/chats/{Chat}/events/01JBZQ8F7VKPNX3QZ9M8J5K2W7 |
        | DELETE /api/chats/{Chat}/events?google_sub=1 |
        | GET /api/chats/{Chat}/events/resolve     |
        | GET /oauth/start?chatId={Chat}&userId=555 |
        | POST /telegram-webhook {"update_id":1,"message":{"message_id":1,"date":1769421600,"chat":{"id":{Chat}},"from":{"id":555},"text":"#dis {Ana.email}"}} |
        | POST /telegram-webhook {"update_id":1,"message":{"message_id":1,"date":1769421600,"chat":{"id":{Chat}},"from":{"id":555},"text":"#alt EVT-01JBZQ8F Daily"}} |
        | POST /telegram-webhook {"update_id":1,"message":{"message_id":1,"date":1769421600,"chat":{"id":{Chat}},"from":{"id":555},"text":"#alt Daily"}} |
        | POST /telegram-webhook {"update_id":1,"message":{"message_id":1,"date":1769421600,"chat":{"id":{Chat}},"from":{"id":555},"text":"#del"}} |
        | POST /api/admin/migrate {}               |
        | POST /api/admin/repair {}                |
        | GET /api/chats/{Chat}/connections        |
        | GET /api/chats/{Chat}/connections/115    |
        | GET /api/emails/{Ana.email}/chats        |
        | GET /api/chats/{Chat}/events/recent      |
        | DELETE /api/chats/{Chat}/connections/115 |
        | POST /api/admin/cleanup {}               |

    @reference
    Scenario Outline: a server whose <setting> is "<value>" refuses to start
      Then a fresh target does not start with <setting> "<value>"

      Examples:
        | setting             | value    |
        | STORAGE_MAX_RETRIES | many     |
        | STORAGE_MAX_RETRIES | -1       |
        | STORAGE_MAX_RETRIES | 11       |
        | STORAGE_RETRY_DELAY | soon     |
        | STORAGE_TRY_TIMEOUT | later    |
        | STORAGE_TRY_TIMEOUT | 0s       |
        | PUBLIC_URL          |          |
        | PUBLIC_URL          | c4lendar |

    @reference
    Scenario: a trailing slash of PUBLIC_URL is ignored in links
      Given a fresh target with PUBLIC_URL "https://c4lendar.example/"
      When Ana sends POST /telegram-webhook {"update_id":1,"message":{"message_id":1,"date":1769421600,"chat":{"id":{Chat}},"from":{"id":555},"text":"#aut"}}
      Then the service telegram was sent "https://c4lendar.example/oauth/start?"

    @reference
    Scenario: a wrong namespace id gets 503, not 404
      Given a fresh target with KV_NAMESPACE_ID "00000000000000000000000000000000"
      When Ana sends GET /api/chats/{Chat}/connections/115
      Then the answer is 503 storage_unavailable

  @CB-EC-1
  Rule: Delayed reads do not lose another chat's data
    > KV is eventually consistent
    > (contract) The embedded store serves stale reads, of keys that are missing too, for some calls.

    Scenario: two chats that connect one e-mail are both listed after delayed reads
      Given reads lag 3 calls behind writes
      And Ana sends PUT /api/chats/{Chat}/connections/115 {"google_email":"{Ana.email}","refresh_token":"a-{tag}","scopes":"a"}
      When Ana sends PUT /api/chats/{Other}/connections/115 {"google_email":"{Ana.email}","refresh_token":"b-{tag}","scopes":"a"}
      Then the answer is 200
      When reads lag 0 calls behind writes
      And Ana sends GET /api/emails/{Ana.email}/chats
      Then "chats" of the answer has the items
        | {Chat}  |
        | {Other} |

    Scenario: a chat that just connected stays listed when another disconnects
      Given Ana sends PUT /api/chats/{Chat}/connections/115 {"google_email":"{Ana.email}","refresh_token":"a-{tag}","scopes":"a"}
      And reads lag 5 calls behind writes
      And Ana sends PUT /api/chats/{Other}/connections/115 {"google_email":"{Ana.email}","refresh_token":"b-{tag}","scopes":"a"}
      When Ana sends DELETE /api/chats/{Chat}/connections/115
      Then the answer is 204
      When reads lag 0 calls behind writes
      And Ana sends GET /api/emails/{Ana.email}/chats
      Then "chats" of the answer has the items
        | {Other} |
      When Ana sends GET /api/chats/{Other}/connections
      Then "connections" of the answer lists
        | google_sub |
        | 115        |

    Scenario: a second event that does not see the first loses nothing
      Given reads lag 3 calls behind writes
      And Ana sends PUT /api/chats/{Chat}/events/01JBZQ8F7VKPNX3QZ9M8J5K2W7/mappings/1 {"google_event_id":"g1","event_title":"Standup","event_start":"2026-01-06T09:00:00+08:00"}
      When Ana sends PUT /api/chats/{Chat}/events/01JBZR0A2VKPNX3QZ9M8J5K2W7/mappings/1 {"google_event_id":"g2","event_title":"Review","event_start":"2026-01-06T09:00:00+08:00"}
      Then the answer is 200
      When reads lag 0 calls behind writes
      And Ana sends POST /api/admin/repair {} on and on, with "cursor" of each answer
      And Ana sends GET /api/chats/{Chat}/events/recent
      Then "events" of the answer lists, in this order
        | event_title |
        | Review      |
        | Standup     |

    Scenario: a change before its connection is readable loses no other chat's data
      Given Ana sends PUT /api/chats/{Other}/connections/115 {"google_email":"{Ana.email}","refresh_token":"b-{tag}","scopes":"a"}
      And reads lag 5 calls behind writes
      And Ana sends PUT /api/chats/{Chat}/connections/115 {"google_email":"{Ana.email}","refresh_token":"a-{tag}","scopes":"a"}
      When Ana sends POST /api/chats/{Chat}/connections/115/revoke
      Then the answer is 200 or 404
      When reads lag 0 calls behind writes
      And Ana sends GET /api/chats/{Other}/connections
      Then "connections" of the answer lists
        | google_sub |
        | 115        |
      And the token of the key gc:conn:{Other}:115 is "b-{tag}"
