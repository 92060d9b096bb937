/** The cost of an operation in rows, as limits. */
export interface OperationRows {
  readonly read: number
  readonly written: number
  readonly d1: number
  /** Rows that the object reads and writes in the largest of its turns, in a large organization. */
  readonly turn: number
}

/**
 * By row of the permission table: how many rows the object may read, how many it may write, and how many D1 may read; and, in the large
 * organization, the rows of the largest turn. test/meter/rows-of-operations.long.test.ts describes the counted requests. `npm run meter`
 * shows what is beyond its limit or below half of it; with `-- --keep` it writes these lines anew, as limits for what it has counted.
 */
const TABLE = `
get-message                                   40 0 3 40
get-messages                                  80 0 8 80
get-messages: by name                         80 0 8 80
get-messages: everything                      200 0 10 200
get-messages: with                            80 0 5 80
get-messages: by id                           50 0 3 50
get-messages: of people                       60 0 5 60
get-message-history                           8 0 8 8
get-read-receipts                             60 0 0 6000
match-narrow                                  20 0 8 25
send-message                                  50 3 0 50
send-message: by name                         50 3 0 50
update-message: content                       60 4 8 80
update-message: topic                         100 20 0 120
update-message: resolving                     150 20 0 8000
update-message: channel                       150 20 0 200
update-message: into the channel              150 25 0 200
delete-message                                100 8 0 100
add-reaction                                  40 1 0 50
remove-reaction                               40 2 0 40
send-submessage                               50 3 0 60
set-edit-typing                               30 0 0 25
report-message                                60 8 8 80
update-flags                                  15 2 0 20
update-flags: read                            15 1 0 15
update-flags-for-narrow                       30 8 0 40
mark-channel-read                             25 1 0 30
mark-topic-read                               40 1 0 40
create-reminder                               60 10 0 60
delete-reminder                               8 4 0 12
create-scheduled-message                      40 8 0 50
edit-scheduled-message                        40 10 0 50
delete-scheduled-message                      8 4 0 12
set-typing                                    30 0 0 8
set-typing: to people                         20 0 0 20
summarize-messages                            4 0 0 4
get-streams                                   40 0 0 300
get-stream-by-id                              12 0 0 12
get-stream-id                                 6 0 0 6
get-subscribers                               6 0 0 6
get-stream-topics                             15 0 0 15
get-stream-email-address                      8 0 0 8
create-channel                                80 20 0 100
create-channel: private                       100 20 0 100
create-channel: default                       100 20 0 600
create-channel: web-public                    20 0 0 20
update-stream                                 50 10 0 60
update-stream: privacy                        50 5 0 60
update-stream: who may subscribe              30 1 0 30
update-stream: retention                      50 5 0 60
archive-stream                                25 4 0 30
place-hold                                    30 4 0 40
place-hold: on a person                       30 4 0 40
get-channel-pins                              8 0 0 8
pin-in-channel                                50 5 0 50
unpin-in-channel                              10 1 0 12
delete-topic                                  150 15 0 150
add-default-stream                            30 1 0 500
remove-default-stream                         20 1 0 250
update-default-stream-group-channels          12 4 0 20
update-default-stream-group-channels: others  12 4 0 20
get-subscriptions                             50 0 0 300
get-subscription-status                       20 0 0 20
subscribe                                     50 3 0 50
subscribe: others                             80 15 0 100
unsubscribe                                   60 5 0 60
unsubscribe: others                           50 4 0 60
unsubscribe: the author's bot                 50 4 0 60
update-subscriptions: add                     60 3 0 60
update-subscriptions: delete                  60 5 0 80
update-subscription-property                  6 1 0 8
update-subscription-settings                  6 1 0 8
mute-topic                                    12 4 0 20
set-topic-policy                              12 4 0 20
set-topic-policy: none                        15 3 0 20
update-settings                               6 1 0 8
update-settings: of others                    15 1 0 20
run-command                                   4 0 0 4
run-command: remind                           60 10 0 60
mute-user                                     120 4 0 120
create-drafts                                 30 5 0 40
edit-draft                                    10 5 0 20
delete-draft                                  6 3 0 10
edit-snippet                                  10 5 0 20
delete-snippet                                6 3 0 10
update-navigation-view                        10 1 0 10
remove-navigation-view                        6 3 0 10
register-queue                                400 1 0 5000
register-queue: channels                      60 1 0 500
register-queue: everything public             400 1 0 5000
get-events                                    15 0 0 40
delete-queue                                  6 1 0 8
get-resumable-upload                          4 0 0 4
append-to-resumable-upload                    5 1 0 6
remove-resumable-upload                       10 4 0 15
get-attachments                               100 0 0 100
get-file-temporary-url                        10 0 0 10
check-thumbnail-status                        10 0 0 10
remove-attachment                             10 8 0 20
delete-browser-session                        10 1 0 10
remove-login-identity                         10 1 0 12
confirm-totp                                  5 0 0 5
remove-totp                                   5 0 0 5
renew-recovery-codes                          5 0 0 5
add-passkey                                   4 0 0 4
rename-passkey                                6 0 0 6
remove-passkey                                4 0 0 4
prove-identity                                4 0 0 4
remove-client-device                          8 1 0 10
remove-apns-token                             8 3 0 10
remove-fcm-token                              8 3 0 10
register-push-device                          4 0 0 4
remove-web-push-subscription                  4 0 0 4
test-notification                             4 0 0 4
test-sealed-notification                      4 0 0 4
get-users                                     40 0 0 1000
get-user                                      20 0 0 20
get-user-by-email                             20 0 0 20
get-user-presence                             20 0 0 20
get-user-presence-by-email                    20 0 0 20
get-realm-presence                            50 0 0 2500
get-user-status                               20 0 0 20
get-user-channels                             50 0 0 300
create-user                                   150 50 0 400
update-user                                   25 2 0 25
update-user: role                             60 5 0 2500
update-user: to owner                         60 5 0 2500
update-user: an owner                         80 8 0 2500
update-user: a bot                            8 2 0 10
update-user-by-email                          25 2 0 25
reset-second-factors                          6 0 0 6
reset-second-factors: of an owner             6 0 0 6
deactivate-user                               80 10 0 100
deactivate-user: an owner                     80 12 0 100
reactivate-user                               150 15 0 400
create-bot                                    40 15 0 50
create-bot: for a channel                     50 15 0 80
update-bot                                    10 2 0 15
update-bot: address                           10 1 0 12
update-bot: new owner                         30 12 0 50
get-bot-api-key                               10 3 0 15
regenerate-bot-api-key                        10 2 0 15
renew-webhook-secret                          8 1 0 8
get-webhook-deliveries                        4 0 0 4
resend-webhook-delivery                       5 0 0 5
get-event-subscriptions                       5 0 0 5
update-event-subscriptions                    8 0 0 8
update-event-subscriptions: in a channel      10 1 0 10
deactivate-bot                                20 2 0 20
get-incoming-webhook                          6 0 0 6
update-incoming-webhook                       10 1 0 10
test-incoming-webhook                         6 0 0 6
test-incoming-webhook: to a channel           6 0 0 6
receive-webhook                               50 12 0 60
receive-webhook: to a channel                 40 10 0 50
create-user-group                             40 5 0 50
update-user-group                             40 2 0 40
deactivate-user-group                         50 1 0 300
update-user-group: of the system              20 0 0 20
update-user-group-members                     80 12 0 400
update-user-group-members: of the system      20 0 0 20
update-user-group-members: oneself            80 12 0 400
update-user-group-subgroups                   50 4 0 300
send-invites                                  80 15 0 80
send-invites: as a moderator                  60 15 0 80
send-invites: as an administrator             60 15 0 80
send-invites: as an owner                     80 15 0 80
send-invites: to a channel                    80 15 0 80
create-invite-link                            40 5 0 50
create-invite-link: to a channel              40 5 0 50
resend-email-invite                           40 10 0 50
revoke-email-invite                           6 1 0 8
revoke-email-invite: an owner's               6 1 0 8
revoke-invite-link                            6 1 0 8
fetch-api-key                                 2 0 0 2
jwt-fetch-api-key                             0 0 0 0
update-realm                                  80 3 0 2500
update-realm: for owners                      150 5 0 10000
update-realm: of a channel                    80 3 0 2500
upload-custom-emoji                           20 1 0 25
deactivate-custom-emoji                       8 1 0 8
begin-import                                  4 0 0 4
give-back-part                                8 0 0 8
restore-backup                                5 0 0 5
compare-backup                                5 0 0 5
copy-backup                                   5 0 0 5
remove-copy                                   4 0 0 4
get-backup-differences                        4 0 0 4
create-import-upload                          5 0 0 5
create-zoom-call                              3 0 0 3
create-big-blue-button-video-call             3 0 0 3
create-constructor-groups-video-call          4 0 0 4
create-nextcloud-talk-video-call              3 0 0 3
create-webex-video-call                       4 0 0 4
add-alert-words                               10 3 0 15
add-apns-token                                10 4 0 15
add-code-playground                           40 3 0 50
add-fcm-token                                 10 4 0 15
add-linkifier                                 50 3 0 50
add-navigation-view                           8 3 0 10
add-realm-domain                              8 2 0 10
add-web-push-subscription                     40 4 0 40
append-to-import-upload                       8 1 0 8
ask-for-proof                                 6 0 0 6
begin-passkey                                 5 1 0 6
begin-totp                                    8 1 0 8
check-subdomain                               0 0 0 0
create-channel-folder                         40 5 0 50
create-custom-profile-field                   50 3 0 50
create-default-stream-group                   40 4 0 50
create-login-provider                         25 3 0 30
create-resumable-upload                       8 8 0 15
create-scim-token                             8 2 0 10
create-snippet                                30 5 0 40
deactivate-own-user                           100 15 0 100
deactivate-realm                              60 10 0 2500
delete-avatar                                 25 1 0 25
delete-custom-profile-field                   40 2 0 2500
delete-dead-letter                            6 1 0 8
delete-default-stream-group                   8 2 0 10
delete-realm-export                           8 3 0 10
delete-realm-icon                             5 2 0 8
delete-realm-logo                             5 2 0 8
delete-scim-token                             6 1 0 8
erase-user                                    120 20 0 150
export-realm                                  20 3 0 25
get-audit-log                                 25 0 0 25
get-backups                                   4 0 0 4
get-bot-storage                               4 0 0 5
get-bots                                      3 0 0 3
get-browser-sessions                          3 0 0 3
get-channel-folders                           5 0 0 5
get-client-devices                            3 0 0 3
get-cost                                      5 0 0 5
get-custom-emoji                              4 0 0 4
get-custom-profile-fields                     5 0 0 5
get-dead-letters                              4 0 0 4
get-erasures                                  4 0 0 4
get-given-back-parts                          4 0 0 4
get-holds                                     4 0 0 4
get-import-choices                            6 0 0 6
get-import-problems                           5 0 0 5
get-import-upload                             4 0 0 4
get-imports                                   6 0 0 6
get-invites                                   6 0 0 6
get-is-user-group-member                      10 0 0 10
get-jwt-secret                                3 0 0 3
get-linkifiers                                5 0 0 5
get-login-identities                          5 0 0 5
get-login-providers                           4 0 0 4
get-navigation-views                          3 0 0 3
get-organization-digest                       4000 0 0 6000
get-own-user                                  50 0 0 50
get-realm-domains                             4 0 0 4
get-realm-export-consents                     25 0 0 2500
get-realm-exports                             5 0 0 5
get-realm-icon                                3 0 0 3
get-realm-logo                                3 0 0 3
get-reminders                                 4 0 0 4
get-scim-token                                5 0 0 5
get-second-factors                            4 0 0 4
get-server-settings                           5 0 0 5
get-state-digest                              100 0 0 3000
get-unread-elsewhere                          3 0 0 3
get-user-group-members                        10 0 0 10
get-user-group-subgroups                      8 0 0 8
get-user-groups                               80 0 0 5000
get-users-with-second-factors                 5 0 0 5
get-web-push-key                              4 0 0 4
invite-imported-users                         4 2 0 6
list-alert-words                              3 0 0 3
list-drafts                                   4 0 0 4
list-scheduled-messages                       4 0 0 4
list-snippets                                 3 0 0 3
log-out-elsewhere                             50 8 0 60
make-backup                                   50 3 0 50
mark-all-read                                 10 2 0 12
mark-onboarding-step                          5 1 0 6
preview-webhook-template                      5 0 0 5
regenerate-own-api-key                        40 8 0 50
register-client-device                        30 3 0 30
release-hold                                  6 1 0 8
remove-alert-words                            8 3 0 12
remove-bot-storage                            5 0 0 6
remove-code-playground                        8 2 0 10
remove-import-upload                          8 3 0 12
remove-jwt-secret                             4 0 0 4
remove-linkifier                              10 2 0 12
remove-login-provider                         8 2 0 10
remove-own-profile-data                       30 5 0 40
remove-realm-domain                           8 2 0 10
render-message                                6 0 0 6
reorder-channel-folders                       10 0 0 10
reorder-custom-profile-fields                 10 0 0 10
reorder-linkifiers                            10 0 0 10
retry-dead-letters                            25 5 0 30
set-jwt-secret                                4 1 0 5
set-user-status                               25 1 0 25
test-login-provider                           4 0 0 4
test-welcome-message                          15 2 0 20
unmute-user                                   12 8 0 20
update-bot-storage                            8 3 0 15
update-channel-folder                         10 8 0 20
update-cost-cap                               5 1 0 6
update-custom-profile-field                   15 3 0 20
update-default-stream-group                   10 4 0 15
update-display-settings                       6 1 0 8
update-import                                 8 1 0 8
update-linkifier                              12 1 0 15
update-login-provider                         8 1 0 8
update-notification-settings                  6 1 0 8
update-own-profile-data                       30 5 0 40
update-own-status                             20 1 0 25
update-presence                               80 1 0 2500
update-realm-domain                           5 1 0 6
update-scim-token                             8 2 0 10
update-user-settings-defaults                 4 2 0 6
upload-avatar                                 4 1 0 5
upload-file                                   4 1 0 5
upload-realm-icon                             4 1 0 5
upload-realm-logo                             4 1 0 5
verify-realm                                  800 0 0 20000
get-message, visitors                         50 0 3 50
get-messages, visitors                        80 0 10 80
get-messages: by name, visitors               80 0 10 80
get-messages: everything, visitors            80 0 5 80
get-messages: with, visitors                  80 0 5 80
get-messages: by id, visitors                 50 0 3 50
get-stream-topics, visitors                   12 0 0 12
register-queue, visitors                      200 0 0 200
register-queue: channels, visitors            25 0 0 25
register-queue: everything public, visitors   200 0 0 200
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

/** Limits are round numbers, so that a table of them stays as it is while the work does. */
const ROUND = [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8]

/** Returns the limit for a count: at least a tenth more, but none for nothing, and no more for the few rows that most changes write. */
export function limitFor(kind: string, count: number): number {
  if (count === 0 || (kind === 'written' && count <= 5)) return count
  for (let tens = 1; ; tens *= 10) {
    const limit = ROUND.map((one) => one * tens).find((one) => Number.isInteger(one) && one >= 1.1 * count)
    if (limit !== undefined) return limit
  }
}

/** Tells whether a limit stays for a count: it holds, and is at most twice the count, or it would let a regression pass. */
export function isKept(limit: number, count: number): boolean {
  return count <= limit && 2 * count >= limit
}
