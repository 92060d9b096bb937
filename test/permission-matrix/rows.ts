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
get-message                                   34 0 2 34
get-messages                                  60 0 6 60
get-messages: by name                         61 0 6 61
get-messages: everything                      162 0 8 162
get-messages: with                            56 0 4 56
get-messages: by id                           37 0 2 37
get-messages: of people                       51 0 4 51
get-message-history                           5 0 7 5
get-read-receipts                             50 0 0 4629
match-narrow                                  16 0 7 16
send-message                                  34 3 0 37
send-message: by name                         34 3 0 37
update-message: content                       45 4 7 49
update-message: topic                         64 11 0 75
update-message: resolving                     106 15 0 4121
update-message: channel                       101 13 0 114
update-message: into the channel              126 19 0 145
delete-message                                78 5 0 83
add-reaction                                  32 1 0 33
remove-reaction                               26 2 0 28
send-submessage                               39 3 0 42
set-edit-typing                               47 0 0 224
report-message                                43 7 7 50
update-flags                                  10 2 0 12
update-flags: read                            7 1 0 8
update-flags-for-narrow                       24 6 0 30
mark-all-read                                 6 2 0 8
mark-channel-read                             18 1 0 19
mark-topic-read                               26 1 0 27
create-reminder                               43 8 0 51
get-reminders                                 2 0 0 2
delete-reminder                               5 4 0 9
create-scheduled-message                      29 7 0 36
list-scheduled-messages                       2 0 0 2
edit-scheduled-message                        28 9 0 37
delete-scheduled-message                      5 4 0 9
set-typing                                    45 0 0 209
set-typing: to people                         17 0 0 17
render-message                                4 0 0 4
summarize-messages                            2 0 0 2
get-streams                                   261 0 0 20701
get-stream-by-id                              16 0 0 4016
get-stream-id                                 3 0 0 3
get-subscribers                               15 0 0 4015
get-stream-topics                             10 0 0 10
get-stream-email-address                      4 0 0 4
create-channel                                74 15 0 89
create-channel: private                       80 14 0 94
create-channel: default                       92 14 0 506
create-channel: web-public                    15 0 0 15
update-stream                                 44 12 0 56
update-stream: privacy                        89 8 0 4082
update-stream: who may subscribe              33 4 0 37
update-stream: retention                      48 8 0 56
archive-stream                                27 7 0 34
delete-topic                                  110 15 0 125
add-default-stream                            26 1 0 427
remove-default-stream                         16 1 0 217
get-channel-folders                           3 0 0 3
create-channel-folder                         28 5 0 33
update-channel-folder                         8 6 0 14
reorder-channel-folders                       7 0 0 7
create-default-stream-group                   31 4 0 35
update-default-stream-group                   8 4 0 12
update-default-stream-group-channels          10 4 0 14
update-default-stream-group-channels: others  10 4 0 14
delete-default-stream-group                   5 2 0 7
get-subscriptions                             259 0 0 20699
get-subscription-status                       18 0 0 18
subscribe                                     44 2 0 4046
subscribe: others                             65 12 0 4077
unsubscribe                                   40 4 0 44
unsubscribe: others                           39 3 0 42
unsubscribe: the author's bot                 37 3 0 40
update-subscriptions: add                     46 2 0 4048
update-subscriptions: delete                  42 4 0 46
update-subscription-property                  4 1 0 5
update-subscription-settings                  4 1 0 5
mute-topic                                    9 4 0 13
set-topic-policy                              9 4 0 13
set-topic-policy: none                        11 3 0 14
get-own-user                                  42 0 0 42
update-settings                               4 1 0 5
update-settings: of others                    14 4 0 18
update-display-settings                       4 1 0 5
update-notification-settings                  4 1 0 5
update-own-profile-data                       26 5 0 31
remove-own-profile-data                       25 5 0 30
update-own-status                             19 1 0 20
update-presence                               37 1 0 124
upload-avatar                                 2 1 0 3
delete-avatar                                 20 1 0 21
regenerate-own-api-key                        39 10 0 49
deactivate-own-user                           121 12 0 333
mark-onboarding-step                          3 1 0 4
run-command                                   2 0 0 2
list-alert-words                              1 0 0 1
add-alert-words                               9 3 0 12
remove-alert-words                            6 3 0 9
mute-user                                     102 4 0 106
unmute-user                                   9 7 0 16
list-drafts                                   2 0 0 2
create-drafts                                 22 5 0 27
edit-draft                                    8 5 0 13
delete-draft                                  4 3 0 7
list-snippets                                 1 0 0 1
create-snippet                                21 5 0 26
edit-snippet                                  8 5 0 13
delete-snippet                                4 3 0 7
get-navigation-views                          1 0 0 1
add-navigation-view                           5 3 0 8
update-navigation-view                        7 1 0 8
remove-navigation-view                        4 3 0 7
register-queue                                142 1 0 2267
register-queue: channels                      155 10 0 4735
register-queue: everything public             132 1 0 2056
get-events                                    12 0 0 1032
delete-queue                                  4 1 0 5
upload-file                                   2 1 0 3
create-resumable-upload                       5 6 0 11
get-resumable-upload                          2 0 0 2
append-to-resumable-upload                    3 1 0 4
remove-resumable-upload                       8 4 0 12
get-attachments                               94 0 0 94
get-file-temporary-url                        8 0 0 8
check-thumbnail-status                        7 0 0 7
remove-attachment                             14 10 0 24
get-browser-sessions                          1 0 0 1
delete-browser-session                        7 1 0 8
register-client-device                        21 3 0 24
remove-client-device                          13 1 0 14
add-apns-token                                14 4 0 18
add-fcm-token                                 14 4 0 18
remove-apns-token                             10 3 0 13
remove-fcm-token                              10 3 0 13
register-push-device                          2 0 0 2
get-web-push-key                              1 1 0 2
add-web-push-subscription                     35 4 0 39
remove-web-push-subscription                  2 0 0 2
test-notification                             2 0 0 2
test-sealed-notification                      2 0 0 2
get-users                                     33 0 0 1017
get-user                                      15 0 0 15
get-user-by-email                             15 0 0 15
get-user-presence                             15 0 0 15
get-user-presence-by-email                    15 0 0 15
get-realm-presence                            15 0 0 15
get-user-status                               16 0 0 16
get-user-channels                             35 0 0 35
set-user-status                               20 1 0 21
create-user                                   151 42 0 402
update-user                                   20 2 0 22
update-user: role                             66 6 0 2072
update-user: to owner                         66 6 0 2072
update-user: an owner                         75 8 0 2083
update-user: a bot                            7 2 0 9
update-user-by-email                          34 2 0 36
deactivate-user                               106 14 0 332
deactivate-user: an owner                     104 15 0 333
reactivate-user                               156 18 0 592
get-bots                                      4 0 0 4
create-bot                                    42 11 0 53
create-bot: for a channel                     51 12 0 63
update-bot                                    11 2 0 13
get-bot-api-key                               8 3 0 11
regenerate-bot-api-key                        14 4 0 18
deactivate-bot                                52 5 0 260
get-bot-storage                               2 0 0 2
update-bot-storage                            6 3 0 9
remove-bot-storage                            3 0 0 3
get-user-groups                               60 2 0 2076
get-user-group-members                        9 0 0 9
get-user-group-subgroups                      5 0 0 5
get-is-user-group-member                      8 0 0 8
create-user-group                             37 8 0 45
update-user-group                             36 6 0 42
deactivate-user-group                         52 5 0 257
update-user-group: of the system              16 0 0 16
update-user-group-members                     87 13 0 300
update-user-group-members: of the system      16 0 0 16
update-user-group-members: oneself            87 13 0 300
update-user-group-subgroups                   55 8 0 263
get-invites                                   4 0 0 4
send-invites                                  60 16 0 76
send-invites: as a moderator                  58 16 0 74
send-invites: as an administrator             58 16 0 74
send-invites: as an owner                     59 16 0 75
send-invites: to a channel                    62 16 0 78
create-invite-link                            37 8 0 45
create-invite-link: to a channel              38 8 0 46
resend-email-invite                           35 8 0 43
revoke-email-invite                           10 4 0 14
revoke-email-invite: an owner's               10 4 0 14
revoke-invite-link                            10 4 0 14
get-server-settings                           1 0 0 1
check-subdomain                               0 0 0 0
fetch-api-key                                 1 0 0 1
jwt-fetch-api-key                             1 0 0 1
update-realm                                  60 6 0 2066
update-realm: for owners                      117 8 0 8125
update-realm: of a channel                    61 6 0 2067
update-user-settings-defaults                 8 5 0 13
deactivate-realm                              57 12 0 2069
verify-realm                                  664 0 0 17579
test-welcome-message                          10 2 0 12
get-realm-icon                                1 0 0 1
upload-realm-icon                             2 1 0 3
delete-realm-icon                             3 2 0 5
get-realm-logo                                1 0 0 1
upload-realm-logo                             2 1 0 3
delete-realm-logo                             3 2 0 5
get-custom-emoji                              2 0 0 2
upload-custom-emoji                           17 1 0 18
deactivate-custom-emoji                       5 1 0 6
get-linkifiers                                3 0 0 3
add-linkifier                                 34 3 0 37
update-linkifier                              9 1 0 10
remove-linkifier                              7 2 0 9
reorder-linkifiers                            7 0 0 7
add-code-playground                           30 3 0 33
remove-code-playground                        5 2 0 7
get-realm-domains                             2 0 0 2
add-realm-domain                              11 5 0 16
update-realm-domain                           9 4 0 13
remove-realm-domain                           11 5 0 16
get-custom-profile-fields                     3 0 0 3
create-custom-profile-field                   36 3 0 39
update-custom-profile-field                   11 3 0 14
delete-custom-profile-field                   28 2 0 2030
reorder-custom-profile-fields                 7 0 0 7
export-realm                                  22 6 0 28
get-realm-exports                             3 0 0 3
get-realm-export-consents                     20 0 0 2020
delete-realm-export                           11 6 0 17
get-audit-log                                 18 0 0 18
get-dead-letters                              2 0 0 2
retry-dead-letters                            19 5 0 24
delete-dead-letter                            4 1 0 5
create-zoom-call                              2 0 0 2
create-big-blue-button-video-call             2 0 0 2
create-constructor-groups-video-call          2 0 0 2
create-nextcloud-talk-video-call              2 0 0 2
create-webex-video-call                       2 0 0 2
get-message, visitors                         36 0 2 36
get-messages, visitors                        73 0 8 73
get-messages: by name, visitors               74 0 8 74
get-messages: everything, visitors            70 0 4 70
get-messages: with, visitors                  61 0 4 61
get-messages: by id, visitors                 39 0 2 39
get-stream-topics, visitors                   10 0 0 10
register-queue, visitors                      84 0 0 84
register-queue: channels, visitors            39 2 0 41
register-queue: everything public, visitors   73 0 0 73
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
