import type { Idempotency, Operation } from '../../api/define-endpoint.ts'
import type { IdempotentRequest, RealmAnswer, RequestSource } from '../../core/call.ts'
import { IdempotencyKeyReusedError } from '../../core/errors.ts'
import { fromJson } from '../../core/json.ts'
import type { RealmTransaction, RealmView } from '../../core/realm-transaction.ts'
import type { Caller } from '../../model/caller.ts'
import { firstAnswerTo, keepFirstAnswer } from '../../model/idempotency/first-answer.ts'
import { findKeyedMessage } from '../../model/messages/send/send-for-caller.ts'

/**
 * A call with an `Idempotency-Key`, which is made once, and answered as often as it is repeated. Does nothing
 * without a key.
 */
export class KeyedCall {
  readonly #operation: Operation
  readonly #context: Caller | { readonly source: RequestSource }
  readonly #idempotency: IdempotentRequest | undefined
  readonly #means: Idempotency

  constructor(operation: Operation, context: Caller | { readonly source: RequestSource }) {
    this.#operation = operation
    this.#context = context
    this.#means = operation.idempotency ?? 'answer'
    const hasKey = 'user' in context && this.#means !== 'harmless'
    this.#idempotency = hasKey ? context.source.idempotency : undefined
  }

  /** @throws IdempotencyKeyReusedError (422) */
  firstAnswer(
    view: RealmView,
    params: unknown,
  ): (Required<Pick<RealmAnswer, 'repeated'>> & { value: unknown }) | undefined {
    if (!this.#idempotency) return undefined
    const { user } = this.#context as Caller
    const first = firstAnswerTo(view, user.id, this.#idempotency)
    if (!first) {
      this.#requireNoMessage(view, user.id, this.#idempotency)
      return undefined
    }
    const { withoutSecret } = this.#operation.command
    const kept = fromJson(first.answer)
    const value = withoutSecret ? withoutSecret.restore(view, this.#context, kept, params) : kept
    return { value, repeated: { files: first.files } }
  }

  /** @throws TooMuchAtOnceError (413), RateLimitHitError (429): then the change is not made. */
  keep(tx: RealmTransaction, value: object): void {
    if (!this.#idempotency || this.#means !== 'answer') return
    const { withoutSecret } = this.#operation.command
    const { user } = this.#context as Caller
    keepFirstAnswer(tx, user.id, this.#idempotency, withoutSecret ? withoutSecret.keep(value) : value)
  }

  /** Requires that no message has the key: keys of sends are stored with their messages. */
  #requireNoMessage({ sql, now }: RealmView, userId: number, idempotency: IdempotentRequest): void {
    if (this.#means === 'own') return
    if (findKeyedMessage(sql, userId, idempotency, now) !== undefined) throw new IdempotencyKeyReusedError()
  }
}
