Feature: Gatherings open, close and show who takes part
  A gathering, or ignite session, is a code that people of a group, and guests, join while it is open.

  Background:
    Given Ana is an active member of Family
    And Ana sends POST /api/ignite/start {"groupId":"{Family}"}
    And "sessionId" of the answer is called Hunt

  @FS-IGN-1
  Rule: A closed gathering stays closed and takes nobody in
    > Accept invite/join flips to `status=active` and sets `joinedAt`.
    > (contract) Joining a closed gathering, and a photo for one, are answered with 410 and change nothing; its meta is still answered.

    Scenario: an invited person comes too late
      Given Ben is an invited member of Family
      And Ana sends POST /api/ignite/close {"groupId":"{Family}","sessionId":"{Hunt}"}
      When Ben sends POST /api/ignite/join {"groupId":"{Family}","sessionId":"{Hunt}"}
      Then the answer is 410 ignite_closed
      And GroupMembers was read
      And nothing was written
      And Ben is invited in both tables of Family

    Scenario Outline: a member <does>
      Given Ben is an active member of Family
      And Ana sends POST /api/ignite/close {"groupId":"{Family}","sessionId":"{Hunt}"}
      When Ben sends <request>
      Then the answer is 410 ignite_closed
      And nothing was written
      When Ben sends GET /api/ignite/meta?groupId={Family}&sessionId={Hunt}
      Then the answer is 200
      And the answer has
        | status      | CLOSED |
        | joinedCount | 0      |

      Examples:
        | does             | request                                                                                                           |
        | comes too late   | POST /api/ignite/join {"groupId":"{Family}","sessionId":"{Hunt}"}                                                 |
        | sends a photo    | POST /api/ignite/photo {"groupId":"{Family}","sessionId":"{Hunt}","imageMime":"image/png","imageBase64":"{png}"} |

    Scenario: starting with its id does not open it again
      Given Ana sends POST /api/ignite/close {"groupId":"{Family}","sessionId":"{Hunt}"}
      When Ana sends POST /api/ignite/start {"groupId":"{Family}","sessionId":"{Hunt}"}
      And Ana sends GET /api/ignite/meta?groupId={Family}&sessionId={Hunt}
      Then the answer is 200
      And the answer has
        | status | CLOSED |

    Scenario: the next gathering is another one
      Given Ana sends POST /api/ignite/close {"groupId":"{Family}","sessionId":"{Hunt}"}
      When Ana sends POST /api/ignite/start {"groupId":"{Family}"}
      Then the answer is 200
      And the answer has
        | status | OPEN |
      And "sessionId" of the answer is called Picnic
      When Ana sends GET /api/ignite/meta?groupId={Family}&sessionId={Picnic}
      Then the answer has
        | status | OPEN |
      When Ana sends GET /api/ignite/meta?groupId={Family}&sessionId={Hunt}
      Then the answer is 200
      And the answer has
        | status | CLOSED |

    Scenario: starting while one is open answers with that one
      Given Ben is an active member of Family
      When Ben sends POST /api/ignite/start {"groupId":"{Family}"}
      Then the answer is 200
      And the answer has
        | sessionId | {Hunt} |
        | status    | OPEN   |
      And nothing was written

    Scenario: closing it again changes nothing
      Given Ana sends POST /api/ignite/close {"groupId":"{Family}","sessionId":"{Hunt}"}
      When Ana sends POST /api/ignite/close {"groupId":"{Family}","sessionId":"{Hunt}"}
      Then the answer is 200
      And the answer has
        | status | CLOSED |
      And nothing was written

  @FS-IGN-2
  Rule: A photo is that of the person who is named
    > Blob remains for media/binaries (profile photos, scan images, appointment JSON docs).
    > (contract) Somebody without a photo in the gathering is answered with 404 photo_not_found.

    Background:
      Given Ben is an active member of Family
      And Ana sends POST /api/ignite/photo {"groupId":"{Family}","sessionId":"{Hunt}","imageMime":"image/png","imageBase64":"{png}"}

    Scenario: each is shown with their own
      Given Ben sends POST /api/ignite/photo {"groupId":"{Family}","sessionId":"{Hunt}","imageMime":"image/jpeg","imageBase64":"{jpeg}"}
      When Ana sends GET /api/ignite/photo?groupId={Family}&sessionId={Hunt}&personId={Ben.memberKey}
      Then the answer is 200
      And the header Content-Type of the answer is "image/jpeg"
      When Ben sends GET /api/ignite/photo?groupId={Family}&sessionId={Hunt}&personId={Ana.memberKey}
      Then the answer is 200
      And the header Content-Type of the answer is "image/png"

    Scenario: somebody without one
      When Ana sends GET /api/ignite/photo?groupId={Family}&sessionId={Hunt}&personId={Ben.memberKey}
      Then the answer is 404 photo_not_found
      And GroupMembers was read

    Scenario: the photo of another gathering
      Given Ana sends POST /api/ignite/close {"groupId":"{Family}","sessionId":"{Hunt}"}
      And Ana sends POST /api/ignite/start {"groupId":"{Family}"}
      And "sessionId" of the answer is called Picnic
      When Ana sends GET /api/ignite/photo?groupId={Family}&sessionId={Picnic}&personId={Ana.memberKey}
      Then the answer is 404 photo_not_found
