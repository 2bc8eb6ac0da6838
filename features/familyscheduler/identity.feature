Feature: Who a person is
  A session names a person by e-mail. Everything that the tables store about a person is keyed by
  values derived from it, never by the address itself.

  @FS-ID-1
  Rule: Without a valid session every route answers 401
    > API auth is session-based: `x-session-id` -> session blob -> `email`.

    Scenario Outline: a missing, unknown or expired session is refused: <request>
      Given Ben has a session that nobody opened
      And Cleo's session has expired
      When Nobody sends <request>
      Then the answer is 401 unauthorized
      When Ben sends <request>
      Then the answer is 401 unauthorized
      When Cleo sends <request>
      Then the answer is 401 unauthorized

      Examples:
        | request                          |
        | GET /api/me/groups               |
        | GET /api/user/profile            |
        | PUT /api/user/profile {}         |
        | GET /api/usage                   |
        | POST /api/group/create {}        |
        | GET /api/group/meta              |
        | GET /api/group/members           |
        | POST /api/group/rename {}        |
        | POST /api/group/delete {}        |
        | POST /api/group/restore {}       |
        | POST /api/group/join-link {}     |
        | POST /api/group/join {}          |
        | POST /api/group/decline {}       |
        | POST /api/group/remove-member {} |
        | POST /api/direct {}              |
        | POST /api/chat {}                |
        | POST /api/appointment/scan {}    |
        | GET /api/appointment/scan        |
        | POST /api/ignite/start {}        |
        | POST /api/ignite/close {}        |
        | GET /api/ignite/meta             |
        | POST /api/ignite/meta {}         |
        | GET /api/ignite/photo            |
        | POST /api/ignite/photo {}        |
        | POST /api/ignite/spinoff {}      |

    Scenario: a person with an invalid session cannot join as a guest
      Given Ben has a session that nobody opened
      And Cleo's session has expired
      When Ben sends POST /api/ignite/join {"groupId":"any","sessionId":"any","name":"Ben"}
      Then the answer is 401 unauthorized
      When Cleo sends POST /api/ignite/join {"groupId":"any","sessionId":"any","name":"Cleo"}
      Then the answer is 401 unauthorized

    Scenario Outline: a malformed session id is refused without a storage call: <id>
      Given Ben has the session id "<id>"
      When Ben sends GET /api/me/groups
      Then the answer is 401 unauthorized
      And no storage call was made

      Examples:
        | id                |
        | short             |
        | ../../etc/passwd1 |
        | with a space here |

    Scenario Outline: a session that <what> is refused
      Given Ana is a person
      And Ana's session is
        """
        <document>
        """
      When Ana sends GET /api/me/groups
      Then the answer is 401 unauthorized

      Examples:
        | what                      | document                                                                                                              |
        | is not JSON               | {"v":1,"kind":"full",                                                                                                 |
        | is of another kind        | {"v":1,"kind":"half","email":"{Ana.email}","expiresAt":"2999-01-01T00:00:00Z"}                                        |
        | has no end                | {"v":1,"kind":"full","email":"{Ana.email}"}                                                                           |
        | has no e-mail             | {"v":1,"kind":"full","expiresAt":"2999-01-01T00:00:00Z"}                                                              |
        | is of a guest without id  | {"v":1,"kind":"igniteGrace","scopeGroupId":"any","expiresAt":"2999-01-01T00:00:00Z"}                                  |
        | is of a guest of no group | {"v":1,"kind":"igniteGrace","gsid":"{tag}","expiresAt":"2999-01-01T00:00:00Z"}                                        |

      @reference
      Examples:
        | what                  | document                                                                       |
        | is of another version | {"v":2,"kind":"full","email":"{Ana.email}","expiresAt":"2999-01-01T00:00:00Z"} |

    @reference
    Scenario: a guest's session whose id is an e-mail is refused
      Given Ana is a person
      And Ana's session is
        """
        {"v":1,"kind":"igniteGrace","gsid":"{Ana.email}","scopeGroupId":"any","expiresAt":"2999-01-01T00:00:00Z"}
        """
      When Ana sends GET /api/me/groups
      Then the answer is 401 unauthorized

    Scenario: the health route needs no session
      When Nobody sends GET /api/health
      Then the answer is 200

    Scenario: the sign-in routes need no session
      When Nobody sends POST /api/auth/request-link {"email":"somebody@example.com"}
      Then the answer is 200
      When Nobody sends POST /api/auth/consume-link {"token":"not.a-token"}
      Then the answer is 400 invalid_token

    Scenario: a sign-in link opens one session and cannot be reused
      When Ana signs in by link
      Then the answer is 200
      And the answer has
        | ok        | true        |
        | sessionId | anything    |
        | email     | {Ana.email} |
        | expiresAt | any time    |
      And "sessionId" of the answer is called AnasSession
      And the blob familyscheduler/sessions/{AnasSession}.json has
        | v         | number 1    |
        | kind      | full        |
        | email     | {Ana.email} |
        | createdAt | a time      |
      When Ana sends GET /api/me/groups
      Then the answer is 200
      When Nobody sends POST /api/auth/consume-link {"token":"{AnaToken}"}
      Then the answer is 400 invalid_token

    Scenario: a sign-in link opens at most one session whichever storage call fails
      Given Ana asks for a sign-in link
      When Nobody sends POST /api/auth/consume-link {"token":"{AnaToken}"}, and any one storage call fails
      Then the answer is 200 or 400
      When Nobody sends POST /api/auth/consume-link {"token":"{AnaToken}"}
      Then the answer is 400 invalid_token
      When Ana signs in by link
      Then the answer is 200

    @reference
    Scenario: a session of the reference lasts 30 days
      When Ana signs in by link
      Then "sessionId" of the answer is called AnasSession
      And the blob familyscheduler/sessions/{AnasSession}.json has
        | expiresAt | 30 days after createdAt |

    @reference
    Scenario: an interrupted sign-in can be repeated with the same link
      Given Ana asks for a sign-in link
      And the store refuses each write on sessions of the next request: it is being deleted
      And Nobody sends POST /api/auth/consume-link {"token":"{AnaToken}"}
      And the answer is 503 storage_unavailable
      When Nobody sends POST /api/auth/consume-link {"token":"{AnaToken}"}
      Then the answer is 200

    @reference
    Scenario: a sign-in link that could not be marked as used still works
      Given Ana asks for a sign-in link
      And the store refuses each write on magic-links of the next request: it is being deleted
      When Nobody sends POST /api/auth/consume-link {"token":"{AnaToken}"}
      Then the answer is 503 storage_unavailable
      When Nobody sends POST /api/auth/consume-link {"token":"{AnaToken}"}
      Then the answer is 200

    Scenario: a used sign-in link stays used after its session ends
      Given Ana asks for a sign-in link
      And Ana opens the sign-in link of Ana
      And Ana presses "Sign in"
      And OldToken stands for "{Ana.session}"
      And Ana opens /
      And Ana presses "Sign out"
      When Nobody sends POST /api/auth/consume-link {"token":"{AnaToken}"}
      Then the answer is 400 invalid_token
      Given Ana has the session id "{OldToken}"
      When Ana sends GET /api/me/groups
      Then the answer is 401 unauthorized

    Scenario Outline: a page of another site cannot <what>
      Given Ana asks for a sign-in link
      When a page of another site sends POST <request>
      Then the answer is 400 or 403
      And the header Set-Cookie of the answer is ""
      When Nobody sends POST /api/auth/consume-link {"token":"{AnaToken}"}
      Then the answer is 200

      Examples:
        | what             | request                                         |
        | sign a person in | /api/auth/consume-link {"token":"{AnaToken}"}   |
        | have a link sent | /api/auth/request-link {"email":"{Ana.email}"} |

    Scenario: a link made for another purpose does not sign in
      Given Ana has a sign-in link made for "invite"
      When Nobody sends POST /api/auth/consume-link {"token":"{AnaToken}"}
      Then the answer is 400 invalid_token

    Scenario: an expired sign-in link opens no session
      Given Ana has a sign-in link that has expired
      When Nobody sends POST /api/auth/consume-link {"token":"{AnaToken}"}
      Then the answer is 400 expired_token
      And nothing was written

  @FS-ID-6
  Rule: The number of sign-in links is limited
    > API auth is session-based: `x-session-id` -> session blob -> `email`.
    > (contract) A server may limit the links to one address, and from one caller, and then answers 429 and says when to try again.

    Scenario: a person may request two sign-in links
      When Ana asks for a sign-in link
      And Ana asks for a sign-in link
      And Nobody sends POST /api/auth/consume-link {"token":"{AnaToken}"}
      Then the answer is 200

    @reference
    Scenario: links beyond LINKS_PER_ADDRESS are refused for that address only
      Given a fresh target with LINKS_PER_ADDRESS "2"
      And Ana asks for a sign-in link
      And Ana asks for a sign-in link
      When Nobody sends POST /api/auth/request-link {"email":" {Ana.EMAIL} "}
      Then the answer is 429 too_many_requests
      And the answer says to retry later
      When Ben asks for a sign-in link
      Then the answer is 200

    @reference
    Scenario: a second link is refused when LINKS_PER_ADDRESS is 1
      Given a fresh target with LINKS_PER_ADDRESS "1"
      When Ana asks for a sign-in link
      Then the answer is 200
      When Nobody sends POST /api/auth/request-link {"email":"{Ana.email}"}
      Then the answer is 429 too_many_requests

    @reference
    Scenario: a sixth link for an address is refused by default
      Given a fresh target with LINKS_PER_ADDRESS ""
      And Ana is a person
      And Ana sends 5 times one after the other POST /api/auth/request-link {"email":"{Ana.email}"}
      And all answers are 200
      When Nobody sends POST /api/auth/request-link {"email":"{Ana.email}"}
      Then the answer is 429 too_many_requests

    @reference
    Scenario Outline: callers behind a local proxy are told apart by address: <first> and then <second>
      Given a fresh target with LINKS_PER_CALLER "1"
      When Nobody sends POST /api/auth/request-link {"email":"somebody@example.com"} with the header X-Forwarded-For "<first>"
      Then the answer is 200
      When Nobody sends POST /api/auth/request-link {"email":"nobody@example.com"} with the header X-Forwarded-For "<second>"
      Then the answer is <answer>

      Examples:
        | first           | second                  | answer |
        | 192.0.2.7       | 198.51.100.1            | 200    |
        | 192.0.2.7       | 198.51.100.1, 192.0.2.7 | 429    |
        | 192.0.2.7       | 192.0.2.7:4711          | 429    |
        | 192.0.2.7       | 192.0.2.7, 198.51.100.1 | 200    |
        | 2001:db8:1:2::1 | 2001:db8:1:2:8000::1    | 429    |
        | 2001:db8:1:2::1 | 2001:db8:1:3::1         | 200    |
        | unknown         | nobody                  | 429    |
        | 127.0.0.1       | nobody                  | 429    |

    @reference
    Scenario: links beyond LINKS_PER_CALLER are refused for that caller
      Given a fresh target with LINKS_PER_CALLER "2"
      And Ana asks for a sign-in link
      And Ben asks for a sign-in link
      When Nobody sends POST /api/auth/request-link {"email":"{Ana.email}"}
      Then the answer is 429 too_many_requests
      And the answer says to retry later

    @reference
    Scenario: a server without an outbox accepts requests for links
      Given a fresh target with MAGIC_LINK_OUTBOX ""
      When Nobody sends POST /api/auth/request-link {"email":"somebody@example.com"}
      Then the answer is 200

    @reference
    Scenario: a secret of 24 characters is long enough
      Given a fresh target with MAGIC_LINK_SECRET "abcdefghijklmnopqrstuvwx"
      When Ana signs in by link
      Then the answer is 200

    @reference
    Scenario: a caller's 101st link is refused by default
      Given a fresh target with LINKS_PER_CALLER ""
      And Ana is a person
      When Nobody sends 100 times one after the other POST /api/auth/request-link {"email":"singer{i}@example.com"}
      Then all answers are 200
      When Nobody sends POST /api/auth/request-link {"email":"{Ana.email}"}
      Then the answer is 429 too_many_requests

  @FS-ID-2
  Rule: One e-mail is one person, however it is spelled
    > Email normalization: `trim().toLowerCase()`.

    Scenario: a session e-mail in capitals and spaces is the same person
      Given Ana is an active member of Family
      And Ana is signed in as "  {Ana.EMAIL} "
      When Ana sends GET /api/me/groups
      Then the answer is 200
      And "groups" of the answer lists
        | groupId  | myStatus |
        | {Family} | active   |

    Scenario: an invitation e-mail in capitals and spaces invites the same person
      Given Ana is an active member of Family
      And Ben is signed in
      When Ana sends POST /api/group/join-link {"groupId":"{Family}","email":"  {Ben.EMAIL} "}
      Then the answer is 200
      And Ben is invited in both tables of Family
      And the row GroupMembers {Family} / {Ben.userKey} has
        | email | {Ben.email} |

    Scenario Outline: an unusual e-mail address is accepted: <what>
      Given Ana is an active member of Family
      And Letters stands for 242 random characters
      When Ana sends POST /api/group/join-link {"groupId":"{Family}","email":"<email>"}
      Then the answer is 200

      Examples:
        | what                    | email                  |
        | one of 254 characters   | {Letters}@example.com  |
        | one with unusual ones   | !dora~@example.com     |

  @FS-ID-3
  Rule: References to a person in other tables use the member key
    > Canonical member identity key for cross-table references is `memberKey`

    Background:
      Given Ana is an active member of Family

    Scenario: a profile is stored under the member key
      When Ana sends PUT /api/user/profile {"displayName":"Ana Maria"}
      Then the answer is 200
      And the row UserProfiles {Ana.memberKey} / profile has
        | displayName | Ana Maria |
        | createdAt   | a time    |
        | updatedAt   | a time    |

    Scenario: a participant and their assigner are stored under member keys
      Given Ben is an active member of Family
      And Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"create_appointment","startTime":"2026-06-01T09:00:00Z"}}
      And "appointmentId" of the answer is called Dentist
      When Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"assign_participant","appointmentId":"{Dentist}","memberKey":"{Ben.memberKey}","role":"driver"}}
      Then the answer is 200
      And the row AppointmentParticipants g:{Family}|a:{Dentist} / m:{Ben.memberKey} has
        | status     | assigned        |
        | role       | driver          |
        | assignedAt | a time          |
        | assignedBy | {Ana.memberKey} |

    Scenario: a member key with an apostrophe is assigned
      Given Ben is signed in with the subject "O'Brien-{tag}"
      And Ben is an active member of Family
      And Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"create_appointment","startTime":"2026-06-01T09:00:00Z"}}
      And "appointmentId" of the answer is called Dentist
      When Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"assign_participant","appointmentId":"{Dentist}","memberKey":"auth:O'Brien-{tag}"}}
      Then the answer is 200
      And the row AppointmentParticipants g:{Family}|a:{Dentist} / m:auth:O'Brien-{tag} has
        | status | assigned |

    Scenario: a participant without a subject is stored under their user key
      Given Ben is signed in without a subject
      And Ben is an active member of Family
      And the row GroupMembers {Family} / {Ben.userKey} is
        | memberKey | absent |
      And Family has 1 appointment
      When Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"assign_participant","appointmentId":"{FamilyAppointment0}","memberKey":"auth:{Ben.userKey}"}}
      Then the answer is 200
      And the row AppointmentParticipants g:{Family}|a:{FamilyAppointment0} / m:auth:{Ben.userKey} has
        | status | assigned |

    Scenario: a participant with a subject cannot be assigned by user key
      Given Ben is an active member of Family
      And Family has 1 appointment
      When Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"assign_participant","appointmentId":"{FamilyAppointment0}","memberKey":"auth:{Ben.userKey}"}}
      Then the answer is 404 member_not_found
      And nothing was written

    Scenario: a guest can be assigned as a participant
      Given Gus is a guest of Family
      And Family has 1 appointment
      When Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"assign_participant","appointmentId":"{FamilyAppointment0}","memberKey":"{Gus.memberKey}"}}
      Then the answer is 200
      And the row AppointmentParticipants g:{Family}|a:{FamilyAppointment0} / m:{Gus.memberKey} has
        | status | assigned |

    Scenario: an identity without a subject is stored under its user key
      Given Ben is signed in without a subject
      When Ben sends PUT /api/user/profile {"displayName":"Ben"}
      Then the answer is 200
      And the row UserProfiles auth:{Ben.userKey} / profile has
        | displayName | Ben |

    Scenario: an identity whose subject is an e-mail is stored under its user key
      Given Ben is signed in with the e-mail as subject
      When Ben sends PUT /api/user/profile {"displayName":"Ben"}
      Then the answer is 200
      And the row UserProfiles auth:{Ben.userKey} / profile has
        | displayName | Ben |

  @FS-ID-4
  Rule: No key or blob name contains an e-mail
    > Do not use raw email in keys; store email as an entity property where needed (e.g., GroupMembers).

    Scenario: signing in by link puts no e-mail into a key or blob name
      Given Ben never signed in
      When Ana signs in by link
      And Ana sends POST /api/group/create {"groupName":"Family"}
      And "groupId" of the answer is called Home
      And Ana sends POST /api/group/join-link {"groupId":"{Home}","email":"{Ben.email}"}
      And Ben signs in by link
      And Ben sends POST /api/group/join {"groupId":"{Home}"}
      Then the answer is 200
      And no key or blob name on the wire holds an e-mail

    Scenario: no route puts an e-mail into a key or blob name
      Given Ana is signed in
      And Ben is signed in
      And Cleo is signed in
      And Dora never signed in
      When Ana sends PUT /api/user/profile {"displayName":"Ana","timezone":"Europe/Berlin"}
      And Ana sends POST /api/group/create {"groupName":"Family"}
      And "groupId" of the answer is called Home
      And Ana sends POST /api/group/join-link {"groupId":"{Home}","email":"{Ben.email}"}
      And Ana sends POST /api/group/join-link {"groupId":"{Home}","email":"{Cleo.email}"}
      And Ben sends POST /api/group/join {"groupId":"{Home}"}
      And Cleo sends POST /api/group/decline {"groupId":"{Home}"}
      And Ana sends POST /api/direct {"groupId":"{Home}","action":{"type":"create_appointment","startTime":"2026-06-01T09:00:00Z","desc":"Lunch with {Ben.email}"}}
      And "appointmentId" of the answer is called Lunch
      And where the target has ignite, Ana sends POST /api/ignite/start {"groupId":"{Home}"}, and "sessionId" of the answer is called Hunt
      And where the target has ignite, Ben sends POST /api/ignite/join {"groupId":"{Home}","sessionId":"{Hunt}","email":"{Ben.email}"}
      And where the target has ignite, Nobody sends POST /api/ignite/join {"groupId":"{Home}","sessionId":"{Hunt}","name":"Dora","email":"{Dora.email}"}
      And where the target has ignite, Ben sends POST /api/ignite/photo {"groupId":"{Home}","sessionId":"{Hunt}","imageMime":"image/png","imageBase64":"{png}"}
      And where the target has chat, Ana sends POST /api/chat {"groupId":"{Home}","message":"Write to {Ben.email}"}
      And Ana sends POST /api/group/remove-member {"groupId":"{Home}","userKey":"{Ben.userKey}"}
      Then the answer is 200
      And no key or blob name on the wire holds an e-mail

  @FS-ID-5
  Rule: A guest's session reaches its own group only, and expires
    > `guest:{gsid}` for ignite guest/grace identities.

    Scenario: a guest sees and reaches only the group of the session
      Given Gus is a guest of Family
      And Gus is an active member of Work
      When Gus sends GET /api/me/groups
      Then the answer is 200
      And "groups" of the answer lists
        | groupId  |
        | {Family} |
      When Gus sends POST /api/direct {"groupId":"{Family}","action":{"type":"list_appointments"}}
      Then the answer is 200
      When Gus sends POST /api/direct {"groupId":"{Work}","action":{"type":"list_appointments"}}
      Then the answer is 403 forbidden
      And the storage calls are at most
        | service | call | on       | count |
        | blob    | read | sessions | 1     |

    Scenario Outline: a guest is refused on routes for members: <request>
      Given Gus is a guest of Family
      And Ana is an active member of Family
      And Family has 1 appointment
      When Gus sends <request>
      Then the answer is 403 forbidden
      And nothing was written

      Examples:
        | request                                                                                                                                |
        | POST /api/ignite/spinoff {"sourceGroupId":"{Family}"}                                                                                  |
        | POST /api/group/rename {"groupId":"{Family}","groupName":"Mine"}                                                                       |
        | POST /api/group/delete {"groupId":"{Family}"}                                                                                          |
        | POST /api/group/restore {"groupId":"{Family}"}                                                                                         |
        | POST /api/group/join-link {"groupId":"{Family}","email":"friend@example.com"}                                                          |
        | POST /api/group/join {"groupId":"{Family}"}                                                                                            |
        | POST /api/group/decline {"groupId":"{Family}"}                                                                                         |
        | POST /api/group/remove-member {"groupId":"{Family}"}                                                                                   |
        | POST /api/group/remove-member {"groupId":"{Family}","userKey":"{Ana.userKey}"}                                                         |
        | POST /api/group/create {"groupName":"Mine"}                                                                                            |
        | POST /api/appointment/scan {"groupId":"{Family}","appointmentId":"{FamilyAppointment0}","imageMime":"image/png","imageBase64":"{png}"} |
        | GET /api/appointment/scan?groupId={Family}&appointmentId={FamilyAppointment0}                                                          |

    Scenario: a guest's expired session is refused
      Given Gus was a guest of Family until a moment ago
      When Gus sends POST /api/direct {"groupId":"{Family}","action":{"type":"list_appointments"}}
      Then the answer is 401 unauthorized

    Scenario: a guest who joins an open gathering gets a session of 30 minutes
      Given Ana is an active member of Family
      And Ana sends POST /api/ignite/start {"groupId":"{Family}"}
      And "sessionId" of the answer is called Hunt
      When Nobody sends POST /api/ignite/join {"groupId":"{Family}","sessionId":"{Hunt}","name":"Gus"}
      Then the answer is 200
      And the answer has
        | sessionId | anything            |
        | expiresAt | 30 minutes from now |
        | memberKey | anything            |
      And "sessionId" of the answer is called GusSession
      And the blob familyscheduler/sessions/{GusSession}.json has
        | v            | 1                   |
        | kind         | igniteGrace         |
        | scopeGroupId | {Family}            |
        | createdAt    | a time              |
        | expiresAt    | 30 minutes from now |
      And the table UserProfiles holds 1 row

    Scenario: a guest takes part whichever storage call of joining fails
      Given Ana is an active member of Family
      And Ana sends POST /api/ignite/start {"groupId":"{Family}"}
      And "sessionId" of the answer is called Hunt
      When Nobody sends POST /api/ignite/join {"groupId":"{Family}","sessionId":"{Hunt}","name":"Gus"}, and any one storage call fails
      Then the answer is 200
      And "memberKey" of the answer is called GusKey
      And "sessionId" of the answer is called GusSession
      And Gus has the session id "{GusSession}"
      When Gus sends GET /api/ignite/meta?groupId={Family}&sessionId={Hunt}
      Then the answer is 200
      And the answer contains "{GusKey}"
      And the row UserProfiles {GusKey} / profile has
        | displayName | Gus |

    Scenario: a guest is let in or gets 503 whichever storage call fails for good
      Given Ana is an active member of Family
      And Ana sends POST /api/ignite/start {"groupId":"{Family}"}
      And "sessionId" of the answer is called Hunt
      When Nobody sends POST /api/ignite/join {"groupId":"{Family}","sessionId":"{Hunt}","name":"Gus"}, and any one storage call fails for good
      Then the answer is 200 or 503

    Scenario: a guest takes part in the gathering only, until removed
      Given Ana is an active member of Family
      And Ana is an active member of Work
      And Ana sends POST /api/ignite/start {"groupId":"{Family}"}
      And "sessionId" of the answer is called Hunt
      And Nobody sends POST /api/ignite/join {"groupId":"{Family}","sessionId":"{Hunt}","name":"Gus"}
      And "memberKey" of the answer is called GusKey
      And "sessionId" of the answer is called GusSession
      And Gus has the session id "{GusSession}"
      When Gus sends GET /api/ignite/meta?groupId={Family}&sessionId={Hunt}
      Then the answer is 200
      And the answer has
        | status             | OPEN     |
        | joinedCount        | 1        |
        | joinedPersonIds[0] | {GusKey} |
      When Gus sends GET /api/me/groups
      Then "groups" of the answer lists
        | groupId  | myStatus | joinedAt | updatedAt |
        | {Family} | active   | a time   | a time    |
      When Gus sends POST /api/ignite/join {"groupId":"{Family}","sessionId":"{Hunt}"}
      Then the answer is 200
      When Gus sends POST /api/ignite/photo {"groupId":"{Family}","sessionId":"{Hunt}","imageMime":"image/jpeg","imageBase64":"{jpeg}"}
      Then the answer is 200
      And the answer has
        | personId | {GusKey} |
      When Ana sends GET /api/ignite/photo?groupId={Family}&sessionId={Hunt}&personId={GusKey}
      Then the answer is 200
      And the header Content-Type of the answer is "image/jpeg"
      When Gus sends GET /api/ignite/meta?groupId={Work}&sessionId={Hunt}
      Then the answer is 403 forbidden
      When Ana sends GET /api/group/members?groupId={Family}
      And "userKey" of the item of "members" with "memberKey" {GusKey} is called GusRow
      And Ana sends POST /api/group/remove-member {"groupId":"{Family}","userKey":"{GusRow}"}
      Then the answer is 200
      When Gus sends GET /api/ignite/meta?groupId={Family}&sessionId={Hunt}
      Then the answer is 403 not_allowed

    Scenario Outline: a guest is refused <how>
      Given Ana is an active member of Family
      And Ana is an active member of Work
      And Ana sends POST /api/ignite/start {"groupId":"{Family}"}
      And "sessionId" of the answer is called Hunt
      And Ana sends <before>
      When Nobody sends POST /api/ignite/join <request>
      Then the answer is 403 not_allowed
      And nothing was written

      Examples:
        | how                           | before                                                             | request                                                   |
        | without a name                | GET /api/me/groups                                                 | {"groupId":"{Family}","sessionId":"{Hunt}"}               |
        | with an empty name            | GET /api/me/groups                                                 | {"groupId":"{Family}","sessionId":"{Hunt}","name":" "}    |
        | without a gathering           | GET /api/me/groups                                                 | {"groupId":"{Family}","name":"Gus"}                       |
        | by an invalid code            | GET /api/me/groups                                                 | {"groupId":"{Family}","sessionId":"unknown","name":"Gus"} |
        | by the code of another group  | GET /api/me/groups                                                 | {"groupId":"{Work}","sessionId":"{Hunt}","name":"Gus"}    |
        | when the gathering has closed | POST /api/ignite/close {"groupId":"{Family}","sessionId":"{Hunt}"} | {"groupId":"{Family}","sessionId":"{Hunt}","name":"Gus"}  |
        | when the group is deleted     | POST /api/group/delete {"groupId":"{Family}"}                      | {"groupId":"{Family}","sessionId":"{Hunt}","name":"Gus"}  |
