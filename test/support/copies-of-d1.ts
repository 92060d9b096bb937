import { env } from 'cloudflare:workers'
import type { CopyOfD1, D1Statement } from './world.ts'

const LONGEST_LAG_MS = 60

/** A copy of one database. It is a database of its own that gets what D1 was told in the same order, each a random time later. */
class LaggingCopy {
  readonly #db: D1Database
  #waiting: { readonly due: number; readonly statements: readonly D1Statement[] }[] = []
  /** One thing after the other. */
  #busy: Promise<unknown> = Promise.resolve()
  #isHeld = false

  constructor(db: D1Database) {
    this.#db = db
  }

  /** It has heard of all, also while nobody asks it. */
  wrote(statements: readonly D1Statement[]): void {
    this.#waiting.push({ due: Date.now() + Math.random() * LONGEST_LAG_MS, statements })
  }

  read({ sql, values, method }: Parameters<CopyOfD1['read']>[0]): Promise<never> {
    return this.#next(async () => {
      if (!this.#isHeld) await this.#take(Date.now())
      return this.#prepare({ sql, values })[method]() as Promise<never>
    })
  }

  /** From now on it stays as it is. */
  hold(): Promise<void> {
    return this.#next(async () => {
      await this.#take(Number.POSITIVE_INFINITY)
      this.#isHeld = true
    })
  }

  letGo(): void {
    this.#isHeld = false
  }

  async #take(upTo: number): Promise<void> {
    while (this.#waiting[0] && this.#waiting[0].due <= upTo) {
      const { statements } = this.#waiting.shift()!
      // What was written before it began to listen it lacks, and then what follows on that.
      await this.#db.batch(statements.map((each) => this.#prepare(each))).catch(() => {})
    }
  }

  #prepare({ sql, values }: D1Statement): D1PreparedStatement {
    return this.#db.prepare(sql).bind(...values)
  }

  #next<Answer>(act: () => Promise<Answer>): Promise<Answer> {
    const acted = this.#busy.then(act)
    this.#busy = acted.catch(() => {})
    return acted
  }
}

/** Copies of all databases, each behind by its own times. */
class LaggingCopies implements CopyOfD1 {
  readonly #copies = new Map<string, LaggingCopy>(
    Object.entries({ DB: env.DB_COPY, BODIES_1: env.SPARE_1_COPY, BODIES_2: env.SPARE_2_COPY }).map(
      ([name, db]) => [name, new LaggingCopy(db)],
    ),
  )
  /** How often each was asked, by the binding of its database. */
  readonly reads: Record<string, number> = { DB: 0, BODIES_1: 0, BODIES_2: 0 }

  wrote(statements: readonly D1Statement[], name: string): void {
    this.#copies.get(name)!.wrote(statements)
  }

  read(question: Parameters<CopyOfD1['read']>[0]): Promise<never> {
    this.reads[question.database]! += 1
    return this.#copies.get(question.database)!.read(question)
  }

  /** From now on they stay as they are. */
  async hold(): Promise<void> {
    for (const copy of this.#copies.values()) await copy.hold()
  }

  letGo(): void {
    for (const copy of this.#copies.values()) copy.letGo()
  }
}

/** With `npm run test:shaky`, all that is read from the nearest copies of D1. */
export const laggingCopy = new LaggingCopies()
