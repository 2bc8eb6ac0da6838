@reference
Feature: Tools that deploy, fill and repair the table
  They are storespec's own commands: storespec dynamodb.

  Background:
    Given Ana is an owner of Team
    And Ben has an account

  @CS-TAB-1
  Rule: Deploying creates the table as designed, and changes no other
    > Deploy the table (creates if not exists). Destroy the table. Use a custom table name
    > Billing Mode: PAY_PER_REQUEST. Projection: ALL

    Scenario: created once
      When storespec runs "dynamodb deploy --force --table-name {calendsync}-new"
      Then storespec has ended with status 0
      And these tables exist
        | {calendsync}-new |
      When storespec runs "dynamodb deploy --force --table-name {calendsync}-new"
      Then storespec has ended with status 0
      And storespec has printed "nothing was changed"
      When storespec runs "dynamodb deploy --destroy --force --table-name {calendsync}-new"
      Then storespec has ended with status 0
      When storespec runs "dynamodb seed --calendar-id {Team} --table-name {calendsync}-new"
      Then storespec has ended with status 3
      When storespec runs "dynamodb deploy --destroy --force --table-name {calendsync}-new"
      Then storespec has ended with status 0

    Scenario: a table of another shape
      Given the row {calendsync}-other a / b is
        | text | kept |
      When storespec runs "dynamodb deploy --force --table-name {calendsync}-other"
      Then storespec has ended with status 1
      And storespec has printed "GSI1"
      And the row {calendsync}-other a / b has
        | text | kept |

    Scenario: without a terminal, nobody can be asked
      When storespec runs "dynamodb deploy --table-name {calendsync}-asked"
      Then storespec has ended with status 2
      And storespec has printed "--force"
      When storespec runs "dynamodb deploy --destroy"
      Then storespec has ended with status 2
      And the row {calendsync} CAL#{Team} / CAL#{Team} has
        | name | Team |

  @CS-SEED-1
  Rule: Seeding writes entries of every kind around a day, each of them once
    > Seed entries for a calendar (requires calendar_id). Seed around a specific date. Seed a specific number of entries

    Scenario: eight entries, and then none
      When storespec runs "dynamodb seed --calendar-id {Team} --highlighted-day 2024-06-15 --count 8"
      Then storespec has ended with status 0
      And storespec has printed "8 entries written, 0 were there already"
      When Ana sends GET /api/calendars/{Team}/entries?start=2024-06-01&end=2024-06-30
      Then "entries" of the answer lists, in this order
        | date       | calendarId | version |
        | 2024-06-13 | {Team}     | 1       |
        | 2024-06-13 | {Team}     | 1       |
        | 2024-06-14 | {Team}     | 1       |
        | 2024-06-14 | {Team}     | 1       |
        | 2024-06-15 | {Team}     | 1       |
        | 2024-06-15 | {Team}     | 1       |
        | 2024-06-16 | {Team}     | 1       |
        | 2024-06-16 | {Team}     | 1       |
      And the answer contains "Timed"
      And the answer contains "Task"
      And the answer contains "AllDay"
      And the answer contains "MultiDay"
      And "entries[0].id" of the answer is called Seeded
      When Ana sends DELETE /api/entries/{Seeded}
      Then the answer is 204
      When storespec runs "dynamodb seed --calendar-id {Team} --highlighted-day 2024-06-15 --count 8"
      Then storespec has printed "1 entries written, 7 were there already"

    Scenario Outline: ended after its first <call>, and run again
      Given storage goes down after the next <call>
      When storespec runs "dynamodb seed --calendar-id {Team} --highlighted-day 2024-06-15 --count 30"
      Then storespec has ended with status 3
      When storage is back
      And storespec runs "dynamodb seed --calendar-id {Team} --highlighted-day 2024-06-15 --count 30"
      Then storespec has ended with status 0
      When Ana sends GET /api/calendars/{Team}/entries?start=2024-06-01&end=2024-06-30
      Then the answer has
        | entries[29] | anything |
        | entries[30] | absent   |

      Examples:
        | call  |
        | read  |
        | write |

    Scenario Outline: <what>
      Given Nowhere is a new id
      When storespec runs "dynamodb seed <flags>"
      Then storespec has ended with status 2

      Examples:
        | what                  | flags                                                   |
        | no calendar           |                                                         |
        | an unknown calendar   | --calendar-id {Nowhere}                                 |
        | a malformed id        | --calendar-id team                                      |
        | a malformed day       | --calendar-id {Team} --highlighted-day 2024-02-30       |
        | no entries            | --calendar-id {Team} --count 0                          |
        | too many entries      | --calendar-id {Team} --count 100001                     |

  @CS-MIG-1
  Rule: Migrating writes what an older storage had, each of it once
    > Users, Calendars: map directly. Entries: kind. Memberships: new entity, create for each user-calendar relationship

    Background:
      Given User is a new id
      And Reader is a new id
      And Choir is a new id
      And Concert is a new id
      And the file Old holds
        """
        {"users":[{"id":"{User}","name":"Una","email":"Una.{tag}@Example.com","provider":"google","providerSubject":"u-{tag}"},{"id":"{Reader}","name":"Rob","email":"rob.{tag}@example.com"}],
        "calendars":[{"id":"{Choir}","name":"Choir","color":"#10B981","description":"Tuesdays"}],
        "entries":[{"id":"{Concert}","calendarId":"{Choir}","title":"Concert","location":"Church","date":"2024-12-20","color":"#3B82F6","kind":{"type":"Timed","start":"19:00:00","end":"21:00:00"}}],
        "memberships":[{"calendarId":"{Choir}","userId":"{User}","role":"owner"},{"calendarId":"{Choir}","userId":"{Reader}","role":"reader"}]}
        """

    Scenario: everything, and then nothing
      When storespec runs "dynamodb migrate {Old}"
      Then storespec has ended with status 0
      And the row {calendsync} USER#{User} / USER#{User} has
        | name    | Una                         |
        | email   | una.{tag}@example.com       |
        | GSI2PK  | EMAIL#una.{tag}@example.com |
        | GSI3PK  | PROV#google#u-{tag}         |
        | version | number 1                    |
      And the row {calendsync} EMAIL#una.{tag}@example.com / EMAIL#una.{tag}@example.com has
        | userId | {User} |
      And the row {calendsync} PROV#google#u-{tag} / PROV#google#u-{tag} has
        | userId | {User} |
      And the row {calendsync} CAL#{Choir} / CAL#{Choir} has
        | name        | Choir    |
        | color       | #10B981  |
        | description | Tuesdays |
        | owners      | number 1 |
        | version     | number 1 |
      And the row {calendsync} CAL#{Choir} / MEMBER#{Reader} has
        | role   | reader        |
        | GSI1PK | USER#{Reader} |
        | GSI1SK | CAL#{Choir}   |
      And the row {calendsync} CAL#{Choir} / MEMBER#{User} has
        | role | owner |
      And the row {calendsync} ENTRY#{Concert} / ENTRY#{Concert} has
        | title    | Concert                    |
        | location | Church                     |
        | GSI1PK   | CAL#{Choir}                |
        | GSI1SK   | ENTRY#2024-12-20#{Concert} |
        | kind     | {"end":"21:00:00","start":"19:00:00","type":"Timed"} |
      Given the row {calendsync} ENTRY#{Concert} / ENTRY#{Concert} is
        | title | Big concert |
      When storespec runs "dynamodb migrate {Old}"
      Then storespec has ended with status 0
      And the row {calendsync} ENTRY#{Concert} / ENTRY#{Concert} has
        | title | Big concert |

    Scenario Outline: ended after its first <call>, and run again
      Given storage goes down after the next <call>
      When storespec runs "dynamodb migrate {Old}"
      Then storespec has ended with status 3
      When storage is back
      And storespec runs "dynamodb migrate {Old}"
      Then storespec has ended with status 0
      And the row {calendsync} CAL#{Choir} / CAL#{Choir} has
        | owners | number 1 |
      And the row {calendsync} CAL#{Choir} / MEMBER#{Reader} has
        | role | reader |
      And the row {calendsync} ENTRY#{Concert} / ENTRY#{Concert} has
        | title | Concert |
      And the row {calendsync} EMAIL#rob.{tag}@example.com / EMAIL#rob.{tag}@example.com has
        | userId | {Reader} |

      Examples:
        | call  |
        | read  |
        | write |

    Scenario: an e-mail that somebody else has
      Given the row {calendsync} EMAIL#rob.{tag}@example.com / EMAIL#rob.{tag}@example.com is
        | userId | {Ben} |
      When storespec runs "dynamodb migrate {Old}"
      Then storespec has ended with status 1
      And the row {calendsync} EMAIL#rob.{tag}@example.com / EMAIL#rob.{tag}@example.com has
        | userId | {Ben} |
      And there is no row {calendsync} USER#{Reader} / USER#{Reader}

    Scenario: without memberships one user owns every calendar
      Given the file Older holds
        """
        {"users":[{"id":"{User}","name":"Una","email":"una.{tag}@example.com"}],"calendars":[{"id":"{Choir}","name":"Choir","color":"#10B981"}],"entries":[]}
        """
      When storespec runs "dynamodb migrate {Older}"
      Then storespec has ended with status 2
      And there is no row {calendsync} USER#{User} / USER#{User}
      When storespec runs "dynamodb migrate {Older} --owner {User}"
      Then storespec has ended with status 0
      And the row {calendsync} CAL#{Choir} / MEMBER#{User} has
        | role | owner |

    Scenario: all mistakes of a file are named, and nothing is written
      Given the file Wrong holds
        """
        {"users":[{"id":"{User}","name":"","email":"una.{tag}@example.com"}],
        "calendars":[{"id":"{Choir}","name":"Choir","color":"green"}],
        "entries":[{"id":"{Concert}","calendarId":"{User}","title":"Concert","date":"2024-12-20","color":"#3B82F6","kind":{"type":"AllDay"}}],
        "memberships":[{"calendarId":"{Choir}","userId":"{User}","role":"king"}]}
        """
      When storespec runs "dynamodb migrate {Wrong}"
      Then storespec has ended with status 2
      And storespec has printed "users[0]"
      And storespec has printed "calendars[0]"
      And storespec has printed "entries[0]"
      And storespec has printed "memberships[0]"
      And there is no row {calendsync} USER#{User} / USER#{User}

  @CS-REP-1
  Rule: Repairing finishes deletions that were interrupted, and removes nothing else
    > (contract) A retry or repair finishes after any failed call; nothing is orphaned once the index has caught up.

    Background:
      Given Ben is a writer of Team
      And Lunch is a task of Team on 2024-01-15
      And Ana is an owner of Other
      And Dinner is a task of Other on 2024-01-15

    Scenario: a calendar that is marked
      Given the row {calendsync} CAL#{Team} / CAL#{Team} is
        | deletingAt | 2026-01-02T09:00:00Z |
      When storespec runs "dynamodb repair"
      Then storespec has ended with status 0
      And the partition CAL#{Team} of {calendsync} is empty
      And there is no row {calendsync} ENTRY#{Lunch} / ENTRY#{Lunch}
      And the row {calendsync} ENTRY#{Dinner} / ENTRY#{Dinner} has
        | calendarId | {Other} |
      And the row {calendsync} CAL#{Other} / MEMBER#{Ana} has
        | role | owner |
      And the row {calendsync} USER#{Ana} / USER#{Ana} has
        | name | Ana |

    Scenario: an entry whose calendar is gone
      Given Gone is a new id
      And the row {calendsync} ENTRY#{Lunch} / ENTRY#{Lunch} is
        | calendarId | {Gone}     |
        | GSI1PK     | CAL#{Gone} |
      When storespec runs "dynamodb repair"
      Then storespec has ended with status 0
      And there is no row {calendsync} ENTRY#{Lunch} / ENTRY#{Lunch}
      And the row {calendsync} CAL#{Team} / MEMBER#{Ben} has
        | role | writer |
      When storespec runs "dynamodb repair"
      Then storespec has printed "0 items"

    Scenario: an entry that the index did not name when its calendar was deleted
      Given index updates arrive 100 calls late
      When Ben sends POST /api/entries {"calendarId":"{Team}","title":"Late","date":"2024-01-16","color":"#3B82F6","kind":{"type":"AllDay"}}
      Then "id" of the answer is called Late
      When Ana sends DELETE /api/calendars/{Team}
      Then the answer is 204
      When storespec runs "dynamodb repair"
      Then storespec has ended with status 0
      And there is no row {calendsync} ENTRY#{Late} / ENTRY#{Late}
      And the partition CAL#{Team} of {calendsync} is empty

    Scenario Outline: ended after its first <call>, and run again
      Given Team has 30 entries on each of the 1 days from 2024-02-01
      And the row {calendsync} CAL#{Team} / CAL#{Team} is
        | deletingAt | 2026-01-02T09:00:00Z |
      And storage goes down after the next <call>
      When storespec runs "dynamodb repair"
      Then storespec has ended with status 3
      When storage is back
      And storespec runs "dynamodb repair"
      Then storespec has ended with status 0
      And the partition CAL#{Team} of {calendsync} is empty
      And there is no row {calendsync} ENTRY#{Lunch} / ENTRY#{Lunch}
      And there is no row {calendsync} ENTRY#{TeamEntry2024020129} / ENTRY#{TeamEntry2024020129}

      Examples:
        | call  |
        | read  |
        | write |
