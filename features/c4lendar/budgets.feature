Feature: What a request may cost, however much is stored
  A bulk get of up to 100 keys is one call; a line "get or bulk get" also allows single gets.

  Background:
    Given the budgeted routes
      | route                                             | with    |
      | GET /                                             |         |
      | GET /oauth/start                                  |         |
      | GET /oauth/callback                               |         |
      | POST /telegram-webhook                            | #aut    |
      | POST /telegram-webhook                            | #cal    |
      | POST /telegram-webhook                            | #alt    |
      | POST /telegram-webhook                            | #del    |
      | POST /telegram-webhook                            | #dis    |
      | PUT /api/chats/{chat}/connections/{sub}           |         |
      | GET /api/chats/{chat}/connections                 |         |
      | GET /api/chats/{chat}/connections                 | ?email= |
      | GET /api/chats/{chat}/connections/{sub}           |         |
      | POST /api/chats/{chat}/connections/{sub}/revoke   |         |
      | DELETE /api/chats/{chat}/connections/{sub}        |         |
      | GET /api/emails/{email}/chats                     |         |
      | PUT /api/chats/{chat}/events/{uid}/mappings/{sub} |         |
      | GET /api/chats/{chat}/events/{uid}/mappings       |         |
      | GET /api/chats/{chat}/events/recent               |         |
      | GET /api/chats/{chat}/events/resolve              |         |
      | PATCH /api/chats/{chat}/events/{uid}              |         |
      | DELETE /api/chats/{chat}/events/{uid}             |         |
      | DELETE /api/chats/{chat}/events                   |         |
      | POST /api/admin/migrate                           |         |
      | POST /api/admin/cleanup                           |         |
      | POST /api/admin/repair                            |         |
    And Chat stands for "-{number}"
    And Sub stands for "115"
    And Uid stands for "01JBZR0A2VKPNX3QZ9M8J5K2W7"
    And Ana is a person
    And Ben is a person

  @CB-BUD-1
  Rule: A connection costs its own key and its e-mail index; a chat's list costs one list and a read of each
    > getActiveConnections: fetch all connection blobs in parallel. storeGoogleConnection: put, then the email index
    > (contract) Store 1 get + 3 puts; one by account 1 get; lists 1 page per 1,000 + 1 get per key.

    Scenario Outline: a connection costs the same calls next to <others> others
      Given there are <others> keys gc:conn:{Chat}:{i} like
        """
        {"chat_id":"{Chat}","google_sub":"{i}","google_email":"{Ben.email}","refresh_token_encrypted":"","scopes":"a","revoked":0,"connected_by_telegram_user_id":1,"created_at":"2026-01-05T10:30:00.000Z","updated_at":"2026-01-05T10:30:00.000Z"}
        """
      When Ana sends PUT /api/chats/{Chat}/connections/{Sub} {"google_email":"{Ana.email}","refresh_token":"refresh-{tag}","scopes":"a"}
      Then the answer is 200
      And the storage calls are at most
        | service | call | on | count |
        | kv      | get  | KV | 1     |
        | kv      | put  | KV | 3     |
      When Ana sends GET /api/chats/{Chat}/connections/{Sub}
      Then the answer is 200
      And the storage calls are at most
        | service | call | on | count |
        | kv      | get  | KV | 1     |
      When Ana sends GET /api/chats/{Chat}/connections
      Then the answer is 200
      And the storage calls are at most
        | service | call            | on | count |
        | kv      | list            | KV | 1     |
        | kv      | get or bulk get | KV | <all> |
      When Ana sends GET /api/chats/{Chat}/connections?email={Ana.email}
      Then the answer is 200
      And the storage calls are at most
        | service | call            | on | count |
        | kv      | list            | KV | 1     |
        | kv      | get or bulk get | KV | <all> |
      When Ana sends GET /api/emails/{Ana.email}/chats
      Then the answer is 200
      And the storage calls are at most
        | service | call        | on | count |
        | kv      | list or get | KV | 1     |
      When Ana sends POST /api/chats/{Chat}/connections/{Sub}/revoke
      Then the answer is 200
      And the storage calls are at most
        | service | call            | on | count  |
        | kv      | list            | KV | 1      |
        | kv      | get or bulk get | KV | <more> |
        | kv      | put or delete   | KV | 3      |
      When Ana sends DELETE /api/chats/{Chat}/connections/{Sub}
      Then the answer is 204
      And the storage calls are at most
        | service | call            | on | count  |
        | kv      | list            | KV | 1      |
        | kv      | get or bulk get | KV | <more> |
        | kv      | put or delete   | KV | 3      |

      Examples:
        | others | all | more |
        | 1      | 2   | 3    |
        | 64     | 65  | 66   |

    Scenario: the chats of an e-mail cost one call, however many accounts each has
      Given Ana sends PUT /api/chats/{Chat}/connections/{Sub} {"google_email":"{Ana.email}","refresh_token":"refresh-{tag}","scopes":"a"}
      And Ana sends 64 times, 8 at a time, PUT /api/chats/{Chat}{i}/connections/{Sub} {"google_email":"{Ana.email}","refresh_token":"refresh-{tag}","scopes":"a"}
      When Ana sends GET /api/emails/{Ana.email}/chats
      Then the answer has
        | chats[64] | anything |
        | chats[65] | absent   |
      And the storage calls are at most
        | service | call        | on | count |
        | kv      | list or get | KV | 1     |

  @CB-BUD-2
  Rule: An event costs its own mappings and the recent events of its chat
    > storeEventMapping: put, then the recent events index. deleteEventMappings: list, delete each
    > (contract) Store 1 put + 1 get + at most 1 put; mappings 1 list + n gets; recent and resolve 1 get.

    Scenario Outline: an event of <accounts> accounts costs the same next to <others> other events
      Given there are <others> keys gc:event:{Chat}:01JBZQ8F7VKPNX3QZ9M8J5K20{i}:1 like
        """
        {"chat_id":"{Chat}","bot_event_uid":"01JBZQ8F7VKPNX3QZ9M8J5K20{i}","google_sub":"1","google_event_id":"g{i}","event_title":"Other","event_start":"2026-01-06T09:00:00+08:00","created_at":"2026-01-05T10:30:00.000Z","updated_at":"2026-01-05T10:30:00.000Z"}
        """
      And Ana sends <accounts> times one after the other PUT /api/chats/{Chat}/events/{Uid}/mappings/{i} {"google_event_id":"g{i}","event_title":"Standup","event_start":"2026-01-06T09:00:00+08:00"}
      When Ana sends PUT /api/chats/{Chat}/events/{Uid}/mappings/{Sub} {"google_event_id":"g1","event_title":"Standup","event_start":"2026-01-06T09:00:00+08:00"}
      Then the answer is 200
      And the storage calls are at most
        | service | call | on | count |
        | kv      | put  | KV | 2     |
        | kv      | get  | KV | 1     |
      When Ana sends GET /api/chats/{Chat}/events/{Uid}/mappings
      Then the answer is 200
      And the storage calls are at most
        | service | call            | on | count |
        | kv      | list            | KV | 1     |
        | kv      | get or bulk get | KV | <all> |
      When Ana sends GET /api/chats/{Chat}/events/recent
      Then the answer is 200
      And the storage calls are at most
        | service | call | on | count |
        | kv      | get  | KV | 1     |
      When Ana sends GET /api/chats/{Chat}/events/resolve
      Then the answer is 200
      And the storage calls are at most
        | service | call | on | count |
        | kv      | get  | KV | 1     |
      When Ana sends GET /api/chats/{Chat}/events/resolve?q=STAND
      Then the answer is 200
      And the storage calls are at most
        | service | call | on | count |
        | kv      | get  | KV | 1     |
      When Ana sends PATCH /api/chats/{Chat}/events/{Uid} {"event_title":"Daily"}
      Then the answer is 200
      And the storage calls are at most
        | service | call            | on | count    |
        | kv      | list            | KV | 1        |
        | kv      | get or bulk get | KV | <andone> |
        | kv      | put             | KV | <andone> |
      When Ana sends DELETE /api/chats/{Chat}/events/{Uid}
      Then the answer is 204
      And the storage calls are at most
        | service | call   | on | count |
        | kv      | list   | KV | 1     |
        | kv      | delete | KV | <all> |
        | kv      | get    | KV | 1     |
        | kv      | put    | KV | 1     |

      Examples:
        | accounts | others | all | andone |
        | 1        | 1      | 2   | 3      |
        | 8        | 10     | 9   | 10     |

    Scenario Outline: deleting an account's <events> events costs one list and a delete of each
      Given Ana sends <events> times one after the other PUT /api/chats/{Chat}/events/01JBZQ8F7VKPNX3QZ9M8J5K20{i}/mappings/{Sub} {"google_event_id":"g{i}","event_title":"Standup","event_start":"2026-01-06T09:00:00+08:00"}
      And Ana sends <events> times one after the other PUT /api/chats/{Chat}/events/01JBZQ8F7VKPNX3QZ9M8J5K20{i}/mappings/116 {"google_event_id":"g{i}","event_title":"Standup","event_start":"2026-01-06T09:00:00+08:00"}
      When Ana sends DELETE /api/chats/{Chat}/events?google_sub={Sub}
      Then the answer has
        | deleted | number <events> |
      And the storage calls are at most
        | service | call   | on | count    |
        | kv      | list   | KV | 1        |
        | kv      | delete | KV | <events> |
        | kv      | get    | KV | 1        |
        | kv      | put    | KV | 1        |

      Examples:
        | events |
        | 1      |
        | 9      |

  @CB-BUD-3
  Rule: The bot's commands cost the sum of their parts
    > In #cal handler: getActiveConnections, storeEventMapping. #dis: deleteEventMappingsForAccount, updateGoogleConnection
    > (contract) The lists and mappings of the accounts, and what says that an update was done.

    Background:
      Given the service telegram answers POST /bot* with 200 {"ok":true}
      And the service google answers POST /token with 200 {"access_token":"access-{tag}","refresh_token":"refresh-{tag}","scope":"a","expires_in":3599}
      And the service google answers GET /oauth2/v2/userinfo with 200 {"id":"115","email":"{Ana.email}"}
      And the service google answers POST /calendar/v3/calendars/primary/events with 200 {"kind":"calendar#event"}
      And the service google answers PATCH /calendar/v3/calendars/primary/events/* with 200 {"kind":"calendar#event"}
      And the service google answers DELETE /calendar/v3/calendars/primary/events/* with 204

    Scenario: the service page is free, and connecting costs a few keys
      When Nobody sends GET /
      Then the answer is 200
      And no storage call was made
      When Ana sends POST /telegram-webhook {"update_id":1,"message":{"message_id":1,"date":1769421600,"chat":{"id":{Chat}},"from":{"id":555},"text":"#aut"}}
      Then the answer is 200
      And the storage calls are at most
        | service | call | on | count |
        | kv      | get  | KV | 1     |
        | kv      | put  | KV | 1     |
      When Nobody sends GET /oauth/start?chatId={Chat}&userId=555
      Then the answer is 302
      And what matches "state=([^&]+)" in the header Location of the answer is called State
      And the storage calls are at most
        | service | call | on | count |
        | kv      | put  | KV | 1     |
      When Nobody sends GET /oauth/callback?code=code-{tag}&state={State}
      Then the answer is 200
      And the storage calls are at most
        | service | call          | on | count |
        | kv      | get           | KV | 2     |
        | kv      | put or delete | KV | 4     |

    Scenario: an event of two accounts costs one list and its own keys
      Given Ana sends PUT /api/chats/{Chat}/connections/1 {"google_email":"{Ana.email}","refresh_token":"a-{tag}","scopes":"a"}
      And Ben sends PUT /api/chats/{Chat}/connections/21 {"google_email":"{Ben.email}","refresh_token":"b-{tag}","scopes":"a"}
      And there are 10 keys gc:event:{Chat}:01JBZQ8F7VKPNX3QZ9M8J5K20{i}:1 like
        """
        {"chat_id":"{Chat}","bot_event_uid":"01JBZQ8F7VKPNX3QZ9M8J5K20{i}","google_sub":"2","google_event_id":"g{i}","event_title":"Other","event_start":"2026-01-06T09:00:00+08:00","created_at":"2026-01-05T10:30:00.000Z","updated_at":"2026-01-05T10:30:00.000Z"}
        """
      When Ana sends POST /telegram-webhook {"update_id":1,"message":{"message_id":1,"date":1769421600,"chat":{"id":{Chat}},"from":{"id":555},"text":"#cal Standup | 2026-12-01T09:00:00+08:00"}}
      Then the answer is 200
      And the storage calls are at most
        | service | call            | on | count |
        | kv      | list            | KV | 1     |
        | kv      | get or bulk get | KV | 5     |
        | kv      | put             | KV | 5     |
      When Ana sends POST /telegram-webhook {"update_id":2,"message":{"message_id":2,"date":1769421700,"chat":{"id":{Chat}},"from":{"id":555},"text":"#alt {\"title\":\"Daily\"}"}}
      Then the answer is 200
      And the storage calls are at most
        | service | call            | on | count |
        | kv      | list            | KV | 2     |
        | kv      | get or bulk get | KV | 8     |
        | kv      | put             | KV | 5     |
      When Ana sends POST /telegram-webhook {"update_id":3,"message":{"message_id":3,"date":1769421800,"chat":{"id":{Chat}},"from":{"id":555},"text":"#del"}}
      Then the answer is 200
      And the storage calls are at most
        | service | call            | on | count |
        | kv      | list            | KV | 3     |
        | kv      | get or bulk get | KV | 7     |
        | kv      | put or delete   | KV | 4     |

    Scenario: disconnecting one of two accounts costs three lists and its own keys
      Given Ana sends PUT /api/chats/{Chat}/connections/1 {"google_email":"{Ana.email}","refresh_token":"a-{tag}","scopes":"a"}
      And Ben sends PUT /api/chats/{Chat}/connections/21 {"google_email":"{Ben.email}","refresh_token":"b-{tag}","scopes":"a"}
      And Ana sends 3 times one after the other PUT /api/chats/{Chat}/events/01JBZQ8F7VKPNX3QZ9M8J5K20{i}/mappings/1 {"google_event_id":"g{i}","event_title":"Standup","event_start":"2026-01-06T09:00:00+08:00"}
      When Ana sends POST /telegram-webhook {"update_id":1,"message":{"message_id":1,"date":1769421600,"chat":{"id":{Chat}},"from":{"id":555},"text":"#dis {Ana.email}"}}
      Then the answer is 200
      And the storage calls are at most
        | service | call            | on | count |
        | kv      | list            | KV | 3     |
        | kv      | get or bulk get | KV | 7     |
        | kv      | put or delete   | KV | 8     |

  @CB-LIM-2
  Rule: One request makes at most 1,000 storage calls, and its cursor says where the next one continues
    > Cloudflare's limit of operations of one invocation
    > (contract) Migrate and cleanup answer a cursor when more remains.

    Scenario: 1,100 chats are migrated in several requests, up to the one with a token
      Given there are 1100 keys gc_tokens:chat:-5{i} like
        """
        {"access_token":"access-{tag}"}
        """
      And the key gc_tokens:chat:9{number} is
        """
        {"access_token":"access-{tag}","refresh_token":"refresh-{tag}"}
        """
      And the service google answers GET /oauth2/v2/userinfo with 200 {"id":"115","email":"{Ana.email}"}
      When Ana sends POST /api/admin/migrate {} on and on, with "cursor" of each answer
      Then the answer is 200
      And each of these requests made at most 1000 storage calls
      And the token of the key gc:conn:9{number}:115 is "refresh-{tag}"

    Scenario: 1,100 connections are cleaned up in several requests, up to the revoked one
      Given there are 1100 keys gc:conn:{Chat}:{i} like
        """
        {"chat_id":"{Chat}","google_sub":"{i}","google_email":"{Ana.email}","refresh_token_encrypted":"AQIDBAUGBwgJCgsMfI13XEWPlZps9xej7G6ULZCCk40lZXrKt4lg13B02g==","scopes":"a","revoked":0,"connected_by_telegram_user_id":1,"created_at":"2026-01-05T10:30:00.000Z","updated_at":"2026-01-05T10:30:00.000Z"}
        """
      And the key gc:conn:{Chat}:z is
        """
        {"chat_id":"{Chat}","google_sub":"z","google_email":"{Ben.email}","refresh_token_encrypted":"","scopes":"a","revoked":1,"connected_by_telegram_user_id":1,"created_at":"2026-01-05T10:30:00.000Z","updated_at":"2026-01-05T10:30:00.000Z"}
        """
      When Ana sends POST /api/admin/cleanup {} on and on, with "cursor" of each answer
      Then the answer is 200
      And each of these requests made at most 1000 storage calls
      And there is no key gc:conn:{Chat}:z
      And the key gc:conn:{Chat}:1099 has
        | revoked | number 0 |

    # The runtime's own emulator accepts any text as a cursor.
    Scenario Outline: a cursor for <tool> that was never issued changes nothing
      When Ana sends POST /api/admin/<tool> {"cursor":"<cursor>"}
      Then the answer is 200 or 400
      And nothing was written

      Examples:
        | tool    | cursor   |
        | migrate | made up  |
        | cleanup | made up  |
        | repair  | 0made up |

    Scenario: a cursor cannot be checked while KV is down
      Given the kv service is down
      When Ana sends POST /api/admin/cleanup {"cursor":"made up"}
      Then the answer is 503 storage_unavailable

    @reference
    Scenario: a cursor of another tool is refused or ignored
      Given there are 50 keys gc_tokens:chat:-5{i} like
        """
        {"access_token":"access-{tag}"}
        """
      And Ana sends POST /api/admin/migrate {}
      And "cursor" of the answer is called Cursor
      When Ana sends POST /api/admin/cleanup {"cursor":"{Cursor}"}
      Then the answer is 200 or 400

    Scenario: an event of 130 accounts is deleted within 1,000 calls
      Given there are 130 keys gc:event:{Chat}:01JBZQ8F7VKPNX3QZ9M8J5K2W7:{i} like
        """
        {"chat_id":"{Chat}","bot_event_uid":"01JBZQ8F7VKPNX3QZ9M8J5K2W7","google_sub":"{i}","google_event_id":"g{i}","event_title":"Standup","event_start":"2026-01-06T09:00:00+08:00","created_at":"2026-01-05T10:30:00.000Z","updated_at":"2026-01-05T10:30:00.000Z"}
        """
      When Ana sends DELETE /api/chats/{Chat}/events/01JBZQ8F7VKPNX3QZ9M8J5K2W7
      Then the answer is 204
      And the storage calls are at most
        | service | call                                                            | on | count |
        | kv      | list or page or get or bulk get or put or delete or bulk delete | KV | 1000  |
      And there is no key with the prefix gc:event:{Chat}:

    Scenario Outline: a <what> of three chats and three events stays within 1,000 calls
      Given Ana sends 3 times one after the other PUT /api/chats/{Chat}{i}/connections/{Sub} {"google_email":"{Ana.email}","refresh_token":"refresh-{tag}","scopes":"a"}
      And Ana sends 3 times one after the other PUT /api/chats/{Chat}/events/01JBZQ8F7VKPNX3QZ9M8J5K20{i}/mappings/1 {"google_event_id":"g{i}","event_title":"Standup","event_start":"2026-01-06T09:00:00+08:00"}
      And the key gc_tokens:chat:{Chat} is
        """
        {"access_token":"access-{tag}","refresh_token":"refresh-{tag}"}
        """
      And the service google answers GET /oauth2/v2/userinfo with 200 {"id":"115","email":"{Ana.email}"}
      When Ana sends POST /api/admin/<what> {}
      Then the answer is 200
      And the storage calls are at most
        | service | call                                             | on | count |
        | kv      | list or page or get or bulk get or put or delete | KV | 1000  |

      Examples:
        | what    |
        | migrate |
        | cleanup |
        | repair  |
