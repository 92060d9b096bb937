/** The cost of an operation in rows: the maximum of rows read, and the exact number of rows written. */
export interface OperationRows {
  readonly read: number
  readonly written: number
  readonly d1: number
  /** Rows that the object reads and writes in the largest of its turns, in a large organization. */
  readonly turn: number
}

/**
 * By row of the permission table: rows that the object reads, rows that it writes, rows that D1 reads; and, in the large organization, the
 * rows of the largest turn. test/realm/rows-of-operations.long.test.ts describes the counted requests; `npm run meter` counts them, and
 * with `-- --keep` writes these lines.
 */
const TABLE = `
get-message                                   35 0 2 35
get-messages                                  57 0 6 57
get-messages: by name                         58 0 6 58
get-messages: everything                      161 0 8 161
get-messages: with                            57 0 4 57
get-messages: by id                           38 0 2 38
get-messages: of people                       49 0 4 49
get-message-history                           6 0 7 6
get-read-receipts                             52 0 0 4630
match-narrow                                  17 0 7 19
send-message                                  38 3 0 41
send-message: by name                         39 3 0 42
update-message: content                       49 4 7 55
update-message: topic                         90 15 0 105
update-message: resolving                     118 15 0 6133
update-message: channel                       136 17 0 153
update-message: into the channel              134 19 0 153
delete-message                                79 5 0 84
add-reaction                                  36 1 0 37
remove-reaction                               28 2 0 30
send-submessage                               43 3 0 46
set-edit-typing                               24 0 0 21
report-message                                47 7 7 56
update-flags                                  13 2 0 15
update-flags: read                            11 1 0 12
update-flags-for-narrow                       25 6 0 31
mark-all-read                                 8 2 0 10
mark-channel-read                             22 1 0 23
mark-topic-read                               30 1 0 31
create-reminder                               46 8 0 54
get-reminders                                 3 0 0 3
delete-reminder                               6 4 0 10
create-scheduled-message                      33 7 0 40
list-scheduled-messages                       3 0 0 3
edit-scheduled-message                        29 9 0 38
delete-scheduled-message                      6 4 0 10
set-typing                                    23 0 0 6
set-typing: to people                         18 0 0 18
render-message                                5 0 0 5
summarize-messages                            3 0 0 3
get-streams                                   35 0 0 237
get-stream-by-id                              10 0 0 10
get-stream-id                                 5 0 0 5
get-subscribers                               5 0 0 5
get-stream-topics                             11 0 0 11
get-stream-email-address                      6 0 0 6
create-channel                                69 16 0 85
create-channel: private                       73 15 0 88
create-channel: default                       88 15 0 503
create-channel: web-public                    16 0 0 16
update-stream                                 37 9 0 46
update-stream: privacy                        45 5 0 50
update-stream: who may subscribe              26 1 0 27
update-stream: retention                      43 5 0 48
archive-stream                                22 4 0 26
delete-topic                                  118 12 0 130
add-default-stream                            26 1 0 427
remove-default-stream                         16 1 0 217
get-channel-folders                           4 0 0 4
create-channel-folder                         32 5 0 37
update-channel-folder                         9 6 0 15
reorder-channel-folders                       8 0 0 8
create-default-stream-group                   35 4 0 39
update-default-stream-group                   9 4 0 13
update-default-stream-group-channels          10 4 0 14
update-default-stream-group-channels: others  10 4 0 14
delete-default-stream-group                   6 2 0 8
get-subscriptions                             37 0 0 239
get-subscription-status                       18 0 0 18
subscribe                                     41 3 0 44
subscribe: others                             61 13 0 74
unsubscribe                                   49 5 0 54
unsubscribe: others                           44 4 0 48
unsubscribe: the author's bot                 43 4 0 47
update-subscriptions: add                     47 3 0 50
update-subscriptions: delete                  50 5 0 55
update-subscription-property                  5 1 0 6
update-subscription-settings                  5 1 0 6
mute-topic                                    10 4 0 14
set-topic-policy                              10 4 0 14
set-topic-policy: none                        12 3 0 15
get-own-user                                  44 0 0 44
update-settings                               5 1 0 6
update-settings: of others                    13 1 0 14
update-display-settings                       5 1 0 6
update-notification-settings                  5 1 0 6
update-own-profile-data                       24 5 0 29
remove-own-profile-data                       23 5 0 28
update-own-status                             18 1 0 19
update-presence                               60 1 0 2192
upload-avatar                                 3 1 0 4
delete-avatar                                 19 1 0 20
regenerate-own-api-key                        36 7 0 43
deactivate-own-user                           76 11 0 87
mark-onboarding-step                          4 1 0 5
run-command                                   3 0 0 3
run-command: remind                           46 8 0 54
list-alert-words                              2 0 0 2
add-alert-words                               9 3 0 12
remove-alert-words                            7 3 0 10
mute-user                                     102 4 0 106
unmute-user                                   10 7 0 17
list-drafts                                   3 0 0 3
create-drafts                                 25 5 0 30
edit-draft                                    9 5 0 14
delete-draft                                  5 3 0 8
list-snippets                                 2 0 0 2
create-snippet                                24 5 0 29
edit-snippet                                  9 5 0 14
delete-snippet                                5 3 0 8
get-navigation-views                          2 0 0 2
add-navigation-view                           6 3 0 9
update-navigation-view                        8 1 0 9
remove-navigation-view                        5 3 0 8
register-queue                                319 1 0 4037
register-queue: channels                      47 1 0 450
register-queue: everything public             320 1 0 4038
get-events                                    13 0 0 33
delete-queue                                  5 1 0 6
upload-file                                   3 1 0 4
create-resumable-upload                       6 6 0 12
get-resumable-upload                          3 0 0 3
append-to-resumable-upload                    4 1 0 5
remove-resumable-upload                       9 4 0 13
get-attachments                               87 0 0 87
get-file-temporary-url                        9 0 0 9
check-thumbnail-status                        8 0 0 8
remove-attachment                             9 7 0 16
get-browser-sessions                          2 0 0 2
delete-browser-session                        8 1 0 9
get-login-identities                          4 0 0 4
remove-login-identity                         9 1 0 10
log-out-elsewhere                             39 7 0 46
get-unread-elsewhere                          2 0 0 2
get-client-devices                            2 0 0 2
get-second-factors                            3 0 0 3
get-users-with-second-factors                 4 0 0 4
begin-totp                                    6 1 0 7
confirm-totp                                  4 0 0 4
remove-totp                                   4 0 0 4
renew-recovery-codes                          4 0 0 4
begin-passkey                                 4 1 0 5
add-passkey                                   3 0 0 3
rename-passkey                                5 0 0 5
remove-passkey                                3 0 0 3
ask-for-proof                                 5 0 0 5
prove-identity                                3 0 0 3
register-client-device                        24 3 0 27
remove-client-device                          7 1 0 8
add-apns-token                                8 4 0 12
add-fcm-token                                 8 4 0 12
remove-apns-token                             6 3 0 9
remove-fcm-token                              6 3 0 9
register-push-device                          3 0 0 3
get-web-push-key                              3 0 0 3
add-web-push-subscription                     32 4 0 36
remove-web-push-subscription                  3 0 0 3
test-notification                             3 0 0 3
test-sealed-notification                      3 0 0 3
get-users                                     35 0 0 818
get-user                                      16 0 0 16
get-user-by-email                             17 0 0 17
get-user-presence                             16 0 0 16
get-user-presence-by-email                    17 0 0 17
get-realm-presence                            39 0 0 2084
get-user-status                               17 0 0 17
get-user-channels                             42 0 0 244
set-user-status                               19 1 0 20
create-user                                   117 40 0 357
update-user                                   19 2 0 21
update-user: role                             51 5 0 2056
update-user: to owner                         51 5 0 2056
update-user: an owner                         59 7 0 2066
update-user: a bot                            6 2 0 8
update-user-by-email                          20 2 0 22
reset-second-factors                          5 0 0 5
reset-second-factors: of an owner             5 0 0 5
deactivate-user                               65 8 0 73
deactivate-user: an owner                     69 10 0 82
reactivate-user                               111 11 0 322
get-bots                                      2 0 0 2
create-bot                                    34 11 0 45
create-bot: for a channel                     44 12 0 56
update-bot                                    9 2 0 11
update-bot: address                           9 1 0 10
update-bot: new owner                         27 10 0 37
get-bot-api-key                               9 3 0 12
regenerate-bot-api-key                        9 2 0 11
renew-webhook-secret                          6 1 0 7
get-webhook-deliveries                        3 0 0 3
resend-webhook-delivery                       4 0 0 4
get-event-subscriptions                       4 0 0 4
update-event-subscriptions                    6 0 0 6
update-event-subscriptions: in a channel      8 1 0 9
deactivate-bot                                16 2 0 18
get-incoming-webhook                          5 0 0 5
update-incoming-webhook                       8 1 0 9
test-incoming-webhook                         5 0 0 5
test-incoming-webhook: to a channel           5 0 0 5
preview-webhook-template                      4 0 0 4
receive-webhook                               38 10 0 52
receive-webhook: to a channel                 31 9 0 44
get-bot-storage                               3 0 0 4
update-bot-storage                            7 3 0 11
remove-bot-storage                            4 0 0 5
get-user-groups                               63 0 0 4092
get-user-group-members                        8 0 0 8
get-user-group-subgroups                      6 0 0 6
get-is-user-group-member                      9 0 0 9
create-user-group                             35 5 0 40
update-user-group                             28 2 0 30
deactivate-user-group                         44 1 0 247
update-user-group: of the system              17 0 0 17
update-user-group-members                     67 10 0 279
update-user-group-members: of the system      17 0 0 17
update-user-group-members: oneself            67 10 0 279
update-user-group-subgroups                   44 4 0 250
get-invites                                   5 0 0 5
send-invites                                  56 13 0 69
send-invites: as a moderator                  54 13 0 67
send-invites: as an administrator             54 13 0 67
send-invites: as an owner                     55 13 0 68
send-invites: to a channel                    58 13 0 71
create-invite-link                            33 5 0 38
create-invite-link: to a channel              35 5 0 40
resend-email-invite                           36 8 0 44
revoke-email-invite                           5 1 0 6
revoke-email-invite: an owner's               5 1 0 6
revoke-invite-link                            5 1 0 6
get-server-settings                           4 0 0 4
check-subdomain                               0 0 0 0
fetch-api-key                                 1 0 0 1
jwt-fetch-api-key                             0 0 0 0
update-realm                                  55 3 0 2058
update-realm: for owners                      112 5 0 8117
update-realm: of a channel                    56 3 0 2059
update-user-settings-defaults                 3 2 0 5
deactivate-realm                              54 9 0 2063
verify-realm                                  666 0 0 17583
get-jwt-secret                                2 0 0 2
set-jwt-secret                                3 1 0 4
remove-jwt-secret                             3 0 0 3
test-welcome-message                          13 2 0 15
get-realm-icon                                2 0 0 2
upload-realm-icon                             3 1 0 4
delete-realm-icon                             4 2 0 6
get-realm-logo                                2 0 0 2
upload-realm-logo                             3 1 0 4
delete-realm-logo                             4 2 0 6
get-custom-emoji                              3 0 0 3
upload-custom-emoji                           18 1 0 19
deactivate-custom-emoji                       6 1 0 7
get-linkifiers                                4 0 0 4
add-linkifier                                 38 3 0 41
update-linkifier                              10 1 0 11
remove-linkifier                              8 2 0 10
reorder-linkifiers                            8 0 0 8
add-code-playground                           35 3 0 38
remove-code-playground                        6 2 0 8
get-realm-domains                             3 0 0 3
add-realm-domain                              6 2 0 8
update-realm-domain                           4 1 0 5
remove-realm-domain                           6 2 0 8
get-custom-profile-fields                     4 0 0 4
create-custom-profile-field                   40 3 0 43
update-custom-profile-field                   12 3 0 15
delete-custom-profile-field                   29 2 0 2031
reorder-custom-profile-fields                 8 0 0 8
export-realm                                  17 3 0 20
get-realm-exports                             4 0 0 4
get-realm-export-consents                     21 0 0 2021
delete-realm-export                           6 3 0 9
begin-import                                  3 0 0 3
get-imports                                   5 0 0 5
get-import-choices                            5 0 0 5
get-import-problems                           4 0 0 4
update-import                                 6 1 0 7
create-import-upload                          4 0 0 4
get-import-upload                             3 0 0 3
append-to-import-upload                       6 1 0 7
remove-import-upload                          7 3 0 10
invite-imported-users                         3 2 0 5
get-audit-log                                 21 0 0 21
get-login-providers                           3 0 0 3
create-login-provider                         21 3 0 24
update-login-provider                         6 1 0 7
remove-login-provider                         7 2 0 9
test-login-provider                           3 0 0 3
get-scim-token                                4 0 0 4
create-scim-token                             7 2 0 9
update-scim-token                             7 2 0 9
delete-scim-token                             5 1 0 6
get-dead-letters                              3 0 0 3
retry-dead-letters                            21 5 0 26
delete-dead-letter                            5 1 0 6
create-zoom-call                              2 0 0 2
create-big-blue-button-video-call             2 0 0 2
create-constructor-groups-video-call          3 0 0 3
create-nextcloud-talk-video-call              2 0 0 2
create-webex-video-call                       3 0 0 3
get-message, visitors                         37 0 2 37
get-messages, visitors                        69 0 8 69
get-messages: by name, visitors               70 0 8 70
get-messages: everything, visitors            66 0 4 66
get-messages: with, visitors                  61 0 4 61
get-messages: by id, visitors                 41 0 2 41
get-stream-topics, visitors                   10 0 0 10
register-queue, visitors                      154 0 0 154
register-queue: channels, visitors            21 0 0 21
register-queue: everything public, visitors   154 0 0 154
`

export const ROWS: ReadonlyMap<string, OperationRows> = new Map(
  TABLE.trim()
    .split('\n')
    .map((line) => {
      const [, name, ...counts] = /^(.*\S)\s+(\d+) (\d+) (\d+) (\d+)$/.exec(line)!
      const [read, written, d1, turn] = counts.map(Number) as [number, number, number, number]
      return [name!, { read, written, d1, turn }]
    }),
)
