import { AsyncLocalStorage } from 'node:async_hooks'
import { answerOf, type RealmAnswer } from '../core/call.ts'
import type { JsonText } from '../core/json.ts'
import type { RowCounts } from '../core/sql.ts'
import { answerIn, type PollReplyText, replyIn } from '../realm/polls/poll-call.ts'
import { aroundBodyDatabases } from '../store/d1/body-databases.ts'
import type { DevEnvironment } from './realm-object.ts'
import { standIn } from './stand-in.ts'

/** A response to a request with this header carries the number of rows that it read and wrote. */
export const ROWS_HEADER = 'x-parley-rows'

/** The cost of one request, as the platform counts it. The projection to D1 follows later: see GET /dev/rows. */
export interface RequestRows {
  /** The realm object's SQLite. */
  readonly object: RowCounts
  /** D1, for queries of the Worker. */
  readonly d1: RowCounts
}

const counting = new AsyncLocalStorage<RequestRows>()

/** Serves a request and counts its rows. */
export async function countRows(
  env: DevEnvironment,
  serve: (env: DevEnvironment) => Promise<Response>,
): Promise<Response> {
  const rows: RequestRows = { object: { read: 0, written: 0 }, d1: { read: 0, written: 0 } }
  const counted = {
    ...env,
    REALM: countingNamespace(env.REALM, rows.object),
    ...aroundBodyDatabases(env, countingDatabase),
  }
  const response = await counting.run(rows, () => serve(counted))
  const labelled = new Response(response.body, response)
  labelled.headers.set(ROWS_HEADER, JSON.stringify(rows))
  return labelled
}

/** Wraps the part of the namespace and its objects that serving a request uses. */
function countingNamespace(namespace: DevEnvironment['REALM'], counts: RowCounts): DevEnvironment['REALM'] {
  return standIn<DevEnvironment['REALM']>({
    idFromName: (name) => namespace.idFromName(name),
    get(id) {
      const stub = namespace.get(id)
      const methods = {
        async run(...args: Parameters<typeof stub.run>): Promise<JsonText<RealmAnswer> | RealmAnswer> {
          const reply = (await stub.run(...args)) as JsonText<RealmAnswer> | RealmAnswer
          const { rows } = answerOf(reply)
          add(counts, rows.read, rows.written)
          return reply
        },
        async poll(...args: Parameters<typeof stub.poll>): Promise<PollReplyText> {
          const text = await stub.poll(...args)
          const { rows } = replyIn(text).answer
          add(counts, rows.read, rows.written)
          return text
        },
        async fetch(input: string, init: RequestInit): Promise<Response> {
          const response = await stub.fetch(input, init)
          const answer = answerIn(response)
          if (answer) add(counts, answer.rows.read, answer.rows.written)
          return response
        },
      }
      // The platform's types turn an answer that may hold values of any type into `never`.
      return standIn<typeof stub>(methods as object)
    },
  })
}

const countingDatabases = new WeakMap<D1Database, D1Database>()

/** Returns the same wrapper for the same database, since the Worker caches by its identity. */
function countingDatabase(db: D1Database): D1Database {
  const known = countingDatabases.get(db)
  if (known) return known
  const counted = <Result extends D1Result>(result: Result): Result => {
    const rows = counting.getStore()
    if (rows) add(rows.d1, result.meta.rows_read, result.meta.rows_written)
    return result
  }
  const statement = (inner: D1PreparedStatement): D1PreparedStatement =>
    standIn<D1PreparedStatement>({
      bind: (...values: unknown[]) => statement(inner.bind(...values)),
      all: async () => counted(await inner.all()),
      run: async () => counted(await inner.run()),
      // `first` does not report its cost.
      first: async () => counted(await inner.all()).results[0] ?? null,
    })
  const prepare = (query: string) => statement(db.prepare(query))
  // Local databases have no copies.
  const database = standIn<D1Database>({
    prepare,
    withSession: () => standIn<D1DatabaseSession>({ prepare }),
  })
  countingDatabases.set(db, database)
  return database
}

function add(counts: RowCounts, read: number, written: number): void {
  counts.read += read
  counts.written += written
}
