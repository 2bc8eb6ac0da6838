Feature: People act at the same moment
  Simultaneous requests run once for every order of their storage calls that can make a difference, with
  a separate server for each request. The outcome must be right in every one of these orders.

  Background:
    Given Ana is an active member of Family

  @FS-MEM-8
  Rule: Accepting during a removal ends in one of the two, in both tables
    > Membership and authorization truth: `GroupMembers` + `UserGroups` tables only.

    Scenario: an invitation accepted while it is withdrawn ends as removed
      Given Ben is an invited member of Family
      When these run at the same time
        | who | method | path                     | body                                             |
        | Ben | POST   | /api/group/join          | {"groupId":"{Family}"}                           |
        | Ana | POST   | /api/group/remove-member | {"groupId":"{Family}","userKey":"{Ben.userKey}"} |
      Then each answer is one of 200, 403
      And Ben is removed in both tables of Family

    Scenario: an invitation accepted and declined at once ends the same in both tables
      Given Ben is an invited member of Family
      When these run at the same time
        | who | method | path               | body                   |
        | Ben | POST   | /api/group/join    | {"groupId":"{Family}"} |
        | Ben | POST   | /api/group/decline | {"groupId":"{Family}"} |
      Then each answer is one of 200, 403, 409
      And Ben is active or removed in both tables of Family

    Scenario: an invitation accepted in two windows while it is withdrawn ends as removed
      Given Ben is an invited member of Family
      When these run at the same time
        | who | method | path                     | body                                             |
        | Ben | POST   | /api/group/join          | {"groupId":"{Family}"}                           |
        | Ben | POST   | /api/group/join          | {"groupId":"{Family}"}                           |
        | Ana | POST   | /api/group/remove-member | {"groupId":"{Family}","userKey":"{Ben.userKey}"} |
      Then each answer is one of 200, 403
      And Ben is removed in both tables of Family

    Scenario: an invitation repeated while it is declined ends the same in both tables
      Given Ben is an invited member of Family
      When these run at the same time
        | who | method | path                 | body                                         |
        | Ana | POST   | /api/group/join-link | {"groupId":"{Family}","email":"{Ben.email}"} |
        | Ben | POST   | /api/group/decline   | {"groupId":"{Family}"}                       |
      Then all answers are 200
      And Ben is invited or removed in both tables of Family

    Scenario Outline: a member who <operation> while being removed leaves the tables in agreement
      Given Ben is an active member of Family
      And Family has 1 appointment
      And where the target has ignite, Ana sends POST /api/ignite/start {"groupId":"{Family}"}, and "sessionId" of the answer is called Party
      And Cleo is signed in
      When these run at the same time
        | who | method | path                     | body                                             |
        | Ben | POST   | <path>                   | <body>                                           |
        | Ana | POST   | /api/group/remove-member | {"groupId":"{Family}","userKey":"{Ben.userKey}"} |
      Then each answer is one of 200, 403, 404, 409
      And every row of Family in AppointmentsIndex has its document
      When Ana sends POST /api/group/restore {"groupId":"{Family}"}
      And Ana sends POST /api/group/remove-member {"groupId":"{Family}","userKey":"{Ben.userKey}"}
      Then Ben is removed in both tables of Family
      When Ben sends GET /api/group/meta?groupId={Family}
      Then the answer is 403 not_allowed

      Examples:
        | operation            | path                     | body                                                                                                                                        |
        | invites              | /api/group/join-link     | {"groupId":"{Family}","email":"{Cleo.email}"}                                                                                               |
        | renames              | /api/group/rename        | {"groupId":"{Family}","groupName":"Smiths"}                                                                                                 |
        | deletes the group    | /api/group/delete        | {"groupId":"{Family}"}                                                                                                                      |
        | restores it          | /api/group/restore       | {"groupId":"{Family}"}                                                                                                                      |
        | leaves               | /api/group/remove-member | {"groupId":"{Family}"}                                                                                                                      |
        | accepts again        | /api/group/join          | {"groupId":"{Family}"}                                                                                                                      |
        | starts an ignite     | /api/ignite/start        | {"groupId":"{Family}"}                                                                                                                      |
        | closes an ignite     | /api/ignite/close        | {"groupId":"{Family}","sessionId":"{Party}"}                                                                                                |
        | joins an ignite      | /api/ignite/join         | {"groupId":"{Family}","sessionId":"{Party}"}                                                                                                |
        | sends a photo        | /api/ignite/photo        | {"groupId":"{Family}","sessionId":"{Party}","imageMime":"image/png","imageBase64":"{png}"}                                                  |
        | spins off            | /api/ignite/spinoff      | {"sourceGroupId":"{Family}"}                                                                                                                |
        | asks                 | /api/chat                | {"groupId":"{Family}","message":"What is next?"}                                                                                            |
        | makes an appointment | /api/direct              | {"groupId":"{Family}","action":{"type":"create_appointment","startTime":"2026-06-02T09:00:00Z"}}                                            |
        | describes            | /api/direct              | {"groupId":"{Family}","action":{"type":"set_appointment_desc","appointmentId":"{FamilyAppointment0}","desc":"Ben's"}}                       |
        | cancels              | /api/direct              | {"groupId":"{Family}","action":{"type":"set_appointment_status","appointmentId":"{FamilyAppointment0}","status":"canceled"}}                |
        | reschedules          | /api/direct              | {"groupId":"{Family}","action":{"type":"reschedule_appointment","appointmentId":"{FamilyAppointment0}","startTime":"2026-07-01T10:15:00Z"}} |
        | deletes              | /api/direct              | {"groupId":"{Family}","action":{"type":"delete_appointment","appointmentId":"{FamilyAppointment0}"}}                                        |
        | restores             | /api/direct              | {"groupId":"{Family}","action":{"type":"restore_appointment","appointmentId":"{FamilyAppointment0}"}}                                       |
        | assigns              | /api/direct              | {"groupId":"{Family}","action":{"type":"assign_participant","appointmentId":"{FamilyAppointment0}","memberKey":"{Ben.memberKey}"}}          |
        | unassigns            | /api/direct              | {"groupId":"{Family}","action":{"type":"unassign_participant","appointmentId":"{FamilyAppointment0}","memberKey":"{Ben.memberKey}"}}        |
        | scans                | /api/appointment/scan    | {"groupId":"{Family}","appointmentId":"{FamilyAppointment0}","imageMime":"image/png","imageBase64":"{png}"}                                 |

    Scenario: an acceptance is refused when the withdrawal is written first
      Given Ben is an invited member of Family
      And before the 1st write on GroupMembers of the next request Ana sends POST /api/group/remove-member {"groupId":"{Family}","userKey":"{Ben.userKey}"}
      When Ben sends POST /api/group/join {"groupId":"{Family}"}
      Then the answer is 403 not_allowed
      And Ben is removed in both tables of Family

    Scenario Outline: a removal <when> of a failing acceptance leaves the tables in agreement
      Given Ben is <membership> member of Family
      And <when> of the next request Ana sends POST /api/group/remove-member {"groupId":"{Family}","userKey":"{Ben.userKey}"}
      When Ben sends POST /api/group/join {"groupId":"{Family}"}, and any one storage call fails
      Then Ben is active or removed in both tables of Family

      Examples:
        | when                               | membership |
        | before the 1st write on UserGroups | an invited |
        | after the 1st read on Groups       | an active  |

  @FS-APT-8
  Rule: None of two simultaneous edits is lost silently
    > Appointment canonical document remains JSON in Blob; Tables store only promoted/index fields for listing.

    Background:
      Given Ben is an active member of Family
      And Cleo is an active member of Family
      And Family has 1 appointment

    Scenario: the second writer of a document gets a conflict
      Given before the 1st write on appointment.json of the next request Ben sends POST /api/direct {"groupId":"{Family}","action":{"type":"set_appointment_desc","appointmentId":"{FamilyAppointment0}","desc":"Ben's"}}
      When Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"set_appointment_desc","appointmentId":"{FamilyAppointment0}","desc":"Ana's"}}
      Then the answer is 409 conflict
      And the blob familyscheduler/groups/{Family}/appointments/{FamilyAppointment0}/appointment.json has
        | desc | Ben's |

    Scenario Outline: <type>, overtaken by another change, survives a failed call
      Given before the 1st write on AppointmentsIndex of the next request Ben sends POST /api/direct {"groupId":"{Family}","action":{"type":"set_appointment_desc","appointmentId":"{FamilyAppointment0}","desc":"Ben's"}}
      When Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"<type>","appointmentId":"{FamilyAppointment0}"<more>}}, and any one storage call fails for good
      Then the answer is 200, 409 or 503

      Examples:
        | type                   | more                 |
        | set_appointment_status | ,"status":"canceled" |
        | delete_appointment     |                      |

    Scenario: two descriptions at once leave one row
      When these run at the same time
        | who | method | path        | body                                                                                                                  |
        | Ana | POST   | /api/direct | {"groupId":"{Family}","action":{"type":"set_appointment_desc","appointmentId":"{FamilyAppointment0}","desc":"Ana's"}} |
        | Ben | POST   | /api/direct | {"groupId":"{Family}","action":{"type":"set_appointment_desc","appointmentId":"{FamilyAppointment0}","desc":"Ben's"}} |
      Then each answer is one of 200, 409
      And some answer is 200
      And the table AppointmentsIndex holds 1 row

    Scenario: a description and a cancellation at once are both kept if accepted
      When these run at the same time
        | who | method | path        | body                                                                                                                         |
        | Ana | POST   | /api/direct | {"groupId":"{Family}","action":{"type":"set_appointment_desc","appointmentId":"{FamilyAppointment0}","desc":"Ana's"}}        |
        | Ben | POST   | /api/direct | {"groupId":"{Family}","action":{"type":"set_appointment_status","appointmentId":"{FamilyAppointment0}","status":"canceled"}} |
      Then each answer is one of 200, 409
      And where Ana was answered 200, the blob familyscheduler/groups/{Family}/appointments/{FamilyAppointment0}/appointment.json has
        | desc | Ana's |
      And where Ben was answered 200, the blob familyscheduler/groups/{Family}/appointments/{FamilyAppointment0}/appointment.json has
        | status | canceled |
      And where Ben was answered 200, the row AppointmentsIndex {Family} / 20260601090000Z|{FamilyAppointment0} has
        | status | canceled |

    Scenario: a rescheduling and a cancellation at once are both kept if accepted
      When these run at the same time
        | who | method | path        | body                                                                                                                                        |
        | Ana | POST   | /api/direct | {"groupId":"{Family}","action":{"type":"reschedule_appointment","appointmentId":"{FamilyAppointment0}","startTime":"2026-07-01T10:15:00Z"}} |
        | Ben | POST   | /api/direct | {"groupId":"{Family}","action":{"type":"set_appointment_status","appointmentId":"{FamilyAppointment0}","status":"canceled"}}                |
      Then each answer is one of 200, 409
      And the table AppointmentsIndex holds 1 row
      And every row of Family in AppointmentsIndex has its document
      And where Ana was answered 200, the blob familyscheduler/groups/{Family}/appointments/{FamilyAppointment0}/appointment.json has
        | startTime | 2026-07-01T10:15:00Z |
      And where Ana was answered 200, the partition {Family} of AppointmentsIndex holds, in this order
        | startTime            |
        | 2026-07-01T10:15:00Z |
      And where Ben was answered 200, the blob familyscheduler/groups/{Family}/appointments/{FamilyAppointment0}/appointment.json has
        | status | canceled |
      And where Ben was answered 200, the partition {Family} of AppointmentsIndex holds, in this order
        | status   |
        | canceled |

    Scenario: a description and a deletion at once are both kept if accepted
      When these run at the same time
        | who | method | path        | body                                                                                                                  |
        | Ana | POST   | /api/direct | {"groupId":"{Family}","action":{"type":"set_appointment_desc","appointmentId":"{FamilyAppointment0}","desc":"Ana's"}} |
        | Ben | POST   | /api/direct | {"groupId":"{Family}","action":{"type":"delete_appointment","appointmentId":"{FamilyAppointment0}"}}                  |
      Then each answer is one of 200, 404, 409
      And where Ana was answered 200, the blob familyscheduler/groups/{Family}/appointments/{FamilyAppointment0}/appointment.json has
        | desc | Ana's |
      And where Ben was answered 200, the row AppointmentsIndex {Family} / 20260601090000Z|{FamilyAppointment0} has
        | isDeleted        | true          |
        | deletedByUserKey | {Ben.userKey} |

    Scenario: three simultaneous edits are all kept if accepted
      When these run at the same time
        | who  | method | path        | body                                                                                                                                        |
        | Ana  | POST   | /api/direct | {"groupId":"{Family}","action":{"type":"set_appointment_desc","appointmentId":"{FamilyAppointment0}","desc":"Ana's"}}                       |
        | Ben  | POST   | /api/direct | {"groupId":"{Family}","action":{"type":"set_appointment_status","appointmentId":"{FamilyAppointment0}","status":"canceled"}}                |
        | Cleo | POST   | /api/direct | {"groupId":"{Family}","action":{"type":"reschedule_appointment","appointmentId":"{FamilyAppointment0}","startTime":"2026-07-01T10:15:00Z"}} |
      Then each answer is one of 200, 409
      And the table AppointmentsIndex holds 1 row
      And where Ana was answered 200, the blob familyscheduler/groups/{Family}/appointments/{FamilyAppointment0}/appointment.json has
        | desc | Ana's |
      And where Ben was answered 200, the blob familyscheduler/groups/{Family}/appointments/{FamilyAppointment0}/appointment.json has
        | status | canceled |
      And where Ben was answered 200, the partition {Family} of AppointmentsIndex holds, in this order
        | status   |
        | canceled |
      And where Cleo was answered 200, the blob familyscheduler/groups/{Family}/appointments/{FamilyAppointment0}/appointment.json has
        | startTime | 2026-07-01T10:15:00Z |
      And where Cleo was answered 200, the partition {Family} of AppointmentsIndex holds, in this order
        | startTime            |
        | 2026-07-01T10:15:00Z |

    Scenario Outline: the same request twice at once leaves the tables in agreement: <operation>
      Given where the target has ignite, Ana sends POST /api/ignite/start {"groupId":"{Family}"}, and "sessionId" of the answer is called Party
      When these run at the same time
        | who | method   | path   | body   |
        | Ana | <method> | <path> | <body> |
        | Ana | <method> | <path> | <body> |
      Then each answer is one of 200, 403, 404, 409
      And some answer is 200
      And every row of Family in AppointmentsIndex has its document
      And the table AppointmentsIndex holds 1 row

      Examples:
        | operation             | method | path                     | body                                                                                                                                        |
        | inviting              | POST   | /api/group/join-link     | {"groupId":"{Family}","email":"dan@example.com"}                                                                                            |
        | removing a member     | POST   | /api/group/remove-member | {"groupId":"{Family}","userKey":"{Ben.userKey}"}                                                                                            |
        | leaving               | POST   | /api/group/remove-member | {"groupId":"{Family}"}                                                                                                                      |
        | renaming              | POST   | /api/group/rename        | {"groupId":"{Family}","groupName":"Smiths"}                                                                                                 |
        | deleting the group    | POST   | /api/group/delete        | {"groupId":"{Family}"}                                                                                                                      |
        | restoring the group   | POST   | /api/group/restore       | {"groupId":"{Family}"}                                                                                                                      |
        | writing one's profile | PUT    | /api/user/profile        | {"displayName":"Ana"}                                                                                                                       |
        | starting an ignite    | POST   | /api/ignite/start        | {"groupId":"{Family}"}                                                                                                                      |
        | closing an ignite     | POST   | /api/ignite/close        | {"groupId":"{Family}","sessionId":"{Party}"}                                                                                                |
        | joining an ignite     | POST   | /api/ignite/join         | {"groupId":"{Family}","sessionId":"{Party}"}                                                                                                |
        | sending a photo       | POST   | /api/ignite/photo        | {"groupId":"{Family}","sessionId":"{Party}","imageMime":"image/png","imageBase64":"{png}"}                                                  |
        | spinning a group off  | POST   | /api/ignite/spinoff      | {"sourceGroupId":"{Family}"}                                                                                                                |
        | describing            | POST   | /api/direct              | {"groupId":"{Family}","action":{"type":"set_appointment_desc","appointmentId":"{FamilyAppointment0}","desc":"Dentist"}}                     |
        | canceling             | POST   | /api/direct              | {"groupId":"{Family}","action":{"type":"set_appointment_status","appointmentId":"{FamilyAppointment0}","status":"canceled"}}                |
        | rescheduling          | POST   | /api/direct              | {"groupId":"{Family}","action":{"type":"reschedule_appointment","appointmentId":"{FamilyAppointment0}","startTime":"2026-07-01T10:15:00Z"}} |
        | deleting              | POST   | /api/direct              | {"groupId":"{Family}","action":{"type":"delete_appointment","appointmentId":"{FamilyAppointment0}"}}                                        |
        | restoring             | POST   | /api/direct              | {"groupId":"{Family}","action":{"type":"restore_appointment","appointmentId":"{FamilyAppointment0}"}}                                       |
        | assigning             | POST   | /api/direct              | {"groupId":"{Family}","action":{"type":"assign_participant","appointmentId":"{FamilyAppointment0}","memberKey":"{Ben.memberKey}"}}          |
        | scanning              | POST   | /api/appointment/scan    | {"groupId":"{Family}","appointmentId":"{FamilyAppointment0}","imageMime":"image/png","imageBase64":"{png}"}                                 |
