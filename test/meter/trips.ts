/** The successive round trips for which a distant user waits in an operation. Trips at the same time count as one. */
export interface OperationTrips {
  /** Number of trips to the realm object, to D1 itself or to R2. */
  readonly far: number
  /** Number of trips to stores near the caller: a copy of D1, the page's files, a cache at the edge. */
  readonly near: number
}

/** The trips of operations that are not in the table: one call to the object. */
const ONE: OperationTrips = { far: 1, near: 0 }

/**
 * The rows of the permission table whose trips are not one to the object. test/meter/rows-of-operations.long.test.ts checks
 * them, and prints them with `ROWS=show` as `npm run meter` does; test/realm/far-trips.test.ts checks those of `IN_STEPS`.
 */
const TABLE = `
get-message              1 1
get-messages             1 1
get-messages: by name    1 1
get-messages: everything 1 1
get-messages: with       1 1
get-messages: by id      1 1
get-messages: of people  1 1
get-message-history      1 1
match-narrow             1 1
update-message: content  1 1
report-message           1 1
check-subdomain          2 0
get-message, visitors 1 1
get-messages, visitors 1 1
get-messages: by name, visitors 1 1
get-messages: everything, visitors 1 1
get-messages: with, visitors 1 1
get-messages: by id, visitors 1 1

append-to-import-upload    4 0
append-to-resumable-upload 2 0
create-resumable-upload    1 0
create-user                3 0
fetch-api-key              4 0
fetch-own-api-key          6 0
receive-webhook            2 0
receive-webhook: to a channel 2 0
test-incoming-webhook      2 0
test-incoming-webhook: to a channel 2 0
upload-avatar              6 0
upload-custom-emoji        4 0
upload-file                2 0
upload-realm-icon          4 0
upload-realm-logo          4 0
`

/** Operations in several steps. A rehearsal, which counts the rows of all other operations, makes only the first step. */
export const IN_STEPS: ReadonlySet<string> = new Set([
  'append-to-import-upload',
  'append-to-resumable-upload',
  'create-resumable-upload',
  'create-user',
  'fetch-api-key',
  'fetch-own-api-key',
  'test-incoming-webhook',
  'test-sealed-notification',
  'upload-avatar',
  'upload-custom-emoji',
  'upload-file',
  'upload-realm-icon',
  'upload-realm-logo',
])

/** Requests that are not rows of the permission table, or take another number of trips there. */
const OTHERS = `
the first request of an organization in an isolate       1 1
a page of a search                                       1 2
an edit of a message that D1 has not yet                 1 0
a new password                                           7 0
a file that comes with its announcement                  2 0
a file of somebody whom the Worker does not know         3 0
a bot with a picture                                     7 0
an uploaded file                                         1 1
an uploaded file that the browser still has              1 0
a thumbnail                                              1 1
a picture of a person, an emoji, an icon                 0 1
the built-in page                                        0 1
a file of the page                                       0 1
`

const TRIPS = readTrips(TABLE)
export const OTHER_TRIPS = readTrips(OTHERS)

function readTrips(table: string): ReadonlyMap<string, OperationTrips> {
  const lines = table.split('\n').filter((line) => line !== '')
  return new Map(
    lines.map((line) => {
      const [, name, far, near] = /^(.*\S)\s+(\d+) (\d+)$/.exec(line)!
      return [name!, { far: Number(far), near: Number(near) }]
    }),
  )
}
export function tripsOf(name: string): OperationTrips {
  return TRIPS.get(name) ?? ONE
}
