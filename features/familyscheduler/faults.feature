Feature: A storage call may fail at any moment
  Each storage call of a request fails in turn, in each way a call can fail: the store is busy, or does its
  work but its answer is lost, or another client was faster. The client tries again with the same Idempotency-Key,
  and the result is the same as without a failure.

  Background:
    Given Ana is an active member of Family

  @FS-MEM-5
  Rule: The two tables agree after a failed call and the client's retry
    > Membership and authorization truth: `GroupMembers` + `UserGroups` tables only.

    Scenario Outline: both tables agree after <operation> whichever storage call fails
      Given Ben is <before> of Family
      When <who> sends <request>, and any one storage call fails
      Then the answer is 200
      And Ben is <after> in both tables of Family

      Examples:
        | operation  | before            | after   | who | request                                                                        |
        | inviting   | a removed member  | invited | Ana | POST /api/group/join-link {"groupId":"{Family}","email":"{Ben.email}"}         |
        | accepting  | an invited member | active  | Ben | POST /api/group/join {"groupId":"{Family}"}                                    |
        | declining  | an invited member | removed | Ben | POST /api/group/decline {"groupId":"{Family}"}                                 |
        | withdrawing | an invited member | removed | Ana | POST /api/group/remove-member {"groupId":"{Family}","userKey":"{Ben.userKey}"} |
        | removing   | an active member  | removed | Ana | POST /api/group/remove-member {"groupId":"{Family}","userKey":"{Ben.userKey}"} |
        | leaving    | an active member  | removed | Ben | POST /api/group/remove-member {"groupId":"{Family}"}                           |

    Scenario: a lagging table is completed whichever storage call fails
      Given Ben is an active member of Family
      And the row UserGroups {Ben.userKey} / {Family} is
        | status | invited |
      When Ben sends POST /api/group/join {"groupId":"{Family}"}, and any one storage call fails
      Then the answer is 200
      And Ben is active in both tables of Family

    @reference
    Scenario: an invitation is not begun while UserGroups is unreadable
      Given Ben is signed in
      And the store refuses each read on UserGroups of the next request: its key is wrong
      When Ana sends POST /api/group/join-link {"groupId":"{Family}","email":"{Ben.email}"}
      Then the answer is 503 storage_unavailable
      And nothing was written

    Scenario: both tables agree after joining a gathering whichever storage call fails
      Given Ben is an invited member of Family
      And Ana sends POST /api/ignite/start {"groupId":"{Family}"}
      And "sessionId" of the answer is called Party
      When Ben sends POST /api/ignite/join {"groupId":"{Family}","sessionId":"{Party}"}, and any one storage call fails
      Then the answer is 200
      And Ben is active in both tables of Family

  @FS-GRP-4
  Rule: A group is complete or invisible, whatever fails while it is created
    > Backend supports “list my groups” without scanning blobs.
    > (contract) After the client's retry exactly one whole group exists.

    Scenario: a new group is complete whichever storage call fails
      Given Ben is signed in
      When Ben sends POST /api/group/create {"groupName":"Choir"}, and any one storage call fails
      Then the answer is 200
      And "groupId" of the answer is called Choir
      When Ben sends GET /api/me/groups
      Then "groups" of the answer lists
        | groupId | groupName | myStatus |
        | {Choir} | Choir     | active   |
      And the row GroupMembers {Choir} / {Ben.userKey} has
        | status | active |

    Scenario: a group that is spun off is complete whichever storage call fails
      When Ana sends POST /api/ignite/spinoff {"sourceGroupId":"{Family}","groupName":"Choir"}, and any one storage call fails
      Then the answer is 200
      And "newGroupId" of the answer is called Choir
      When Ana sends GET /api/me/groups
      Then "groups" of the answer lists
        | groupId  | groupName | myStatus |
        | {Choir}  | Choir     | active   |
        | {Family} | Family    | active   |
      And the row GroupMembers {Choir} / {Ana.userKey} has
        | status | active |

    Scenario: a listed group is complete even without a retry
      Given Ben is signed in
      When Ben sends POST /api/group/create {"groupName":"Choir"}, and any one storage call fails for good
      And Ben sends GET /api/me/groups
      Then every group of the answer opens for Ben

    Scenario: a group without its row is neither listed nor found
      Given the row GroupMembers half / {Ana.userKey} is
        | userKey | {Ana.userKey} |
        | status  | active        |
      And the row UserGroups {Ana.userKey} / half is
        | groupId | half   |
        | status  | active |
      When Ana sends GET /api/me/groups
      Then "groups" of the answer lists
        | groupId  |
        | {Family} |
      When Ana sends GET /api/group/meta?groupId=half
      Then the answer is 404 group_not_found

    Scenario: one Idempotency-Key creates one group, another key another
      Given Ana sends POST /api/group/create {"groupName":"Choir"} with the key First
      And "groupId" of the answer is called Choir
      When Ana sends POST /api/group/create {"groupName":"Choir"} with the key First
      Then the answer has
        | groupId | {Choir} |
      When Ana sends POST /api/group/create {"groupName":"Choir"} with the key Second
      And Ana sends GET /api/me/groups
      Then "groups" of the answer lists
        | groupName |
        | Choir     |
        | Choir     |
        | Family    |

    Scenario: the same Idempotency-Key on another route creates another group
      Given Ana sends POST /api/group/create {"groupName":"Choir"} with the key First
      When Ana sends POST /api/ignite/spinoff {"sourceGroupId":"{Family}","groupName":"Band"} with the key First
      Then the answer has
        | groupName | Band |
      When Ana sends GET /api/me/groups
      Then "groups" of the answer lists
        | groupName |
        | Band      |
        | Choir     |
        | Family    |

    Scenario: another person's identical Idempotency-Key creates another group
      Given Ben is signed in
      And Ana sends POST /api/group/create {"groupName":"Choir"} with the key First
      When Ben sends POST /api/group/create {"groupName":"Band"} with the key First
      Then the answer has
        | groupName | Band |
      When Ben sends GET /api/me/groups
      Then "groups" of the answer lists
        | groupName |
        | Band      |

    Scenario: a group spun off twice under one Idempotency-Key exists once
      Given Ana sends POST /api/ignite/spinoff {"sourceGroupId":"{Family}","groupName":"Choir"} with the key First
      And "newGroupId" of the answer is called Choir
      When Ana sends POST /api/ignite/spinoff {"sourceGroupId":"{Family}","groupName":"Choir"} with the key First
      Then the answer has
        | newGroupId | {Choir} |
      And the row Groups group / {Choir} has
        | groupName        | Choir         |
        | createdByUserKey | {Ana.userKey} |
      And the row GroupMembers {Choir} / {Ana.userKey} has
        | status | active |

    Scenario: a retry during the first attempt creates one group
      Given Ben is signed in
      When these run at the same time
        | who | method | path              | body                  | key   |
        | Ben | POST   | /api/group/create | {"groupName":"Choir"} | First |
        | Ben | POST   | /api/group/create | {"groupName":"Choir"} | First |
      Then both answers are the same except for the trace id
      And all answers are 200
      And the table Groups holds 2 rows
      And the row DailyMetrics {month} / {today} has
        | newGroups | 1 |

    Scenario: two groups of one name created at once both exist
      Given Ben is signed in
      When these run at the same time
        | who | method | path              | body                  |
        | Ben | POST   | /api/group/create | {"groupName":"Choir"} |
        | Ben | POST   | /api/group/create | {"groupName":"Choir"} |
      Then all answers are 200
      And the table Groups holds 3 rows
      And the table GroupMembers holds 3 rows
      And the row DailyMetrics {month} / {today} has
        | newGroups | 2 |

    Scenario: an invalid Idempotency-Key is refused with 400
      When Ana sends POST /api/group/create {"groupName":"Choir"} with the Idempotency-Key "a b"
      Then the answer is 400

  @FS-APT-9
  Rule: A failed call leaves no row without a document
    > Appointment detail existence check: `AppointmentsIndex` row (`isDeleted != true`) + `appointment.json` blob; `state.json.appointments` is not authoritative.

    Scenario: a retry during the first attempt and a deletion of the group leaves no row without a document
      When these run at the same time
        | who | method | path              | body                                                                                             | key   |
        | Ana | POST   | /api/direct       | {"groupId":"{Family}","action":{"type":"create_appointment","startTime":"2026-06-01T09:00:00Z"}} | First |
        | Ana | POST   | /api/direct       | {"groupId":"{Family}","action":{"type":"create_appointment","startTime":"2026-06-01T09:00:00Z"}} | First |
        | Ana | POST   | /api/group/delete | {"groupId":"{Family}"}                                                                           |       |
      Then each answer is one of 200, 404
      And every row of Family in AppointmentsIndex has its document

    Scenario: an appointment created and deleted during another creation leaves complete rows
      Given Family has 1 appointment
      When these run at the same time
        | who | method | path        | body                                                                                                 | key   |
        | Ana | POST   | /api/direct | {"groupId":"{Family}","action":{"type":"create_appointment","startTime":"2026-06-01T09:00:00Z"}}     | First |
        | Ana | POST   | /api/direct | {"groupId":"{Family}","action":{"type":"delete_appointment","appointmentId":"{FamilyAppointment0}"}} |       |
      Then all answers are 200
      And the table AppointmentsIndex holds 2 rows
      And every row of Family in AppointmentsIndex has its document

    Scenario: a new appointment has row and document whichever storage call fails
      When Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"create_appointment","startTime":"2026-06-01T09:00:00Z","desc":"Dentist"}}, and any one storage call fails
      Then the answer is 200
      And "appointmentId" of the answer is called Dentist
      And the partition {Family} of AppointmentsIndex holds, in this order
        | RowKey                      | isDeleted |
        | 20260601090000Z\|{Dentist} | false     |
      And every row of Family in AppointmentsIndex has its document

    Scenario: a rescheduled appointment is moved once whichever storage call fails
      Given Family has 1 appointment
      When Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"reschedule_appointment","appointmentId":"{FamilyAppointment0}","startTime":"2026-07-01T10:15:00Z"}}, and any one storage call fails
      Then the answer is 200
      And the partition {Family} of AppointmentsIndex holds, in this order
        | RowKey                                | startTime            |
        | 20260701101500Z\|{FamilyAppointment0} | 2026-07-01T10:15:00Z |
      And the blob familyscheduler/groups/{Family}/appointments/{FamilyAppointment0}/appointment.json has
        | startTime | 2026-07-01T10:15:00Z |

    Scenario Outline: <operation> an appointment takes effect whichever storage call fails
      Given Family has 1 appointment
      When Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"<type>","appointmentId":"{FamilyAppointment0}"<more>}}, and any one storage call fails
      Then the answer is 200
      And the partition {Family} of AppointmentsIndex holds, in this order
        | <column> |
        | <value>  |
      And every row of Family in AppointmentsIndex has its document

      Examples:
        | operation  | type                   | more                | column    | value    |
        | canceling  | set_appointment_status | ,"status":"canceled" | status    | canceled |
        | deleting   | delete_appointment     |                     | isDeleted | true     |

    Scenario: describing an appointment takes effect whichever storage call fails
      Given Family has 1 appointment
      When Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"set_appointment_desc","appointmentId":"{FamilyAppointment0}","desc":"Dentist"}}, and any one storage call fails
      Then the answer is 200
      And "snapshot.appointments" of the answer lists
        | appointmentId         |
        | {FamilyAppointment0} |
      And the blob familyscheduler/groups/{Family}/appointments/{FamilyAppointment0}/appointment.json has
        | desc | Dentist |
      And every row of Family in AppointmentsIndex has its document

    Scenario: restoring an appointment takes effect whichever storage call fails
      Given Family has 1 appointment
      And Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"delete_appointment","appointmentId":"{FamilyAppointment0}"}}
      When Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"restore_appointment","appointmentId":"{FamilyAppointment0}"}}, and any one storage call fails
      Then the answer is 200
      And the partition {Family} of AppointmentsIndex holds, in this order
        | isDeleted |
        | false     |
      And every row of Family in AppointmentsIndex has its document

    Scenario Outline: an abandoned request leaves no row without a document: <operation>
      Given Family has 1 appointment
      When Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"<type>"<more>}}, and any one storage call fails for good
      Then every row of Family in AppointmentsIndex has its document

      Examples:
        | operation                   | type                   | more                                                                             |
        | making an appointment       | create_appointment     | ,"startTime":"2026-06-01T09:00:00Z","desc":"Dentist"                             |
        | rescheduling an appointment | reschedule_appointment | ,"appointmentId":"{FamilyAppointment0}","startTime":"2026-07-01T10:15:00Z"       |

    Scenario Outline: a scan in <second> replaces one in <first> whichever storage call fails
      Given Family has 1 appointment
      And Ana sends POST /api/appointment/scan {"groupId":"{Family}","appointmentId":"{FamilyAppointment0}","imageMime":"image/<first>","imageBase64":"{<first>}"}
      When Ana sends POST /api/appointment/scan {"groupId":"{Family}","appointmentId":"{FamilyAppointment0}","imageMime":"image/<second>","imageBase64":"{<second>}"}, and any one storage call fails
      Then the answer is 200
      When Ana sends GET /api/appointment/scan?groupId={Family}&appointmentId={FamilyAppointment0}
      Then the header Content-Type of the answer is "image/<second>"

      Examples:
        | first | second |
        | png   | jpeg   |
        | jpeg  | png    |

    Scenario: a scan is readable after a failed replacement without a retry
      Given Family has 1 appointment
      And Ana sends POST /api/appointment/scan {"groupId":"{Family}","appointmentId":"{FamilyAppointment0}","imageMime":"image/png","imageBase64":"{png}"}
      When Ana sends POST /api/appointment/scan {"groupId":"{Family}","appointmentId":"{FamilyAppointment0}","imageMime":"image/jpeg","imageBase64":"{jpeg}"}, and any one storage call fails for good
      And Ana sends GET /api/appointment/scan?groupId={Family}&appointmentId={FamilyAppointment0}
      Then the answer is 200
