Feature: The migration of old tokens, and the removal of old connections

  Background:
    Given Chat stands for "-{number}"
    And Ana is a person
    And Ben is a person

  @CB-MIG-1
  Rule: An old token is migrated once, encrypted, and its old key stays
    > gc_tokens:chat:{chat_id} → gc:conn. Keep old key for now (don't delete until verified). migrateAllTokens: try … catch

    Background:
      Given the service google answers GET /oauth2/v2/userinfo with 200 {"id":"115","email":"{Ana.EMAIL}"}
      And the key gc_tokens:chat:{Chat} is
        """
        {"access_token":"access-{tag}","refresh_token":"refresh-{tag}","expires_at":1234567890,"email":"{Ana.email}","linkedBy":555555,"linkedAt":"2026-01-05T10:30:00.000Z","scope":"https://www.googleapis.com/auth/calendar"}
        """

    Scenario: one chat's old token is migrated encrypted and indexed
      When Ana sends POST /api/admin/migrate {}
      Then the answer is 200
      And the answer has
        | migrated | number 1       |
        | failed   | number 0       |
        | cursor   | absent or null |
      And the key gc:conn:{Chat}:115 has
        | chat_id                       | {Chat}                                   |
        | google_sub                    | 115                                      |
        | google_email                  | {Ana.email}                              |
        | scopes                        | https://www.googleapis.com/auth/calendar |
        | revoked                       | number 0                                 |
        | connected_by_telegram_user_id | number 555555                            |
        | created_at                    | 2026-01-05T10:30:00.000Z                 |
        | updated_at                    | a time                                   |
      And the token of the key gc:conn:{Chat}:115 is "refresh-{tag}"
      And the key gc_tokens:chat:{Chat} has
        | refresh_token | refresh-{tag} |
      And the service google was sent "Bearer access-{tag}"
      And the log does not contain "refresh-{tag}"
      And no storage call of the scenario holds "refresh-{tag}"
      When Ana sends GET /api/emails/{Ana.email}/chats
      Then "chats" of the answer has the items
        | {Chat} |

    Scenario: an old token without scope, person and time gets default values
      Given the key gc_tokens:chat:{Chat} is
        """
        {"access_token":"access-{tag}","refresh_token":"refresh-{tag}"}
        """
      When Ana sends POST /api/admin/migrate {}
      Then the answer is 200
      And the key gc:conn:{Chat}:115 has
        | scopes     | https://www.googleapis.com/auth/calendar.events |
        | created_at | a time                                          |

    Scenario: a second migration run changes nothing
      Given Ana sends POST /api/admin/migrate {}
      When Ana sends POST /api/admin/migrate {}
      Then the answer is 200
      And the answer has
        | migrated | number 0 |
        | skipped  | number 1 |
        | failed   | number 0 |
      And nothing was written

    Scenario: an expired access token is refreshed before the migration
      Given the service google answers GET /oauth2/v2/userinfo with 401 {"error":{"code":401}}
      And the service google answers GET /oauth2/v2/userinfo then with 200 {"id":"115","email":"{Ana.EMAIL}"}
      And the service google answers POST /token with 200 {"access_token":"another-{tag}","expires_in":3599}
      When Ana sends POST /api/admin/migrate {}
      Then the answer has
        | migrated | number 1 |
        | failed   | number 0 |
      And the service google was sent "refresh_token=refresh-{tag}"
      And the service google was sent "Bearer another-{tag}"
      And the token of the key gc:conn:{Chat}:115 is "refresh-{tag}"

    Scenario: an old token that Google no longer accepts is counted as failed
      Given the service google answers GET /oauth2/v2/userinfo with 401 {"error":{"code":401}}
      And the service google answers POST /token with 400 {"error":"invalid_grant"}
      When Ana sends POST /api/admin/migrate {}
      Then the answer has
        | migrated | number 0 |
        | failed   | number 1 |
      And there is no key with the prefix gc:conn:{Chat}:

    Scenario: an account whose e-mail cannot be part of a key is not migrated
      Given the service google answers GET /oauth2/v2/userinfo with 200 {"id":"115","email":"ana"}
      When Ana sends POST /api/admin/migrate {}
      Then the answer has
        | migrated | number 0 |
      And there is no key with the prefix gc:conn:{Chat}:

    Scenario: a migration request without a body migrates
      When Ana sends POST /api/admin/migrate
      Then the answer is 200
      And the token of the key gc:conn:{Chat}:115 is "refresh-{tag}"

    Scenario: an old key without a chat id is not migrated
      Given the key gc_tokens:chat:lions is
        """
        {"access_token":"access-{tag}","refresh_token":"refresh-{tag}"}
        """
      When Ana sends POST /api/admin/migrate {}
      Then the answer is 200
      And there is no key with the prefix gc:conn:lions

    @reference
    Scenario: an old key without a chat id is counted as skipped
      Given the key gc_tokens:chat:lions is
        """
        {"access_token":"access-{tag}","refresh_token":"refresh-{tag}"}
        """
      When Ana sends POST /api/admin/migrate {}
      Then the answer has
        | migrated | number 1 |
        | skipped  | number 1 |
        | failed   | number 0 |

    Scenario: a chat that has disconnected since is not connected again
      Given Ana sends POST /api/admin/migrate {}
      And Ana sends POST /api/chats/{Chat}/connections/115/revoke
      When Ana sends POST /api/admin/migrate {}
      Then the answer is 200
      And the key gc:conn:{Chat}:115 has
        | revoked | number 1 |

    Scenario Outline: one unreadable old token does not stop the other: <what>
      Given the key gc_tokens:chat:{Chat}1 is
        """
        <old>
        """
      And the service google answers GET /oauth2/v2/userinfo with 200 {"id":"115","email":"{Ana.EMAIL}"}
      When Ana sends POST /api/admin/migrate {}
      Then the answer is 200
      And the answer has
        | migrated | number 1 |
      And the token of the key gc:conn:{Chat}:115 is "refresh-{tag}"
      And there is no key with the prefix gc:conn:{Chat}1:

      Examples:
        | what           | old                                                |
        | not JSON       | {"access_token":                                   |
        | a text         | "refresh"                                          |
        | no token       | {"access_token":"access-{tag}"}                    |
        | an empty token | {"access_token":"access-{tag}","refresh_token":""} |

    Scenario Outline: one account that gets <status> from Google is migrated by the next run
      Given the key gc_tokens:chat:{Chat}1 is
        """
        {"access_token":"access-{tag}","refresh_token":"refresh-{tag}"}
        """
      And the service google answers GET /oauth2/v2/userinfo with <status> {"error":{"code":<status>}}
      And the service google answers GET /oauth2/v2/userinfo then with 200 {"id":"115","email":"{Ana.EMAIL}"}
      When Ana sends POST /api/admin/migrate {}
      Then the answer is 200
      And the answer has
        | migrated | number 1 |
        | failed   | number 1 |
      When Ana sends POST /api/admin/migrate {}
      Then the answer has
        | migrated | number 1 |
        | failed   | number 0 |
      And the token of the key gc:conn:{Chat}:115 is "refresh-{tag}"
      And the token of the key gc:conn:{Chat}1:115 is "refresh-{tag}"

      Examples:
        | status |
        | 403    |
        | 404    |
        | 500    |

    Scenario: an old token is migrated whichever storage call fails
      When Ana sends POST /api/admin/migrate {}, and any one storage call fails
      Then the answer is 200
      When Ana sends POST /api/admin/migrate {}
      Then the answer has
        | failed | number 0 |
      And the token of the key gc:conn:{Chat}:115 is "refresh-{tag}"
      And the key gc_tokens:chat:{Chat} has
        | refresh_token | refresh-{tag} |
      When Ana sends GET /api/emails/{Ana.email}/chats
      Then "chats" of the answer has the items
        | {Chat} |

  @CB-CLN-1
  Rule: Connections revoked more than 30 days ago are deleted, and nothing else
    > cleanupRevokedConnections: conn.revoked === 1, delete after 30 days

    Background:
      Given Old stands for 31 days ago
      And Recent stands for 29 days ago
      And the key gc:conn:{Chat}:1 is
        """
        {"chat_id":"{Chat}","google_sub":"1","google_email":"{Ana.email}","refresh_token_encrypted":"","scopes":"a","revoked":1,"connected_by_telegram_user_id":1,"created_at":"2026-01-05T10:30:00.000Z","updated_at":"{Old}"}
        """
      And the key gc:conn:{Chat}:2 is
        """
        {"chat_id":"{Chat}","google_sub":"2","google_email":"{Ben.email}","refresh_token_encrypted":"","scopes":"a","revoked":1,"connected_by_telegram_user_id":1,"created_at":"2026-01-05T10:30:00.000Z","updated_at":"{Recent}"}
        """
      And the key gc:conn:{Chat}:3 is
        """
        {"chat_id":"{Chat}","google_sub":"3","google_email":"{Ben.email}","refresh_token_encrypted":"AQIDBAUGBwgJCgsMfI13XEWPlZps9xej7G6ULZCCk40lZXrKt4lg13B02g==","scopes":"a","revoked":0,"connected_by_telegram_user_id":1,"created_at":"2026-01-05T10:30:00.000Z","updated_at":"{Old}"}
        """
      And the key gc:conn:{Chat}:4 is
        """
        not JSON
        """

    Scenario: only the connection revoked 31 days ago is deleted
      When Ana sends POST /api/admin/cleanup {}
      Then the answer is 200
      And the answer has
        | deleted | number 1       |
        | cursor  | absent or null |
      And the keys with the prefix gc:conn:{Chat}: are
        | gc:conn:{Chat}:2 |
        | gc:conn:{Chat}:3 |
        | gc:conn:{Chat}:4 |

    Scenario: the e-mail index that the design left is cleaned up too
      Given the key gc:idx:email:{Ana.email} is
        """
        ["{Chat}"]
        """
      When Ana sends POST /api/admin/cleanup {}
      Then there is no key gc:idx:email:{Ana.email}
      When Ana sends GET /api/emails/{Ana.email}/chats
      Then "chats" of the answer is empty

    Scenario: the e-mail stays listed while another of its accounts is active
      Given Ana sends PUT /api/chats/{Chat}/connections/5 {"google_email":"{Ana.email}","refresh_token":"refresh-{tag}","scopes":"a"}
      When Ana sends POST /api/admin/cleanup {}
      Then there is no key gc:conn:{Chat}:1
      And the key gc:idx:email:{Ana.email} has the items
        | {Chat} |
      When Ana sends GET /api/emails/{Ana.email}/chats
      Then "chats" of the answer has the items
        | {Chat} |

    @reference
    Scenario: cleanup counts deleted and skipped connections
      When Ana sends POST /api/admin/cleanup {}
      Then the answer has
        | deleted  | number 1 |
        | skipped  | number 3 |
        | failed   | number 0 |
        | migrated | number 0 |

    Scenario: an active account's e-mail stays listed whichever storage call fails
      Given Ana sends PUT /api/chats/{Chat}/connections/5 {"google_email":"{Ana.email}","refresh_token":"refresh-{tag}","scopes":"a"}
      When Ana sends POST /api/admin/cleanup {}, and any one storage call fails
      Then the answer is 200
      When Ana sends GET /api/emails/{Ana.email}/chats
      Then "chats" of the answer has the items
        | {Chat} |

    Scenario: an account connected between two cleanup runs stays listed
      Given Ana sends POST /api/admin/cleanup {}
      And Ana sends PUT /api/chats/{Chat}/connections/5 {"google_email":"{Ana.email}","refresh_token":"refresh-{tag}","scopes":"a"}
      And the key gc:conn:{Chat}:6 is
        """
        {"chat_id":"{Chat}","google_sub":"6","google_email":"{Ana.email}","refresh_token_encrypted":"","scopes":"a","revoked":1,"connected_by_telegram_user_id":1,"created_at":"2026-01-05T10:30:00.000Z","updated_at":"{Old}"}
        """
      When Ana sends POST /api/admin/cleanup {}
      Then there is no key gc:conn:{Chat}:6
      When Ana sends GET /api/emails/{Ana.email}/chats
      Then "chats" of the answer has the items
        | {Chat} |

    Scenario: cleanup deletes only the old connection whichever storage call fails
      When Ana sends POST /api/admin/cleanup {}, and any one storage call fails
      Then the answer is 200
      When Ana sends POST /api/admin/cleanup {}
      Then the answer is 200
      And the keys with the prefix gc:conn:{Chat}: are
        | gc:conn:{Chat}:2 |
        | gc:conn:{Chat}:3 |
        | gc:conn:{Chat}:4 |

    Scenario: cleanup finds the old connection across all pages
      Given the store answers queries in pages of 1 row, with an empty page before each
      When Ana sends POST /api/admin/cleanup {} on and on, with "cursor" of each answer
      Then the answer is 200
      And there is no key gc:conn:{Chat}:1
