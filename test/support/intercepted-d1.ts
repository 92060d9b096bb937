import { standIn } from './inside-tools.ts'
import { type D1Statement, world } from './world.ts'

const intercepted = new WeakMap<D1Database, D1Database>()

interface Known extends D1Statement {
  readonly inner: D1PreparedStatement
}
const known = new WeakMap<D1PreparedStatement, Known>()

type Around = <Answer>(call: () => Promise<Answer>, kind: 'read' | 'batch') => Promise<Answer>

type Wrote = (statements: readonly D1Statement[]) => void

/** Returns D1 with `world.d1` before every call that reaches the database: always the same object for the same database. */
export function interceptD1(db: D1Database, name = 'DB'): D1Database {
  const before = intercepted.get(db)
  if (before) return before
  const wrapped = interceptD1With(db, (call, kind) => world.d1(call, kind, name), name)
  intercepted.set(db, wrapped)
  return wrapped
}

/** Returns D1 with `around` before every call that reaches the database; reads that a copy may answer go to `world.copy`. */
export function interceptD1With(db: D1Database, around: Around, name = 'DB'): D1Database {
  const wrote: Wrote = (all) => world.wrote(all, name)
  return new Proxy(db, {
    get(target, method) {
      if (method === 'prepare') {
        return (sql: string) =>
          interceptStatement({ sql, values: [], inner: target.prepare(sql) }, around, wrote)
      }
      if (method === 'batch') {
        return (statements: D1PreparedStatement[]) => {
          const all = statements.map((each) => known.get(each)!)
          return around(async () => {
            const answer = await target.batch(all.map(({ inner }) => inner))
            wrote(all)
            return answer
          }, 'batch')
        }
      }
      if (method === 'withSession') {
        return () => ({
          prepare: (sql: string) =>
            interceptStatement({ sql, values: [], inner: target.prepare(sql) }, around, wrote, name),
        })
      }
      throw new Error(`The server does not use D1's ${String(method)}`)
    },
  })
}

function interceptStatement(each: Known, around: Around, wrote: Wrote, copyOf?: string): D1PreparedStatement {
  const { inner } = each
  const ask = <Answer>(method: 'first' | 'all' | 'run', now: () => Promise<Answer>) =>
    around(async () => {
      if (copyOf !== undefined && world.copy)
        return world.copy.read({ ...each, database: copyOf, method, now })
      const answer = await now()
      if (!/^\s*(SELECT|WITH)\b/i.test(each.sql)) wrote([each])
      return answer
    }, 'read')
  const statement = standIn<D1PreparedStatement>({
    bind: (...values: unknown[]) =>
      interceptStatement({ sql: each.sql, values, inner: inner.bind(...values) }, around, wrote, copyOf),
    first: () => ask('first', () => inner.first()),
    all: () => ask('all', () => inner.all()),
    run: () => ask('run', () => inner.run()),
  })
  known.set(statement, each)
  return statement
}
