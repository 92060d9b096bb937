/** Computes what one runaway client can cost in a day, at list prices: a program with an account's key that does the dearest thing as often as it may. */
import { DEFAULT_RATE_LIMITS, type RateLimitBucket } from '../src/core/rate-limits.ts'
import { CPU_MS, OBJECT_GB, PRICES, type UseKind } from '../src/model/cost/prices.ts'
import { ROWS } from '../test/meter/rows.ts'

const DAY = 86_400

/** Rows of the log's write to D1 for each row that an operation writes in the object: a message writes three of its seven there. */
const D1_FOR_EACH_ROW = 1

/** Rows that a request reads before it is refused for its rate: whose key it is, and what the account is (test/features/cost/cost.test.ts). */
const ROWS_OF_REFUSAL = 4

/** Refused requests a second of a client that goes on without a pause, over this number of connections, each of which waits 40 ms for an answer. */
const CONNECTIONS = 6
const ANSWER_SECONDS = 0.04

interface Expense {
  readonly what: string
  readonly requests: number
  readonly dollars: number
}

function priceOf(use: Partial<Record<UseKind, number>>): number {
  return Object.entries(use).reduce(
    (sum, [kind, amount]) => sum + (amount / 1e6) * PRICES[kind as UseKind].perMillion,
    0,
  )
}

/** Returns how many requests of a bucket an account may make in a day. */
function allowedInDay(bucket: RateLimitBucket): number {
  return Math.min(...DEFAULT_RATE_LIMITS[bucket].map(({ requests, seconds }) => requests * (DAY / seconds)))
}

/** Returns the dearest operations of an account, each made as often as its limit allows in a day, the dearest first. */
export function dearestOperations(): Expense[] {
  const requests = allowedInDay('user')
  const all = [...ROWS].map(([what, { read, written, d1 }]) => {
    const use = {
      workerRequests: requests,
      cpuMs: requests * CPU_MS,
      objectRequests: requests,
      rowsRead: requests * read,
      rowsWritten: requests * written,
      d1Read: requests * d1,
      d1Written: requests * written * D1_FOR_EACH_ROW,
    }
    return { what, requests, dollars: priceOf(use) }
  })
  return all.sort((a, b) => b.dollars - a.dollars)
}

/** Returns the sum for one client: the dearest operation, polls as often as allowed, an object that never sleeps, and refused requests. */
export function runawayDay(): { readonly lines: readonly Expense[]; readonly dollars: number } {
  const [dearest] = dearestOperations()
  const polls = allowedInDay('events')
  const refused = (CONNECTIONS / ANSWER_SECONDS) * DAY
  const { read } = ROWS.get('get-events')!
  const requestsAlone = (count: number, rowsRead: number) =>
    priceOf({
      workerRequests: count,
      cpuMs: count * CPU_MS,
      objectRequests: count,
      rowsRead: count * rowsRead,
    })
  const lines = [
    { ...dearest!, what: `\`${dearest!.what}\`, as often as allowed` },
    { what: 'polls, as often as allowed', requests: polls, dollars: requestsAlone(polls, read) },
    {
      what: 'an object that never sleeps',
      requests: 0,
      dollars: priceOf({ gbSeconds: DAY * OBJECT_GB }),
    },
    {
      what: `requests refused for their rate, over ${CONNECTIONS} connections without a pause`,
      requests: refused,
      dollars: requestsAlone(refused, ROWS_OF_REFUSAL),
    },
  ]
  return { lines, dollars: lines.reduce((sum, { dollars }) => sum + dollars, 0) }
}
