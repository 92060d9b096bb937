import { env } from 'cloudflare:workers'
import type { CopyOfD1, D1Statement } from './world.ts'

const LONGEST_LAG_MS = 60

/** A database of its own that gets what D1 was told in the same order, each a random time later. */
class LaggingCopy implements CopyOfD1 {
  #waiting: { readonly due: number; readonly statements: readonly D1Statement[] }[] = []
  /** One thing after the other. */
  #busy: Promise<unknown> = Promise.resolve()
  #isHeld = false
  /** How often it was asked. */
  reads = 0

  /** It has heard of all, also while nobody asks it. */
  wrote(statements: readonly D1Statement[]): void {
    this.#waiting.push({ due: Date.now() + Math.random() * LONGEST_LAG_MS, statements })
  }

  read({ sql, values, method }: Parameters<CopyOfD1['read']>[0]): Promise<never> {
    this.reads += 1
    return this.#next(async () => {
      if (!this.#isHeld) await this.#take(Date.now())
      return prepare({ sql, values })[method]() as Promise<never>
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
      await env.DB_COPY.batch(statements.map(prepare)).catch(() => {})
    }
  }

  #next<Answer>(act: () => Promise<Answer>): Promise<Answer> {
    const acted = this.#busy.then(act)
    this.#busy = acted.catch(() => {})
    return acted
  }
}

function prepare({ sql, values }: D1Statement): D1PreparedStatement {
  return env.DB_COPY.prepare(sql).bind(...values)
}

/** With `npm run test:shaky`, all that is read from the nearest copy of D1. */
export const laggingCopy = new LaggingCopy()
