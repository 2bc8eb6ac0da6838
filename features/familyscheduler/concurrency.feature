Feature: People act at the same moment
  A write of one request waits until another request has been answered, so that the order of the two is
  known.

  Background:
    Given Ana is an active member of Family

  @FS-MEM-8
  Rule: Accepting in the midst of a removal ends in one of the two, in both tables
    > Membership and authorization truth: `GroupMembers` + `UserGroups` tables only.

    Scenario: Ana withdraws the invitation while Ben accepts it
      Given Ben is an invited member of Family
      When these run at the same time
        | who | method | path                     | body                                              |
        | Ben | POST   | /api/group/join          | {"groupId":"{Family}"}                            |
        | Ana | POST   | /api/group/remove-member | {"groupId":"{Family}","userKey":"{Ben.userKey}"} |
      Then Ben is active or removed in both tables of Family

    Scenario: Ana withdraws it just before the acceptance reaches UserGroups, of which another call fails
      Given Ben is an invited member of Family
      And before the 1st write on UserGroups of the next request Ana sends POST /api/group/remove-member {"groupId":"{Family}","userKey":"{Ben.userKey}"}
      When Ben sends POST /api/group/join {"groupId":"{Family}"}, and any one storage call fails
      Then Ben is active or removed in both tables of Family

  @FS-APT-8
  Rule: Of two edits at once none is lost silently
    > Appointment canonical document remains JSON in Blob; Tables store only promoted/index fields for listing.

    Background:
      Given Ben is an active member of Family
      And Family has 1 appointment

    Scenario: both change what it is about
      Given before the 1st write on appointment.json of the next request Ben sends POST /api/direct {"groupId":"{Family}","action":{"type":"set_appointment_desc","appointmentId":"{FamilyAppointment0}","desc":"Ben's"}}
      When Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"set_appointment_desc","appointmentId":"{FamilyAppointment0}","desc":"Ana's"}}
      Then the answer is 409 conflict
      And the blob familyscheduler/groups/{Family}/appointments/{FamilyAppointment0}/appointment.json has
        | desc | Ben's |

    Scenario Outline: one cancels it while the other <edits> it
      Given before the 1st write on appointment.json of the next request Ben sends POST /api/direct {"groupId":"{Family}","action":{"type":"set_appointment_status","appointmentId":"{FamilyAppointment0}","status":"canceled"}}
      When Ana sends POST /api/direct {"groupId":"{Family}","action":<action>}
      And Ana sends POST /api/direct {"groupId":"{Family}","action":<action>}
      Then the answer is 200
      And the blob familyscheduler/groups/{Family}/appointments/{FamilyAppointment0}/appointment.json has
        | status  | canceled |
        | <field> | <value>  |
      And "snapshot.appointments" of the answer lists
        | appointmentId        | status   |
        | {FamilyAppointment0} | canceled |

      Examples:
        | edits       | field     | value                | action                                                                                                                      |
        | describes   | desc      | Ana's                | {"type":"set_appointment_desc","appointmentId":"{FamilyAppointment0}","desc":"Ana's"}                                       |
        | reschedules | startTime | 2026-07-01T10:15:00Z | {"type":"reschedule_appointment","appointmentId":"{FamilyAppointment0}","startTime":"2026-07-01T10:15:00Z"}                 |

    Scenario: one reschedules while the other's row is on its way
      Given before the 1st write on AppointmentsIndex of the next request Ben sends POST /api/direct {"groupId":"{Family}","action":{"type":"reschedule_appointment","appointmentId":"{FamilyAppointment0}","startTime":"2026-07-01T10:15:00Z"}}
      When Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"set_appointment_status","appointmentId":"{FamilyAppointment0}","status":"canceled"}}
      Then the partition {Family} of AppointmentsIndex holds, in this order
        | appointmentId        | startTime            | status   |
        | {FamilyAppointment0} | 2026-07-01T10:15:00Z | canceled |
      And the blob familyscheduler/groups/{Family}/appointments/{FamilyAppointment0}/appointment.json has
        | startTime | 2026-07-01T10:15:00Z |
        | status    | canceled             |

    Scenario: a later status overtakes an earlier one on its way to the row
      Given before the 1st write on AppointmentsIndex of the next request Ben sends POST /api/direct {"groupId":"{Family}","action":{"type":"set_appointment_status","appointmentId":"{FamilyAppointment0}","status":"active"}}
      When Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"set_appointment_status","appointmentId":"{FamilyAppointment0}","status":"canceled"}}
      Then the row AppointmentsIndex {Family} / 20260601090000Z|{FamilyAppointment0} has
        | status | active |
      And the blob familyscheduler/groups/{Family}/appointments/{FamilyAppointment0}/appointment.json has
        | status | active |

    Scenario: one deletes it while the other's row is on its way
      Given before the 1st write on AppointmentsIndex of the next request Ben sends POST /api/direct {"groupId":"{Family}","action":{"type":"delete_appointment","appointmentId":"{FamilyAppointment0}"}}
      When Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"set_appointment_desc","appointmentId":"{FamilyAppointment0}","desc":"Ana's"}}
      Then the row AppointmentsIndex {Family} / 20260601090000Z|{FamilyAppointment0} has
        | isDeleted        | true          |
        | deletedByUserKey | {Ben.userKey} |

    Scenario: one deletes it just before the other moves its row
      Given before the 2nd write on anything of the next request Ben sends POST /api/direct {"groupId":"{Family}","action":{"type":"delete_appointment","appointmentId":"{FamilyAppointment0}"}}
      When Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"reschedule_appointment","appointmentId":"{FamilyAppointment0}","startTime":"2026-07-01T10:15:00Z"}}
      Then the partition {Family} of AppointmentsIndex holds, in this order
        | appointmentId        | isDeleted | deletedByUserKey |
        | {FamilyAppointment0} | true      | {Ben.userKey}    |
