Feature: Calendars always have an owner, and are deleted completely

  Background:
    Given Ana is an owner of Team

  @CS-CAL-1
  Rule: A calendar is created together with its owner's membership
    > Memberships: create membership for each user-calendar relationship

    Scenario: the creator of a calendar is its owner
      When Ana sends POST /api/calendars {"name":"Choir","color":"#10b981","description":"Tuesdays"}
      Then the answer is 201
      And the answer has
        | name        | Choir    |
        | color       | #10b981  |
        | description | Tuesdays |
        | version     | number 1 |
      And "id" of the answer is called Choir
      And the storage calls are at most
        | service  | call           | on           | count |
        | dynamodb | get            | {calendsync} | 1     |
        | dynamodb | transact write | {calendsync} | 1     |
      When Ana sends GET /api/calendars/me
      Then "memberships" of the answer lists
        | role  | calendar.id |
        | owner | {Team}      |
        | owner | {Choir}     |

    Scenario: a malformed calendar is refused on creation
      Then Ana is refused each of these, and nothing is written
        | what                           | request | body | answer |
        | no name                        | POST /api/calendars | {"color":"#3B82F6"} | 400 bad_request |
        | an empty name                  | POST /api/calendars | {"name":"","color":"#3B82F6"} | 400 bad_request |
        | a name of blanks               | POST /api/calendars | {"name":"  ","color":"#3B82F6"} | 400 bad_request |
        | a name of 201 characters       | POST /api/calendars | {"name":"{201×a}","color":"#3B82F6"} | 400 bad_request |
        | a name that is a number        | POST /api/calendars | {"name":7,"color":"#3B82F6"} | 400 bad_request |
        | no color                       | POST /api/calendars | {"name":"Team"} | 400 bad_request |
        | a color by name                | POST /api/calendars | {"name":"Team","color":"blue"} | 400 bad_request |
        | a color of three digits        | POST /api/calendars | {"name":"Team","color":"#38F"} | 400 bad_request |
        | a color with more              | POST /api/calendars | {"name":"Team","color":"#3B82F6FF"} | 400 bad_request |
        | a color without #              | POST /api/calendars | {"name":"Team","color":"3B82F6"} | 400 bad_request |
        | a description that is a number | POST /api/calendars | {"name":"Team","color":"#3B82F6","description":7} | 400 bad_request |
        | a list                         | POST /api/calendars | [] | 400 bad_request |
        | not JSON                       | POST /api/calendars | {"name" | 400 bad_request |

    Scenario: a name of 200 multi-byte characters is accepted for a calendar
      When Ana sends POST /api/calendars {"name":"{200×é}","color":"#3B82F6"}
      Then the answer is 201

    Scenario: a calendar's name, color and description can be changed
      When Ana sends GET /api/calendars/{Team}
      Then the header ETag of the answer is called Version
      When Ana sends PUT /api/calendars/{Team} {"name":"Family","color":"#000000","description":"Ours"} with the header If-Match "{Version}"
      Then the answer is 200
      And the answer has
        | id          | {Team}   |
        | name        | Family   |
        | color       | #000000  |
        | description | Ours     |
      And the row {calendsync} CAL#{Team} / CAL#{Team} has
        | name        | Family               |
        | color       | #000000              |
        | description | Ours                 |
        | version     | number 2             |
        | owners      | number 1             |
        | createdAt   | 2026-01-02T08:00:00Z |
        | updatedAt   | a time               |

    Scenario: a change that makes a calendar too large for an item is refused
      Given Noise stands for 410000 random characters
      When Ana sends GET /api/calendars/{Team}
      Then the header ETag of the answer is called Version
      When Ana sends PUT /api/calendars/{Team} {"name":"Team","description":"{Noise}","color":"#3B82F6"} with the header If-Match "{Version}"
      Then the answer is 413 too_large
      And nothing was written

    Scenario Outline: a malformed change of a calendar is refused: <what>
      When Ana sends GET /api/calendars/{Team}
      Then the header ETag of the answer is called Version
      When Ana sends PUT /api/calendars/{Team} <body> with the header If-Match "{Version}"
      Then the answer is 400 bad_request
      And nothing was written

      Examples:
        | what            | body |
        | no name         | {"color":"#3B82F6"} |
        | a color by name | {"name":"Team","color":"blue"} |

  @CS-CAL-2
  Rule: Deleting a calendar removes all of its items, and no others
    > owner: Administer Calendar (delete calendar, invite users)

    Background:
      Given Wim is a writer of Team
      And Lunch is a task of Team on 2024-01-15
      And Trip is an entry of Team from 2024-01-14 to 2024-01-16
      And Ana is an owner of Other
      And Wim is a reader of Other
      And Dinner is a task of Other on 2024-01-15

    @invariant
    Scenario: every membership belongs to an existing calendar
      Then for each row {calendsync} CAL#<calendar> / MEMBER#<user> there is the row {calendsync} CAL#<calendar> / CAL#<calendar>

    Scenario: a deletion removes the calendar, its memberships and its entries
      When Ana sends DELETE /api/calendars/{Team}
      Then the answer is 204
      And the partition CAL#{Team} of {calendsync} is empty
      And there is no row {calendsync} ENTRY#{Lunch} / ENTRY#{Lunch}
      And there is no row {calendsync} ENTRY#{Trip} / ENTRY#{Trip}
      And the row {calendsync} ENTRY#{Dinner} / ENTRY#{Dinner} has
        | calendarId | {Other} |
      And the row {calendsync} CAL#{Other} / MEMBER#{Wim} has
        | role | reader |
      When Ana sends GET /api/calendars/{Team}
      Then the answer is 404 not_found
      When Wim sends GET /api/calendars/me
      Then "memberships" of the answer lists
        | role   | calendar.id |
        | reader | {Other}     |
      When Ana sends GET /api/entries/{Lunch}
      Then the answer is 404 not_found
      When Ana sends DELETE /api/calendars/{Team}
      Then the answer is 404 not_found

    Scenario: a deletion is complete beyond one batch and one page
      Given Team has 2 entries on each of the 20 days from 2024-02-01
      And Team has 30 more readers
      And the store answers queries in pages of 7 rows
      When Ana sends DELETE /api/calendars/{Team}
      Then the answer is 204
      And the partition CAL#{Team} of {calendsync} is empty
      And there is no row {calendsync} ENTRY#{TeamEntry202402010} / ENTRY#{TeamEntry202402010}
      And there is no row {calendsync} ENTRY#{TeamEntry202402201} / ENTRY#{TeamEntry202402201}
      When Ana sends GET /api/entries/{TeamEntry202402101}
      Then the answer is 404 not_found

    Scenario: a calendar of the maximum item size can be deleted
      Given Noise stands for 409335 random characters
      And the row {calendsync} CAL#{Team} / CAL#{Team} is
        | description | {Noise} |
      When Ana sends DELETE /api/calendars/{Team}
      Then the answer is 204
      And the partition CAL#{Team} of {calendsync} is empty

    Scenario: a deletion is complete when the store leaves items unprocessed
      Given Team has 2 entries on each of the 20 days from 2024-02-01
      And the store leaves 2 keys of a batch unprocessed
      When Ana sends DELETE /api/calendars/{Team}
      Then the answer is 204
      And the partition CAL#{Team} of {calendsync} is empty
      And there is no row {calendsync} ENTRY#{TeamEntry202402010} / ENTRY#{TeamEntry202402010}
      And there is no row {calendsync} ENTRY#{TeamEntry202402201} / ENTRY#{TeamEntry202402201}
      And there is no row {calendsync} ENTRY#{Lunch} / ENTRY#{Lunch}

    Scenario: a calendar is hidden before anything else of it is deleted
      Given before the 2nd write on {calendsync} of the next request Wim sends GET /api/calendars/{Team}
      When Ana sends DELETE /api/calendars/{Team}
      Then one answer is 204 and the other 404
      And the partition CAL#{Team} of {calendsync} is empty

    Scenario: an entry created during the deletion is refused
      Given before the 1st write on {calendsync} of the next request Ana sends DELETE /api/calendars/{Team}
      When Wim sends POST /api/entries {"calendarId":"{Team}","title":"More","date":"2024-01-16","color":"#3B82F6","kind":{"type":"AllDay"}}
      Then the answer is 404 not_found
      And no write of the scenario was blind

    Scenario: an entry moved to the calendar during its deletion stays where it was
      Given Wim is a writer of Other
      When Wim sends GET /api/entries/{Dinner}
      Then the header ETag of the answer is called Version
      Given before the 1st write on {calendsync} of the next request Ana sends DELETE /api/calendars/{Team}
      When Wim sends PUT /api/entries/{Dinner} {"calendarId":"{Team}","title":"Dinner","date":"2024-01-15","color":"#3B82F6","kind":{"type":"AllDay"}} with the header If-Match "{Version}"
      Then the answer is 404 not_found
      And the row {calendsync} ENTRY#{Dinner} / ENTRY#{Dinner} has
        | calendarId | {Other} |

    Scenario: an entry moved away during the deletion is deleted with the calendar
      When Ana sends GET /api/entries/{Lunch}
      Then the header ETag of the answer is called Version
      Given before the 1st write on {calendsync} of the next request Ana sends DELETE /api/calendars/{Team}
      When Ana sends PUT /api/entries/{Lunch} {"calendarId":"{Other}","title":"Lunch","date":"2024-01-15","color":"#3B82F6","kind":{"type":"AllDay"}} with the header If-Match "{Version}"
      Then the answer is 404 not_found
      And there is no row {calendsync} ENTRY#{Lunch} / ENTRY#{Lunch}

    @reference
    Scenario: an entry of a calendar being deleted cannot be moved away
      Given the row {calendsync} CAL#{Team} / CAL#{Team} is
        | deletingAt | 2026-01-02T09:00:00Z |
      When Ana sends GET /api/entries/{Lunch}
      Then the header ETag of the answer is called Version
      When Ana sends PUT /api/entries/{Lunch} {"calendarId":"{Other}","title":"Lunch","date":"2024-01-15","color":"#3B82F6","kind":{"type":"AllDay"}} with the header If-Match "{Version}"
      Then the answer is 404 not_found
      And the row {calendsync} ENTRY#{Lunch} / ENTRY#{Lunch} has
        | calendarId | {Team} |

    Scenario: a change of the calendar during its deletion is refused
      When Ana sends GET /api/calendars/{Team}
      Then the header ETag of the answer is called Version
      Given before the 1st write on {calendsync} of the next request Ana sends DELETE /api/calendars/{Team}
      When Ana sends PUT /api/calendars/{Team} {"name":"Family","color":"#000000"} with the header If-Match "{Version}"
      Then the answer is 404 not_found
      And the partition CAL#{Team} of {calendsync} is empty

    Scenario: a writer promoted to owner during the deletion leaves no membership
      Given before the 1st write on {calendsync} of the next request Ana sends DELETE /api/calendars/{Team}
      When Ana sends PUT /api/calendars/{Team}/members/{Wim} {"role":"owner"}
      Then the answer is 404 not_found
      And the partition CAL#{Team} of {calendsync} is empty

    Scenario: an owner cannot be demoted while deleting the calendar
      Given Ben is an owner of Team
      And before the 2nd write on {calendsync} of the next request Ben sends PUT /api/calendars/{Team}/members/{Ana} {"role":"reader"}
      When Ana sends DELETE /api/calendars/{Team}
      Then one answer is 204 and the other 404
      And the partition CAL#{Team} of {calendsync} is empty

    Scenario: nothing is deleted when the deletion mark cannot be written
      Given the store refuses the 1st write from now: its key is wrong
      When Ana sends DELETE /api/calendars/{Team}
      Then the answer is 503
      And the row {calendsync} ENTRY#{Lunch} / ENTRY#{Lunch} has
        | title | Lunch |
      And the row {calendsync} CAL#{Team} / MEMBER#{Wim} has
        | role | writer |

    Scenario: a membership of a missing calendar is not shown
      Given Gone is a new id
      And the row {calendsync} CAL#{Gone} / MEMBER#{Wim} is
        | entityType | MEMBERSHIP |
        | calendarId | {Gone}     |
        | userId     | {Wim}      |
        | role       | reader     |
        | GSI1PK     | USER#{Wim} |
        | GSI1SK     | CAL#{Gone} |
      When Wim sends GET /api/calendars/{Gone}
      Then the answer is 404 not_found
      When Wim sends GET /api/calendars
      Then "calendars" of the answer lists
        | id      |
        | {Team}  |
        | {Other} |
      When Wim sends GET /api/calendars/me
      Then "memberships" of the answer lists
        | calendar.id |
        | {Team}      |
        | {Other}     |

    Scenario: a member added during the deletion is refused
      Given Sam has an account
      And before the 1st write on {calendsync} of the next request Ana sends DELETE /api/calendars/{Team}
      When Ana sends POST /api/calendars/{Team}/members {"userId":"{Sam}","role":"reader"}
      Then the answer is 404 not_found
      And the partition CAL#{Team} of {calendsync} is empty

    Scenario: a moved entry survives even if a lagging index lists it under the old calendar
      Given index updates arrive 30 calls late
      When Ana sends GET /api/entries/{Lunch}
      Then the header ETag of the answer is called Version
      When Ana sends PUT /api/entries/{Lunch} {"calendarId":"{Other}","title":"Lunch","date":"2024-01-15","color":"#3B82F6","kind":{"type":"AllDay"}} with the header If-Match "{Version}"
      Then the answer is 200
      When Ana sends DELETE /api/calendars/{Team}
      Then the answer is 204
      And the row {calendsync} ENTRY#{Lunch} / ENTRY#{Lunch} has
        | calendarId | {Other} |

    Scenario Outline: a calendar being deleted is not found: <request>
      Given the row {calendsync} CAL#{Team} / CAL#{Team} is
        | deletingAt | 2026-01-02T09:00:00Z |
      When Ana sends <request>
      Then the answer is 404 not_found
      And nothing was written

      Examples:
        | request |
        | GET /api/calendars/{Team} |
        | POST /api/entries {"calendarId":"{Team}","title":"More","date":"2024-01-16","color":"#3B82F6","kind":{"type":"AllDay"}} |
        | POST /api/calendars/{Team}/members {"email":"{Wim.email}","role":"owner"} |

    Scenario: a calendar being deleted is not listed
      Given the row {calendsync} CAL#{Team} / CAL#{Team} is
        | deletingAt | 2026-01-02T09:00:00Z |
      When Ana sends GET /api/calendars/me
      Then "memberships" of the answer lists
        | calendar.id |
        | {Other}     |
      When Ana sends GET /api/calendars
      Then "calendars" of the answer lists
        | id      |
        | {Other} |

    Scenario: repeating the request finishes an interrupted deletion
      Given the row {calendsync} CAL#{Team} / CAL#{Team} is
        | deletingAt | 2026-01-02T09:00:00Z |
      When Ana sends DELETE /api/calendars/{Team}
      Then the answer is 204
      And the partition CAL#{Team} of {calendsync} is empty
      And there is no row {calendsync} ENTRY#{Lunch} / ENTRY#{Lunch}
