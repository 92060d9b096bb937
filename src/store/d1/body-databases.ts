import type { BodyRanges } from '../../core/message-bodies.ts'
import type { SearchPage, SearchRange } from '../../core/other-stores.ts'

/**
 * Message bodies and their search live in as many D1 databases as the deployment has bound: `DB`, which also knows the organizations,
 * and `BODIES_1`, `BODIES_2`, … without a gap. Each organization says which of its messages are where (docs/decisions/design.md#past-one-database).
 */
export interface BodyDatabaseEnvironment {
  readonly DB: D1Database
  readonly [name: `BODIES_${number}`]: D1Database | undefined
}

export interface BodyDatabaseSettings {
  /** Limit of a D1 database's size, in MiB: 10 GB unless set, which the platform allows on its paid plan. */
  readonly D1_MAX_MIB?: string
}

const MAX_DATABASE = 10_000_000_000

/** Returns the bytes that a database may have. */
export function maxDatabase({ D1_MAX_MIB }: BodyDatabaseSettings): number {
  const mib = Number(D1_MAX_MIB ?? '')
  return Number.isFinite(mib) && mib > 0 ? mib * 2 ** 20 : MAX_DATABASE
}

/** Returns the bytes of the newest database from which on the next should be bound: two thirds of the limit of one. */
export function nextDatabaseAt(settings: BodyDatabaseSettings): number {
  return (maxDatabase(settings) * 2) / 3
}

/** Limit of the databases other than `DB`. A request may ask each database of an organization. */
export const MAX_BODY_DATABASES = 100

/** The name under which a database is bound. */
export function bodyDatabaseName(number: number): 'DB' | `BODIES_${number}` {
  return number === 0 ? 'DB' : `BODIES_${number}`
}

/** Returns the newest database, to which new messages go. 0: only `DB` is bound. */
export function newestBodyDatabase(env: BodyDatabaseEnvironment): number {
  let newest = 0
  while (newest < MAX_BODY_DATABASES && env[`BODIES_${newest + 1}`]) newest += 1
  return newest
}

/** Returns a database. One that is not bound fails every call, like one that is down. */
export function bodyDatabase(env: BodyDatabaseEnvironment, number: number): D1Database {
  const name = bodyDatabaseName(number)
  return env[name] ?? absentDatabase(name)
}

function absentDatabase(name: string): D1Database {
  const fail = () => Promise.reject(new Error(`The D1 database ${name} is not bound`))
  const statement: D1PreparedStatement = {
    bind: () => statement,
    first: fail,
    all: fail,
    run: fail,
    raw: fail,
  }
  const prepare = () => statement
  const session: D1DatabaseSession = { prepare, batch: fail, getBookmark: () => null }
  return { prepare, batch: fail, exec: fail, dump: fail, withSession: () => session }
}

/** Lists all bound databases, `DB` first. */
export function listBodyDatabases(env: BodyDatabaseEnvironment): { number: number; db: D1Database }[] {
  return Array.from({ length: newestBodyDatabase(env) + 1 }, (_, number) => ({
    number,
    db: bodyDatabase(env, number),
  }))
}

export interface MeasuredDatabase {
  readonly size_bytes: number
  /** Region in which it has answered, and whether it was the primary; null where the platform does not say. */
  readonly region: string | null
  readonly is_primary: boolean | null
}

/** Measures a whole database. Rejects when it cannot be read. */
export async function measureDatabase(db: D1Database): Promise<MeasuredDatabase> {
  const { meta } = await db.prepare(`SELECT 1 FROM projection LIMIT 1`).all()
  const { size_after: size_bytes, served_by_region: region = null, served_by_primary = null } = meta
  return { size_bytes, region, is_primary: served_by_primary }
}

/** Returns the bindings of all body databases, each wrapped. */
export function aroundBodyDatabases(
  env: BodyDatabaseEnvironment,
  around: (db: D1Database, name: string) => D1Database,
): BodyDatabaseEnvironment {
  const bindings = listBodyDatabases(env).map(({ number, db }) => {
    const name = bodyDatabaseName(number)
    return [name, around(db, name)]
  })
  return Object.fromEntries(bindings) as BodyDatabaseEnvironment
}

/** A part of a range of messages that is in one database. */
type RangePart = SearchRange & { readonly database: number }

/** Returns the parts of a range, beginning with the part where the search begins. */
function partsOf(ranges: BodyRanges, range: SearchRange): RangePart[] {
  const all = [{ first: 0, database: 0 }, ...ranges]
  const parts = all.flatMap(({ first, database }, at): RangePart[] => {
    const above = Math.max(range.above, first - 1)
    const below = Math.min(range.below, all[at + 1]?.first ?? Number.POSITIVE_INFINITY)
    return below - above > 1 ? [{ ...range, above, below, database }] : []
  })
  return range.newestFirst ? parts.reverse() : parts
}

/**
 * Asks all databases that may have hits in a range at once, each for its part. If one fails, hits nearer to the beginning of the search are
 * found nevertheless; the caller gets the error when it asks for what is beyond.
 */
export async function searchSideBySide(
  ranges: BodyRanges,
  range: SearchRange,
  search: (database: number, part: SearchRange) => Promise<SearchPage>,
): Promise<SearchPage> {
  const parts = partsOf(ranges, range)
  const pages = parts.map(({ database, ...part }) => search(database, part))
  // A page whose answer is not needed in the end may fail.
  for (const page of pages) page.catch(() => {})
  const ids: number[] = []
  for (const [at, page] of pages.entries()) {
    let found: SearchPage
    try {
      found = await page
    } catch (error) {
      const before = parts[at - 1]
      if (!before) throw error
      return { ids, reached: range.newestFirst ? before.above + 1 : before.below - 1 }
    }
    ids.push(...found.ids)
    if (found.reached !== null) return { ids, reached: found.reached }
    if (ids.length >= range.limit && at < pages.length - 1) return firstOf(ids, range.limit)
  }
  return ids.length > range.limit ? firstOf(ids, range.limit) : { ids, reached: null }
}

function firstOf(ids: readonly number[], limit: number): SearchPage {
  const first = ids.slice(0, limit)
  return { ids: first, reached: first.at(-1)! }
}
