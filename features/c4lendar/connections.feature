Feature: Google accounts that are connected to a chat

  Background:
    Given Chat stands for "-{number}"
    And Other stands for "-{number}1"
    And Ana is a person
    And Ben is a person

  @CB-CONN-1
  Rule: A connection is one key of the chat and the account, with the fields of the design
    > Key: gc:conn:{chat_id}:{google_sub}. google_email: lowercase normalized. Uniqueness: enforced by key structure
    > (chat_id + google_sub)

    Scenario: a connection is stored with its fields and without its token in clear
      When Ana sends PUT /api/chats/{Chat}/connections/115 {"google_email":"{Ana.EMAIL}","refresh_token":"refresh-{tag}","scopes":"https://www.googleapis.com/auth/calendar.events","connected_by_telegram_user_id":555555}
      Then the answer is 200
      And the key gc:conn:{Chat}:115 has
        | chat_id                       | {Chat}                                          |
        | google_sub                    | 115                                             |
        | google_email                  | {Ana.email}                                     |
        | refresh_token_encrypted       | anything                                        |
        | scopes                        | https://www.googleapis.com/auth/calendar.events |
        | revoked                       | number 0                                        |
        | connected_by_telegram_user_id | number 555555                                   |
        | created_at                    | a time                                          |
        | updated_at                    | a time                                          |
      And the token of the key gc:conn:{Chat}:115 is "refresh-{tag}"
      And the key gc:conn:{Chat}:115 never expires
      And the answer has
        | chat_id                       | {Chat}                                          |
        | google_sub                    | 115                                             |
        | google_email                  | {Ana.email}                                     |
        | scopes                        | https://www.googleapis.com/auth/calendar.events |
        | revoked                       | number 0                                        |
        | connected_by_telegram_user_id | number 555555                                   |
        | refresh_token                 | absent                                          |
        | refresh_token_encrypted       | absent                                          |
      When Ana sends GET /api/chats/{Chat}/connections/115
      Then the answer is 200
      And the answer has
        | google_email            | {Ana.email} |
        | revoked                 | number 0    |
        | created_at              | a time      |
        | refresh_token           | absent      |
        | refresh_token_encrypted | absent      |

    Scenario: connecting an account twice replaces the token and lists the chat once
      Given Ana sends PUT /api/chats/{Chat}/connections/115 {"google_email":"{Ana.email}","refresh_token":"first-{tag}","scopes":"a"}
      When Ana sends PUT /api/chats/{Chat}/connections/115 {"google_email":"{Ana.email}","refresh_token":"second-{tag}","scopes":"a b"}
      Then the answer is 200
      And the keys with the prefix gc:conn:{Chat}: are
        | gc:conn:{Chat}:115 |
      And the token of the key gc:conn:{Chat}:115 is "second-{tag}"
      And the key gc:conn:{Chat}:115 has
        | scopes | a b |
      When Ana sends GET /api/emails/{Ana.email}/chats
      Then "chats" of the answer has the items
        | {Chat} |

    Scenario: connecting a revoked account makes it active again
      Given Ana sends PUT /api/chats/{Chat}/connections/115 {"google_email":"{Ana.email}","refresh_token":"first-{tag}","scopes":"a"}
      And Ana sends POST /api/chats/{Chat}/connections/115/revoke
      When Ana sends PUT /api/chats/{Chat}/connections/115 {"google_email":"{Ana.email}","refresh_token":"second-{tag}","scopes":"a"}
      Then the answer is 200
      And the key gc:conn:{Chat}:115 has
        | revoked | number 0 |
      When Ana sends GET /api/emails/{Ana.email}/chats
      Then "chats" of the answer has the items
        | {Chat} |

    Scenario: a connection is stored whichever storage call fails
      When Ana sends PUT /api/chats/{Chat}/connections/115 {"google_email":"{Ana.email}","refresh_token":"refresh-{tag}","scopes":"a"}, and any one storage call fails
      Then the answer is 200
      And the token of the key gc:conn:{Chat}:115 is "refresh-{tag}"
      When Ana sends GET /api/emails/{Ana.email}/chats
      Then "chats" of the answer has the items
        | {Chat} |

  @CB-CONN-2
  Rule: The chats of an e-mail are each listed once, whoever connects or disconnects at the same time
    > Secondary Index: Email Lookup. Array of chat_id values where this email is connected. if (updated.length > 0) put, else
    > delete

    Scenario: an e-mail of two chats lists each chat once
      Given Ana sends PUT /api/chats/{Chat}/connections/115 {"google_email":"{Ana.EMAIL}","refresh_token":"a-{tag}","scopes":"a"}
      And Ana sends PUT /api/chats/{Other}/connections/115 {"google_email":"{Ana.email}","refresh_token":"b-{tag}","scopes":"a"}
      And Ben sends PUT /api/chats/{Chat}/connections/21 {"google_email":"{Ben.email}","refresh_token":"c-{tag}","scopes":"a"}
      When Ana sends GET /api/emails/{Ana.EMAIL}/chats
      Then the answer is 200
      And "chats" of the answer has the items
        | {Chat}  |
        | {Other} |
      And the key gc:idx:email:{Ana.email} has the items
        | {Chat}  |
        | {Other} |
      And the key gc:idx:email:{Ana.email} never expires
      When Ana sends GET /api/emails/{Ben.email}/chats
      Then "chats" of the answer has the items
        | {Chat} |

    Scenario: repair fixes the e-mail index that the design's own functions left
      Given the key gc:conn:{Chat}:115 is
        """
        {"chat_id":"{Chat}","google_sub":"115","google_email":"{Ana.email}","refresh_token_encrypted":"AQIDBAUGBwgJCgsMfI13XEWPlZps9xej7G6ULZCCk40lZXrKt4lg13B02g==","scopes":"a","revoked":0,"connected_by_telegram_user_id":1,"created_at":"2026-01-05T10:30:00.000Z","updated_at":"2026-01-05T10:30:00.000Z"}
        """
      And the key gc:conn:{Chat}:21 is
        """
        {"chat_id":"{Chat}","google_sub":"21","google_email":"{Ben.email}","refresh_token_encrypted":"","scopes":"a","revoked":1,"connected_by_telegram_user_id":1,"created_at":"2026-01-05T10:30:00.000Z","updated_at":"2026-01-05T10:30:00.000Z"}
        """
      And the key gc:idx:email:{Ana.email} is
        """
        ["{Other}"]
        """
      And the key gc:idx:email:{Ben.email} is
        """
        ["{Chat}"]
        """
      When Ana sends POST /api/admin/repair {} on and on, with "cursor" of each answer
      Then the answer is 200
      And the key gc:idx:email:{Ana.email} has the items
        | {Chat} |
      And there is no key gc:idx:email:{Ben.email}
      When Ana sends GET /api/emails/{Ana.email}/chats
      Then "chats" of the answer has the items
        | {Chat} |
      When Ana sends GET /api/emails/{Ben.email}/chats
      Then "chats" of the answer is empty

    Scenario: repair changes nothing when everything is consistent
      Given Ana sends PUT /api/chats/{Chat}/connections/115 {"google_email":"{Ana.email}","refresh_token":"a-{tag}","scopes":"a"}
      And Ana sends PUT /api/chats/{Chat}/events/01JBZQ8F7VKPNX3QZ9M8J5K2W7/mappings/115 {"google_event_id":"g1","event_title":"Standup","event_start":"2026-01-06T09:00:00+08:00"}
      When Ana sends POST /api/admin/repair {} on and on, with "cursor" of each answer
      Then the answer has
        | migrated | number 0 |
        | deleted  | number 0 |
      And nothing was written

    @reference
    Scenario: repair removes the index keys of chats no longer connected
      Given the key gc:idx:email:{Ana.email}:{Chat} is
        """
        {"chat_id":"{Chat}","updated_at":"2026-01-05T10:30:00.000Z"}
        """
      And the key gc:idx:email:{Ben.email}:{Other} is
        """
        not JSON
        """
      And the key gc:conn:{Chat}:115 is
        """
        {"chat_id":"{Chat}","google_sub":"115","google_email":"{Ana.email}","refresh_token_encrypted":"","scopes":"a","revoked":1,"connected_by_telegram_user_id":1,"created_at":"2026-01-05T10:30:00.000Z","updated_at":"2026-01-05T10:30:00.000Z"}
        """
      And the key gc:idx:email:{Ana.email} is
        """
        ["{Chat}"]
        """
      When Ana sends POST /api/admin/repair {"cursor":"1"}
      Then the answer has
        | deleted  | number 2 |
        | migrated | number 1 |
        | cursor   | 2        |
      And there is no key with the prefix gc:idx:email:

    @reference
    Scenario: repair counts the index keys that it wrote
      Given the key gc:conn:{Chat}:115 is
        """
        {"chat_id":"{Chat}","google_sub":"115","google_email":"{Ana.email}","refresh_token_encrypted":"AQIDBAUGBwgJCgsMxF3SucedJDzXfFgWXgMJeIvOf3zWkjnELHs3d5xlJ5wg","scopes":"a","revoked":0,"connected_by_telegram_user_id":1,"created_at":"2026-01-05T10:30:00.000Z","updated_at":"2026-01-05T10:30:00.000Z"}
        """
      When Ana sends POST /api/admin/repair {"cursor":"0"}
      Then the answer has
        | migrated | number 2 |
        | deleted  | number 0 |

    @reference
    Scenario: repair of the connections survives any one failed storage call
      Given the key gc:conn:{Chat}:115 is
        """
        {"chat_id":"{Chat}","google_sub":"115","google_email":"{Ana.email}","refresh_token_encrypted":"AQIDBAUGBwgJCgsMxF3SucedJDzXfFgWXgMJeIvOf3zWkjnELHs3d5xlJ5wg","scopes":"a","revoked":0,"connected_by_telegram_user_id":1,"created_at":"2026-01-05T10:30:00.000Z","updated_at":"2026-01-05T10:30:00.000Z"}
        """
      And the key gc:idx:email:{Ana.email}:{Chat} is
        """
        {"chat_id":"{Chat}","updated_at":"2026-01-05T10:30:00.000Z"}
        """
      And the key gc:idx:email:{Ben.email}:{Other} is
        """
        {"chat_id":"{Other}","updated_at":"2026-01-05T10:30:00.000Z"}
        """
      And the key gc:event:{Chat}:01JBZQ8F7VKPNX3QZ9M8J5K2W7:115 is
        """
        {"chat_id":"{Chat}","bot_event_uid":"01JBZQ8F7VKPNX3QZ9M8J5K2W7","google_sub":"115","google_event_id":"g1","event_title":"Standup","event_start":"2026-01-06T09:00:00+08:00","created_at":"2026-01-05T10:30:00.000Z","updated_at":"2026-01-05T10:30:00.000Z"}
        """
      When Ana sends POST /api/admin/repair {"cursor":"0"}, and any one storage call fails
      Then the answer is 200
      And the answer has
        | cursor | 1 |
      And the token of the key gc:conn:{Chat}:115 is "refresh-of-before"

    @reference
    Scenario: repair of the e-mail index survives any one failed storage call
      Given the key gc:idx:email:{Ana.email} is
        """
        ["{Other}"]
        """
      And the key gc:event:recent:{Chat} is
        """
        [{"bot_event_uid":"01JBZR0A2VKPNX3QZ9M8J5K2W7","event_title":"Review","event_start":"2026-01-06T09:00:00+08:00","created_at":"2026-01-05T10:30:00.000Z"}]
        """
      And the key gc:conn:{Chat}:115 is
        """
        {"chat_id":"{Chat}","google_sub":"115","google_email":"{Ana.email}","refresh_token_encrypted":"AQIDBAUGBwgJCgsMxF3SucedJDzXfFgWXgMJeIvOf3zWkjnELHs3d5xlJ5wg","scopes":"a","revoked":0,"connected_by_telegram_user_id":1,"created_at":"2026-01-05T10:30:00.000Z","updated_at":"2026-01-05T10:30:00.000Z"}
        """
      And the key gc:idx:email:{Ana.email}:{Chat} is
        """
        {"chat_id":"{Chat}","updated_at":"2026-01-05T10:30:00.000Z"}
        """
      And the key gc:idx:email:{Ben.email}:{Other} is
        """
        {"chat_id":"{Other}","updated_at":"2026-01-05T10:30:00.000Z"}
        """
      And the key gc:event:{Chat}:01JBZQ8F7VKPNX3QZ9M8J5K2W7:115 is
        """
        {"chat_id":"{Chat}","bot_event_uid":"01JBZQ8F7VKPNX3QZ9M8J5K2W7","google_sub":"115","google_event_id":"g1","event_title":"Standup","event_start":"2026-01-06T09:00:00+08:00","created_at":"2026-01-05T10:30:00.000Z","updated_at":"2026-01-05T10:30:00.000Z"}
        """
      When Ana sends POST /api/admin/repair {"cursor":"1"}, and any one storage call fails
      Then the answer is 200
      And the answer has
        | cursor | 2 |
      And the key gc:idx:email:{Ana.email} has the items
        | {Chat} |
      And there is no key with the prefix gc:idx:email:{Ben.email}

    @reference
    Scenario: repair of the recent events survives any one failed storage call
      Given the key gc:idx:email:{Ana.email} is
        """
        ["{Other}"]
        """
      And the key gc:event:recent:{Chat} is
        """
        [{"bot_event_uid":"01JBZR0A2VKPNX3QZ9M8J5K2W7","event_title":"Review","event_start":"2026-01-06T09:00:00+08:00","created_at":"2026-01-05T10:30:00.000Z"}]
        """
      And the key gc:conn:{Chat}:115 is
        """
        {"chat_id":"{Chat}","google_sub":"115","google_email":"{Ana.email}","refresh_token_encrypted":"AQIDBAUGBwgJCgsMxF3SucedJDzXfFgWXgMJeIvOf3zWkjnELHs3d5xlJ5wg","scopes":"a","revoked":0,"connected_by_telegram_user_id":1,"created_at":"2026-01-05T10:30:00.000Z","updated_at":"2026-01-05T10:30:00.000Z"}
        """
      And the key gc:idx:email:{Ana.email}:{Chat} is
        """
        {"chat_id":"{Chat}","updated_at":"2026-01-05T10:30:00.000Z"}
        """
      And the key gc:idx:email:{Ben.email}:{Other} is
        """
        {"chat_id":"{Other}","updated_at":"2026-01-05T10:30:00.000Z"}
        """
      And the key gc:event:{Chat}:01JBZQ8F7VKPNX3QZ9M8J5K2W7:115 is
        """
        {"chat_id":"{Chat}","bot_event_uid":"01JBZQ8F7VKPNX3QZ9M8J5K2W7","google_sub":"115","google_event_id":"g1","event_title":"Standup","event_start":"2026-01-06T09:00:00+08:00","created_at":"2026-01-05T10:30:00.000Z","updated_at":"2026-01-05T10:30:00.000Z"}
        """
      When Ana sends POST /api/admin/repair {"cursor":"2"}, and any one storage call fails
      Then the answer is 200
      And the answer has
        | cursor | absent or null |
      And the key gc:event:recent:{Chat} lists
        | event_title |
        | Standup     |

    @reference
    Scenario: a cursor that repair never issued is refused
      When Ana sends POST /api/admin/repair {"cursor":"3"}
      Then the answer is 400 bad_request

    @reference
    Scenario: repair during a connection does not lose its e-mail
      Given before the 2nd write on KV of the next request Ana sends POST /api/admin/repair {"cursor":"1"}
      When Ana sends PUT /api/chats/{Chat}/connections/115 {"google_email":"{Ana.email}","refresh_token":"a-{tag}","scopes":"a"}
      Then the answer is 200
      When Ana sends GET /api/emails/{Ana.email}/chats
      Then "chats" of the answer has the items
        | {Chat} |

    Scenario: an e-mail that was never connected has no chats
      When Ana sends GET /api/emails/{Ana.email}/chats
      Then the answer is 200
      And "chats" of the answer is empty

    Scenario: the last chat that disconnects deletes the e-mail index
      Given Ana sends PUT /api/chats/{Chat}/connections/115 {"google_email":"{Ana.email}","refresh_token":"a-{tag}","scopes":"a"}
      And Ana sends PUT /api/chats/{Other}/connections/115 {"google_email":"{Ana.email}","refresh_token":"b-{tag}","scopes":"a"}
      When Ana sends DELETE /api/chats/{Chat}/connections/115
      Then the answer is 204
      And there is no key gc:conn:{Chat}:115
      And the key gc:idx:email:{Ana.email} has the items
        | {Other} |
      When Ana sends GET /api/emails/{Ana.email}/chats
      Then "chats" of the answer has the items
        | {Other} |
      When Ana sends DELETE /api/chats/{Other}/connections/115
      Then the answer is 204
      And there is no key gc:idx:email:{Ana.email}
      When Ana sends GET /api/emails/{Ana.email}/chats
      Then "chats" of the answer is empty

    Scenario: a chat with two accounts of one e-mail stays listed until both are gone
      Given Ana sends PUT /api/chats/{Chat}/connections/115 {"google_email":"{Ana.email}","refresh_token":"a-{tag}","scopes":"a"}
      And Ana sends PUT /api/chats/{Chat}/connections/116 {"google_email":"{Ana.email}","refresh_token":"b-{tag}","scopes":"a"}
      When Ana sends POST /api/chats/{Chat}/connections/115/revoke
      And Ana sends GET /api/emails/{Ana.email}/chats
      Then "chats" of the answer has the items
        | {Chat} |
      When Ana sends DELETE /api/chats/{Chat}/connections/116
      And Ana sends GET /api/emails/{Ana.email}/chats
      Then "chats" of the answer is empty

    Scenario: two chats that connect one e-mail at once are both listed
      When these run at the same time
        | who | method | path                               | body                                                                  |
        | Ana | PUT    | /api/chats/{Chat}/connections/115  | {"google_email":"{Ana.email}","refresh_token":"a-{tag}","scopes":"a"} |
        | Ben | PUT    | /api/chats/{Other}/connections/115 | {"google_email":"{Ana.email}","refresh_token":"b-{tag}","scopes":"a"} |
      Then all answers are 200
      When Ana sends GET /api/emails/{Ana.email}/chats
      Then "chats" of the answer has the items
        | {Chat}  |
        | {Other} |

    Scenario: a chat that connects is listed while another disconnects
      Given Ana sends PUT /api/chats/{Chat}/connections/115 {"google_email":"{Ana.email}","refresh_token":"a-{tag}","scopes":"a"}
      When these run at the same time
        | who | method | path                               | body                                                                  |
        | Ana | DELETE | /api/chats/{Chat}/connections/115  |                                                                       |
        | Ben | PUT    | /api/chats/{Other}/connections/115 | {"google_email":"{Ana.email}","refresh_token":"b-{tag}","scopes":"a"} |
      Then each answer is one of 200, 204
      When Ana sends GET /api/emails/{Ana.email}/chats
      Then "chats" of the answer has the items
        | {Other} |

    Scenario: a chat disconnects completely whichever storage call fails
      Given Ana sends PUT /api/chats/{Chat}/connections/115 {"google_email":"{Ana.email}","refresh_token":"a-{tag}","scopes":"a"}
      And Ana sends PUT /api/chats/{Other}/connections/115 {"google_email":"{Ana.email}","refresh_token":"b-{tag}","scopes":"a"}
      When Ana sends DELETE /api/chats/{Chat}/connections/115, and any one storage call fails
      Then the answer is 204
      And there is no key gc:conn:{Chat}:115
      When Ana sends GET /api/emails/{Ana.email}/chats
      Then "chats" of the answer has the items
        | {Other} |

    Scenario: an account is revoked completely whichever storage call fails
      Given Ana sends PUT /api/chats/{Chat}/connections/115 {"google_email":"{Ana.email}","refresh_token":"a-{tag}","scopes":"a"}
      And Ana sends PUT /api/chats/{Other}/connections/115 {"google_email":"{Ana.email}","refresh_token":"b-{tag}","scopes":"a"}
      When Ana sends POST /api/chats/{Chat}/connections/115/revoke {}, and any one storage call fails
      Then the answer is 200
      And the key gc:conn:{Chat}:115 has
        | revoked | number 1 |
      When Ana sends GET /api/emails/{Ana.email}/chats
      Then "chats" of the answer has the items
        | {Other} |

  @CB-CONN-3
  Rule: A chat's accounts are those not revoked, however many there are
    > Filter active only (revoked=0)

    Background:
      Given Ana sends PUT /api/chats/{Chat}/connections/1 {"google_email":"{Ana.email}","refresh_token":"a-{tag}","scopes":"a"}
      And Ben sends PUT /api/chats/{Chat}/connections/21 {"google_email":"{Ben.email}","refresh_token":"b-{tag}","scopes":"a"}
      And Ben sends PUT /api/chats/{Chat}/connections/22 {"google_email":"{Ben.email}","refresh_token":"c-{tag}","scopes":"a"}

    Scenario: a revoked account is not in the chat's list
      Given Ben sends POST /api/chats/{Chat}/connections/21/revoke
      When Ana sends GET /api/chats/{Chat}/connections
      Then the answer is 200
      And "connections" of the answer lists
        | google_sub | google_email | revoked  | refresh_token | refresh_token_encrypted |
        | 1          | {Ana.email}  | number 0 | absent        | absent                  |
        | 22         | {Ben.email}  | number 0 | absent        | absent                  |

    Scenario: a chat without accounts has an empty list
      When Ana sends GET /api/chats/{Other}/connections
      Then the answer is 200
      And "connections" of the answer is empty

    Scenario Outline: a chat's accounts are complete with pages of <pages>
      Given the store answers queries in pages of <pages>
      When Ana sends GET /api/chats/{Chat}/connections
      Then "connections" of the answer lists
        | google_sub |
        | 1          |
        | 21         |
        | 22         |
      When Ana sends GET /api/chats/{Chat}/connections?email={Ben.email}
      Then "connections" of the answer lists
        | google_sub |
        | 21         |
        | 22         |

      Examples:
        | pages                                 |
        | 1 row                                 |
        | 1 row, with an empty page before each |

    Scenario: 1,001 accounts, one more than a page holds, are searched completely
      Given there are 1001 keys gc:conn:{Other}:{i} like
        """
        {"chat_id":"{Other}","google_sub":"{i}","google_email":"{Ben.email}","refresh_token_encrypted":"","scopes":"a","revoked":1,"connected_by_telegram_user_id":1,"created_at":"2026-01-05T10:30:00.000Z","updated_at":"2026-01-05T10:30:00.000Z"}
        """
      And Ana sends PUT /api/chats/{Other}/connections/999999 {"google_email":"{Ana.email}","refresh_token":"a-{tag}","scopes":"a"}
      When Ana sends GET /api/chats/{Other}/connections
      Then "connections" of the answer lists
        | google_sub |
        | 999999     |

  @CB-CONN-4
  Rule: A request by e-mail or account also returns revoked connections
    > getConnectionByEmail, getConnectionBySub: return data, revoked or not

    Background:
      Given Ana sends PUT /api/chats/{Chat}/connections/115 {"google_email":"{Ana.email}","refresh_token":"a-{tag}","scopes":"a"}
      And Ben sends PUT /api/chats/{Chat}/connections/21 {"google_email":"{Ben.email}","refresh_token":"b-{tag}","scopes":"a"}

    Scenario: a revoked account is found by account and by e-mail
      Given Ana sends POST /api/chats/{Chat}/connections/115/revoke
      When Ana sends GET /api/chats/{Chat}/connections/115
      Then the answer is 200
      And the answer has
        | google_email | {Ana.email} |
        | revoked      | number 1    |
      When Ana sends GET /api/chats/{Chat}/connections?email={Ana.EMAIL}
      Then the answer is 200
      And "connections" of the answer lists
        | google_sub | revoked  |
        | 115        | number 1 |

    Scenario: the active accounts of an e-mail come before the revoked ones
      Given Ana sends PUT /api/chats/{Chat}/connections/116 {"google_email":"{Ana.email}","refresh_token":"c-{tag}","scopes":"a"}
      And Ana sends POST /api/chats/{Chat}/connections/115/revoke
      When Ana sends GET /api/chats/{Chat}/connections?email={Ana.email}
      Then "connections" of the answer lists, in this order
        | google_sub | revoked  |
        | 116        | number 0 |
        | 115        | number 1 |

    Scenario: a connection that is not JSON counts as missing
      Given the key gc:conn:{Chat}:7 is
        """
        not JSON
        """
      When Ana sends GET /api/chats/{Chat}/connections/7
      Then the answer is 404 not_found
      When Ana sends GET /api/chats/{Chat}/connections?email={Ana.email}
      Then "connections" of the answer lists
        | google_sub |
        | 115        |

    @reference
    Scenario: revoking an account twice changes nothing the second time
      Given Ana sends POST /api/chats/{Chat}/connections/115/revoke
      And "updated_at" of the answer is called Before
      When Ana sends POST /api/chats/{Chat}/connections/115/revoke
      Then the answer is 200
      And the answer has
        | revoked    | number 1 |
        | updated_at | {Before} |

    Scenario: an account that is not connected to the chat is not found
      When Ana sends GET /api/chats/{Chat}/connections/116
      Then the answer is 404 not_found
      When Ana sends GET /api/chats/{Other}/connections/115
      Then the answer is 404 not_found
      When Ana sends POST /api/chats/{Chat}/connections/116/revoke
      Then the answer is 404 not_found
      When Ana sends GET /api/chats/{Other}/connections?email={Ana.email}
      Then the answer is 200
      And "connections" of the answer is empty

  @CB-CONN-5
  Rule: A chat never sees data of a chat whose id begins like its own
    > prefix = gc:conn:{chatId}:

    Background:
      Given Ana sends PUT /api/chats/{Chat}/connections/1 {"google_email":"{Ana.email}","refresh_token":"a-{tag}","scopes":"a"}
      And Ben sends PUT /api/chats/{Other}/connections/2 {"google_email":"{Ben.email}","refresh_token":"b-{tag}","scopes":"a"}
      And Standup stands for "01JBZQ8F7VKPNX3QZ9M8J5K2W7"
      And Ana sends PUT /api/chats/{Chat}/events/{Standup}/mappings/1 {"google_event_id":"g1","event_title":"Standup","event_start":"2026-01-06T09:00:00+08:00"}
      And Ben sends PUT /api/chats/{Other}/events/{Standup}/mappings/1 {"google_event_id":"g2","event_title":"Standup","event_start":"2026-01-06T09:00:00+08:00"}

    Scenario: a chat lists no accounts of a chat with a longer id
      When Ana sends GET /api/chats/{Chat}/connections
      Then "connections" of the answer lists
        | google_sub |
        | 1          |
      When Ben sends GET /api/chats/{Chat}/connections?email={Ben.email}
      Then "connections" of the answer is empty

    Scenario: a chat neither lists nor deletes events of a chat with a longer id
      When Ana sends GET /api/chats/{Chat}/events/{Standup}/mappings
      Then "mappings" of the answer lists
        | chat_id | google_event_id |
        | {Chat}  | g1              |
      When Ana sends DELETE /api/chats/{Chat}/events?google_sub=1
      Then the answer is 200
      And the answer has
        | deleted | number 1 |
      And there is no key gc:event:{Chat}:{Standup}:1
      And the key gc:event:{Other}:{Standup}:1 has
        | google_event_id | g2 |
      When Ben sends GET /api/chats/{Other}/events/recent
      Then "events" of the answer lists
        | bot_event_uid |
        | {Standup}     |
