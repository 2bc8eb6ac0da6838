Feature: Who may call the API, and what it accepts

  Background:
    Given the gated routes
      | route                                                                 | request |
      | PUT /api/chats/{group}/connections/115                                | {"google_email":"{Ana.email}","refresh_token":"refresh-{tag}","scopes":"a"} |
      | GET /api/chats/{group}/connections                                    |  |
      | GET /api/chats/{group}/connections/115                                |  |
      | POST /api/chats/{group}/connections/115/revoke                        |  |
      | DELETE /api/chats/{group}/connections/115                             |  |
      | GET /api/emails/nobody@example.com/chats                              |  |
      | PUT /api/chats/{group}/events/01JBZQ8F7VKPNX3QZ9M8J5K2W7/mappings/115 | {"google_event_id":"g1","event_title":"Standup","event_start":"2026-01-06T09:00:00+08:00"} |
      | GET /api/chats/{group}/events/01JBZQ8F7VKPNX3QZ9M8J5K2W7/mappings     |  |
      | GET /api/chats/{group}/events/recent                                  |  |
      | GET /api/chats/{group}/events/resolve                                 |  |
      | PATCH /api/chats/{group}/events/01JBZQ8F7VKPNX3QZ9M8J5K2W7            | {"event_title":"Daily"} |
      | DELETE /api/chats/{group}/events/01JBZQ8F7VKPNX3QZ9M8J5K2W7           |  |
      | DELETE /api/chats/{group}/events                                      | ?google_sub=115 |
      | POST /api/admin/migrate                                               | {} |
      | POST /api/admin/cleanup                                               | {} |
      | POST /api/admin/repair                                                | {} |
    And Chat stands for "-{number}"
    And Ana is a person

  @CB-GATE-1 @every-route
  Rule: The API is for callers who have the ADMIN_TOKEN
    > Storage design: the bot's own functions
    > (contract) All routes but the bot's own are behind ADMIN_TOKEN.

    Background:
      Given Ana sends PUT /api/chats/{Chat}/connections/115 {"google_email":"{Ana.email}","refresh_token":"refresh-{tag}","scopes":"a"}

    Scenario Outline: a caller without the ADMIN_TOKEN is refused on <route>
      When Nobody calls <route> for Chat
      Then the answer is 401 or 403
      And no storage call was made
      And the answer does not contain "{Ana.email}"

      Examples: every gated route

    Scenario Outline: a caller with <header> "<value>" is refused
      When Nobody sends GET /api/chats/{Chat}/connections with the header <header> "<value>"
      Then the answer is 401 or 403
      And no storage call was made
      When Nobody sends DELETE /api/chats/{Chat}/connections/115 with the header <header> "<value>"
      Then the answer is 401 or 403
      And the key gc:conn:{Chat}:115 has
        | revoked | number 0 |

      Examples:
        | header                          | value                    |
        | Authorization                   | Bearer                   |
        | Authorization                   | Bearer storespec-admi    |
        | Authorization                   | Bearer storespec-admin1  |
        | Authorization                   | Bearer storespec-webhook |
        | Authorization                   | Basic storespec-admin    |
        | X-Telegram-Bot-Api-Secret-Token | storespec-webhook        |

    @reference
    Scenario Outline: a server without <what> refuses to start
      Then a fresh target does not start with <what> ""

      Examples:
        | what                    |
        | ADMIN_TOKEN             |
        | TELEGRAM_WEBHOOK_SECRET |

    @reference
    Scenario: the service page names the build
      When Nobody sends GET /
      Then the answer has
        | version | storespec |

    Scenario: the service page is open to everyone
      When Nobody sends GET /
      Then the answer is 200
      And no storage call was made

  @CB-ERR-1
  Rule: A value that cannot be part of a key is refused, and nothing is written
    > Uniqueness: enforced by key structure
    > (contract) Chat ids are -?\d{1,19}, accounts [0-9A-Za-z_-]{1,255}, events ULIDs.

    @reference
    Scenario: the reference refuses values against the contract that the design accepts
      Then Ana is refused each of these, and nothing is written
        | what                                 | request                                                                | body | answer          |
        | a connection since yesterday         | PUT /api/chats/{Chat}/connections/115                                  | {"google_email":"{Ana.email}","refresh_token":"a","scopes":"a","created_at":"yesterday"} | 400 bad_request |
        | a mapping since yesterday            | PUT /api/chats/{Chat}/events/01JBZQ8F7VKPNX3QZ9M8J5K2W7/mappings/115   | {"google_event_id":"g1","created_at":"yesterday"} | 400 bad_request |
        | a reference and a part of the title  | GET /api/chats/{Chat}/events/resolve?ref=01JBZQ8F&q=a                  |  | 400 bad_request |
        | an empty part of the title           | GET /api/chats/{Chat}/events/resolve?q=                                |  | 400 bad_request |

    Scenario: malformed ids, keys and bodies are refused
      Then Ana is refused each of these, and nothing is written
        | what                                   | request                                                                | body | answer          |
        | a chat that is a word                  | GET /api/chats/lions/connections                                       |  | 400 bad_request |
        | a chat with a colon                    | GET /api/chats/1%3A2/connections                                       |  | 400 bad_request |
        | a chat of 20 digits                    | GET /api/chats/12345678901234567890/connections                        |  | 400 bad_request |
        | a chat with a plus                     | GET /api/chats/%2B1/events/recent                                      |  | 400 bad_request |
        | a chat in another script               | GET /api/chats/%D9%A1/events/recent                                    |  | 400 bad_request |
        | two minus signs                        | GET /api/chats/--1/events/recent                                       |  | 400 bad_request |
        | an account with a colon                | PUT /api/chats/{Chat}/connections/1%3A2                                | {"google_email":"{Ana.email}","refresh_token":"a","scopes":"a"} | 400 bad_request |
        | an account with a slash                | PUT /api/chats/{Chat}/connections/1%2F2                                | {"google_email":"{Ana.email}","refresh_token":"a","scopes":"a"} | 400 bad_request |
        | an account of 256 letters              | GET /api/chats/{Chat}/connections/{256×a}                              |  | 400 bad_request |
        | an account with a colon, to go         | DELETE /api/chats/{Chat}/events?google_sub=1%3A2                       |  | 400 bad_request |
        | no account                             | DELETE /api/chats/{Chat}/events                                        |  | 400 bad_request |
        | an e-mail without an at                | PUT /api/chats/{Chat}/connections/115                                  | {"google_email":"ana","refresh_token":"a","scopes":"a"} | 400 bad_request |
        | an e-mail that is a number             | PUT /api/chats/{Chat}/connections/115                                  | {"google_email":7,"refresh_token":"a","scopes":"a"} | 400 bad_request |
        | no e-mail                              | PUT /api/chats/{Chat}/connections/115                                  | {"refresh_token":"a","scopes":"a"} | 400 bad_request |
        | no token                               | PUT /api/chats/{Chat}/connections/115                                  | {"google_email":"{Ana.email}","scopes":"a"} | 400 bad_request |
        | an empty token                         | PUT /api/chats/{Chat}/connections/115                                  | {"google_email":"{Ana.email}","refresh_token":"","scopes":"a"} | 400 bad_request |
        | a body that is not JSON                | PUT /api/chats/{Chat}/connections/115                                  | {"google_email": | 400 bad_request |
        | a list                                 | PUT /api/chats/{Chat}/connections/115                                  | [] | 400 bad_request |
        | an event of 25 characters              | GET /api/chats/{Chat}/events/01JBZQ8F7VKPNX3QZ9M8J5K2W/mappings        |  | 400 bad_request |
        | an event with an I                     | GET /api/chats/{Chat}/events/01JBZQ8F7VKPNX3QZ9M8J5K2WI/mappings       |  | 400 bad_request |
        | an event with a colon                  | DELETE /api/chats/{Chat}/events/01JBZQ8F7VKPNX3QZ9M8J5K2W%3A           |  | 400 bad_request |
        | a mapping without Google's id          | PUT /api/chats/{Chat}/events/01JBZQ8F7VKPNX3QZ9M8J5K2W7/mappings/115   | {"event_title":"Standup","event_start":"2026-01-06T09:00:00+08:00"} | 400 bad_request |
        | a title that is a number               | PUT /api/chats/{Chat}/events/01JBZQ8F7VKPNX3QZ9M8J5K2W7/mappings/115   | {"google_event_id":"g1","event_title":7,"event_start":"2026-01-06T09:00:00+08:00"} | 400 bad_request |
        | a mapping of an account with a colon   | PUT /api/chats/{Chat}/events/01JBZQ8F7VKPNX3QZ9M8J5K2W7/mappings/1%3A2 | {"google_event_id":"g1","event_title":"a","event_start":"2026-01-06T09:00:00+08:00"} | 400 bad_request |
        | revoking an account with a colon       | POST /api/chats/{Chat}/connections/1%3A2/revoke                        |  | 400 bad_request |
        | deleting an account with a colon       | DELETE /api/chats/{Chat}/connections/1%3A2                             |  | 400 bad_request |
        | the chats of no e-mail                 | GET /api/emails/ana/chats                                              |  | 400 bad_request |
        | the chats of an e-mail with a colon    | GET /api/emails/a%3Ab@example.com/chats                                |  | 400 bad_request |
        | an event of a chat that is a word      | GET /api/chats/lions/events/resolve                                    |  | 400 bad_request |
        | a title that becomes a list            | PATCH /api/chats/{Chat}/events/01JBZQ8F7VKPNX3QZ9M8J5K2W7              | {"event_title":[]} | 400 bad_request |
        | a reference of 7 characters            | GET /api/chats/{Chat}/events/resolve?ref=01JBZQ8                       |  | 400 bad_request |
        | a reference with an I                  | GET /api/chats/{Chat}/events/resolve?ref=01JBZQ8I                      |  | 400 bad_request |
        | a person that is a text                | PUT /api/chats/{Chat}/connections/115                                  | {"google_email":"{Ana.email}","refresh_token":"a","connected_by_telegram_user_id":"a"} | 400 bad_request |
        | scopes that are a list                 | PUT /api/chats/{Chat}/connections/115                                  | {"google_email":"{Ana.email}","refresh_token":"a","scopes":["a"]} | 400 bad_request |
        | a time of a connection in a number     | PUT /api/chats/{Chat}/connections/115                                  | {"google_email":"{Ana.email}","refresh_token":"a","scopes":"a","created_at":7} | 400 bad_request |
        | a start that is a number               | PUT /api/chats/{Chat}/events/01JBZQ8F7VKPNX3QZ9M8J5K2W7/mappings/115   | {"google_event_id":"g1","event_start":7} | 400 bad_request |
        | a time of a mapping in a number        | PUT /api/chats/{Chat}/events/01JBZQ8F7VKPNX3QZ9M8J5K2W7/mappings/115   | {"google_event_id":"g1","created_at":7} | 400 bad_request |
        | a mapping of a chat that is a word     | PUT /api/chats/lions/events/01JBZQ8F7VKPNX3QZ9M8J5K2W7/mappings/115    | {"google_event_id":"g1"} | 400 bad_request |
        | a mapping of an event with an I        | PUT /api/chats/{Chat}/events/01JBZQ8F7VKPNX3QZ9M8J5K2WI/mappings/115   | {"google_event_id":"g1"} | 400 bad_request |
        | the mappings of a word                 | GET /api/chats/lions/events/01JBZQ8F7VKPNX3QZ9M8J5K2W7/mappings        |  | 400 bad_request |
        | a change for a word                    | PATCH /api/chats/lions/events/01JBZQ8F7VKPNX3QZ9M8J5K2W7               | {"event_title":"a"} | 400 bad_request |
        | a change of an event with an I         | PATCH /api/chats/{Chat}/events/01JBZQ8F7VKPNX3QZ9M8J5K2WI              | {"event_title":"a"} | 400 bad_request |
        | a start that becomes a number          | PATCH /api/chats/{Chat}/events/01JBZQ8F7VKPNX3QZ9M8J5K2W7              | {"event_start":7} | 400 bad_request |
        | a deletion for a word                  | DELETE /api/chats/lions/events/01JBZQ8F7VKPNX3QZ9M8J5K2W7              |  | 400 bad_request |
        | the events of a word, to go            | DELETE /api/chats/lions/events?google_sub=1                            |  | 400 bad_request |
        | the recent events of a word            | GET /api/chats/lions/events/recent                                     |  | 400 bad_request |
        | a connection of a word                 | GET /api/chats/lions/connections/115                                   |  | 400 bad_request |
        | a connection for a word                | PUT /api/chats/lions/connections/115                                   | {"google_email":"{Ana.email}","refresh_token":"a","scopes":"a"} | 400 bad_request |
        | revoking for a word                    | POST /api/chats/lions/connections/115/revoke                           |  | 400 bad_request |
        | deleting for a word                    | DELETE /api/chats/lions/connections/115                                |  | 400 bad_request |
        | connections of an e-mail without an at | GET /api/chats/{Chat}/connections?email=ana                            |  | 400 bad_request |
        | nothing to change                      | PATCH /api/chats/{Chat}/events/01JBZQ8F7VKPNX3QZ9M8J5K2W7              | {} | 400 bad_request |
        | a cursor that is a number              | POST /api/admin/migrate                                                | {"cursor":7} | 400 bad_request |
        | a cursor in a list                     | POST /api/admin/cleanup                                                | ["a"] | 400 bad_request |
        | a cursor that is a number, to repair   | POST /api/admin/repair                                                 | {"cursor":7} | 400 bad_request |
        | an unknown route                       | GET /api/chats/{Chat}/secrets                                          |  | 404             |

    Scenario: malformed updates and links from strangers are refused
      Then Nobody is refused each of these, and nothing is written
        | what                             | request                                     | body            | answer           |
        | an update                        | POST /telegram-webhook                      | {"update_id":1} | 401 unauthorized |
        | a link for a chat that is a word | GET /oauth/start?chatId=lions&userId=555    |                 | 400 bad_request  |
        | a link for a person with a colon | GET /oauth/start?chatId={Chat}&userId=5%3A5 |                 | 400 bad_request  |
        | a state with a colon             | GET /oauth/callback?code=a&state=a%3Ab      |                 | 400 bad_request  |
        | no state                         | GET /oauth/callback?code=a                  |                 | 400 bad_request  |

    Scenario Outline: a mapping is stored as sent when its <what>
      When Ana sends PUT /api/chats/{Chat}/events/01JBZQ8F7VKPNX3QZ9M8J5K2W7/mappings/115 {"google_event_id":"g1","event_title":<title>,"event_start":"2026-01-06T09:00:00+08:00"}
      Then the answer is 200
      And the key gc:event:{Chat}:01JBZQ8F7VKPNX3QZ9M8J5K2W7:115 has
        | event_title | <stored> |

      Examples:
        | what                   | title             | stored          |
        | title is missing       | null              | absent or null  |
        | title has quotes       | "a \"b\" & c"     | a "b" & c       |
        | title is in any script | "日本 <b> ' ; -- 🦁" | 日本 <b> ' ; -- 🦁 |
