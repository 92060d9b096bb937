import { type D1Interceptor, world } from './world.ts'

const intercepted = new WeakMap<D1Database, D1Database>()
const innerStatements = new WeakMap<D1PreparedStatement, D1PreparedStatement>()

/** D1 with `world.d1` before every call that reaches the database: always the same object for the same one. */
export function interceptD1(db: D1Database): D1Database {
  const known = intercepted.get(db)
  if (known) return known
  const wrapped = interceptD1With(db, (call, kind) => world.d1(call, kind))
  intercepted.set(db, wrapped)
  return wrapped
}

/** D1 with something before every call that reaches the database. */
export function interceptD1With(db: D1Database, around: D1Interceptor): D1Database {
  return new Proxy(db, {
    get(target, name) {
      if (name === 'prepare') return (sql: string) => interceptStatement(target.prepare(sql), around)
      if (name === 'batch') {
        return (statements: D1PreparedStatement[]) =>
          around(() => target.batch(statements.map((each) => innerStatements.get(each)!)), 'batch')
      }
      throw new Error(`The server does not use D1's ${String(name)}`)
    },
  })
}

function interceptStatement(inner: D1PreparedStatement, around: D1Interceptor): D1PreparedStatement {
  const statement = {
    bind: (...values: unknown[]) => interceptStatement(inner.bind(...values), around),
    first: () => around(() => inner.first(), 'read'),
    all: () => around(() => inner.all(), 'read'),
    run: () => around(() => inner.run(), 'read'),
  } as unknown as D1PreparedStatement
  innerStatements.set(statement, inner)
  return statement
}
