Feature: What operators of the service see
  The log and traces show what the service does, but never for whom.

  @FS-SRV-6
  Rule: No secret, session id or e-mail is logged
    > Do not use raw email in keys; store email as an entity property where needed (e.g., GroupMembers).
    > Application Insights remains enabled for service health; add a simple health endpoint.
    > (contract) The log of every scenario is looked through for the e-mails, session ids, sign-in tokens and keys in it.

    Scenario: a sign-in and a reused link log nothing personal
      When Ana signs in by link
      Then the answer is 200
      When Ana sends POST /api/auth/consume-link {"token":"{AnaToken}"}
      Then the answer is 400
      And the log holds no e-mail, session id, token or key

    Scenario: an invitation and a roster log nothing personal
      Given Ana is signed in
      And Ben never signed in
      When Ana sends POST /api/group/create {"groupName":"Family"}
      And "groupId" of the answer is called Family
      And Ana sends POST /api/group/join-link {"groupId":"{Family}","email":"{Ben.email}"}
      Then the answer is 200
      When Ana sends GET /api/group/members?groupId={Family}&email={Ben.email}
      Then the answer is 200
      And the log holds no e-mail, session id, token or key

    Scenario: malformed requests with personal data log none of it
      Given Ana is an active member of Family
      When Ana sends POST /api/group/join-link with the body
        """
        {"groupId": "{Family}", "email": "{Ana.email}"
        """
      And Ana sends GET /api/{Ana.session}
      And Ana sends GET /api/no/such/route?session={Ana.session}&email={Ana.email}
      And Ana sends POST /api/group/join-link {"groupId":"{Family}","email":["{Ana.email}"]}
      And Ana sends POST /api/direct {"groupId":"{Family}","action":{"type":"{Ana.email}"}}
      Then the answer is 400
      And the log holds no e-mail, session id, token or key

    Scenario: failures of storage and OpenAI log nothing personal
      Given Ana is an active member of Family
      And OpenAI fails with 500
      When where the target has chat, Ana sends POST /api/chat {"groupId":"{Family}","message":"I am {Ana.email}"}
      And storage is down
      And Ana sends GET /api/me/groups
      Then the answer is 503
      And the log holds no e-mail, session id, token or key

    Scenario: signing in and out on the pages logs nothing personal
      When Ana asks for a sign-in link
      And Ana opens the sign-in link of Ana
      And Ana presses "Sign in"
      And Ana opens /
      And Ana presses "Sign out"
      Then the page is "marketing"
      And the log holds no e-mail, session id, token or key

  @FS-SRV-7 @should
  Rule: A configured collector gets one span for each request, and no other collector gets anything
    > Application Insights remains enabled for service health; add a simple health endpoint.
    > (contract) With OTEL_EXPORTER_OTLP_ENDPOINT one span for each request reaches the collector; without it nothing is sent.

    Scenario: the collector gets a span for each request, even a failed one
      Given a fresh target with a collector
      And Ana is an active member of Family
      When Ana sends GET /api/me/groups
      And Ana sends POST /api/group/rename {"groupId":"{Family}","groupName":"Smiths"}
      And Ana sends GET /api/group/meta?groupId=unknown
      Then the answer is 403
      And the collector gets one span for each request

    Scenario: a collector that is not configured gets nothing
      Given a fresh target without a collector, though one is running
      And Ana is an active member of Family
      When Ana sends GET /api/me/groups
      Then the answer is 200
      And the collector gets nothing, also when the target ends
