Feature: Gatherings open, close and show their participants
  A gathering, or ignite session, is a code that people of a group, and guests, join while it is open.

  Background:
    Given Ana is an active member of Family
    And Ana sends POST /api/ignite/start {"groupId":"{Family}"}
    And "sessionId" of the answer is called Hunt

  @FS-IGN-1
  Rule: A closed gathering stays closed and accepts no one
    > Accept invite/join flips to `status=active` and sets `joinedAt`.
    > (contract) Joining a closed gathering, and a photo for one, are answered with 410 and change nothing; its meta is still answered.

    Scenario: an invited person cannot join a closed gathering
      Given Ben is an invited member of Family
      And Ana sends POST /api/ignite/close {"groupId":"{Family}","sessionId":"{Hunt}"}
      When Ben sends POST /api/ignite/join {"groupId":"{Family}","sessionId":"{Hunt}"}
      Then the answer is 410 ignite_closed
      And GroupMembers was read
      And nothing was written
      And Ben is invited in both tables of Family

    Scenario Outline: a member who <does> to a closed gathering is refused
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

    Scenario: starting a closed gathering by its id does not reopen it
      Given Ana sends POST /api/ignite/close {"groupId":"{Family}","sessionId":"{Hunt}"}
      When Ana sends POST /api/ignite/start {"groupId":"{Family}","sessionId":"{Hunt}"}
      And Ana sends GET /api/ignite/meta?groupId={Family}&sessionId={Hunt}
      Then the answer is 200
      And the answer has
        | status | CLOSED |

    Scenario: a gathering started after a closed one has its own id
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
      When Ana sends POST /api/ignite/start {"groupId":"{Family}"}
      Then the answer is 200
      And the answer has
        | sessionId | {Picnic} |

    Scenario: the next gathering opens whichever storage call of starting it fails
      Given Ana sends POST /api/ignite/close {"groupId":"{Family}","sessionId":"{Hunt}"}
      When Ana sends POST /api/ignite/start {"groupId":"{Family}"}, and any one storage call fails
      Then the answer is 200
      And "sessionId" of the answer is called Picnic
      When Ana sends GET /api/ignite/meta?groupId={Family}&sessionId={Picnic}
      Then the answer is 200
      And the answer has
        | status | OPEN |

    Scenario: a half-opened gathering is completed by the next start
      Given Ana sends POST /api/ignite/close {"groupId":"{Family}","sessionId":"{Hunt}"}
      And the store refuses each write on session.json of the next request: its key is wrong
      And Ana sends POST /api/ignite/start {"groupId":"{Family}"}
      And the answer is 503
      When Ana sends POST /api/ignite/start {"groupId":"{Family}"}
      Then the answer is 200
      And the storage calls are at most
        | service | call       | on           | count |
        | blob    | read       | sessions     | 1     |
        | table   | point read | GroupMembers | 1     |
        | table   | point read | Groups       | 1     |
        | blob    | read       | ignite       | 2     |
        | blob    | write      | ignite       | 2     |
      And the answer has
        | status | OPEN |

    @reference
    Scenario: completing a half-opened gathering costs one write
      Given Ana sends POST /api/ignite/close {"groupId":"{Family}","sessionId":"{Hunt}"}
      And the store refuses each write on session.json of the next request: its key is wrong
      And Ana sends POST /api/ignite/start {"groupId":"{Family}"}
      When Ana sends POST /api/ignite/start {"groupId":"{Family}"}
      Then the storage calls are at most
        | service | call       | on           | count |
        | blob    | read       | sessions     | 1     |
        | table   | point read | GroupMembers | 1     |
        | table   | point read | Groups       | 1     |
        | blob    | read       | ignite       | 2     |
        | blob    | write      | ignite       | 1     |

    @reference
    Scenario Outline: two people who start <when> gathering at once start the same one
      Given <before>
      When these run at the same time
        | who | method | path              | body                  |
        | Ana | POST   | /api/ignite/start | {"groupId":"<group>"} |
        | Ana | POST   | /api/ignite/start | {"groupId":"<group>"} |
      Then all answers are 200
      And both answers are the same except for the trace id

      Examples:
        | when            | group    | before                                                                       |
        | the first       | {Work}   | Ana is an active member of Work                                              |
        | the next        | {Family} | Ana sends POST /api/ignite/close {"groupId":"{Family}","sessionId":"{Hunt}"} |

    Scenario: a gathering is closed whichever storage call of closing it fails
      When Ana sends POST /api/ignite/close {"groupId":"{Family}","sessionId":"{Hunt}"}, and any one storage call fails
      Then the answer is 200
      When Ana sends GET /api/ignite/meta?groupId={Family}&sessionId={Hunt}
      Then the answer has
        | status | CLOSED |

    Scenario: starting while a gathering is open returns the open one
      Given Ben is an active member of Family
      When Ben sends POST /api/ignite/start {"groupId":"{Family}"}
      Then the answer is 200
      And the answer has
        | sessionId | {Hunt} |
        | status    | OPEN   |
      And nothing was written

    Scenario: closing a closed gathering changes nothing
      Given Ana sends POST /api/ignite/close {"groupId":"{Family}","sessionId":"{Hunt}"}
      When Ana sends POST /api/ignite/close {"groupId":"{Family}","sessionId":"{Hunt}"}
      Then the answer is 200
      And the answer has
        | status | CLOSED |
      And nothing was written

    Scenario: a person who joins takes part whichever storage call fails
      Given Ben is an invited member of Family
      When Ben sends POST /api/ignite/join {"groupId":"{Family}","sessionId":"{Hunt}"}, and any one storage call fails
      Then the answer is 200
      When Ana sends GET /api/ignite/meta?groupId={Family}&sessionId={Hunt}
      Then the answer has
        | joinedCount        | 1               |
        | joinedPersonIds[0] | {Ben.memberKey} |

    Scenario: two people who join at once both take part
      Given Ben is an active member of Family
      And before the 1st write on session.json of the next request Ben sends POST /api/ignite/join {"groupId":"{Family}","sessionId":"{Hunt}"}
      When Ana sends POST /api/ignite/join {"groupId":"{Family}","sessionId":"{Hunt}"}
      Then the answer is 200
      When Ana sends GET /api/ignite/meta?groupId={Family}&sessionId={Hunt}
      Then the answer has
        | joinedCount | 2 |

    @reference
    Scenario: a person who cannot be added to the participants gets 503
      Given Ben is an invited member of Family
      And the store refuses each write on session.json of the next request: it was changed
      When Ben sends POST /api/ignite/join {"groupId":"{Family}","sessionId":"{Hunt}"}
      Then the answer is 503 storage_unavailable

    @reference
    Scenario: the answers name the gathering and who joined
      When Ana sends POST /api/ignite/start {"groupId":"{Family}"}
      Then the answer has
        | groupId   | {Family} |
        | createdAt | a time   |
        | closedAt  | null     |
      Given Ana sends POST /api/ignite/close {"groupId":"{Family}","sessionId":"{Hunt}"}
      When Ana sends POST /api/ignite/start {"groupId":"{Family}"}
      Then the answer has
        | groupId   | {Family} |
        | createdAt | a time   |
      And "sessionId" of the answer is called Picnic
      Given Ben is an invited member of Family
      When Ben sends POST /api/ignite/join {"groupId":"{Family}","sessionId":"{Picnic}"}
      Then the answer has
        | joinedAt  | a time          |
        | memberKey | {Ben.memberKey} |

    Scenario: a gathering lists each participant once, even after closing
      When Ana sends GET /api/ignite/meta?groupId={Family}&sessionId={Hunt}
      Then the answer has
        | joinedCount        | 0      |
        | joinedPersonIds[0] | absent |
      Given Ben is an active member of Family
      And Ben sends POST /api/ignite/join {"groupId":"{Family}","sessionId":"{Hunt}"}
      And Ben sends POST /api/ignite/join {"groupId":"{Family}","sessionId":"{Hunt}"}
      When Ana sends GET /api/ignite/meta?groupId={Family}&sessionId={Hunt}
      Then the answer is 200
      And the answer has
        | groupId            | {Family}        |
        | sessionId          | {Hunt}          |
        | status             | OPEN            |
        | joinedCount        | 1               |
        | joinedPersonIds[0] | {Ben.memberKey} |
        | joinedPersonIds[1] | absent          |
        | createdAt          | a time          |
        | closedAt           | absent or null  |
      When Ana sends POST /api/ignite/join {"groupId":"{Family}","sessionId":"{Hunt}"}
      And Ana sends POST /api/ignite/close {"groupId":"{Family}","sessionId":"{Hunt}"}
      And Ana sends POST /api/ignite/meta {"groupId":"{Family}","sessionId":"{Hunt}"}
      Then the answer is 200
      And the answer has
        | status             | CLOSED   |
        | joinedCount        | 2        |
        | joinedPersonIds[0] | anything |
        | joinedPersonIds[1] | anything |
        | joinedPersonIds[2] | absent   |
        | closedAt           | a time   |

  @FS-IGN-2
  Rule: A photo belongs to the person who is named
    > Blob remains for media/binaries (profile photos, scan images, appointment JSON docs).
    > (contract) Somebody without a photo in the gathering is answered with 404 photo_not_found.

    Background:
      Given Ben is an active member of Family
      And Ana sends POST /api/ignite/photo {"groupId":"{Family}","sessionId":"{Hunt}","imageMime":"image/png","imageBase64":"{png}"}

    Scenario: each person's photo is shown as their own
      Given Ben sends POST /api/ignite/photo {"groupId":"{Family}","sessionId":"{Hunt}","imageMime":"image/jpeg","imageBase64":"{jpeg}"}
      When Ana sends GET /api/ignite/photo?groupId={Family}&sessionId={Hunt}&personId={Ben.memberKey}
      Then the answer is 200
      And the header Content-Type of the answer is "image/jpeg"
      When Ben sends GET /api/ignite/photo?groupId={Family}&sessionId={Hunt}&personId={Ana.memberKey}
      Then the answer is 200
      And the header Content-Type of the answer is "image/png"
      When Ben sends GET /api/ignite/photo?groupId={Family}&sessionId={Hunt}
      Then the answer is 200
      And the header Content-Type of the answer is "image/jpeg"

    Scenario: a photo in WebP is stored and shown
      Given Ben sends POST /api/ignite/photo {"groupId":"{Family}","sessionId":"{Hunt}","imageMime":"image/webp","imageBase64":"{webp}"}
      When Ana sends GET /api/ignite/photo?groupId={Family}&sessionId={Hunt}&personId={Ben.memberKey}
      Then the answer is 200
      And the header Content-Type of the answer is "image/webp"

    @reference
    Scenario: a browser with a current copy of a photo gets 304
      When Ana sends GET /api/ignite/photo?groupId={Family}&sessionId={Hunt}&personId={Ana.memberKey}
      Then the header Cache-Control of the answer is "private, no-cache"
      And the header X-Content-Type-Options of the answer is "nosniff"
      And the header ETag of the answer is called Version
      When Ben sends GET /api/ignite/photo?groupId={Family}&sessionId={Hunt}&personId={Ana.memberKey} with the header If-None-Match "{Version}"
      Then the answer is 304
      Given Ana sends POST /api/ignite/photo {"groupId":"{Family}","sessionId":"{Hunt}","imageMime":"image/jpeg","imageBase64":"{jpeg}"}
      When Ben sends GET /api/ignite/photo?groupId={Family}&sessionId={Hunt}&personId={Ana.memberKey} with the header If-None-Match "{Version}"
      Then the answer is 200
      And the header Content-Type of the answer is "image/jpeg"

    @reference
    Scenario: a photo is recognized by its first twelve bytes
      When Ana sends POST /api/ignite/photo {"groupId":"{Family}","sessionId":"{Hunt}","imageMime":"image/webp","imageBase64":"UklGRgAAAABXRUJQ"}
      Then the answer is 200

    Scenario: a person without a photo has none to show
      When Ana sends GET /api/ignite/photo?groupId={Family}&sessionId={Hunt}&personId={Ben.memberKey}
      Then the answer is 404 photo_not_found
      And GroupMembers was read

    Scenario: a photo of another gathering is not found
      Given Ana sends POST /api/ignite/close {"groupId":"{Family}","sessionId":"{Hunt}"}
      And Ana sends POST /api/ignite/start {"groupId":"{Family}"}
      And "sessionId" of the answer is called Picnic
      When Ana sends GET /api/ignite/photo?groupId={Family}&sessionId={Picnic}&personId={Ana.memberKey}
      Then the answer is 404 photo_not_found
