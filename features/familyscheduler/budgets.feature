Feature: What each route costs
  The design has budgets for the most frequent operations. The other routes have theirs here, so that none of
  them reads a group's whole roster or grows in another way.

  Background:
    Given the budgeted routes
      | route                         | with                   |
      | GET /                         |                        |
      | GET /api/health               |                        |
      | POST /api/auth/request-link   |                        |
      | POST /api/auth/consume-link   |                        |
      | GET /api/me/groups            |                        |
      | GET /api/user/profile         |                        |
      | PUT /api/user/profile         |                        |
      | GET /api/usage                |                        |
      | POST /api/group/create        |                        |
      | GET /api/group/meta           |                        |
      | GET /api/group/members        |                        |
      | POST /api/group/rename        |                        |
      | POST /api/group/delete        |                        |
      | POST /api/group/restore       |                        |
      | POST /api/group/join-link     |                        |
      | POST /api/group/join          |                        |
      | POST /api/group/decline       |                        |
      | POST /api/group/remove-member |                        |
      | POST /api/direct              | list_appointments      |
      | POST /api/direct              | create_appointment     |
      | POST /api/direct              | reschedule_appointment |
      | POST /api/direct              | set_appointment_desc   |
      | POST /api/direct              | set_appointment_status |
      | POST /api/direct              | delete_appointment     |
      | POST /api/direct              | restore_appointment    |
      | POST /api/direct              | get_appointment_detail |
      | POST /api/direct              | assign_participant     |
      | POST /api/direct              | unassign_participant   |
      | POST /api/chat                |                        |
      | GET /api/appointment/scan     |                        |
      | POST /api/appointment/scan    |                        |
      | POST /api/ignite/start        |                        |
      | POST /api/ignite/close        |                        |
      | GET /api/ignite/meta          |                        |
      | POST /api/ignite/meta         |                        |
      | POST /api/ignite/join         |                        |
      | GET /api/ignite/photo         |                        |
      | POST /api/ignite/photo        |                        |
      | POST /api/ignite/spinoff      |                        |

  @FS-BUD-1
  Rule: No route reads more than it needs, however large the group
    > Dashboard load: 1 partition query (UserGroups) + bounded group meta reads (join via API).
    > (contract) Every route has a budget: the session, the gate, and what it is about.

    Background:
      Given Ana is an active member of Family
      And Family has 16 more active members

    Scenario: requesting a sign-in link costs two blob calls
      When Nobody sends POST /api/auth/request-link {"email":"{Ana.email}"}
      Then the answer is 200
      And the storage calls are at most
        | service | call  | on       | count |
        | blob    | read  | anything | 1     |
        | blob    | write | anything | 1     |

    Scenario: signing in by a link costs two reads and two writes
      Given Ana asks for a sign-in link
      When Nobody sends POST /api/auth/consume-link {"token":"{AnaToken}"}
      Then the answer is 200
      And the storage calls are at most
        | service | call            | on       | count |
        | blob    | read            | anything | 2     |
        | blob    | write           | anything | 2     |

    Scenario: reading a profile costs one session read and one row
      When Ana sends GET /api/user/profile
      Then the answer is 200
      And the storage calls are at most
        | service | call       | on           | count |
        | blob    | read       | sessions     | 1     |
        | table   | point read | UserProfiles | 1     |

    Scenario: writing a first profile costs one row and a count
      When Ana sends PUT /api/user/profile {"displayName":"Ana"}
      Then the answer is 200
      And the storage calls are at most
        | service | call       | on           | count |
        | blob    | read       | sessions     | 1     |
        | table   | point read | UserProfiles | 1     |
        | table   | write      | UserProfiles | 1     |
        | table   | point read | DailyMetrics | 1     |
        | table   | write      | DailyMetrics | 1     |

    Scenario: reading a group's name costs its membership and its row
      When Ana sends GET /api/group/meta?groupId={Family}
      Then the answer is 200
      And the storage calls are at most
        | service | call       | on           | count |
        | blob    | read       | sessions     | 1     |
        | table   | point read | GroupMembers | 1     |
        | table   | point read | Groups       | 1     |

    Scenario Outline: <what> costs the same in a group of 17 members
      Given Ben is an <before> of Family
      When <who> sends POST <request>
      Then the answer is 200
      And the storage calls are at most
        | service | call       | on           | count |
        | blob    | read       | sessions     | 1     |
        | table   | point read | GroupMembers | 4     |
        | table   | point read | Groups       | 1     |
        | table   | point read | UserGroups   | 1     |
        | table   | write      | GroupMembers | 1     |
        | table   | write      | UserGroups   | 1     |

      Examples:
        | what              | before         | who | request                                                                        |
        | declining         | invited member | Ben | /api/group/decline {"groupId":"{Family}"}                                      |
        | leaving           | active member  | Ben | /api/group/remove-member {"groupId":"{Family}"}                                |
        | removing a member | active member  | Ana | /api/group/remove-member {"groupId":"{Family}","userKey":"{Ben.userKey}"}      |

    @reference
    Scenario Outline: the reference makes exactly these calls when <what>
      Given Ben is an active member of Family
      When <who> sends POST <request>
      Then the answer is 200
      And the storage calls are exactly
        | service | call       | on           | count    |
        | blob    | read       | sessions     | 1        |
        | table   | point read | GroupMembers | <reads>  |
        | table   | point read | Groups       | 1        |
        | table   | point read | UserGroups   | 1        |
        | table   | write      | GroupMembers | <writes> |
        | table   | write      | UserGroups   | <writes> |

      Examples:
        | what            | reads | writes | who | request                                                                   |
        | Ben joins again | 1     | 0      | Ben | /api/group/join {"groupId":"{Family}"}                                    |
        | Ben leaves      | 2     | 1      | Ben | /api/group/remove-member {"groupId":"{Family}"}                           |
        | Ana removes Ben | 3     | 1      | Ana | /api/group/remove-member {"groupId":"{Family}","userKey":"{Ben.userKey}"} |

    Scenario: restoring an appointment costs the same in a group of 17 members
      Given Family has 1 appointment
      And Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"delete_appointment","appointmentId":"{FamilyAppointment0}"}}
      When Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"restore_appointment","appointmentId":"{FamilyAppointment0}"}}
      Then the answer is 200
      And the storage calls are at most
        | service | call            | on                | count |
        | blob    | read            | sessions          | 1     |
        | table   | point read      | GroupMembers      | 1     |
        | table   | point read      | Groups            | 1     |
        | blob    | read            | appointment.json  | 1     |
        | table   | point read      | AppointmentsIndex | 1     |
        | table   | partition query | AppointmentsIndex | 2     |
        | table   | write           | AppointmentsIndex | 1     |

    Scenario: assigning and unassigning an appointment read at most six rows
      Given Ben is an active member of Family
      And Family has 1 appointment
      When Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"assign_participant","appointmentId":"{FamilyAppointment0}","memberKey":"{Ben.memberKey}"}}
      Then the answer is 200
      And the storage calls are at most
        | service | call                          | on                      | count |
        | blob    | read                          | sessions                | 1     |
        | table   | point read                    | GroupMembers            | 1     |
        | table   | point read                    | Groups                  | 1     |
        | blob    | read                          | appointment.json        | 1     |
        | table   | point read                    | AppointmentsIndex       | 1     |
        | table   | partition query               | AppointmentsIndex       | 2     |
        | table   | point read or partition query | GroupMembers            | 1     |
        | table   | write                         | AppointmentParticipants | 1     |
      And the storage calls brought at most 6 entities
      When Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"unassign_participant","appointmentId":"{FamilyAppointment0}","memberKey":"{Ben.memberKey}"}}
      Then the answer is 200
      And the storage calls are at most
        | service | call                          | on                      | count |
        | blob    | read                          | sessions                | 1     |
        | table   | point read                    | GroupMembers            | 1     |
        | table   | point read                    | Groups                  | 1     |
        | blob    | read                          | appointment.json        | 1     |
        | table   | point read                    | AppointmentsIndex       | 1     |
        | table   | partition query               | AppointmentsIndex       | 2     |
        | table   | point read                    | AppointmentParticipants | 1     |
        | table   | write                         | AppointmentParticipants | 1     |

    Scenario: reading a scan costs one row and one blob
      Given Family has 1 appointment
      And Ana sends POST /api/appointment/scan {"groupId":"{Family}","appointmentId":"{FamilyAppointment0}","imageMime":"image/png","imageBase64":"{png}"}
      When Ana sends GET /api/appointment/scan?groupId={Family}&appointmentId={FamilyAppointment0}
      Then the answer is 200
      And the storage calls are at most
        | service | call            | on                | count |
        | blob    | read            | sessions          | 1     |
        | table   | point read      | GroupMembers      | 1     |
        | table   | point read      | Groups            | 1     |
        | blob    | read            | appointment.json  | 1     |
        | table   | point read      | AppointmentsIndex | 1     |
        | table   | partition query | AppointmentsIndex | 1     |
        | blob    | read or head    | scan.*            | 3     |

    Scenario: opening a gathering costs the same in a group of 17 members
      When Ana sends POST /api/ignite/start {"groupId":"{Family}"}
      Then the answer is 200
      And the storage calls are at most
        | service | call       | on           | count |
        | blob    | read       | sessions     | 1     |
        | table   | point read | GroupMembers | 1     |
        | table   | point read | Groups       | 1     |
        | blob    | read       | ignite       | 2     |
        | blob    | write      | ignite       | 2     |

    Scenario Outline: a request to a gathering costs a fixed number of calls: <what>
      Given Ana sends POST /api/ignite/start {"groupId":"{Family}"}
      And "sessionId" of the answer is called Hunt
      When Ana sends <request>
      Then the answer is 200
      And the storage calls are at most
        | service | call       | on           | count     |
        | blob    | read       | sessions     | 1         |
        | table   | point read | GroupMembers | 1         |
        | table   | point read | Groups       | 1         |
        | blob    | read       | ignite       | <reads>   |
        | blob    | write      | ignite       | <writes>  |

      Examples:
        | what                             | reads | writes | request                                                            |
        | reading the participants         | 1     | 0      | GET /api/ignite/meta?groupId={Family}&sessionId={Hunt}             |
        | reading the participants by POST | 1     | 0      | POST /api/ignite/meta {"groupId":"{Family}","sessionId":"{Hunt}"}  |
        | closing a gathering              | 2     | 1      | POST /api/ignite/close {"groupId":"{Family}","sessionId":"{Hunt}"} |

    Scenario: joining a gathering by invitation costs a fixed number of calls
      Given Ana sends POST /api/ignite/start {"groupId":"{Family}"}
      And "sessionId" of the answer is called Hunt
      And Ben is an invited member of Family
      When Ben sends POST /api/ignite/join {"groupId":"{Family}","sessionId":"{Hunt}"}
      Then the answer is 200
      And the storage calls are at most
        | service | call       | on           | count |
        | blob    | read       | sessions     | 1     |
        | table   | point read | GroupMembers | 4     |
        | table   | point read | Groups       | 1     |
        | table   | point read | UserGroups   | 1     |
        | table   | write      | GroupMembers | 1     |
        | table   | write      | UserGroups   | 1     |
        | table   | point read | DailyMetrics | 1     |
        | table   | write      | DailyMetrics | 1     |
        | blob    | read       | ignite       | 2     |
        | blob    | write      | ignite       | 1     |

    Scenario: joining a gathering as a guest costs a fixed number of calls
      Given Ana sends POST /api/ignite/start {"groupId":"{Family}"}
      And "sessionId" of the answer is called Hunt
      When Nobody sends POST /api/ignite/join {"groupId":"{Family}","sessionId":"{Hunt}","name":"Gus"}
      Then the answer is 200
      And the storage calls are at most
        | service | call       | on           | count |
        | table   | point read | Groups       | 1     |
        | table   | point read | GroupMembers | 2     |
        | table   | point read | UserGroups   | 1     |
        | table   | write      | UserProfiles | 1     |
        | table   | write      | GroupMembers | 1     |
        | table   | write      | UserGroups   | 1     |
        | blob    | read       | ignite       | 2     |
        | blob    | write      | ignite       | 1     |
        | blob    | write      | sessions     | 1     |

    Scenario: storing and reading a photo cost a fixed number of calls
      Given Ana sends POST /api/ignite/start {"groupId":"{Family}"}
      And "sessionId" of the answer is called Hunt
      When Ana sends POST /api/ignite/photo {"groupId":"{Family}","sessionId":"{Hunt}","imageMime":"image/png","imageBase64":"{png}"}
      Then the answer is 200
      And the storage calls are at most
        | service | call       | on           | count |
        | blob    | read       | sessions     | 1     |
        | table   | point read | GroupMembers | 1     |
        | table   | point read | Groups       | 1     |
        | blob    | read       | ignite       | 1     |
        | blob    | write      | anything     | 1     |
        | table   | point read | UserProfiles | 1     |
        | table   | write      | UserProfiles | 1     |
        | table   | point read | DailyMetrics | 1     |
        | table   | write      | DailyMetrics | 1     |
      When Ana sends GET /api/ignite/photo?groupId={Family}&sessionId={Hunt}&personId={Ana.memberKey}
      Then the answer is 200
      And the storage calls are at most
        | service | call       | on           | count |
        | blob    | read       | sessions     | 1     |
        | table   | point read | GroupMembers | 1     |
        | table   | point read | Groups       | 1     |
        | blob    | read       | anything     | 2     |
