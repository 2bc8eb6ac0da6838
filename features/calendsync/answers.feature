Feature: Answers show what is stored now

  Background:
    Given Ana is an owner of Team
    And Wim is a writer of Team
    And Lunch is a task of Team on 2024-01-15

  @CS-ANS-1
  Rule: Each attribute is shown under its own name
    > Attributes: id, name, email, color, description, calendarId, userId, role, title, location, date, kind, createdAt, updatedAt

    Scenario: a user is shown with every attribute under its name
      Given Eve has an account at google
      When Eve sends GET /api/users/{Eve}
      Then the answer has
        | id              | {Eve}                |
        | name            | Eve                  |
        | email           | {Eve.email}          |
        | provider        | google               |
        | providerSubject | sub-eve-{tag}        |
        | createdAt       | 2026-01-02T08:00:00Z |
        | updatedAt       | 2026-01-03T09:00:00Z |
        | version         | number 1             |

    Scenario: a calendar is shown and listed with every attribute
      Given the row {calendsync} CAL#{Team} / CAL#{Team} is
        | description | Our team |
      When Wim sends GET /api/calendars/{Team}
      Then the answer has
        | id          | {Team}               |
        | name        | Team                 |
        | color       | #3B82F6              |
        | description | Our team             |
        | createdAt   | 2026-01-02T08:00:00Z |
        | updatedAt   | 2026-01-03T09:00:00Z |
        | version     | number 1             |
      When Wim sends GET /api/calendars
      Then "calendars" of the answer lists
        | id     | name | color   | description | createdAt            | updatedAt            | version |
        | {Team} | Team | #3B82F6 | Our team    | 2026-01-02T08:00:00Z | 2026-01-03T09:00:00Z | 1       |

    Scenario: members are listed with role, name and version
      When Wim sends GET /api/calendars/{Team}/members
      Then "members" of the answer lists
        | calendarId | userId | role   | name | email       | createdAt            | updatedAt            | version |
        | {Team}     | {Ana}  | owner  | Ana  | {Ana.email} | 2026-01-02T08:00:00Z | 2026-01-03T09:00:00Z | 1       |
        | {Team}     | {Wim}  | writer | Wim  | {Wim.email} | 2026-01-02T08:00:00Z | 2026-01-03T09:00:00Z | 1       |

    Scenario: an entry is shown and listed with every attribute
      Given the row {calendsync} ENTRY#{Lunch} / ENTRY#{Lunch} is
        | description | With the team |
        | location    | Canteen       |
      When Wim sends GET /api/entries/{Lunch}
      Then the answer has
        | id          | {Lunch}                           |
        | calendarId  | {Team}                            |
        | title       | Lunch                             |
        | description | With the team                     |
        | location    | Canteen                           |
        | date        | 2024-01-15                        |
        | color       | #3B82F6                           |
        | kind        | {"completed":false,"type":"Task"} |
        | createdAt   | 2026-01-02T08:00:00Z              |
        | updatedAt   | 2026-01-03T09:00:00Z              |
        | version     | number 1                          |
      When Wim sends GET /api/calendars/{Team}/entries?start=2024-01-15&end=2024-01-15
      Then "entries" of the answer lists
        | id      | description   | location | date       | color   | createdAt            | updatedAt            |
        | {Lunch} | With the team | Canteen  | 2024-01-15 | #3B82F6 | 2026-01-02T08:00:00Z | 2026-01-03T09:00:00Z |

    Scenario: a changed entry keeps its creation time and gets a new update time
      When Wim sends GET /api/entries/{Lunch}
      Then the header ETag of the answer is called Version
      When Wim sends PUT /api/entries/{Lunch} {"calendarId":"{Team}","title":"Lunch","date":"2024-01-15","color":"#3B82F6","kind":{"type":"Task","completed":false}} with the header If-Match "{Version}"
      Then the answer has
        | createdAt | 2026-01-02T08:00:00Z |
        | updatedAt | a time               |

    @reference
    Scenario: the reference lists calendars by name
      Given Ana is an owner of Choir
      And Ana is an owner of Band
      And Ana is an owner of Office
      When Ana sends GET /api/calendars
      Then "calendars" of the answer lists, in this order
        | name   |
        | Band   |
        | Choir  |
        | Office |
        | Team   |

    @reference
    Scenario: the health route answers with ok
      When Nobody sends GET /readyz
      Then the answer has
        | ok | true |

  @CS-ANS-2
  Rule: Nothing is cached from one request to the next
    > Efficient date-range queries

    Scenario: a listing shows entries added, changed and deleted since the last one
      When Wim sends GET /api/calendars/{Team}/entries?start=2024-01-01&end=2024-01-31
      Then "entries" of the answer lists
        | title |
        | Lunch |
      When Wim sends POST /api/entries {"calendarId":"{Team}","title":"Dinner","date":"2024-01-16","color":"#3B82F6","kind":{"type":"AllDay"}}
      Then "id" of the answer is called Dinner
      When Wim sends GET /api/calendars/{Team}/entries?start=2024-01-01&end=2024-01-31
      Then "entries" of the answer lists, in this order
        | title  |
        | Lunch  |
        | Dinner |
      When Wim sends DELETE /api/entries/{Dinner}
      Then the answer is 204
      When Wim sends GET /api/calendars/{Team}/entries?start=2024-01-01&end=2024-01-31
      Then "entries" of the answer lists
        | title |
        | Lunch |

    Scenario: a listing shows members added and removed since the last one
      Given Sam has an account
      When Ana sends GET /api/calendars/{Team}/members
      Then the answer has
        | members[2] | absent |
      When Sam sends GET /api/calendars/me
      Then "memberships" of the answer is empty
      When Ana sends POST /api/calendars/{Team}/members {"userId":"{Sam}","role":"reader"}
      Then the answer is 201
      And the answer has
        | calendarId | {Team}   |
        | userId     | {Sam}    |
        | role       | reader   |
        | version    | number 1 |
      When Ana sends GET /api/calendars/{Team}/members
      Then the answer has
        | members[2].role | anything |
      When Sam sends GET /api/calendars/me
      Then "memberships" of the answer lists
        | role   | calendar.id |
        | reader | {Team}      |
      When Ana sends DELETE /api/calendars/{Team}/members/{Sam}
      Then the answer is 204
      When Sam sends GET /api/calendars/me
      Then "memberships" of the answer is empty
