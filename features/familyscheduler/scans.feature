Feature: An appointment may have a scan
  A picture of the paper with the appointment: a blob next to the document, recorded in the row.

  Background:
    Given Ana is an active member of Family
    And Family has 1 appointment

  @FS-APT-7
  Rule: A scan is a blob, and the row records that it exists
    > Scan image blobs remain:
    > `familyscheduler/groups/<groupId>/appointments/<appointmentId>/scan/scan.<ext>`

    Scenario: a deleted appointment accepts no scan
      Given Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"delete_appointment","appointmentId":"{FamilyAppointment0}"}}
      When Ana sends POST /api/appointment/scan {"groupId":"{Family}","appointmentId":"{FamilyAppointment0}","imageMime":"image/png","imageBase64":"{png}"}
      Then the answer is 404 appointment_not_found

    Scenario: a new scan is stored, shown and listed
      When Ana sends POST /api/appointment/scan {"groupId":"{Family}","appointmentId":"{FamilyAppointment0}","imageMime":"image/png","imageBase64":"{png}"}
      Then the answer is 200
      And the blob familyscheduler/groups/{Family}/appointments/{FamilyAppointment0}/scan/scan.png is there
      And the row AppointmentsIndex {Family} / 20260601090000Z|{FamilyAppointment0} has
        | hasScan        | true                 |
        | scanCapturedAt | a time               |
        | startTime      | 2026-06-01T09:00:00Z |
        | status         | active               |
      When Ana sends GET /api/appointment/scan?groupId={Family}&appointmentId={FamilyAppointment0}
      Then the answer is 200
      And the header Content-Type of the answer is "image/png"
      When Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"list_appointments"}}
      Then "snapshot.appointments" of the answer lists
        | appointmentId        | hasScan | scanCapturedAt |
        | {FamilyAppointment0} | true    | a time         |

    Scenario: a scan of another type replaces the first
      Given Ana sends POST /api/appointment/scan {"groupId":"{Family}","appointmentId":"{FamilyAppointment0}","imageMime":"image/png","imageBase64":"{png}"}
      When Ana sends POST /api/appointment/scan {"groupId":"{Family}","appointmentId":"{FamilyAppointment0}","imageMime":"image/jpeg","imageBase64":"{jpeg}"}
      Then the answer is 200
      And there is no blob familyscheduler/groups/{Family}/appointments/{FamilyAppointment0}/scan/scan.png
      When Ana sends GET /api/appointment/scan?groupId={Family}&appointmentId={FamilyAppointment0}
      Then the header Content-Type of the answer is "image/jpeg"

    Scenario: a second scan of the same type replaces the first
      Given Ana sends POST /api/appointment/scan {"groupId":"{Family}","appointmentId":"{FamilyAppointment0}","imageMime":"image/png","imageBase64":"{png}"}
      When Ana sends POST /api/appointment/scan {"groupId":"{Family}","appointmentId":"{FamilyAppointment0}","imageMime":"image/png","imageBase64":"{png}"}
      Then the answer is 200
      When Ana sends GET /api/appointment/scan?groupId={Family}&appointmentId={FamilyAppointment0}
      Then the answer is 200
      And the header Content-Type of the answer is "image/png"

    Scenario: an image that the row does not record is not shown
      Given the store refuses each write on AppointmentsIndex of the next request: its key is wrong
      When Ana sends POST /api/appointment/scan {"groupId":"{Family}","appointmentId":"{FamilyAppointment0}","imageMime":"image/png","imageBase64":"{png}"}
      Then the answer is 503 storage_unavailable
      When Ana sends GET /api/appointment/scan?groupId={Family}&appointmentId={FamilyAppointment0}
      Then the answer is 404

    @reference
    Scenario: the answer to a scan has the row's values
      When Ana sends POST /api/appointment/scan {"groupId":"{Family}","appointmentId":"{FamilyAppointment0}","imageMime":"image/png","imageBase64":"{png}"}
      Then the answer has
        | appointmentId  | {FamilyAppointment0} |
        | hasScan        | true                 |
        | scanCapturedAt | a time               |

    Scenario: canceling and rescheduling an appointment keep its scan
      Given Ana sends POST /api/appointment/scan {"groupId":"{Family}","appointmentId":"{FamilyAppointment0}","imageMime":"image/png","imageBase64":"{png}"}
      When Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"set_appointment_status","appointmentId":"{FamilyAppointment0}","status":"canceled"}}
      And Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"reschedule_appointment","appointmentId":"{FamilyAppointment0}","startTime":"2026-07-01T10:15:00Z"}}
      Then "snapshot.appointments" of the answer lists
        | appointmentId        | status   | hasScan | scanCapturedAt |
        | {FamilyAppointment0} | canceled | true    | a time         |
      When Ana sends GET /api/appointment/scan?groupId={Family}&appointmentId={FamilyAppointment0}
      Then the answer is 200

    @reference
    Scenario Outline: a scan whose row lacks its type is found as <type>
      Given Ana sends POST /api/appointment/scan {"groupId":"{Family}","appointmentId":"{FamilyAppointment0}","imageMime":"image/<type>","imageBase64":"{<type>}"}
      And the row AppointmentsIndex {Family} / 20260601090000Z|{FamilyAppointment0} is
        | scanExt |  |
      When Ana sends GET /api/appointment/scan?groupId={Family}&appointmentId={FamilyAppointment0}
      Then the answer is 200
      And the header Content-Type of the answer is "image/<type>"

      Examples:
        | type |
        | jpeg |
        | png  |
        | webp |

    @reference
    Scenario: a scan that only the row records is not found
      Given the row AppointmentsIndex {Family} / 20260601090000Z|{FamilyAppointment0} is
        | hasScan | true |
      When Ana sends GET /api/appointment/scan?groupId={Family}&appointmentId={FamilyAppointment0}
      Then the answer is 404 photo_not_found

    Scenario: an appointment without a scan has none to show
      When Ana sends GET /api/appointment/scan?groupId={Family}&appointmentId={FamilyAppointment0}
      Then the answer is 404

    Scenario: an image of another type than stated is refused
      When Ana sends POST /api/appointment/scan {"groupId":"{Family}","appointmentId":"{FamilyAppointment0}","imageMime":"image/jpeg","imageBase64":"{png}"}
      Then the answer is 400
      And the row AppointmentsIndex {Family} / 20260601090000Z|{FamilyAppointment0} has
        | hasScan | false |

    Scenario: a scan of a missing appointment is refused
      When Ana sends POST /api/appointment/scan {"groupId":"{Family}","appointmentId":"unknown","imageMime":"image/png","imageBase64":"{png}"}
      Then the answer is 404 appointment_not_found
      And nothing was written

    Scenario: storing a scan costs a fixed number of calls
      When Ana sends POST /api/appointment/scan {"groupId":"{Family}","appointmentId":"{FamilyAppointment0}","imageMime":"image/png","imageBase64":"{png}"}
      Then the storage calls are at most
        | service | call            | on                | count |
        | blob    | read            | sessions          | 1     |
        | table   | point read      | GroupMembers      | 1     |
        | table   | point read      | Groups            | 1     |
        | blob    | read            | appointment.json  | 1     |
        | table   | point read      | AppointmentsIndex | 1     |
        | table   | partition query | AppointmentsIndex | 1     |
        | blob    | write           | scan.png          | 1     |
        | table   | write           | AppointmentsIndex | 1     |
