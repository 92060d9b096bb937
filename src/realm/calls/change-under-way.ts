import type { Operation } from '../../api/define-endpoint.ts'
import { WORK_WAITING } from '../../core/budgets.ts'
import { IdempotencyKeyReusedError, ServiceUnavailableError } from '../../core/errors.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Sql } from '../../core/sql.ts'
import type { KeyedRequest } from '../../model/idempotency/first-answer.ts'
import {
  countOpenChanges,
  deleteOpenChange,
  findOpenChange,
  idOfChange,
  insertMade,
  insertOpenChange,
  listMade,
  type OpenChange,
} from '../../store/open-changes/open-change-rows.ts'
import type { CallContext } from './admission.ts'
import { LEFT_TO_THE_REQUEST_SECONDS } from './transaction.ts'

interface Asked {
  readonly operation: Operation
  readonly context: CallContext
  readonly params: unknown
  readonly keyed: KeyedRequest | undefined
  readonly at: number | undefined
}

/**
 * A change that may take several commits. If the first one is not the last, it stores in the same transaction what was asked, and a job for
 * the rest; each further one adds what it has returned. The commits follow from what those before have returned, so after an eviction, a
 * crash or a deploy the job makes the rest as the request would have done. A change of one commit stores nothing.
 */
export class ChangeUnderWay {
  readonly #asked: OpenChange
  #id: string | undefined
  #made: number

  private constructor(asked: OpenChange, stored?: { readonly id: string; readonly made: number }) {
    this.#asked = asked
    this.#id = stored?.id
    this.#made = stored?.made ?? 0
  }

  static begin({ operation, context, params, keyed, at }: Asked): ChangeUnderWay {
    const { idempotency: _key, ...source } = context.source
    const userId = 'user' in context ? context.user.id : null
    return new ChangeUnderWay({
      operation: operation.operation,
      params,
      userId,
      source,
      keyed: keyed ?? null,
      at: at ?? null,
    })
  }

  /** Returns the change that a request with the same key has begun, and what its commits have returned. */
  static ofRequest(sql: Sql, userId: number, keyed: KeyedRequest): Resumed | undefined {
    const found = ChangeUnderWay.stored(sql, idOfChange(userId, keyed.key))
    if (found && found.asked.keyed?.request !== keyed.request) throw new IdempotencyKeyReusedError()
    return found
  }

  /** Returns a change that is not over, and what its commits have returned. */
  static stored(sql: Sql, id: string): Resumed | undefined {
    const asked = findOpenChange(sql, id)
    if (!asked) return undefined
    const made = listMade(sql, id)
    return { id, asked, made, change: new ChangeUnderWay(asked, { id, made: made.length }) }
  }

  /** The key of its job, once its first commit was stored. */
  get id(): string | undefined {
    return this.#id
  }

  /**
   * Adds what a commit has returned, in its transaction.
   * @throws ServiceUnavailableError (503) in the first one, when too many changes of the account are not over
   */
  keep(tx: RealmTransaction, returned: unknown): void {
    if (this.#id === undefined) this.#store(tx)
    insertMade(tx.sql, this.#id!, this.#made, returned)
    this.#made += 1
  }

  #store(tx: RealmTransaction): void {
    const { userId, keyed } = this.#asked
    if (countOpenChanges(tx.sql, userId) >= WORK_WAITING.suspendedOfOne) throw new ServiceUnavailableError()
    this.#id = idOfChange(userId, keyed?.key ?? tx.randomHex(ID_BYTES))
    insertOpenChange(tx.sql, this.#id, this.#asked)
    tx.schedule({ kind: 'finish-change', key: this.#id, dueAt: tx.now + LEFT_TO_THE_REQUEST_SECONDS })
  }

  /** Forgets the change, in its last transaction, or in one of its own if it was refused in between. */
  end(tx: RealmTransaction): void {
    if (this.#id === undefined) return
    deleteOpenChange(tx.sql, this.#id, this.#made)
    tx.unschedule({ kind: 'finish-change', key: this.#id })
  }
}

/** A stored change that continues. */
export interface Resumed {
  readonly id: string
  readonly asked: OpenChange
  /** What its commits have returned, in their order. */
  readonly made: readonly unknown[]
  readonly change: ChangeUnderWay
}

const ID_BYTES = 8
