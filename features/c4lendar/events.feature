Feature: Events, their mappings to Google's, and a chat's recent events

  Background:
    Given Chat stands for "-{number}"
    And Standup stands for "01JBZQ8F7VKPNX3QZ9M8J5K2W7"
    And Review stands for "01JBZR0A2VKPNX3QZ9M8J5K2W7"
    And Ana is a person

  @CB-EVT-1
  Rule: A mapping is one key of the chat, the event and the account, and lives for 90 days after each write
    > Key: gc:event:{chat_id}:{bot_event_uid}:{google_sub}. expirationTtl: 90 * 86400. Summary: TTL 90 days

    Scenario: a mapping is stored with its fields and expires in 90 days
      When Ana sends PUT /api/chats/{Chat}/events/{Standup}/mappings/115 {"google_event_id":"abc123xyz789","event_title":"Team standup","event_start":"2026-01-06T09:00:00+08:00"}
      Then the answer is 200
      And the key gc:event:{Chat}:{Standup}:115 has
        | chat_id         | {Chat}                    |
        | bot_event_uid   | {Standup}                 |
        | google_sub      | 115                       |
        | google_event_id | abc123xyz789              |
        | event_title     | Team standup              |
        | event_start     | 2026-01-06T09:00:00+08:00 |
        | created_at      | a time                    |
        | updated_at      | a time                    |
      And the key gc:event:{Chat}:{Standup}:115 expires in 90 days
      And the key gc:event:recent:{Chat} never expires
      When Ana sends GET /api/chats/{Chat}/events/{Standup}/mappings
      Then "mappings" of the answer lists
        | google_sub | google_event_id | event_title  |
        | 115        | abc123xyz789    | Team standup |

    Scenario: the 90 days start again with each write
      Given Ana sends PUT /api/chats/{Chat}/events/{Standup}/mappings/115 {"google_event_id":"g1","event_title":"Standup","event_start":"2026-01-06T09:00:00+08:00"}
      And the store's clock is 80 days ahead
      When Ana sends PATCH /api/chats/{Chat}/events/{Standup} {"event_title":"Daily"}
      Then the answer is 200
      And the key gc:event:{Chat}:{Standup}:115 expires in 90 days
      And the key gc:event:{Chat}:{Standup}:115 has
        | google_event_id | g1                        |
        | event_title     | Daily                     |
        | event_start     | 2026-01-06T09:00:00+08:00 |

    Scenario: a mapping is gone after 90 days
      Given Ana sends PUT /api/chats/{Chat}/events/{Standup}/mappings/115 {"google_event_id":"g1","event_title":"Standup","event_start":"2026-01-06T09:00:00+08:00"}
      And the store's clock is 91 days ahead
      When Ana sends GET /api/chats/{Chat}/events/{Standup}/mappings
      Then the answer is 200
      And "mappings" of the answer is empty
      When Ana sends PATCH /api/chats/{Chat}/events/{Standup} {"event_title":"Daily"}
      Then the answer is 404 not_found
      And there is no key gc:event:{Chat}:{Standup}:115

    Scenario: all mappings of an event are listed across pages
      Given Ana sends 3 times one after the other PUT /api/chats/{Chat}/events/{Standup}/mappings/{i} {"google_event_id":"g{i}","event_title":"Standup","event_start":"2026-01-06T09:00:00+08:00"}
      And the store answers queries in pages of 1 row, with an empty page before each
      When Ana sends GET /api/chats/{Chat}/events/{Standup}/mappings
      Then "mappings" of the answer lists
        | google_sub | google_event_id |
        | 0          | g0              |
        | 1          | g1              |
        | 2          | g2              |

  @CB-EVT-2
  Rule: The recent events of a chat are the newest 50, each once, newest first
    > Array of recent bot_event_uids (newest first, max 50)

    Scenario: the recent events list the newest first with title and time
      Given Ana sends PUT /api/chats/{Chat}/events/{Standup}/mappings/115 {"google_event_id":"g1","event_title":"Team standup","event_start":"2026-01-06T09:00:00+08:00","created_at":"2026-01-05T10:30:00.000Z"}
      And Ana sends PUT /api/chats/{Chat}/events/{Review}/mappings/115 {"google_event_id":"g2","event_title":null,"event_start":"2026-01-05T14:00:00+08:00","created_at":"2026-01-05T10:31:00.000Z"}
      When Ana sends GET /api/chats/{Chat}/events/recent
      Then the answer is 200
      And "events" of the answer lists, in this order
        | bot_event_uid | event_title  | event_start               | created_at               |
        | {Review}      | null         | 2026-01-05T14:00:00+08:00 | 2026-01-05T10:31:00.000Z |
        | {Standup}     | Team standup | 2026-01-06T09:00:00+08:00 | 2026-01-05T10:30:00.000Z |
      And the key gc:event:recent:{Chat} lists, in this order
        | bot_event_uid | event_title  | event_start               | created_at               |
        | {Review}      | null         | 2026-01-05T14:00:00+08:00 | 2026-01-05T10:31:00.000Z |
        | {Standup}     | Team standup | 2026-01-06T09:00:00+08:00 | 2026-01-05T10:30:00.000Z |

    Scenario: a second account's mapping does not change the recent entry
      Given Ana sends PUT /api/chats/{Chat}/events/{Standup}/mappings/115 {"google_event_id":"g1","event_title":"Team standup","event_start":"2026-01-06T09:00:00+08:00"}
      And Ana sends PUT /api/chats/{Chat}/events/{Review}/mappings/115 {"google_event_id":"g2","event_title":"Review","event_start":"2026-01-06T09:00:00+08:00"}
      When Ana sends PUT /api/chats/{Chat}/events/{Standup}/mappings/116 {"google_event_id":"g3","event_title":"Other","event_start":"2026-01-06T09:00:00+08:00"}
      And Ana sends GET /api/chats/{Chat}/events/recent
      Then "events" of the answer lists, in this order
        | bot_event_uid | event_title  |
        | {Review}      | Review       |
        | {Standup}     | Team standup |

    Scenario: an update changes the recent entry without moving it
      Given Ana sends PUT /api/chats/{Chat}/events/{Standup}/mappings/115 {"google_event_id":"g1","event_title":"Team standup","event_start":"2026-01-06T09:00:00+08:00"}
      And Ana sends PUT /api/chats/{Chat}/events/{Review}/mappings/115 {"google_event_id":"g2","event_title":"Review","event_start":"2026-01-06T09:00:00+08:00"}
      When Ana sends PATCH /api/chats/{Chat}/events/{Standup} {"event_title":"Daily","event_start":"2026-01-07T09:00:00+08:00"}
      And Ana sends GET /api/chats/{Chat}/events/recent
      Then "events" of the answer lists, in this order
        | bot_event_uid | event_title | event_start               |
        | {Review}      | Review      | 2026-01-06T09:00:00+08:00 |
        | {Standup}     | Daily       | 2026-01-07T09:00:00+08:00 |

    Scenario: a chat without events has no recent events
      When Ana sends GET /api/chats/{Chat}/events/recent
      Then the answer is 200
      And "events" of the answer is empty

    Scenario: the 51st event pushes the oldest out of the recent ones
      Given Ana sends PUT /api/chats/{Chat}/events/01JBZQ8F7VKPNX3QZ9M8J5K200/mappings/1 {"google_event_id":"g","event_title":"First","event_start":"2026-01-06T09:00:00+08:00"}
      And Ana sends 10 times one after the other PUT /api/chats/{Chat}/events/01JBZQ8F7VKPNX3QZ9M8J5K21{i}/mappings/1 {"google_event_id":"g","event_title":"A{i}","event_start":"2026-01-06T09:00:00+08:00"}
      And Ana sends 10 times one after the other PUT /api/chats/{Chat}/events/01JBZQ8F7VKPNX3QZ9M8J5K22{i}/mappings/1 {"google_event_id":"g","event_title":"B{i}","event_start":"2026-01-06T09:00:00+08:00"}
      And Ana sends 10 times one after the other PUT /api/chats/{Chat}/events/01JBZQ8F7VKPNX3QZ9M8J5K23{i}/mappings/1 {"google_event_id":"g","event_title":"C{i}","event_start":"2026-01-06T09:00:00+08:00"}
      And Ana sends 10 times one after the other PUT /api/chats/{Chat}/events/01JBZQ8F7VKPNX3QZ9M8J5K24{i}/mappings/1 {"google_event_id":"g","event_title":"D{i}","event_start":"2026-01-06T09:00:00+08:00"}
      And Ana sends 9 times one after the other PUT /api/chats/{Chat}/events/01JBZQ8F7VKPNX3QZ9M8J5K25{i}/mappings/1 {"google_event_id":"g","event_title":"E{i}","event_start":"2026-01-06T09:00:00+08:00"}
      When Ana sends GET /api/chats/{Chat}/events/recent
      Then the answer has
        | events[0].event_title  | E8     |
        | events[49].event_title | First  |
        | events[50]             | absent |
      When Ana sends PUT /api/chats/{Chat}/events/01JBZQ8F7VKPNX3QZ9M8J5K259/mappings/1 {"google_event_id":"g","event_title":"E9","event_start":"2026-01-06T09:00:00+08:00"}
      And Ana sends GET /api/chats/{Chat}/events/recent
      Then the answer has
        | events[0].event_title  | E9     |
        | events[1].event_title  | E8     |
        | events[49].event_title | A0     |
        | events[50]             | absent |
      And the key gc:event:{Chat}:01JBZQ8F7VKPNX3QZ9M8J5K200:1 has
        | event_title | First |

    Scenario: two events stored at the same time are both recent
      When these run at the same time
        | who | method | path                                          | body |
        | Ana | PUT    | /api/chats/{Chat}/events/{Standup}/mappings/1 | {"google_event_id":"g1","event_title":"Standup","event_start":"2026-01-06T09:00:00+08:00"} |
        | Ben | PUT    | /api/chats/{Chat}/events/{Review}/mappings/1  | {"google_event_id":"g2","event_title":"Review","event_start":"2026-01-06T09:00:00+08:00"} |
      Then all answers are 200
      And the keys with the prefix gc:event:{Chat}: are
        | gc:event:{Chat}:{Standup}:1 |
        | gc:event:{Chat}:{Review}:1  |
      When Ana sends POST /api/admin/repair {} on and on, with "cursor" of each answer
      And Ana sends GET /api/chats/{Chat}/events/recent
      Then "events" of the answer lists
        | bot_event_uid | event_title |
        | {Review}      | Review      |
        | {Standup}     | Standup     |

    Scenario: an event that is no longer recent can still be changed
      Given the key gc:event:{Chat}:{Standup}:115 is
        """
        {"chat_id":"{Chat}","bot_event_uid":"{Standup}","google_sub":"115","google_event_id":"g1","event_title":"Standup","event_start":"2026-01-06T09:00:00+08:00","created_at":"2026-01-05T10:30:00.000Z","updated_at":"2026-01-05T10:30:00.000Z"}
        """
      When Ana sends PATCH /api/chats/{Chat}/events/{Standup} {"event_title":"Daily"}
      Then the answer is 200
      And the key gc:event:{Chat}:{Standup}:115 has
        | event_title | Daily                    |
        | created_at  | 2026-01-05T10:30:00.000Z |
      When Ana sends GET /api/chats/{Chat}/events/recent
      Then "events" of the answer is empty

    Scenario: repair rebuilds the recent events when their array is lost
      Given there are 10 keys gc:event:{Chat}:01JBZQ8F7VKPNX3QZ9M8J5K21{i}:1 like
        """
        {"chat_id":"{Chat}","bot_event_uid":"01JBZQ8F7VKPNX3QZ9M8J5K21{i}","google_sub":"1","google_event_id":"g","event_title":"A{i}","event_start":"2026-01-06T09:00:00+08:00","created_at":"2026-01-05T10:30:00.000Z","updated_at":"2026-01-05T10:30:00.000Z"}
        """
      And there are 10 keys gc:event:{Chat}:01JBZQ8F7VKPNX3QZ9M8J5K22{i}:1 like
        """
        {"chat_id":"{Chat}","bot_event_uid":"01JBZQ8F7VKPNX3QZ9M8J5K22{i}","google_sub":"1","google_event_id":"g","event_title":"B{i}","event_start":"2026-01-06T09:00:00+08:00","created_at":"2026-01-05T10:30:00.000Z","updated_at":"2026-01-05T10:30:00.000Z"}
        """
      And there are 10 keys gc:event:{Chat}:01JBZQ8F7VKPNX3QZ9M8J5K23{i}:1 like
        """
        {"chat_id":"{Chat}","bot_event_uid":"01JBZQ8F7VKPNX3QZ9M8J5K23{i}","google_sub":"1","google_event_id":"g","event_title":"C{i}","event_start":"2026-01-06T09:00:00+08:00","created_at":"2026-01-05T10:30:00.000Z","updated_at":"2026-01-05T10:30:00.000Z"}
        """
      And there are 10 keys gc:event:{Chat}:01JBZQ8F7VKPNX3QZ9M8J5K24{i}:1 like
        """
        {"chat_id":"{Chat}","bot_event_uid":"01JBZQ8F7VKPNX3QZ9M8J5K24{i}","google_sub":"1","google_event_id":"g","event_title":"D{i}","event_start":"2026-01-06T09:00:00+08:00","created_at":"2026-01-05T10:30:00.000Z","updated_at":"2026-01-05T10:30:00.000Z"}
        """
      And there are 10 keys gc:event:{Chat}:01JBZQ8F7VKPNX3QZ9M8J5K25{i}:1 like
        """
        {"chat_id":"{Chat}","bot_event_uid":"01JBZQ8F7VKPNX3QZ9M8J5K25{i}","google_sub":"1","google_event_id":"g","event_title":"E{i}","event_start":"2026-01-06T09:00:00+08:00","created_at":"2026-01-05T10:30:00.000Z","updated_at":"2026-01-05T10:30:00.000Z"}
        """
      And Ana sends PUT /api/chats/{Chat}/events/01JBZQ8F7VKPNX3QZ9M8J5K261/mappings/1 {"google_event_id":"g","event_title":"Last","event_start":"2026-01-06T09:00:00+08:00","created_at":"2026-01-05T10:30:00.000Z"}
      And Ana sends PUT /api/chats/{Chat}/events/01JBZQ8F7VKPNX3QZ9M8J5K261/mappings/2 {"google_event_id":"h","event_title":"Last","event_start":"2026-01-06T09:00:00+08:00","created_at":"2026-01-05T10:30:00.000Z"}
      And the key gc:event:recent:{Chat} is
        """
        [{"bot_event_uid":"{Standup}","event_title":"Standup","event_start":"2026-01-06T09:00:00+08:00","created_at":"2026-01-05T10:30:00.000Z"}]
        """
      When Ana sends POST /api/admin/repair {} on and on, with "cursor" of each answer
      Then the answer is 200
      When Ana sends GET /api/chats/{Chat}/events/recent
      Then the answer has
        | events[0].bot_event_uid | 01JBZQ8F7VKPNX3QZ9M8J5K261 |
        | events[0].event_title   | Last                       |
        | events[0].event_start   | 2026-01-06T09:00:00+08:00  |
        | events[0].created_at    | 2026-01-05T10:30:00.000Z   |
        | events[1].event_title   | E9                         |
        | events[49].event_title  | A1                         |
        | events[50]              | absent                     |

    Scenario: repair empties the recent events when no event has a mapping
      Given the key gc:event:recent:{Chat} is
        """
        [{"bot_event_uid":"{Standup}","event_title":"Standup","event_start":"2026-01-06T09:00:00+08:00","created_at":"2026-01-05T10:30:00.000Z"}]
        """
      When Ana sends POST /api/admin/repair {} on and on, with "cursor" of each answer
      Then the answer is 200
      When Ana sends GET /api/chats/{Chat}/events/recent
      Then "events" of the answer is empty

    Scenario: a recent array that is not JSON counts as empty
      Given the key gc:event:recent:{Chat} is
        """
        not JSON
        """
      When Ana sends GET /api/chats/{Chat}/events/recent
      Then the answer is 200
      And "events" of the answer is empty
      When Ana sends PUT /api/chats/{Chat}/events/{Standup}/mappings/115 {"google_event_id":"g1","event_title":"Standup","event_start":"2026-01-06T09:00:00+08:00"}
      Then the answer is 200
      When Ana sends GET /api/chats/{Chat}/events/recent
      Then "events" of the answer lists
        | bot_event_uid | event_title |
        | {Standup}     | Standup     |

    @reference
    Scenario: a recent array with an invalid entry is not read partially
      Given the key gc:event:recent:{Chat} is
        """
        [{"bot_event_uid":"{Standup}"},{"bot_event_uid":7}]
        """
      When Ana sends GET /api/chats/{Chat}/events/recent
      Then the answer is 200
      And "events" of the answer is empty

  @CB-EVT-3
  Rule: An event is found by the first 8 characters of its id, or as the most recent one
    > Resolve Bot Event UID by Short Reference: shortUid is first 8 chars. Get Most Recent Bot Event UID: recent[0]

    Background:
      Given Ana sends PUT /api/chats/{Chat}/events/{Standup}/mappings/1 {"google_event_id":"g1","event_title":"Standup","event_start":"2026-01-06T09:00:00+08:00"}
      And Ana sends PUT /api/chats/{Chat}/events/{Review}/mappings/1 {"google_event_id":"g2","event_title":"Review","event_start":"2026-01-06T09:00:00+08:00"}

    Scenario Outline: an event is found by its reference <ref>
      When Ana sends GET /api/chats/{Chat}/events/resolve?ref=<ref>
      Then the answer is 200
      And the answer has
        | bot_event_uid | {Standup} |
        | ambiguous     | false     |

      Examples:
        | ref          |
        | 01JBZQ8F     |
        | 01jbzq8f     |
        | EVT-01JBZQ8F |
        | EVT-01jbzq8f |
        | EVT-01JbZq8F |

    Scenario: without a reference the most recent event is returned
      When Ana sends GET /api/chats/{Chat}/events/resolve
      Then the answer is 200
      And the answer has
        | bot_event_uid | {Review} |
        | ambiguous     | false    |

    Scenario: an unknown reference or an empty chat returns no event
      When Ana sends GET /api/chats/{Chat}/events/resolve?ref=01JBZQ8G
      Then the answer is 404 not_found
      When Ana sends GET /api/chats/{Chat}9/events/resolve
      Then the answer is 404 not_found

    Scenario: two events with the same reference return the newer one as ambiguous
      Given Ana sends PUT /api/chats/{Chat}/events/01JBZR0A3VKPNX3QZ9M8J5K2W7/mappings/1 {"google_event_id":"g3","event_title":"Lunch","event_start":"2026-01-06T09:00:00+08:00"}
      When Ana sends GET /api/chats/{Chat}/events/resolve?ref=01JBZR0A
      Then the answer is 200
      And the answer has
        | bot_event_uid | 01JBZR0A3VKPNX3QZ9M8J5K2W7 |
        | ambiguous     | true                       |

  @CB-EVT-4
  Rule: An event is found by part of its title, in any case
    > fuzzyResolveEvent: event_title.toLowerCase().includes(lowerQuery). Multiple matches - return most recent

    Background:
      Given Ana sends PUT /api/chats/{Chat}/events/{Standup}/mappings/1 {"google_event_id":"g1","event_title":"Team STANDUP","event_start":"2026-01-06T09:00:00+08:00"}
      And Ana sends PUT /api/chats/{Chat}/events/{Review}/mappings/1 {"google_event_id":"g2","event_title":"Ärzte (50%) team","event_start":"2026-01-06T09:00:00+08:00"}
      And Ana sends PUT /api/chats/{Chat}/events/01JBZS0A2VKPNX3QZ9M8J5K2W7/mappings/1 {"google_event_id":"g3","event_title":null,"event_start":"2026-01-06T09:00:00+08:00"}

    Scenario Outline: the title query <query> finds the most recent match
      When Ana sends GET /api/chats/{Chat}/events/resolve?q=<query>
      Then the answer is 200
      And the answer has
        | bot_event_uid | <event> |

      Examples:
        | query    | event     |
        | standup  | {Standup} |
        | m%20sTaN | {Standup} |
        | %C3%A4rz | {Review}  |
        | (50%25)  | {Review}  |
        | TEAM     | {Review}  |

    @reference
    Scenario: a query that matches several titles is reported as ambiguous
      When Ana sends GET /api/chats/{Chat}/events/resolve?q=team
      Then the answer has
        | bot_event_uid | {Review} |
        | ambiguous     | true     |

    Scenario: a query that matches no title returns no event
      When Ana sends GET /api/chats/{Chat}/events/resolve?q=null
      Then the answer is 404 not_found
      When Ana sends GET /api/chats/{Chat}/events/resolve?q=standups
      Then the answer is 404 not_found

  @CB-EVT-5
  Rule: Mappings and recent events agree, whatever call failed
    > Store, Update and Delete Event Mapping: … update recent index

    Background:
      Given Ana sends PUT /api/chats/{Chat}/events/{Standup}/mappings/1 {"google_event_id":"g1","event_title":"Standup","event_start":"2026-01-06T09:00:00+08:00"}
      And Ana sends PUT /api/chats/{Chat}/events/{Standup}/mappings/21 {"google_event_id":"g2","event_title":"Standup","event_start":"2026-01-06T09:00:00+08:00"}

    Scenario: a stored event is recent whichever storage call fails
      When Ana sends PUT /api/chats/{Chat}/events/{Review}/mappings/1 {"google_event_id":"g3","event_title":"Review","event_start":"2026-01-06T09:00:00+08:00"}, and any one storage call fails
      Then the answer is 200
      And the key gc:event:{Chat}:{Review}:1 has
        | event_title | Review |
      And the key gc:event:{Chat}:{Review}:1 expires in 90 days
      When Ana sends GET /api/chats/{Chat}/events/recent
      Then "events" of the answer lists, in this order
        | bot_event_uid | event_title |
        | {Review}      | Review      |
        | {Standup}     | Standup     |

    Scenario: an update reaches every mapping whichever storage call fails
      When Ana sends PATCH /api/chats/{Chat}/events/{Standup} {"event_title":"Daily"}, and any one storage call fails
      Then the answer is 200
      And the key gc:event:{Chat}:{Standup}:1 has
        | event_title     | Daily |
        | google_event_id | g1    |
      And the key gc:event:{Chat}:{Standup}:21 has
        | event_title     | Daily |
        | google_event_id | g2    |
      And the key gc:event:{Chat}:{Standup}:21 expires in 90 days
      When Ana sends GET /api/chats/{Chat}/events/recent
      Then "events" of the answer lists
        | bot_event_uid | event_title |
        | {Standup}     | Daily       |

    Scenario: a deleted event is gone whichever storage call fails
      Given Ana sends PUT /api/chats/{Chat}/events/{Review}/mappings/1 {"google_event_id":"g3","event_title":"Review","event_start":"2026-01-06T09:00:00+08:00"}
      When Ana sends DELETE /api/chats/{Chat}/events/{Standup}, and any one storage call fails
      Then the answer is 204
      And the keys with the prefix gc:event:{Chat}: are
        | gc:event:{Chat}:{Review}:1 |
      When Ana sends GET /api/chats/{Chat}/events/recent
      Then "events" of the answer lists
        | bot_event_uid |
        | {Review}      |

    Scenario: an account's events are deleted whichever storage call fails
      Given Ana sends PUT /api/chats/{Chat}/events/{Review}/mappings/1 {"google_event_id":"g3","event_title":"Review","event_start":"2026-01-06T09:00:00+08:00"}
      When Ana sends DELETE /api/chats/{Chat}/events?google_sub=1, and any one storage call fails
      Then the answer is 200
      And the keys with the prefix gc:event:{Chat}: are
        | gc:event:{Chat}:{Standup}:21 |
      When Ana sends GET /api/chats/{Chat}/events/recent
      Then "events" of the answer lists
        | bot_event_uid |
        | {Standup}     |

    Scenario: an event's mappings are deleted across all pages
      Given the store answers queries in pages of 1 row, with an empty page before each
      When Ana sends DELETE /api/chats/{Chat}/events/{Standup}
      Then the answer is 204
      And there is no key with the prefix gc:event:{Chat}:

    Scenario: changing or deleting a missing event leaves the others alone
      When Ana sends PATCH /api/chats/{Chat}/events/{Review} {"event_title":"Daily"}
      Then the answer is 404 not_found
      When Ana sends DELETE /api/chats/{Chat}/events/{Review}
      Then the answer is 204
      When Ana sends DELETE /api/chats/{Chat}/events?google_sub=2
      Then the answer is 200
      And the answer has
        | deleted | number 0 |
      When Ana sends GET /api/chats/{Chat}/events/recent
      Then "events" of the answer lists
        | bot_event_uid |
        | {Standup}     |
