Feature: What a browser is shown
  One address has two pages: a description of Family Scheduler for visitors, and a home page for people who are
  signed in. A browser keeps its session in a cookie; the pages work without scripts.

  @FS-PAGE-1
  Rule: Without a session the home page is the marketing page
    > Logged-out homepage remains marketing.

    Scenario: a new visitor gets the marketing page without a storage call
      When Nobody opens /
      Then the answer is 200
      And the page is "marketing"
      And the page does not offer "Sign out"
      And no storage call was made

    @reference
    Scenario: a link requested on the page counts toward the limit
      Given a fresh target with LINKS_PER_ADDRESS "1"
      When Ana opens /
      And Ana enters " {Ana.EMAIL} " as "email" and presses "Send me a link"
      Then the answer is 200
      And the page shows "Look into your mailbox"
      When Ana opens /
      Then the page does not show "Look into your mailbox"
      When Ana enters "{Ana.email}" as "email" and presses "Send me a link"
      Then the answer is 429

    @reference
    Scenario: a page has a style but no script, and cannot be framed
      When Nobody opens /
      Then the answer contains ":root {"
      And the header Content-Security-Policy of the answer is "default-src 'none'; style-src 'sha256-Eku2o8Mbt8+dTI187UEATJeMsujsSCF46b3l4fWJSUg='; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
      And the header Cross-Origin-Opener-Policy of the answer is "same-origin"
      And the header Referrer-Policy of the answer is "same-origin"
      And the header X-Frame-Options of the answer is "DENY"
      And the header Vary of the answer is "Accept, Cookie"

    Scenario Outline: a visitor with a session that <what> gets the marketing page
      Given <who>
      When Ana opens /
      Then the answer is 200
      And the page is "marketing"
      And the page does not show "Your groups"
      And the storage calls are at most
        | service | call | on       | count |
        | blob    | read | sessions | 1     |

      Examples:
        | what             | who                                |
        | has expired      | Ana's session has expired          |
        | was never opened | Ana has a session that nobody opened |

    Scenario: a malformed session cookie costs no storage call
      Given Ana has the session id "../state"
      When Ana opens /
      Then the page is "marketing"
      And no storage call was made

    Scenario: a mail program that opens a link does not use it up
      When Ana asks for a sign-in link
      And Nobody opens the sign-in link of Ana
      Then the page is "marketing"
      When Nobody opens the sign-in link of Ana
      Then the page is "marketing"
      When Ana opens the sign-in link of Ana
      Then the page offers "Sign in"
      When Ana presses "Sign in"
      Then the answer is 200
      And the page is "DashboardHomePage"

    Scenario: signing out returns to the marketing page
      Given Ana asks for a sign-in link
      And Ana opens the sign-in link of Ana
      And Ana presses "Sign in"
      And Ana opens /
      And the page is "DashboardHomePage"
      When Ana presses "Sign out"
      Then the page is "marketing"
      When Ana opens /
      Then the page is "marketing"

    @reference
    Scenario: signing out deletes the cookie in the browser
      Given Ana asks for a sign-in link
      And Ana opens the sign-in link of Ana
      And Ana presses "Sign in"
      And Ana opens /
      When Ana presses "Sign out"
      And Ana opens /
      Then the page is "marketing"
      And no storage call was made

    @reference
    Scenario: a form with another content type or too large is refused
      When Nobody sends POST /sign-in with the body
        """
        email=ana@example.com
        """
      Then the answer is 400 bad_request
      When Nobody sends POST /sign-in with a body of 65537 bytes
      Then the answer is 413 too_large

    Scenario: signing out ends the session in the store too
      Given Ana asks for a sign-in link
      And Ana opens the sign-in link of Ana
      And Ana presses "Sign in"
      And OldToken stands for "{Ana.session}"
      And Ana opens /
      When Ana presses "Sign out"
      Then the page is "marketing"
      Given Ana has the session id "{OldToken}"
      When Ana opens /
      Then the page is "marketing"
      When Ana sends GET /api/me/groups
      Then the answer is 401 unauthorized

    Scenario: the form of a sign-in link is refused from another site
      Given Ana asks for a sign-in link
      And Ana opens the sign-in link of Ana
      When Ana presses "Sign in" on a copy of the page at another site
      Then the answer is 403
      And the header Set-Cookie of the answer is ""
      When Ana opens the sign-in link of Ana
      And Ana presses "Sign in"
      Then the page is "DashboardHomePage"

    Scenario: a sign-in link works only once in a browser
      Given Ana asks for a sign-in link
      And Ana opens the sign-in link of Ana
      And Ana presses "Sign in"
      And the page is "DashboardHomePage"
      When Nobody opens the sign-in link of Ana
      And Nobody presses "Sign in"
      Then the answer is 400

    @reference
    Scenario: an error is a page for browsers and JSON for programs
      Given Ana asks for a sign-in link
      And Ana opens the sign-in link of Ana
      And Ana presses "Sign in"
      When Nobody opens the sign-in link of Ana
      And Nobody presses "Sign in"
      Then the answer is 400
      And the page is "problem"
      And the answer contains "<title>That did not work</title>"
      And the page shows "That did not work The sign-in link is not valid."
      And the page does not show "quote ."
      Given storage is down
      When Ana sends GET /
      Then the answer is 503 storage_unavailable

  @FS-PAGE-2
  Rule: A person who is signed in sees their groups and invitations
    > Logged-in homepage (DashboardHomePage) shows: “Your groups”: all groups the current user is a member of (active + invited/pending supported).
    > Group activity: NYI/TBD (planned separately).

    Scenario: the home page shows active groups and invitations only
      Given the group Family is named "The Smiths"
      And the group Choir is named "Choir of the Valley"
      And the group Work is named "Accounting"
      And the group Chess is named "Knights & <Pawns>"
      And Ana is an active member of Family
      And Ana is an active member of Chess
      And Ana was invited to Choir 3 days ago
      And Ana is a removed member of Work
      When Ana opens /
      Then the answer is 200
      And the page is "DashboardHomePage"
      And the page shows "Your groups"
      And the page shows "The Smiths"
      And the page shows "Knights & <Pawns>"
      And the page shows "Choir of the Valley"
      And the page shows "Invited"
      And the page shows "3 days"
      And the page offers "Accept"
      And the page does not show "Accounting"
      And the page shows "Group activity"
      And the page shows "To come"

    @reference
    Scenario: the home page names the person and the membership's start
      Given Ana is an active member of Family
      When Ana opens /
      Then the page shows "{Ana.email}"
      And the page shows "Active, since 6 January 2026"
      And the answer contains "2026-01-06T09:30:00Z"
      And the answer contains "<title>Your groups</title>"

    @reference
    Scenario Outline: the home page <does> the date of a membership since <stored>
      Given Ana is an active member of Family
      And the row UserGroups {Ana.userKey} / {Family} is
        | joinedAt | <stored> |
      When Ana opens /
      Then the page shows "Active"
      And the page <does> "since 6 January 2026"
      And the page does not show "since 1 January"

      Examples:
        | stored                    | does          |
        | 2026-01-07T00:30:00+02:00 | shows         |
        | 2026-01-05T23:30:00-02:00 | shows         |
        | absent                    | does not show |

    Scenario: the home page accepts the session as a header
      Given the group Family is named "The Smiths"
      And Ana is an active member of Family
      When Ana sends GET /
      Then the answer is 200
      And the page is "DashboardHomePage"
      And the page shows "The Smiths"

    Scenario: the home page of a person without a group is empty
      Given Ana is signed in
      When Ana opens /
      Then the page is "DashboardHomePage"
      And the page shows "Your groups"
      And the page does not offer "Accept"

    Scenario: the home page shows no deleted groups or groups of others
      Given the group Work is named "Accounting"
      And the group Chess is named "Knights"
      And Ana is an active member of Work
      And Ben is an active member of Chess
      And the group Work was deleted
      When Ana opens /
      Then the page is "DashboardHomePage"
      And the page does not show "Accounting"
      And the page does not show "Knights"

    @reference
    Scenario Outline: an invitation of <n> <unit> ago is shown with its age
      Given Ana was invited to Family <n> <unit> ago
      When Ana opens /
      Then the page shows "Invited <n> <unit> ago"

      Examples:
        | n  | unit    |
        | 1  | minute  |
        | 59 | minutes |
        | 1  | hour    |
        | 23 | hours   |
        | 1  | day     |
        | 40 | days    |

    @reference
    Scenario: an invitation of this moment is shown as just now
      Given Ana is an active member of Family
      And Ben is signed in
      And Ana sends POST /api/group/join-link {"groupId":"{Family}","email":"{Ben.email}"}
      When Ben opens /
      Then the page shows "Invited just now"

    Scenario: accepting an invitation moves it among the groups
      Given the group Family is named "The Smiths"
      And Ana was invited to Family 1 day ago
      When Ana opens /
      Then the page shows "The Smiths"
      And the page shows "1 day"
      When Ana presses "Accept"
      Then the answer is 200
      And the page is "DashboardHomePage"
      And the page shows "The Smiths"
      And the page does not show "Invited"
      And the page does not offer "Accept"
      When Ana sends GET /api/me/groups
      Then "groups" of the answer lists
        | groupId  | myStatus | joinedAt |
        | {Family} | active   | a time   |

    Scenario: an invitation to a group deleted meanwhile cannot be accepted
      Given Ana was invited to Family 1 day ago
      When Ana opens /
      And the group Family was deleted
      And Ana presses "Accept"
      Then the answer is 404
      And Ana is invited in both tables of Family

    @reference
    Scenario: a form with an invalid group id is refused
      Given Ana was invited to Family 1 day ago
      When Ana opens /
      And Ana enters "../{Family}" as "groupId" and presses "Accept"
      Then the answer is 400
      And nothing was written

    Scenario: another person's form is refused and changes nothing
      Given Ana was invited to Family 1 day ago
      And Ben is signed in and was invited to Family
      When Ana opens /
      And Ben presses "Accept"
      Then the answer is 403
      When Ben sends GET /api/me/groups
      Then "groups" of the answer lists
        | groupId  | myStatus |
        | {Family} | invited  |

    @reference
    Scenario: a form is refused once the session has ended
      Given Ana was invited to Family 1 day ago
      When Ana opens /
      And Ana's session has expired
      And Ana presses "Accept"
      Then the answer is 401
      And Ana is invited in both tables of Family

    Scenario: an invitation that was withdrawn is no longer shown
      Given Ana is an active member of Family
      And Ben was invited to Family 1 day ago
      When Ben opens /
      And Ana sends POST /api/group/remove-member {"groupId":"{Family}","userKey":"{Ben.userKey}"}
      And the answer is 200
      And Ben opens /
      Then the page does not offer "Accept"

    Scenario Outline: the home page costs the same as the list of <groups> groups
      Given Ana is signed in
      And Ana is an active member of <groups> more groups
      When Ana opens /
      Then the page is "DashboardHomePage"
      And the storage calls are at most
        | service | call            | on         | count    |
        | blob    | read            | sessions   | 1        |
        | table   | partition query | UserGroups | 1        |
        | table   | point read      | Groups     | <groups> |

      Examples:
        | groups |
        | 0      |
        | 4      |
        | 64     |

    Scenario: the home page gets 503 while storage is down
      Given Ana is signed in
      And storage is down
      When Ana opens /
      Then the answer is 503

    Scenario: an acceptance gets 503 while storage is down and changes nothing
      Given Ana was invited to Family 1 day ago
      When Ana opens /
      And storage is down
      And Ana presses "Accept"
      Then the answer is 503
      When storage is back
      Then Ana is invited in both tables of Family

    Scenario: the home page gets 503 while the session is unreadable
      Given Ana is an active member of Family
      And the store refuses each read on sessions of the next request: its key is wrong
      When Ana opens /
      Then the answer is 503

    Scenario: the home page gets 503 while the groups are unreadable
      Given Ana was invited to Family 1 day ago
      And the store refuses each read on UserGroups of the next request: its key is wrong
      When Ana opens /
      Then the answer is 503

    Scenario: an acceptance gets 503 while the membership cannot be written
      Given Ana was invited to Family 1 day ago
      When Ana opens /
      And the store refuses each write on GroupMembers of the next request: its key is wrong
      And Ana presses "Accept"
      Then the answer is 503
      And Ana is invited in both tables of Family

    @reference
    Scenario: an acceptance gets 500 when the group's row is invalid
      Given Ana was invited to Family 1 day ago
      When Ana opens /
      And the row Groups group / {Family} is
        | groupName | number 3 |
      And Ana presses "Accept"
      Then the answer is 500
      And the page is "problem"
      And the page shows "The request could not be answered"

    Scenario: signing out gets 503 and keeps the session when it cannot be written
      Given Ana asks for a sign-in link
      And Ana opens the sign-in link of Ana
      And Ana presses "Sign in"
      And Ana opens /
      And the store refuses each write on sessions of the next request: its key is wrong
      When Ana presses "Sign out"
      Then the answer is 503
      When Ana opens /
      Then the page is "DashboardHomePage"
