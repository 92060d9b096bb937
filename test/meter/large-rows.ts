/** Work of many rows: its number of slices, or commits, and the rows that the largest of them read and wrote. Each is a limit. */
export interface LargeRows {
  /** Half as many would be too large, whatever they have. */
  readonly slices: number
  readonly read: number
  readonly written: number
}

/**
 * By row of the tables of large work (large-changes.ts, large-lists.ts): slices, and the rows that one may read and write. `npm run meter
 * -- --large` counts them, and with `--keep` writes these lines.
 */
const TABLE = `
update-message                                         3 8000 1200
delete-topic                                           3 5000 300
unsubscribe                                            4 800 200
subscribe                                              5 2000 600
update-subscriptions                                   8 400 120
create-channel                                         3 2000 600
update-settings                                        3 3000 1000
mute-user                                              4 4000 15
update-flags                                           3 2500 2500
update-flags-for-narrow                                4 2500 8
mark-channel-read                                      5 5000 8
mark-topic-read                                        5 5000 8
continue-group-change                                  5 400 400
erase-account                                          3 5000 400
erase-person                                           3 5000 400
withdraw-profile-values                                3 1200 2000
close-bots                                             4 400 80
announce-lowered-bots                                  3 1200 400
announce-naming                                        3 1200 300
announce-naming: of channels                           3 800 300
announce-naming: of groups that name the account       5 1000 300
announce-naming: to guests who do not see the account  5 1000 300
migrate-policies                                       3 6000 1200
remove-reminders                                       3 1200 1500
update-subscription-settings                           3 600 600
get-streams: a thousand                                8 1000 0
get-subscriptions: a thousand                          8 2000 0
unsubscribe: by a thousand names                       60 1000 0
get-users: thousands                                   8 1000 0
get-users: those whom a guest sees                     6 2500 0
get-users: by thousands of ids                         8 2000 0
register-queue: people, by a guest                     6 2500 0
register-queue: drafts, snippets and stars             12 5000 0
register-queue: unread messages                        8 5000 0
get-messages: thousands                                8 1500 0
get-messages: by a thousand ids                        2 1500 0
get-messages: direct, of ten thousand conversations    20 12000 0
get-read-receipts: of thousands                        20 5000 0
get-read-receipts: of a message that is moved          20 5000 0
get-stream-topics: thousands                           8 8000 0
get-stream-topics: of protected history                15 8000 0
get-attachments: a thousand                            5 8000 0
deactivate-user-group: with a thousand uses            6 5000 0
get-realm-presence: of thousands                       12 800 0
get-invites: thousands                                 20 300 0
`

export const LARGE_ROWS: ReadonlyMap<string, LargeRows> = new Map(
  TABLE.split('\n')
    .filter(Boolean)
    .map((line) => {
      const [, name, ...counts] = /^(.*\S)\s+(\d+) (\d+) (\d+)$/.exec(line)!
      const [slices, read, written] = counts.map(Number) as [number, number, number]
      return [name!, { slices, read, written }]
    }),
)
