Feature: The service provisions itself and reports failures honestly

  @FS-SRV-1
  Rule: All tables are created on first use, once per process
    > On Function cold start / first use, create tables if not exist
    > Prefer an in-memory “already initialized” flag to avoid repeating work per request.

    Scenario: the first requests on a new account create all tables once
      Given a fresh target on an account that was never used
      And Ana is signed in
      When Ana sends GET /api/me/groups
      Then the answer is 200
      And these tables exist
        | Groups                  |
        | UserGroups              |
        | GroupMembers            |
        | AppointmentsIndex       |
        | DailyMetrics            |
        | UserDailyUsage          |
        | UserDailyUsageByModel   |
        | DailyUsageByModel       |
        | AppointmentParticipants |
        | UserProfiles            |
      When Ana sends POST /api/group/create {"groupName":"Family"}
      Then the answer is 200
      When Ana sends GET /api/me/groups
      Then the answer is 200
      And no table was created twice

    Scenario: a table creation that failed at the first use is done at the next
      Given a fresh target on an account that was never used
      And Ana is signed in
      And the target starts again while storage is down
      When Ana sends GET /api/me/groups
      Then the answer is 503 storage_unavailable
      When storage is back
      And Ana sends GET /api/me/groups
      Then the answer is 200
      And these tables exist
        | Groups                  |
        | UserGroups              |
        | GroupMembers            |
        | AppointmentsIndex       |
        | DailyMetrics            |
        | UserDailyUsage          |
        | UserDailyUsageByModel   |
        | DailyUsageByModel       |
        | AppointmentParticipants |
        | UserProfiles            |

    @reference
    Scenario Outline: a table that cannot be created, since <why>, is created at the next use
      Given a fresh target on an account that was never used
      And Ana is signed in
      And the store refuses each creation on anything of the next request: <why>
      When Ana sends GET /api/me/groups
      Then the answer is 503 storage_unavailable
      When Ana sends GET /api/me/groups
      Then the answer is 200

      Examples:
        | why                 |
        | its key is wrong    |
        | it is being deleted |

    @reference
    Scenario: an expired session is not checked before the tables exist
      Given a fresh target on an account that was never used
      And Ana's session has expired
      And the store refuses each creation on anything of the next request: its key is wrong
      When Ana sends GET /api/user/profile
      Then the answer is 503 storage_unavailable
      When Ana sends GET /api/user/profile
      Then the answer is 401 unauthorized

    @reference
    Scenario: a sign-in link is not used up before the tables exist
      Given a fresh target on an account that was never used
      And Ana asks for a sign-in link
      And Ben is signed in
      And the store refuses each creation on anything of the next request: its key is wrong
      When Nobody sends POST /api/auth/consume-link {"token":"{AnaToken}"}
      Then the answer is 503 storage_unavailable
      When Nobody sends POST /api/auth/consume-link {"token":"{AnaToken}"}
      Then the answer is 200

    Scenario: the first sign-in on a new account creates each table once
      Given a fresh target on an account that was never used
      When Ana signs in by link
      Then the answer is 200
      When Ana sends GET /api/me/groups
      Then the answer is 200
      And no table was created twice

  @FS-SRV-2
  Rule: Two instances that start at the same moment both work
    > Auto-provision Tables on cold start / first use (no manual table creation).

    Scenario: two instances that start at the same moment both answer
      Given two fresh targets on an account that was never used
      And Ana is signed in
      And Ben is signed in
      When Ana and Ben send GET /api/me/groups at the same moment
      Then both answers are 200
      And these tables exist
        | Groups                  |
        | UserGroups              |
        | GroupMembers            |
        | AppointmentsIndex       |
        | DailyMetrics            |
        | UserDailyUsage          |
        | UserDailyUsageByModel   |
        | DailyUsageByModel       |
        | AppointmentParticipants |
        | UserProfiles            |

    Scenario: two instances that create tables at once both answer, in every order
      Given two fresh targets on an account that was never used
      And Ana is signed in
      And Ben is signed in
      When these run at the same time
        | who | method | path           | body |
        | Ana | GET    | /api/me/groups |      |
        | Ben | GET    | /api/me/groups |      |
      Then all answers are 200
      And these tables exist
        | Groups       |
        | UserGroups   |
        | GroupMembers |
        | UserProfiles |

  @FS-SRV-3
  Rule: Health answers while storage is down
    > Cheap: no deep dependency checks; returns `{ ok: true, time: ..., version: ... }`.

    Scenario: health answers without a storage call while storage is up
      When Nobody sends GET /api/health
      Then the answer is 200
      And the answer has
        | ok      | true     |
        | time    | a time   |
        | version | anything |
      And no storage call was made

    Scenario: health reports the version of the build
      Given a fresh target with BUILD_SHA "build-{tag}"
      When Nobody sends GET /api/health
      Then the answer has
        | time    | a time      |
        | version | build-{tag} |

    Scenario: health on a new account never calls storage, even after an outage
      Given a fresh target on an account that was never used
      And the target starts again while storage is down
      When Nobody sends GET /api/health
      Then the answer is 200
      When storage is back
      And Nobody sends GET /api/health
      Then the answer is 200
      And no storage call was made, not even to create a table

    Scenario: health answers while storage is down
      Given storage is down
      When Nobody sends GET /api/health
      Then the answer is 200
      And the answer has
        | ok | true |

  @FS-SRV-5
  Rule: While storage is down every other route answers 503
    > Application Insights remains enabled for service health; add a simple health endpoint.
    > (contract) Storage down is answered with 503 storage_unavailable and Retry-After, and nothing is half-written.

    Scenario: requests during an outage get 503 and succeed afterwards
      Given Ana is an active member of Family
      And storage is down
      When Ana sends GET /api/me/groups
      Then the answer is 503 storage_unavailable
      And the answer says to retry later
      When Ana sends POST /api/group/rename {"groupId":"{Family}","groupName":"Smiths"}
      Then the answer is 503 storage_unavailable
      When storage is back
      And Ana sends POST /api/group/rename {"groupId":"{Family}","groupName":"Smiths"}
      Then the answer is 200
      And the row Groups group / {Family} has
        | groupName | Smiths |

    Scenario Outline: a request succeeds whichever storage call of it fails: <operation>
      Given Ana is an active member of Family
      And Ben is an active member of Family
      And Family has 1 appointment
      And Ana sends POST /api/ignite/start {"groupId":"{Family}"}
      And "sessionId" of the answer is called Party
      When Ana sends <request>, and any one storage call fails
      Then the answer is 200
      And the answer has
        | ok | true |

      Examples:
        | operation         | request                                                                                                                                                                                   |
        | renaming          | POST /api/group/rename {"groupId":"{Family}","groupName":"Smiths"}                                                                                                                        |
        | starting ignite   | POST /api/ignite/start {"groupId":"{Family}"}                                                                                                                                             |
        | closing ignite    | POST /api/ignite/close {"groupId":"{Family}","sessionId":"{Party}"}                                                                                                                       |
        | joining ignite    | POST /api/ignite/join {"groupId":"{Family}","sessionId":"{Party}"}                                                                                                                        |
        | reading a session | POST /api/ignite/meta {"groupId":"{Family}","sessionId":"{Party}"}                                                                                                                        |

    Scenario Outline: <operation> one's profile works whichever storage call of it fails
      Given Ana is signed in
      And Ana sends <before>
      When Ana sends <request>, and any one storage call fails
      Then the answer is 200
      And the answer has
        | displayName | Ana |
      And the row UserProfiles {Ana.memberKey} / profile has
        | displayName | Ana |

      Examples:
        | operation | before                                      | request                                                                |
        | writing   | GET /api/me/groups                          | PUT /api/user/profile {"displayName":"Ana","timezone":"Europe/Berlin"} |
        | changing  | PUT /api/user/profile {"displayName":"A"}   | PUT /api/user/profile {"displayName":"Ana"}                            |
        | reading   | PUT /api/user/profile {"displayName":"Ana"} | GET /api/user/profile                                                  |

    Scenario: a new photo is stored whichever storage call of it fails
      Given Ana is an active member of Family
      And Ana sends POST /api/ignite/start {"groupId":"{Family}"}
      And "sessionId" of the answer is called Party
      When Ana sends POST /api/ignite/photo {"groupId":"{Family}","sessionId":"{Party}","imageMime":"image/png","imageBase64":"{png}"}, and any one storage call fails
      Then the answer is 200
      When Ana sends GET /api/ignite/photo?groupId={Family}&sessionId={Party}
      Then the answer is 200
      When Ana sends GET /api/user/profile
      Then the answer has
        | hasPhoto | true |

    Scenario: a photo that cannot be stored is not in the profile
      Given Ana is an active member of Family
      And Ana sends POST /api/ignite/start {"groupId":"{Family}"}
      And "sessionId" of the answer is called Party
      And the store refuses each write on ignite of the next request: its key is wrong
      When Ana sends POST /api/ignite/photo {"groupId":"{Family}","sessionId":"{Party}","imageMime":"image/png","imageBase64":"{png}"}
      Then the answer is 503 storage_unavailable
      When Ana sends GET /api/user/profile
      Then the answer has
        | hasPhoto | false |

    Scenario Outline: <what> that cannot be read is not reported as missing
      Given Ana is an active member of Family
      And Ben is an active member of Family
      And Cleo is signed in without a subject
      And Cleo is an active member of Family
      And Family has 1 appointment
      And where the target has scan, Ana sends POST /api/appointment/scan {"groupId":"{Family}","appointmentId":"{FamilyAppointment0}","imageMime":"image/png","imageBase64":"{png}"}
      And where the target has ignite, Ana sends POST /api/ignite/start {"groupId":"{Family}"}, and "sessionId" of the answer is called Party
      And where the target has ignite, Ana sends POST /api/ignite/photo {"groupId":"{Family}","sessionId":"{Party}","imageMime":"image/png","imageBase64":"{png}"}, and "personId" of the answer is called AnasPhoto
      When Ana sends <request>, and any one storage call fails for good
      Then the answer is 200 or 503

      Examples:
        | what             | request                                                                         |
        | a profile        | GET /api/user/profile                                                           |
        | a group          | GET /api/group/meta?groupId={Family}                                            |
        | a list           | POST /api/direct {"groupId":"{Family}","action":{"type":"list_appointments"}}   |
        | a scan           | GET /api/appointment/scan?groupId={Family}&appointmentId={FamilyAppointment0}   |
        | a gathering      | GET /api/ignite/meta?groupId={Family}&sessionId={Party}                         |
        | a person's photo | GET /api/ignite/photo?groupId={Family}&sessionId={Party}&personId={AnasPhoto}   |
        | a member         | POST /api/group/remove-member {"groupId":"{Family}","userKey":"{Ben.userKey}"}  |
        | a participant    | POST /api/direct {"groupId":"{Family}","action":{"type":"assign_participant","appointmentId":"{FamilyAppointment0}","memberKey":"{Ben.memberKey}"}} |
        | another one      | POST /api/direct {"groupId":"{Family}","action":{"type":"assign_participant","appointmentId":"{FamilyAppointment0}","memberKey":"auth:{Cleo.userKey}"}} |

    Scenario Outline: <operation> a participant works whichever storage call of it fails
      Given Ana is an active member of Family
      And Family has 1 appointment
      And Ana sends POST /api/direct {"groupId":"{Family}","action":{<before>}}
      When Ana sends POST /api/direct {"groupId":"{Family}","action":{<action>,"appointmentId":"{FamilyAppointment0}","memberKey":"{Ana.memberKey}"}}, and any one storage call fails
      Then the answer is 200
      And the row AppointmentParticipants g:{Family}|a:{FamilyAppointment0} / m:{Ana.memberKey} has
        | status | <status> |

      Examples:
        | operation   | status     | action                        | before                                                                                           |
        | assigning   | assigned   | "type":"assign_participant"   | "type":"list_appointments"                                                                       |
        | unassigning | unassigned | "type":"unassign_participant" | "type":"assign_participant","appointmentId":"{FamilyAppointment0}","memberKey":"{Ana.memberKey}" |

    @reference
    Scenario Outline: a request gets 503 while each <call> is refused, since <why>: <request>
      Given Ana is an active member of Family
      And Family has 1 appointment
      And the store refuses each <call> of the next request: <why>
      When Ana sends <request>
      Then the answer is 503 storage_unavailable
      And the header Retry-After of the answer is "1"

      Examples:
        | call                       | why                 | request                                                                                                                                                               |
        | read on Groups             | its key is wrong    | POST /api/group/rename {"groupId":"{Family}","groupName":"Smiths"}                                                                                                    |
        | write on Groups            | its key is missing  | POST /api/group/rename {"groupId":"{Family}","groupName":"Smiths"}                                                                                                    |
        | read on UserProfiles       | its key is wrong    | PUT /api/user/profile {"displayName":"Ana"}                                                                                                                           |
        | write on AppointmentParticipants | its key is wrong    | POST /api/direct {"groupId":"{Family}","action":{"type":"assign_participant","appointmentId":"{FamilyAppointment0}","memberKey":"{Ana.memberKey}"}}                   |
        | write on Groups            | it is being deleted | POST /api/group/rename {"groupId":"{Family}","groupName":"Smiths"}                                                                                                    |
        | read on GroupMembers       | it does not exist   | POST /api/group/rename {"groupId":"{Family}","groupName":"Smiths"}                                                                                                    |
        | read on UserGroups         | its key is wrong    | POST /api/group/join-link {"groupId":"{Family}","email":"dan@example.com"}                                                                                            |
        | read on UserGroups         | it does not exist   | GET /api/me/groups                                                                                                                                                    |
        | write on Groups            | it does not exist   | POST /api/group/create {"groupName":"Choir"}                                                                                                                          |
        | write on UserProfiles      | it does not exist   | PUT /api/user/profile {"displayName":"Ana","timezone":"Europe/Berlin"}                                                                                                |
        | read on sessions           | it does not exist   | GET /api/me/groups                                                                                                                                                    |
        | read on appointments       | it does not exist   | POST /api/direct {"groupId":"{Family}","action":{"type":"set_appointment_desc","appointmentId":"{FamilyAppointment0}","desc":"Dentist"}} |
        | read on AppointmentsIndex  | it does not exist   | POST /api/direct {"groupId":"{Family}","action":{"type":"get_appointment_detail","appointmentId":"{FamilyAppointment0}"}} |
        | read on AppointmentsIndex  | it does not exist   | POST /api/direct {"groupId":"{Family}","action":{"type":"delete_appointment","appointmentId":"{FamilyAppointment0}"}} |
        | read on AppointmentsIndex  | it does not exist   | POST /api/chat {"groupId":"{Family}","message":"What is next?"} |
        | read on DailyMetrics       | its key is wrong    | POST /api/group/create {"groupName":"Choir"}                                                                                                                          |
        | write on appointments      | it is being deleted | POST /api/direct {"groupId":"{Family}","action":{"type":"create_appointment","startTime":"2030-01-01T10:00:00Z","desc":"Dentist"}} |

    @reference
    Scenario Outline: a request gets <answer> while another client keeps changing <what>: <request>
      Given Ana is an active member of Family
      And Ben was invited to Family 1 day ago
      And Family has 1 appointment
      And the store refuses each write on <what> of the next request: it was changed
      When Ana sends <request>
      Then the answer is <answer>

      Examples:
        | what              | answer                  | request                                                                                                                                           |
        | Groups            | 409 conflict            | POST /api/group/rename {"groupId":"{Family}","groupName":"Smiths"}                                                                                |
        | Groups            | 503 storage_unavailable | POST /api/group/create {"groupName":"Choir"}                                                                                                      |
        | GroupMembers      | 409 conflict            | POST /api/group/remove-member {"groupId":"{Family}","userKey":"{Ben.userKey}"}                                                                    |
        | UserGroups        | 503 storage_unavailable | POST /api/group/remove-member {"groupId":"{Family}","userKey":"{Ben.userKey}"}                                                                    |
        | appointments      | 409 conflict            | POST /api/direct {"groupId":"{Family}","action":{"type":"set_appointment_desc","appointmentId":"{FamilyAppointment0}","desc":"Dentist"}}          |
        | DailyMetrics      | 503 storage_unavailable | POST /api/group/create {"groupName":"Choir"}                                                                                                      |
        | AppointmentsIndex | 503 storage_unavailable | POST /api/direct {"groupId":"{Family}","action":{"type":"set_appointment_status","appointmentId":"{FamilyAppointment0}","status":"canceled"}}     |

  @FS-SRV-8
  Rule: Data from before the tables existed is ignored
    > No migration/backfill required (pre-ship; treat existing data as disposable).

    Scenario: an account with only blobs has no groups
      Given a fresh target on an account that was never used
      And Ana is signed in
      And state.json of Family lists Ana among people and members
      When Ana sends GET /api/me/groups
      Then the answer is 200
      And "groups" of the answer is empty
      And these tables exist
        | Groups                  |
        | UserGroups              |
        | GroupMembers            |
        | AppointmentsIndex       |
        | DailyMetrics            |
        | UserDailyUsage          |
        | UserDailyUsageByModel   |
        | DailyUsageByModel       |
        | AppointmentParticipants |
        | UserProfiles            |
      And the table GroupMembers holds 0 rows
      And the table UserGroups holds 0 rows
