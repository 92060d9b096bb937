import { aroundBodyDatabases, type BodyDatabaseEnvironment } from '../store/d1/body-databases.ts'
import { standIn } from './stand-in.ts'

/** Ratio of far to near latency: 10 ms when the far one is 150 ms. */
const NEARER = 15

export interface LatencyEnvironment {
  /** Round-trip milliseconds to the realm object, D1 and R2, as from another continent (`npm start -- --latency 150`). */
  readonly LATENCY_MS?: string
}

/**
 * Returns the bindings as seen from far away: each call is delayed both ways. Parts of one large file, and events over an open socket,
 * are not delayed.
 */
export function farAway<
  Env extends LatencyEnvironment & BodyDatabaseEnvironment & { readonly UPLOADS?: R2Bucket },
>(env: Env): Env {
  const far = Number(env.LATENCY_MS ?? 0)
  if (!(far > 0)) return env
  const databases = aroundBodyDatabases(env, (db) => farDatabase(db, far))
  return { ...env, ...databases, ...(env.UPLOADS && { UPLOADS: after(env.UPLOADS, far) }) }
}

const databases = new WeakMap<D1Database, D1Database>()

/** Returns the same wrapper for the same database, since the Worker caches by its identity. */
function farDatabase(db: D1Database, ms: number): D1Database {
  const known = databases.get(db)
  if (known) return known
  const inner = new WeakMap<D1PreparedStatement, D1PreparedStatement>()
  const statement = (each: D1PreparedStatement, wait: number): D1PreparedStatement => {
    const later = after(each, wait)
    const wrapped = standIn<D1PreparedStatement>({
      bind: (...values: unknown[]) => statement(each.bind(...values), wait),
      first: () => later.first(),
      all: () => later.all(),
      run: () => later.run(),
    })
    inner.set(wrapped, each)
    return wrapped
  }
  const database = standIn<D1Database>({
    prepare: (query: string) => statement(db.prepare(query), ms),
    batch: (statements: D1PreparedStatement[]) =>
      after(db, ms).batch(statements.map((each) => inner.get(each)!)),
    withSession: () =>
      standIn<D1DatabaseSession>({ prepare: (query) => statement(db.prepare(query), ms / NEARER) }),
  })
  databases.set(db, database)
  return database
}

/** Wraps an object so that each of its methods answers later by this time. */
export function after<Thing extends object>(thing: Thing, ms: number): Thing {
  return new Proxy(thing, {
    get(target, name) {
      return async (...args: unknown[]) => {
        await scheduler.wait(ms)
        // The method is called on the stub itself: reading a property of a stub is already a call of the object.
        return (target as Record<PropertyKey, (...args: unknown[]) => unknown>)[name]!(...args)
      }
    },
  })
}
