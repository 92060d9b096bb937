import { world } from './world.ts'

const intercepted = new WeakMap<D1Database, D1Database>()
const innerStatements = new WeakMap<D1PreparedStatement, D1PreparedStatement>()

/** D1 with `world.d1` before every call that reaches the database: always the same object for the same one. */
export function interceptD1(db: D1Database): D1Database {
  const known = intercepted.get(db)
  if (known) return known
  const wrapped = new Proxy(db, {
    get(target, name) {
      if (name === 'prepare') return (sql: string) => interceptStatement(target.prepare(sql))
      if (name === 'batch') {
        return (statements: D1PreparedStatement[]) =>
          world.d1(() => target.batch(statements.map((each) => innerStatements.get(each)!)), 'batch')
      }
      throw new Error(`The server does not use D1's ${String(name)}`)
    },
  })
  intercepted.set(db, wrapped)
  return wrapped
}

function interceptStatement(inner: D1PreparedStatement): D1PreparedStatement {
  const statement = {
    bind: (...values: unknown[]) => interceptStatement(inner.bind(...values)),
    first: () => world.d1(() => inner.first(), 'read'),
    all: () => world.d1(() => inner.all(), 'read'),
    run: () => world.d1(() => inner.run(), 'read'),
  } as unknown as D1PreparedStatement
  innerStatements.set(statement, inner)
  return statement
}
