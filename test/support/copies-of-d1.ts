import { env } from 'cloudflare:workers'
import { indexedText } from './inside-rows.ts'
import type { CopyOfD1, D1Statement } from './world.ts'

const MAX_LAG_MS = 60

/**
 * The most milliseconds for which one reader waits for another to apply due writes, since the other may have been stopped.
 */
const MAX_TAKE_MS = 5_000

/** The number of rows that are copied in one statement, as one JSON parameter. */
const ROWS_AT_ONCE = 50

/** The error of a batch's first statement when the cursor is not where the batch begins. */
const CURSOR_ELSEWHERE = /projection\.applied/

/** The statement whose ids D1 alone chooses. */
const CHOOSES_IDS = /\bINTO realm\b/

/** For each table, the condition for rows of one organization (`?1`). */
const OF_REALM = {
  realm: 'id = ?1',
  projection: 'realm_id = ?1',
  message_body: 'realm_id = ?1',
  account: 'realm_id = ?1',
} as const

type Row = Record<string, unknown>

/**
 * A copy of one database that lags behind, but is otherwise equal. It gets the same writes as D1 in the same order, each after a random
 * delay. The ids of organizations, which D1 chooses, are copied from it. A write is missing if its sender was stopped before the answer; the
 * organization's cursor shows that, and the copy then replaces all its rows.
 */
class LaggingCopy {
  readonly #original: D1Database
  readonly #db: D1Database
  #waiting: { readonly due: number; readonly statements: readonly D1Statement[] }[] = []
  /** The work under way, one step after the other. */
  #busy: Promise<unknown> = Promise.resolve()
  #isHeld = false

  constructor(original: D1Database, db: D1Database) {
    this.#original = original
    this.#db = db
  }

  /** Queues a write, even during a read. */
  wrote(statements: readonly D1Statement[]): void {
    this.#waiting.push({ due: Date.now() + Math.random() * MAX_LAG_MS, statements })
  }

  read({ sql, values, method }: Parameters<CopyOfD1['read']>[0]): Promise<never> {
    return this.#next(async () => {
      if (!this.#isHeld) await this.#take(Date.now())
      return this.#prepare({ sql, values })[method]() as Promise<never>
    })
  }

  /** Applies all writes, and no further ones. */
  hold(): Promise<void> {
    return this.#next(async () => {
      await this.#take(Number.POSITIVE_INFINITY)
      this.#isHeld = true
    })
  }

  letGo(): void {
    this.#isHeld = false
  }

  /** Applies due writes. A write that fails stays first in the queue, and the read fails with its error. */
  async #take(upTo: number): Promise<void> {
    for (let next = this.#waiting[0]; next && next.due <= upTo; next = this.#waiting[0]) {
      await this.#repeat(next.statements)
      if (this.#waiting[0] === next) this.#waiting.shift()
    }
  }

  async #repeat(statements: readonly D1Statement[]): Promise<void> {
    const entering = statements.filter(({ sql }) => CHOOSES_IDS.test(sql))
    for (const { values } of entering) await this.#takeRealms(values)
    const others = statements.filter((each) => !entering.includes(each))
    if (others.length === 0) return
    try {
      await this.#db.batch(others.map((each) => this.#prepare(each)))
    } catch (error) {
      if (!CURSOR_ELSEWHERE.test(String(error))) throw error
      await this.#takeRowsOf(others[0]!.values[0] as number)
    }
  }

  /** Copies the organizations and their hosts from D1. */
  async #takeRealms(hosts: readonly unknown[]): Promise<void> {
    const query = this.#original.prepare(`SELECT * FROM realm WHERE host IN (SELECT value FROM json_each(?))`)
    const { results } = await query.bind(JSON.stringify(hosts)).all<Row>()
    const written = this.#written('realm', results)
    if (written.length > 0) await this.#db.batch(written)
  }

  /** Replaces all rows of an organization with those of D1. */
  async #takeRowsOf(realmId: number): Promise<void> {
    const tables = Object.entries(OF_REALM)
    const found = await this.#original.batch<Row>(
      tables.map(([table, which]) =>
        this.#original.prepare(`SELECT * FROM ${table} WHERE ${which}`).bind(realmId),
      ),
    )
    const rowsOf = new Map(tables.map(([table], at) => [table, found[at]!.results]))
    const entries = rowsOf.get('message_body')!.map(({ message_id, content }) => ({
      rowid: realmId * 2 ** 32 + (message_id as number),
      text: indexedText(content as string),
    }))
    await this.#db.batch([
      ...tables.map(([table, which]) =>
        this.#db.prepare(`DELETE FROM ${table} WHERE ${which}`).bind(realmId),
      ),
      this.#db
        .prepare(`DELETE FROM message_search WHERE rowid > (?1 << 32) AND rowid < ((?1 + 1) << 32)`)
        .bind(realmId),
      ...tables.flatMap(([table]) => this.#written(table, rowsOf.get(table)!)),
      ...this.#written('message_search', entries),
    ])
  }

  /** Returns statements that insert these rows. */
  #written(table: string, rows: readonly Row[]): D1PreparedStatement[] {
    const columns = Object.keys(rows[0] ?? {})
    const values = columns.map((_, at) => `value->>${at}`)
    const sql = `INSERT OR REPLACE INTO ${table} (${columns.join(', ')}) SELECT ${values.join(', ')} FROM json_each(?)`
    const statements: D1PreparedStatement[] = []
    for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
      const part = rows.slice(from, from + ROWS_AT_ONCE).map((row) => columns.map((column) => row[column]))
      statements.push(this.#prepare({ sql, values: [JSON.stringify(part)] }))
    }
    return statements
  }

  #prepare({ sql, values }: D1Statement): D1PreparedStatement {
    return this.#db.prepare(sql).bind(...values)
  }

  #next<Answer>(act: () => Promise<Answer>): Promise<Answer> {
    const before = Promise.race([this.#busy, scheduler.wait(MAX_TAKE_MS)])
    const acted = before.then(act)
    this.#busy = acted.catch(() => {})
    return acted
  }
}

/** Copies of all databases, each with its own delays. */
class LaggingCopies implements CopyOfD1 {
  readonly #copies = new Map<string, LaggingCopy>(
    Object.entries({
      DB: new LaggingCopy(env.DB, env.DB_COPY),
      BODIES_1: new LaggingCopy(env.SPARE_1, env.SPARE_1_COPY),
      BODIES_2: new LaggingCopy(env.SPARE_2, env.SPARE_2_COPY),
      BODIES_3: new LaggingCopy(env.SPARE_3, env.SPARE_3_COPY),
    }),
  )
  /** Number of reads of each, by the binding of its database. */
  readonly reads: Record<string, number> = { DB: 0, BODIES_1: 0, BODIES_2: 0, BODIES_3: 0 }

  wrote(statements: readonly D1Statement[], name: string): void {
    this.#copies.get(name)!.wrote(statements)
  }

  read(question: Parameters<CopyOfD1['read']>[0]): Promise<never> {
    this.reads[question.database]! += 1
    return this.#copies.get(question.database)!.read(question)
  }

  /** Stops applying writes to all of them. */
  async hold(): Promise<void> {
    for (const copy of this.#copies.values()) await copy.hold()
  }

  letGo(): void {
    for (const copy of this.#copies.values()) copy.letGo()
  }
}

/** The copies that answer reads with `npm run test:shaky`. */
export const laggingCopy = new LaggingCopies()
