Feature: The cost of a change does not depend on how much is stored
  Looking up the session costs one read, and checking each membership another.

  Background:
    Given the budgeted routes
      | route                                           | with |
      | GET /readyz                                     |      |
      | POST /api/users                                 |      |
      | PUT /api/users/{user}                           |      |
      | POST /api/calendars                             |      |
      | PUT /api/calendars/{calendar}                   |      |
      | DELETE /api/calendars/{calendar}                |      |
      | POST /api/calendars/{calendar}/members          |      |
      | PUT /api/calendars/{calendar}/members/{user}    |      |
      | DELETE /api/calendars/{calendar}/members/{user} |      |
      | POST /api/entries                               |      |
      | PUT /api/entries/{entry}                        |      |
      | PATCH /api/entries/{entry}/toggle               |      |
      | DELETE /api/entries/{entry}                     |      |
    And Ana is an owner of Team

  @CS-BUD-1
  Rule: What must change together takes one transaction
    > Reduced round-trips: related data can be fetched in fewer queries
    > (contract) Create a user, a calendar or an entry, change an e-mail: one transact write.

    Scenario: a new user costs one transaction of two items
      When Nobody sends POST /api/users {"name":"John","email":"john.{tag}@example.com"}
      Then the answer is 201
      And the storage calls are at most
        | service  | call           | on           | count | capacity |
        | dynamodb | transact write | {calendsync} | 1     | 6        |
      And the storage calls changed 2 entities

    Scenario: a new user with a provider account costs one transaction of three items
      When Nobody sends POST /api/users {"name":"John","email":"john.{tag}@example.com","provider":"google","providerSubject":"1-{tag}"}
      Then the answer is 201
      And the storage calls are at most
        | service  | call           | on           | count | capacity |
        | dynamodb | transact write | {calendsync} | 1     | 10       |
      And the storage calls changed 3 entities

    Scenario: a changed e-mail costs two reads and one transaction
      When Ana sends GET /api/users/{Ana}
      Then the header ETag of the answer is called Version
      When Ana sends PUT /api/users/{Ana} {"name":"Ana","email":"anna.{tag}@example.com"} with the header If-Match "{Version}"
      Then the answer is 200
      And the storage calls are at most
        | service  | call           | on           | count |
        | dynamodb | get            | {calendsync} | 2     |
        | dynamodb | transact write | {calendsync} | 1     |
      And the storage calls changed 3 entities

    Scenario: a changed name costs two reads and one write
      When Ana sends GET /api/users/{Ana}
      Then the header ETag of the answer is called Version
      When Ana sends PUT /api/users/{Ana} {"name":"Anna","email":"{Ana.email}"} with the header If-Match "{Version}"
      Then the answer is 200
      And the storage calls are at most
        | service  | call          | on           | count |
        | dynamodb | get           | {calendsync} | 2     |
        | dynamodb | put or update | {calendsync} | 1     |

    Scenario: a new calendar costs one read and one transaction
      When Ana sends POST /api/calendars {"name":"Choir","color":"#3B82F6"}
      Then the answer is 201
      And the storage calls are at most
        | service  | call           | on           | count | capacity |
        | dynamodb | get            | {calendsync} | 1     | 1        |
        | dynamodb | transact write | {calendsync} | 1     | 6        |
      And the storage calls changed 2 entities

    Scenario Outline: a new entry costs the same next to <others> others
      Given Team has <others> entries on each of the 1 days from 2024-01-15
      When Ana sends POST /api/entries {"calendarId":"{Team}","title":"Lunch","date":"2024-01-15","color":"#3B82F6","kind":{"type":"AllDay"}}
      Then the answer is 201
      And the storage calls are at most
        | service  | call           | on           | count | capacity |
        | dynamodb | get            | {calendsync} | 2     | 2        |
        | dynamodb | transact write | {calendsync} | 1     | 6        |
      And the storage calls changed 1 entities

      Examples:
        | others |
        | 1      |
        | 40     |

    Scenario: moving an entry to another calendar costs four reads and one transaction
      Given Ana is an owner of Other
      And Lunch is a task of Team on 2024-01-15
      When Ana sends GET /api/entries/{Lunch}
      Then the header ETag of the answer is called Version
      When Ana sends PUT /api/entries/{Lunch} {"calendarId":"{Other}","title":"Lunch","date":"2024-01-15","color":"#3B82F6","kind":{"type":"AllDay"}} with the header If-Match "{Version}"
      Then the answer is 200
      And the storage calls are at most
        | service  | call           | on           | count |
        | dynamodb | get            | {calendsync} | 4     |
        | dynamodb | transact write | {calendsync} | 1     |
      And the storage calls changed 1 entities

  @CS-BUD-2
  Rule: Every other change takes one read and one write
    > (contract) Entry update, toggle and delete, member changes: one read and one write; an owner's role: one transact write.

    Scenario Outline: <what> costs the same next to <others> other entries
      Given Lunch is a task of Team on 2024-01-15
      And Team has <others> entries on each of the 1 days from 2024-01-15
      When Ana sends GET /api/entries/{Lunch}
      Then the header ETag of the answer is called Version
      When Ana sends <request>
      Then the answer is 200 or 204
      And the storage calls are at most
        | service  | call   | on           | count |
        | dynamodb | get    | {calendsync} | 3     |
        | dynamodb | <call> | {calendsync} | 1     |

      Examples:
        | what           | others | call          | request |
        | another title  | 1      | put or update | PUT /api/entries/{Lunch} {"calendarId":"{Team}","title":"Dinner","date":"2024-01-15","color":"#3B82F6","kind":{"type":"AllDay"}} with the header If-Match "{Version}" |
        | another title  | 40     | put or update | PUT /api/entries/{Lunch} {"calendarId":"{Team}","title":"Dinner","date":"2024-01-15","color":"#3B82F6","kind":{"type":"AllDay"}} with the header If-Match "{Version}" |
        | another day    | 1      | put or update | PUT /api/entries/{Lunch} {"calendarId":"{Team}","title":"Lunch","date":"2024-02-15","color":"#3B82F6","kind":{"type":"AllDay"}} with the header If-Match "{Version}" |
        | a toggle       | 1      | put or update | PATCH /api/entries/{Lunch}/toggle |
        | a toggle       | 40     | put or update | PATCH /api/entries/{Lunch}/toggle |
        | a deletion     | 1      | delete        | DELETE /api/entries/{Lunch} |
        | a deletion     | 40     | delete        | DELETE /api/entries/{Lunch} |

    Scenario: a calendar's new name costs three reads and one write
      When Ana sends GET /api/calendars/{Team}
      Then the header ETag of the answer is called Version
      When Ana sends PUT /api/calendars/{Team} {"name":"Family","color":"#000000"} with the header If-Match "{Version}"
      Then the answer is 200
      And the storage calls are at most
        | service  | call          | on           | count |
        | dynamodb | get           | {calendsync} | 3     |
        | dynamodb | put or update | {calendsync} | 1     |

    Scenario Outline: a member added by <what> as <role> costs the same next to <others> others
      Given Sam has an account
      And Team has <others> more readers
      When Ana sends POST /api/calendars/{Team}/members {<who>,"role":"<role>"}
      Then the answer is 201
      And the storage calls are at most
        | service  | call                  | on                | count   |
        | dynamodb | get                   | {calendsync}      | 3       |
        | dynamodb | query                 | {calendsync}/GSI2 | <query> |
        | dynamodb | put or transact write | {calendsync}      | 1       |

      Examples:
        | what   | others | who                   | role   | query |
        | id     | 1      | "userId":"{Sam}"      | reader | 0     |
        | id     | 40     | "userId":"{Sam}"      | writer | 0     |
        | e-mail | 1      | "email":"{Sam.email}" | reader | 1     |
        | id     | 1      | "userId":"{Sam}"      | owner  | 0     |

    Scenario Outline: changing a role from <from> to <to>, and removing it, cost three reads and one write each
      Given Wim is a <from> of Team
      When Ana sends PUT /api/calendars/{Team}/members/{Wim} {"role":"<to>"}
      Then the answer is 200
      And the storage calls are at most
        | service  | call   | on           | count |
        | dynamodb | get    | {calendsync} | 3     |
        | dynamodb | <call> | {calendsync} | 1     |
      When Ana sends DELETE /api/calendars/{Team}/members/{Wim}
      Then the answer is 204
      And the storage calls are at most
        | service  | call   | on           | count |
        | dynamodb | get    | {calendsync} | 3     |
        | dynamodb | <gone> | {calendsync} | 1     |

      Examples:
        | from   | to     | call           | gone           |
        | reader | writer | put or update  | delete         |
        | reader | owner  | transact write | transact write |
        | owner  | reader | transact write | delete         |

  @CS-BUD-3
  Rule: Deleting a calendar takes one mark, the pages of two queries, and batches
    > (contract) 1 mark + the pages of the table and of GSI1 + n/25 batch writes + 1 delete; entries that the index names may be looked up, 100 a call.

    Scenario Outline: a calendar of <entries> entries and <members> more members is deleted in batches of 25
      Given Team has <entries> entries on each of the 1 days from 2024-01-15
      And Team has <members> more readers
      When Ana sends DELETE /api/calendars/{Team}
      Then the answer is 204
      And the storage calls are at most
        | service  | call          | on                | count    |
        | dynamodb | get           | {calendsync}      | 3        |
        | dynamodb | update or put | {calendsync}      | 1        |
        | dynamodb | query         | {calendsync}      | 1        |
        | dynamodb | query         | {calendsync}/GSI1 | 1        |
        | dynamodb | batch get     | {calendsync}      | <gets>   |
        | dynamodb | batch write   | {calendsync}      | <writes> |
        | dynamodb | delete        | {calendsync}      | 2        |

      Examples:
        | entries | members | gets | writes |
        | 1       | 1       | 1    | 2      |
        | 25      | 1       | 1    | 2      |
        | 26      | 1       | 1    | 3      |
        | 101     | 30      | 2    | 7      |
