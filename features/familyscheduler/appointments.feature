Feature: Appointments are documents with an index
  The whole appointment is a JSON blob. AppointmentsIndex contains what a list needs, ordered by time.

  Background:
    Given Ana is an active member of Family

  @FS-APT-1
  Rule: A write is one blob and one row
    > Appointment write: 1 blob write (appointment.json) + 1 table upsert (AppointmentsIndex).

    Scenario: a new appointment is stored as a document and an index row
      When Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"create_appointment","startTime":"2026-06-01T09:00:00+02:00","desc":"Dentist"}}
      Then the answer is 200
      And the storage calls are at most
        | service | call            | on                | count |
        | blob    | read            | sessions          | 1     |
        | table   | point read      | GroupMembers      | 1     |
        | table   | point read      | Groups            | 1     |
        | blob    | write           | appointment.json  | 1     |
        | table   | write           | AppointmentsIndex | 1     |
        | table   | point read      | DailyMetrics      | 1     |
        | table   | write           | DailyMetrics      | 1     |
        | table   | partition query | AppointmentsIndex | 1     |
      And "appointmentId" of the answer is called Dentist
      And the row AppointmentsIndex {Family} / 20260601070000Z|{Dentist} has
        | appointmentId | {Dentist}            |
        | startTime     | 2026-06-01T07:00:00Z |
        | status        | active               |
        | hasScan       | false                |
        | createdAt     | a time               |
        | updatedAt     | a time               |
        | isDeleted     | false                |
      And the blob familyscheduler/groups/{Family}/appointments/{Dentist}/appointment.json has
        | appointmentId | {Dentist}            |
        | groupId       | {Family}             |
        | startTime     | 2026-06-01T07:00:00Z |
        | desc          | Dentist              |
        | status        | active               |
        | createdAt     | a time               |
        | updatedAt     | a time               |

    Scenario Outline: changing <what> updates the document and the index row
      Given Family has 1 appointment
      When Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"<type>","appointmentId":"{FamilyAppointment0}",<change>}}
      Then the answer is 200
      And the storage calls are at most
        | service | call            | on                | count |
        | blob    | read            | sessions          | 1     |
        | table   | point read      | GroupMembers      | 1     |
        | table   | point read      | Groups            | 1     |
        | blob    | read            | appointment.json  | 2     |
        | table   | point read      | AppointmentsIndex | 1     |
        | table   | partition query | AppointmentsIndex | 2     |
        | blob    | write           | appointment.json  | 1     |
        | table   | write           | AppointmentsIndex | 1     |
      And the row AppointmentsIndex {Family} / 20260601090000Z|{FamilyAppointment0} has
        | status    | <status>             |
        | createdAt | 2026-01-02T08:00:00Z |
        | updatedAt | a time               |
      And the blob familyscheduler/groups/{Family}/appointments/{FamilyAppointment0}/appointment.json has
        | desc      | <desc>               |
        | status    | <status>             |
        | createdAt | 2026-01-02T08:00:00Z |
        | updatedAt | a time               |
      And "snapshot.appointments" of the answer lists
        | appointmentId        | status   | createdAt            | updatedAt |
        | {FamilyAppointment0} | <status> | 2026-01-02T08:00:00Z | a time    |

      Examples:
        | what                     | type                   | change                     | desc                 | status   |
        | what it is about         | set_appointment_desc   | "desc":"Dentist, with Ben" | Dentist, with Ben    | active   |
        | its status               | set_appointment_status | "status":"canceled"        | Family appointment 0 | canceled |
        | its status to what it is | set_appointment_status | "status":"active"          | Family appointment 0 | active   |

    @reference
    Scenario Outline: the answer to <type> names the appointment
      Given Family has 1 appointment
      When Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"<type>","appointmentId":"{FamilyAppointment0}"<more>}}
      Then the answer is 200
      And the answer has
        | appointmentId | {FamilyAppointment0} |

      Examples:
        | type                   | more                 |
        | set_appointment_desc   | ,"desc":"Dentist"    |
        | delete_appointment     |                      |
        | get_appointment_detail |                      |

  @FS-APT-2
  Rule: Rows sort by start time
    > RK: `YYYYMMDDHHmmssZ|appointmentId` (time-ordered key; current implementation uses `|` delimiter)

    Scenario: two appointments of one minute are sorted by second
      When Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"create_appointment","startTime":"2027-01-01T00:00:59Z"}}
      And "appointmentId" of the answer is called Second
      And Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"create_appointment","startTime":"2027-01-01T00:00:01Z"}}
      And "appointmentId" of the answer is called First
      Then the partition {Family} of AppointmentsIndex holds, in this order
        | RowKey                    | startTime            |
        | 20270101000001Z\|{First}  | 2027-01-01T00:00:01Z |
        | 20270101000059Z\|{Second} | 2027-01-01T00:00:59Z |

    Scenario: appointments across years and time zones are sorted by UTC start
      When Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"create_appointment","startTime":"2027-01-01T00:30:00+01:00","desc":"second"}}
      And "appointmentId" of the answer is called Second
      And Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"create_appointment","startTime":"2027-01-01T00:00:00Z","desc":"third"}}
      And "appointmentId" of the answer is called Third
      And Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"create_appointment","startTime":"2026-12-31T23:00:00Z","desc":"first"}}
      And "appointmentId" of the answer is called First
      Then the partition {Family} of AppointmentsIndex holds, in this order
        | RowKey                   | startTime            |
        | 20261231230000Z\|{First}  | 2026-12-31T23:00:00Z |
        | 20261231233000Z\|{Second} | 2026-12-31T23:30:00Z |
        | 20270101000000Z\|{Third}  | 2027-01-01T00:00:00Z |
      And "snapshot.appointments" of the answer lists, in this order
        | appointmentId |
        | {First}       |
        | {Second}      |
        | {Third}       |

    Scenario Outline: an invalid start time is refused: <time>
      When Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"create_appointment","startTime":"<time>"}}
      Then the answer is 400
      And the partition {Family} of AppointmentsIndex is empty

      Examples:
        | time                    |
        | tomorrow                |
        | 2026-06-01              |
        | 2026-06-01T09:00:00     |
        | 2026-02-30T09:00:00Z    |
        | 2026-06-01T09:00:00.5Z  |

  @FS-APT-3
  Rule: A list reads the index and no appointment
    > Tables store only promoted/index fields for listing.

    Scenario Outline: a list of <appointments> appointments reads the index once and no document
      Given Family has <appointments> appointments
      When Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"list_appointments"}}
      Then the answer is 200
      And the storage calls are at most
        | service | call            | on                | count |
        | blob    | read            | sessions          | 1     |
        | table   | point read      | GroupMembers      | 1     |
        | table   | point read      | Groups            | 1     |
        | table   | partition query | AppointmentsIndex | 1     |

      Examples:
        | appointments |
        | 0            |
        | 1            |
        | 4            |
        | 16           |
        | 64           |

    Scenario: a list longer than a page of 1,000 rows is complete
      Given Family has 1001 appointments
      When Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"list_appointments"}}
      Then the answer is 200
      And "startTime" of the item of "snapshot.appointments" with "appointmentId" {FamilyAppointment0} is called First
      And "startTime" of the item of "snapshot.appointments" with "appointmentId" {FamilyAppointment1000} is called Last
      And the storage calls are at most
        | service | call            | on                | count |
        | blob    | read            | sessions          | 1     |
        | table   | point read      | GroupMembers      | 1     |
        | table   | point read      | Groups            | 1     |
        | table   | partition query | AppointmentsIndex | 1     |
        | table   | page            | AppointmentsIndex | 1     |

    Scenario: a list is complete when the store ends pages early
      Given Family has 3 appointments
      And the store answers queries in pages of 2 rows
      When Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"list_appointments"}}
      Then the answer is 200
      And "snapshot.appointments" of the answer lists
        | appointmentId        |
        | {FamilyAppointment0} |
        | {FamilyAppointment1} |
        | {FamilyAppointment2} |

    Scenario Outline: an empty page of the store does not end <what>
      Given Family has 2 appointments
      And the store answers queries in pages of 1 row, with an empty page before each
      When Ana sends <request>
      Then the answer is 200
      And "snapshot.appointments" of the answer lists
        | appointmentId        |
        | {FamilyAppointment0} |
        | {FamilyAppointment1} |

      Examples:
        | what              | request                                                                           |
        | a list            | POST /api/direct {"groupId":"{Family}","action":{"type":"list_appointments"}}     |
        | what a chat shows | POST /api/chat {"groupId":"{Family}","message":"What is next?"}                   |

    Scenario: a deleted appointment is left out of the list
      Given Family has 2 appointments
      And Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"delete_appointment","appointmentId":"{FamilyAppointment0}"}}
      When Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"list_appointments"}}
      Then "snapshot.appointments" of the answer lists
        | appointmentId        | startTime            | status | hasScan |
        | {FamilyAppointment1} | 2026-06-02T09:00:00Z | active | false   |

    Scenario: an appointment whose row lacks isDeleted is listed
      Given Family has 1 appointment
      And the row AppointmentsIndex {Family} / 20260601090000Z|{FamilyAppointment0} is
        | isDeleted | absent |
      When Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"list_appointments"}}
      Then "snapshot.appointments" of the answer lists
        | appointmentId        | startTime            | status |
        | {FamilyAppointment0} | 2026-06-01T09:00:00Z | active |

    Scenario: a chat's appointments are complete whichever storage call fails
      Given Family has 1 appointment
      When Ana sends POST /api/chat {"groupId":"{Family}","message":"What is next?"}, and any one storage call fails
      Then the answer is 200
      And "snapshot.appointments" of the answer lists
        | appointmentId        |
        | {FamilyAppointment0} |

    Scenario: a deleted appointment is neither shown in a chat nor sent to the model
      Given Family has 2 appointments
      And Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"delete_appointment","appointmentId":"{FamilyAppointment0}"}}
      When Ana sends POST /api/chat {"groupId":"{Family}","message":"What is next?"}
      Then "snapshot.appointments" of the answer lists
        | appointmentId        |
        | {FamilyAppointment1} |
      And OpenAI was not sent "{FamilyAppointment0}"
      And OpenAI was not sent "2026-06-01"

  @FS-APT-4
  Rule: An appointment exists when both its row and its document do
    > Appointment detail existence check: `AppointmentsIndex` row (`isDeleted != true`) + `appointment.json` blob; `state.json.appointments` is not authoritative.

    Scenario: an appointment with row and document is shown
      Given Family has 1 appointment
      When Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"get_appointment_detail","appointmentId":"{FamilyAppointment0}"}}
      Then the answer is 200
      And the answer has
        | appointment.appointmentId | {FamilyAppointment0}  |
        | appointment.desc          | Family appointment 0  |
      And the storage calls are at most
        | service | call            | on                | count |
        | blob    | read            | sessions          | 1     |
        | table   | point read      | GroupMembers      | 1     |
        | table   | point read      | Groups            | 1     |
        | blob    | read            | appointment.json  | 2     |
        | table   | point read      | AppointmentsIndex | 1     |
        | table   | partition query | AppointmentsIndex | 2     |

    Scenario: an appointment is found when its row is on a later page
      Given Family has 2 appointments
      And the store answers queries in pages of 1 row, with an empty page before each
      When Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"get_appointment_detail","appointmentId":"{FamilyAppointment1}"}}
      Then the answer is 200
      And the answer has
        | appointment.appointmentId | {FamilyAppointment1} |
        | appointment.desc          | Family appointment 1 |

    Scenario: an appointment without its document is not found
      Given Family has 1 appointment
      And the blob familyscheduler/groups/{Family}/appointments/{FamilyAppointment0}/appointment.json is deleted
      When Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"get_appointment_detail","appointmentId":"{FamilyAppointment0}"}}
      Then the answer is 404 appointment_not_found

    Scenario: an appointment whose row is deleted is not found
      Given Family has 1 appointment
      And the row AppointmentsIndex {Family} / 20260601090000Z|{FamilyAppointment0} is
        | isDeleted | true |
      When Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"get_appointment_detail","appointmentId":"{FamilyAppointment0}"}}
      Then the answer is 404 appointment_not_found

    Scenario: an appointment whose row lacks isDeleted is found
      Given Family has 1 appointment
      And the row AppointmentsIndex {Family} / 20260601090000Z|{FamilyAppointment0} is
        | isDeleted | absent |
      When Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"get_appointment_detail","appointmentId":"{FamilyAppointment0}"}}
      Then the answer is 200
      And the answer has
        | appointment.appointmentId | {FamilyAppointment0} |

    Scenario: an appointment with only a document is not found
      Given Family has an appointment Orphan without a row
      When Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"get_appointment_detail","appointmentId":"{Orphan}"}}
      Then the answer is 404 appointment_not_found

    Scenario: an appointment only in state.json is neither found nor listed
      Given state.json of Family is
        """
        {"people":[],"members":[],"appointments":[{"id":"apt-of-before","appointmentId":"apt-of-before","startTime":"2026-06-01T09:00:00Z","desc":"Dentist"}]}
        """
      When Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"get_appointment_detail","appointmentId":"apt-of-before"}}
      Then the answer is 404 appointment_not_found
      When Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"list_appointments"}}
      Then "snapshot.appointments" of the answer is empty

  @FS-APT-5
  Rule: Rescheduling moves the row in one transaction
    > RK: `YYYYMMDDHHmmssZ|appointmentId` (time-ordered key; current implementation uses `|` delimiter)

    Scenario: a rescheduled appointment moves its row in one transaction
      Given Family has 1 appointment
      When Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"reschedule_appointment","appointmentId":"{FamilyAppointment0}","startTime":"2026-07-01T10:15:00Z"}}
      Then the answer is 200
      And the partition {Family} of AppointmentsIndex holds, in this order
        | RowKey                                | startTime            | createdAt            | updatedAt | isDeleted |
        | 20260701101500Z\|{FamilyAppointment0} | 2026-07-01T10:15:00Z | 2026-01-02T08:00:00Z | a time    | false     |
      And the storage calls are at most
        | service | call            | on                | count |
        | blob    | read            | sessions          | 1     |
        | table   | point read      | GroupMembers      | 1     |
        | table   | point read      | Groups            | 1     |
        | blob    | read            | appointment.json  | 2     |
        | table   | point read      | AppointmentsIndex | 1     |
        | table   | partition query | AppointmentsIndex | 2     |
        | blob    | write           | appointment.json  | 1     |
        | table   | transaction     | AppointmentsIndex | 1     |
      And the blob familyscheduler/groups/{Family}/appointments/{FamilyAppointment0}/appointment.json has
        | startTime | 2026-07-01T10:15:00Z |
        | updatedAt | a time               |

    Scenario: two people rescheduling at once leave one row with its document
      Given Ben is an active member of Family
      And Family has 1 appointment
      When these run at the same time
        | who | method | path        | body                                                                                                                                        |
        | Ana | POST   | /api/direct | {"groupId":"{Family}","action":{"type":"reschedule_appointment","appointmentId":"{FamilyAppointment0}","startTime":"2026-07-01T10:15:00Z"}} |
        | Ben | POST   | /api/direct | {"groupId":"{Family}","action":{"type":"reschedule_appointment","appointmentId":"{FamilyAppointment0}","startTime":"2026-08-01T10:15:00Z"}} |
      Then each answer is one of 200, 409
      And some answer is 200
      And the table AppointmentsIndex holds 1 row
      And every row of Family in AppointmentsIndex has its document

    Scenario: a deletion during rescheduling leaves one row, deleted
      Given Ben is an active member of Family
      And Family has 1 appointment
      When these run at the same time
        | who | method | path        | body                                                                                                                                        |
        | Ana | POST   | /api/direct | {"groupId":"{Family}","action":{"type":"reschedule_appointment","appointmentId":"{FamilyAppointment0}","startTime":"2026-07-01T10:15:00Z"}} |
        | Ben | POST   | /api/direct | {"groupId":"{Family}","action":{"type":"delete_appointment","appointmentId":"{FamilyAppointment0}"}}                                        |
      Then each answer is one of 200, 404, 409
      And the table AppointmentsIndex holds 1 row
      And where Ben was answered 200, the partition {Family} of AppointmentsIndex holds, in this order
        | isDeleted | deletedByUserKey |
        | true      | {Ben.userKey}    |

    Scenario: columns unknown to the design move with the row
      Given Family has 1 appointment
      And the row AppointmentsIndex {Family} / 20260601090000Z|{FamilyAppointment0} is
        | color | blue |
      When Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"reschedule_appointment","appointmentId":"{FamilyAppointment0}","startTime":"2026-07-01T10:15:00Z"}}
      Then the row AppointmentsIndex {Family} / 20260701101500Z|{FamilyAppointment0} has
        | color | blue |

    Scenario: rescheduling to the same second leaves the row where it is
      Given Family has 1 appointment
      When Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"reschedule_appointment","appointmentId":"{FamilyAppointment0}","startTime":"2026-06-01T11:00:00+02:00"}}
      Then the answer is 200
      And the storage calls are at most
        | service | call            | on                | count |
        | blob    | read            | sessions          | 1     |
        | table   | point read      | GroupMembers      | 1     |
        | table   | point read      | Groups            | 1     |
        | blob    | read            | appointment.json  | 2     |
        | table   | point read      | AppointmentsIndex | 1     |
        | table   | partition query | AppointmentsIndex | 2     |
        | blob    | write           | appointment.json  | 1     |
        | table   | write           | AppointmentsIndex | 1     |
      And the partition {Family} of AppointmentsIndex holds, in this order
        | RowKey                               |
        | 20260601090000Z\|{FamilyAppointment0} |

    Scenario: repeating a creation after a move leaves the moved row alone
      Given Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"create_appointment","startTime":"2026-06-01T09:00:00Z","desc":"Dentist"}} with the key First
      And "appointmentId" of the answer is called Dentist
      And Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"reschedule_appointment","appointmentId":"{Dentist}","startTime":"2026-07-01T10:15:00Z"}}
      When Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"create_appointment","startTime":"2026-06-01T09:00:00Z","desc":"Dentist"}} with the key First
      Then the answer is 200
      And the partition {Family} of AppointmentsIndex holds, in this order
        | RowKey                     | startTime            |
        | 20260701101500Z\|{Dentist} | 2026-07-01T10:15:00Z |

    @reference
    Scenario: repeating a creation while its row is unreadable gets 503
      Given Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"create_appointment","startTime":"2026-06-01T09:00:00Z"}} with the key First
      And the store refuses each read on AppointmentsIndex of the next request: it is being deleted
      When Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"create_appointment","startTime":"2026-06-01T09:00:00Z"}} with the key First
      Then the answer is 503 storage_unavailable

  @FS-APT-6
  Rule: Deleting is soft and keeps the document; restoring undoes it
    > Appointments: soft delete in AppointmentsIndex; appointment blob may remain until purge job exists.

    Background:
      Given Family has 1 appointment

    Scenario: a deleted appointment keeps its row and document
      When Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"delete_appointment","appointmentId":"{FamilyAppointment0}"}}
      Then the answer is 200
      And "snapshot.appointments" of the answer is empty
      And the storage calls are at most
        | service | call            | on                | count |
        | blob    | read            | sessions          | 1     |
        | table   | point read      | GroupMembers      | 1     |
        | table   | point read      | Groups            | 1     |
        | blob    | read            | appointment.json  | 1     |
        | table   | point read      | AppointmentsIndex | 1     |
        | table   | partition query | AppointmentsIndex | 2     |
        | table   | write           | AppointmentsIndex | 1     |
      And the row AppointmentsIndex {Family} / 20260601090000Z|{FamilyAppointment0} has
        | isDeleted        | true                              |
        | deletedAt        | a time                            |
        | deletedByUserKey | {Ana.userKey}                     |
        | purgeAfterAt     | 30 days after deletedAt           |
        | updatedAt        | a time after 2026-01-02T08:00:00Z |
      And the blob familyscheduler/groups/{Family}/appointments/{FamilyAppointment0}/appointment.json is there

    Scenario: deleting an appointment twice keeps the first deletion time
      Given the row AppointmentsIndex {Family} / 20260601090000Z|{FamilyAppointment0} is
        | isDeleted        | true                 |
        | deletedAt        | 2026-03-01T10:00:00Z |
        | deletedByUserKey | {Ana.userKey}        |
        | purgeAfterAt     | 2026-03-31T10:00:00Z |
      When Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"delete_appointment","appointmentId":"{FamilyAppointment0}"}}
      Then the answer is 200
      And the row AppointmentsIndex {Family} / 20260601090000Z|{FamilyAppointment0} has
        | deletedAt    | 2026-03-01T10:00:00Z |
        | purgeAfterAt | 2026-03-31T10:00:00Z |

    Scenario: a restored appointment loses its deletion columns
      Given Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"delete_appointment","appointmentId":"{FamilyAppointment0}"}}
      When Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"restore_appointment","appointmentId":"{FamilyAppointment0}"}}
      Then the answer is 200
      And the row AppointmentsIndex {Family} / 20260601090000Z|{FamilyAppointment0} has
        | isDeleted        | false  |
        | deletedAt        | absent |
        | deletedByUserKey | absent |
        | purgeAfterAt     | absent |
      When Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"get_appointment_detail","appointmentId":"{FamilyAppointment0}"}}
      Then the answer is 200

    @reference
    Scenario: restoring an appointment that is not deleted writes nothing
      When Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"restore_appointment","appointmentId":"{FamilyAppointment0}"}}
      Then the answer is 200
      And nothing was written

    Scenario: a canceled appointment is still canceled after it is restored
      Given Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"set_appointment_status","appointmentId":"{FamilyAppointment0}","status":"canceled"}}
      And Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"delete_appointment","appointmentId":"{FamilyAppointment0}"}}
      When Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"restore_appointment","appointmentId":"{FamilyAppointment0}"}}
      Then the row AppointmentsIndex {Family} / 20260601090000Z|{FamilyAppointment0} has
        | status    | canceled |
        | isDeleted | false    |

    Scenario: a deleted appointment cannot be assigned to anyone
      Given Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"delete_appointment","appointmentId":"{FamilyAppointment0}"}}
      When Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"assign_participant","appointmentId":"{FamilyAppointment0}","memberKey":"{Ana.memberKey}"}}
      Then the answer is 404 appointment_not_found

    Scenario: a deleted appointment cannot be edited
      Given Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"delete_appointment","appointmentId":"{FamilyAppointment0}"}}
      When Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"set_appointment_desc","appointmentId":"{FamilyAppointment0}","desc":"Too late"}}
      Then the answer is 404 appointment_not_found
      And the blob familyscheduler/groups/{Family}/appointments/{FamilyAppointment0}/appointment.json has
        | desc | Family appointment 0 |
