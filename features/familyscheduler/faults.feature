Feature: A storage call may fail at any moment
  Any one call of a request is lost on the way to the store, or its answer on the way back. The client
  tries again under the same Idempotency-Key, and all is as if nothing had failed.

  Background:
    Given Ana is an active member of Family

  @FS-MEM-5
  Rule: The two tables agree after a call that failed and the client's retry
    > Membership and authorization truth: `GroupMembers` + `UserGroups` tables only.

    Scenario Outline: call <n> of <operation> is lost
      Given Ben is <before> of Family
      And the <n> storage call of the next request is lost
      When <who> sends <request> with the key First
      And <who> sends <request> with the key First
      Then the answer is 200
      And Ben is <after> in both tables of Family

      Examples:
        | operation | n   | before            | after   | who | request                                                                           |
        | inviting  | 1st | a removed member  | invited | Ana | POST /api/group/join-link {"groupId":"{Family}","email":"{Ben.email}"}            |
        | inviting  | 2nd | a removed member  | invited | Ana | POST /api/group/join-link {"groupId":"{Family}","email":"{Ben.email}"}            |
        | inviting  | 3rd | a removed member  | invited | Ana | POST /api/group/join-link {"groupId":"{Family}","email":"{Ben.email}"}            |
        | inviting  | 4th | a removed member  | invited | Ana | POST /api/group/join-link {"groupId":"{Family}","email":"{Ben.email}"}            |
        | inviting  | 5th | a removed member  | invited | Ana | POST /api/group/join-link {"groupId":"{Family}","email":"{Ben.email}"}            |
        | inviting  | 6th | a removed member  | invited | Ana | POST /api/group/join-link {"groupId":"{Family}","email":"{Ben.email}"}            |
        | inviting  | 7th | a removed member  | invited | Ana | POST /api/group/join-link {"groupId":"{Family}","email":"{Ben.email}"}            |
        | inviting  | 8th | a removed member  | invited | Ana | POST /api/group/join-link {"groupId":"{Family}","email":"{Ben.email}"}            |
        | inviting  | 9th | a removed member  | invited | Ana | POST /api/group/join-link {"groupId":"{Family}","email":"{Ben.email}"}            |
        | accepting | 1st | an invited member | active  | Ben | POST /api/group/join {"groupId":"{Family}"}                                       |
        | accepting | 2nd | an invited member | active  | Ben | POST /api/group/join {"groupId":"{Family}"}                                       |
        | accepting | 3rd | an invited member | active  | Ben | POST /api/group/join {"groupId":"{Family}"}                                       |
        | accepting | 4th | an invited member | active  | Ben | POST /api/group/join {"groupId":"{Family}"}                                       |
        | accepting | 5th | an invited member | active  | Ben | POST /api/group/join {"groupId":"{Family}"}                                       |
        | accepting | 6th | an invited member | active  | Ben | POST /api/group/join {"groupId":"{Family}"}                                       |
        | accepting | 7th | an invited member | active  | Ben | POST /api/group/join {"groupId":"{Family}"}                                       |
        | accepting | 8th | an invited member | active  | Ben | POST /api/group/join {"groupId":"{Family}"}                                       |
        | declining | 1st | an invited member | removed | Ben | POST /api/group/decline {"groupId":"{Family}"}                                    |
        | declining | 2nd | an invited member | removed | Ben | POST /api/group/decline {"groupId":"{Family}"}                                    |
        | declining | 3rd | an invited member | removed | Ben | POST /api/group/decline {"groupId":"{Family}"}                                    |
        | declining | 4th | an invited member | removed | Ben | POST /api/group/decline {"groupId":"{Family}"}                                    |
        | declining | 5th | an invited member | removed | Ben | POST /api/group/decline {"groupId":"{Family}"}                                    |
        | declining | 6th | an invited member | removed | Ben | POST /api/group/decline {"groupId":"{Family}"}                                    |
        | declining | 7th | an invited member | removed | Ben | POST /api/group/decline {"groupId":"{Family}"}                                    |
        | removing  | 1st | an active member  | removed | Ana | POST /api/group/remove-member {"groupId":"{Family}","userKey":"{Ben.userKey}"}    |
        | removing  | 2nd | an active member  | removed | Ana | POST /api/group/remove-member {"groupId":"{Family}","userKey":"{Ben.userKey}"}    |
        | removing  | 3rd | an active member  | removed | Ana | POST /api/group/remove-member {"groupId":"{Family}","userKey":"{Ben.userKey}"}    |
        | removing  | 4th | an active member  | removed | Ana | POST /api/group/remove-member {"groupId":"{Family}","userKey":"{Ben.userKey}"}    |
        | removing  | 5th | an active member  | removed | Ana | POST /api/group/remove-member {"groupId":"{Family}","userKey":"{Ben.userKey}"}    |
        | removing  | 6th | an active member  | removed | Ana | POST /api/group/remove-member {"groupId":"{Family}","userKey":"{Ben.userKey}"}    |
        | removing  | 7th | an active member  | removed | Ana | POST /api/group/remove-member {"groupId":"{Family}","userKey":"{Ben.userKey}"}    |
        | removing  | 8th | an active member  | removed | Ana | POST /api/group/remove-member {"groupId":"{Family}","userKey":"{Ben.userKey}"}    |
        | leaving   | 1st | an active member  | removed | Ben | POST /api/group/remove-member {"groupId":"{Family}"}                              |
        | leaving   | 2nd | an active member  | removed | Ben | POST /api/group/remove-member {"groupId":"{Family}"}                              |
        | leaving   | 3rd | an active member  | removed | Ben | POST /api/group/remove-member {"groupId":"{Family}"}                              |
        | leaving   | 4th | an active member  | removed | Ben | POST /api/group/remove-member {"groupId":"{Family}"}                              |
        | leaving   | 5th | an active member  | removed | Ben | POST /api/group/remove-member {"groupId":"{Family}"}                              |
        | leaving   | 6th | an active member  | removed | Ben | POST /api/group/remove-member {"groupId":"{Family}"}                              |
        | leaving   | 7th | an active member  | removed | Ben | POST /api/group/remove-member {"groupId":"{Family}"}                              |

    Scenario Outline: the answer to write <n> of <operation> is <lost>
      Given Ben is <before> of Family
      And the answer to the <n> write of the next request is <lost>
      When <who> sends <request> with the key First
      And <who> sends <request> with the key First
      Then the answer is 200
      And Ben is <after> in both tables of Family

      Examples:
        | operation | n   | lost      | before            | after   | who | request                                                                           |
        | inviting  | 1st | lost      | a removed member  | invited | Ana | POST /api/group/join-link {"groupId":"{Family}","email":"{Ben.email}"}            |
        | inviting  | 1st | lost once | a removed member  | invited | Ana | POST /api/group/join-link {"groupId":"{Family}","email":"{Ben.email}"}            |
        | inviting  | 2nd | lost      | a removed member  | invited | Ana | POST /api/group/join-link {"groupId":"{Family}","email":"{Ben.email}"}            |
        | inviting  | 2nd | lost once | a removed member  | invited | Ana | POST /api/group/join-link {"groupId":"{Family}","email":"{Ben.email}"}            |
        | accepting | 1st | lost      | an invited member | active  | Ben | POST /api/group/join {"groupId":"{Family}"}                                       |
        | accepting | 1st | lost once | an invited member | active  | Ben | POST /api/group/join {"groupId":"{Family}"}                                       |
        | accepting | 2nd | lost      | an invited member | active  | Ben | POST /api/group/join {"groupId":"{Family}"}                                       |
        | accepting | 2nd | lost once | an invited member | active  | Ben | POST /api/group/join {"groupId":"{Family}"}                                       |
        | declining | 1st | lost      | an invited member | removed | Ben | POST /api/group/decline {"groupId":"{Family}"}                                    |
        | declining | 1st | lost once | an invited member | removed | Ben | POST /api/group/decline {"groupId":"{Family}"}                                    |
        | declining | 2nd | lost      | an invited member | removed | Ben | POST /api/group/decline {"groupId":"{Family}"}                                    |
        | declining | 2nd | lost once | an invited member | removed | Ben | POST /api/group/decline {"groupId":"{Family}"}                                    |
        | removing  | 1st | lost      | an active member  | removed | Ana | POST /api/group/remove-member {"groupId":"{Family}","userKey":"{Ben.userKey}"}    |
        | removing  | 1st | lost once | an active member  | removed | Ana | POST /api/group/remove-member {"groupId":"{Family}","userKey":"{Ben.userKey}"}    |
        | removing  | 2nd | lost      | an active member  | removed | Ana | POST /api/group/remove-member {"groupId":"{Family}","userKey":"{Ben.userKey}"}    |
        | removing  | 2nd | lost once | an active member  | removed | Ana | POST /api/group/remove-member {"groupId":"{Family}","userKey":"{Ben.userKey}"}    |
        | leaving   | 1st | lost      | an active member  | removed | Ben | POST /api/group/remove-member {"groupId":"{Family}"}                              |
        | leaving   | 1st | lost once | an active member  | removed | Ben | POST /api/group/remove-member {"groupId":"{Family}"}                              |
        | leaving   | 2nd | lost      | an active member  | removed | Ben | POST /api/group/remove-member {"groupId":"{Family}"}                              |
        | leaving   | 2nd | lost once | an active member  | removed | Ben | POST /api/group/remove-member {"groupId":"{Family}"}                              |

  @FS-GRP-4
  Rule: A group is whole or invisible, whatever fails while it is made
    > Backend supports “list my groups” without scanning blobs.
    > (contract) After the client's retry exactly one whole group exists.

    Scenario Outline: call <n> of making a group is lost
      Given Ben is signed in
      And the <n> storage call of the next request is lost
      When Ben sends POST /api/group/create {"groupName":"Choir"} with the key First
      And Ben sends POST /api/group/create {"groupName":"Choir"} with the key First
      Then the answer is 200
      And "groupId" of the answer is called Choir
      When Ben sends GET /api/me/groups
      Then "groups" of the answer lists
        | groupId | groupName | myStatus |
        | {Choir} | Choir     | active   |
      And the row GroupMembers {Choir} / {Ben.userKey} has
        | status | active |

      Examples:
        | n   |
        | 1st |
        | 2nd |
        | 3rd |
        | 4th |
        | 5th |
        | 6th |

    Scenario Outline: the answer to write <n> of making a group is <lost>
      Given Ben is signed in
      And the answer to the <n> write of the next request is <lost>
      When Ben sends POST /api/group/create {"groupName":"Choir"} with the key First
      And Ben sends POST /api/group/create {"groupName":"Choir"} with the key First
      Then the answer is 200
      And "groupId" of the answer is called Choir
      When Ben sends GET /api/me/groups
      Then "groups" of the answer lists
        | groupId | groupName | myStatus |
        | {Choir} | Choir     | active   |

      Examples:
        | n   | lost      |
        | 1st | lost      |
        | 2nd | lost      |
        | 3rd | lost      |
        | 4th | lost      |
        | 1st | lost once |
        | 2nd | lost once |
        | 3rd | lost once |
        | 4th | lost once |

    Scenario: half a group is listed nowhere and is not there
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

    Scenario: one key makes one group, another key another
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

    Scenario: the same key of somebody else makes another group
      Given Ben is signed in
      And Ana sends POST /api/group/create {"groupName":"Choir"} with the key First
      When Ben sends POST /api/group/create {"groupName":"Band"} with the key First
      Then the answer has
        | groupName | Band |
      When Ben sends GET /api/me/groups
      Then "groups" of the answer lists
        | groupName |
        | Band      |

    Scenario: a group that is spun off twice under one key is one
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

    Scenario: a key that is none
      When Ana sends POST /api/group/create {"groupName":"Choir"} with the Idempotency-Key "a b"
      Then the answer is 400 bad_request

  @FS-APT-9
  Rule: A call that fails leaves no row without a document
    > Appointment detail existence check: `AppointmentsIndex` row (`isDeleted != true`) + `appointment.json` blob; `state.json.appointments` is not authoritative.

    Scenario Outline: call <n> of making an appointment is lost
      Given the <n> storage call of the next request is lost
      When Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"create_appointment","startTime":"2026-06-01T09:00:00Z","desc":"Dentist"}} with the key First
      Then every row of Family in AppointmentsIndex has its document
      When Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"create_appointment","startTime":"2026-06-01T09:00:00Z","desc":"Dentist"}} with the key First
      Then the answer is 200
      And "appointmentId" of the answer is called Dentist
      And the partition {Family} of AppointmentsIndex holds, in this order
        | RowKey                      | isDeleted |
        | 20260601090000Z\|{Dentist} | false     |
      And every row of Family in AppointmentsIndex has its document

      Examples:
        | n   |
        | 1st |
        | 2nd |
        | 3rd |
        | 4th |
        | 5th |
        | 6th |
        | 7th |
        | 8th |

    Scenario Outline: the answer to write <n> of making an appointment is <lost>
      Given the answer to the <n> write of the next request is <lost>
      When Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"create_appointment","startTime":"2026-06-01T09:00:00Z","desc":"Dentist"}} with the key First
      Then every row of Family in AppointmentsIndex has its document
      When Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"create_appointment","startTime":"2026-06-01T09:00:00Z","desc":"Dentist"}} with the key First
      Then the answer is 200
      And "snapshot.appointments" of the answer lists
        | startTime            |
        | 2026-06-01T09:00:00Z |

      Examples:
        | n   | lost      |
        | 1st | lost      |
        | 2nd | lost      |
        | 3rd | lost      |
        | 1st | lost once |
        | 2nd | lost once |
        | 3rd | lost once |

    Scenario Outline: call <n> of rescheduling is lost
      Given Family has 1 appointment
      And the <n> storage call of the next request is lost
      When Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"reschedule_appointment","appointmentId":"{FamilyAppointment0}","startTime":"2026-07-01T10:15:00Z"}} with the key First
      Then every row of Family in AppointmentsIndex has its document
      When Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"reschedule_appointment","appointmentId":"{FamilyAppointment0}","startTime":"2026-07-01T10:15:00Z"}} with the key First
      Then the answer is 200
      And the partition {Family} of AppointmentsIndex holds, in this order
        | RowKey                                | startTime            |
        | 20260701101500Z\|{FamilyAppointment0} | 2026-07-01T10:15:00Z |
      And the blob familyscheduler/groups/{Family}/appointments/{FamilyAppointment0}/appointment.json has
        | startTime | 2026-07-01T10:15:00Z |

      Examples:
        | n   |
        | 1st |
        | 2nd |
        | 3rd |
        | 4th |
        | 5th |
        | 6th |
        | 7th |
        | 8th |

    Scenario Outline: the answer to write <n> of rescheduling is <lost>
      Given Family has 1 appointment
      And the answer to the <n> write of the next request is <lost>
      When Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"reschedule_appointment","appointmentId":"{FamilyAppointment0}","startTime":"2026-07-01T10:15:00Z"}} with the key First
      And Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"reschedule_appointment","appointmentId":"{FamilyAppointment0}","startTime":"2026-07-01T10:15:00Z"}} with the key First
      Then the answer is 200
      And the partition {Family} of AppointmentsIndex holds, in this order
        | RowKey                                |
        | 20260701101500Z\|{FamilyAppointment0} |

      Examples:
        | n   | lost      |
        | 1st | lost      |
        | 2nd | lost      |
        | 1st | lost once |
        | 2nd | lost once |

    Scenario Outline: call <n> of deleting is lost
      Given Family has 1 appointment
      And the <n> storage call of the next request is lost
      When Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"delete_appointment","appointmentId":"{FamilyAppointment0}"}} with the key First
      And Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"delete_appointment","appointmentId":"{FamilyAppointment0}"}} with the key First
      Then the answer is 200
      And "snapshot.appointments" of the answer is empty
      And every row of Family in AppointmentsIndex has its document

      Examples:
        | n   |
        | 1st |
        | 2nd |
        | 3rd |
        | 4th |
        | 5th |
        | 6th |

    Scenario Outline: call <n> of a second scan is lost
      Given Family has 1 appointment
      And Ana sends POST /api/appointment/scan {"groupId":"{Family}","appointmentId":"{FamilyAppointment0}","imageMime":"image/png","imageBase64":"{png}"}
      And the <n> storage call of the next request is lost
      When Ana sends POST /api/appointment/scan {"groupId":"{Family}","appointmentId":"{FamilyAppointment0}","imageMime":"image/jpeg","imageBase64":"{jpeg}"} with the key First
      And Ana sends GET /api/appointment/scan?groupId={Family}&appointmentId={FamilyAppointment0}
      Then the answer is 200
      When Ana sends POST /api/appointment/scan {"groupId":"{Family}","appointmentId":"{FamilyAppointment0}","imageMime":"image/jpeg","imageBase64":"{jpeg}"} with the key First
      And Ana sends GET /api/appointment/scan?groupId={Family}&appointmentId={FamilyAppointment0}
      Then the header Content-Type of the answer is "image/jpeg"

      Examples:
        | n   |
        | 1st |
        | 2nd |
        | 3rd |
        | 4th |
        | 5th |
        | 6th |
        | 7th |
