Feature: A server in Azure needs no storage key

  @LH-SEC-1 @should
  Rule: With a managed identity, each storage call carries a token, and no key is needed
    > Managed Identity: Preferred for production (Azure-to-Azure)

    Scenario: records of each table are written with the managed identity's tokens
      When a fresh target starts with a managed identity instead of a key, and with
        | AZURE_TABLES_ENDPOINT | {tables} |
      And Ana sends PUT /api/v2/app {"title":"Scavenger hunts"}
      Then every storage call carried a token of the managed identity
      And the answer is 200
      When Ana sends POST /api/v2/organizations {"slug":"org-{tag}","orgName":"Vail Lions"}
      Then the answer is 201
      When Ana sends POST /api/v2/hunts/org-{tag} {"huntName":"Fair","startDate":"2024-07-15","endDate":"2024-07-16","huntId":"fair"}
      Then the answer is 201
      When Ana sends GET /api/v2/events?date=2024-07-16&orgSlug=org-{tag}
      Then "data" of the answer lists
        | orgSlug   | huntId |
        | org-{tag} | fair   |
      When Ana sends DELETE /api/v2/hunts/org-{tag}/fair
      Then the answer is 204
      And every storage call carried a token of the managed identity
