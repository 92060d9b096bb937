import type { RealmAnswer, RealmCall } from '../core/call.ts'
import type { RowCounts } from '../core/sql.ts'
import type { DevEnvironment } from './environment.ts'

/** A request with this header gets it back with the rows that it read and wrote. */
export const ROWS_HEADER = 'x-parley-rows'

/** What one request cost, as the platform counts it. The projection to D1 follows later: see GET /dev/rows. */
export interface RequestRows {
  /** The realm object's SQLite. */
  readonly object: RowCounts
  /** D1, as far as the Worker asked it. */
  readonly d1: RowCounts
}

/** Serves a request with every row counted. */
export async function countRows(
  env: DevEnvironment,
  serve: (env: DevEnvironment) => Promise<Response>,
): Promise<Response> {
  const rows: RequestRows = { object: { read: 0, written: 0 }, d1: { read: 0, written: 0 } }
  const response = await serve({
    ...env,
    REALM: countingNamespace(env.REALM, rows.object),
    DB: countingDatabase(env.DB, rows.d1),
  })
  const counted = new Response(response.body, response)
  counted.headers.set(ROWS_HEADER, JSON.stringify(rows))
  return counted
}

/** Of the namespace and its objects only what serving a request uses. */
function countingNamespace(namespace: DevEnvironment['REALM'], counts: RowCounts): DevEnvironment['REALM'] {
  const counting = {
    idFromName: (name: string) => namespace.idFromName(name),
    get(id: DurableObjectId) {
      const stub = namespace.get(id)
      return {
        async run(call: RealmCall): Promise<RealmAnswer> {
          const answer = (await stub.run(call)) as unknown as RealmAnswer
          add(counts, answer.rows.read, answer.rows.written)
          return answer
        },
        fetch: (input: string, init: RequestInit) => stub.fetch(input, init),
      }
    },
  }
  return counting as unknown as DevEnvironment['REALM']
}

function countingDatabase(db: D1Database, counts: RowCounts): D1Database {
  const counted = <Result extends D1Result>(result: Result): Result => {
    add(counts, result.meta.rows_read, result.meta.rows_written)
    return result
  }
  const statement = (inner: D1PreparedStatement) => ({
    bind: (...values: unknown[]) => statement(inner.bind(...values)),
    all: async () => counted(await inner.all()),
    run: async () => counted(await inner.run()),
    // `first` does not say what it cost.
    first: async () => counted(await inner.all()).results[0] ?? null,
  })
  return { prepare: (query: string) => statement(db.prepare(query)) } as unknown as D1Database
}

function add(counts: RowCounts, read: number, written: number): void {
  counts.read += read
  counts.written += written
}
