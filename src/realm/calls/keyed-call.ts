import type { Idempotency, Operation } from '../../api/define-endpoint.ts'
import type { RealmAnswer } from '../../core/call.ts'
import { IdempotencyKeyReusedError } from '../../core/errors.ts'
import { fromJson } from '../../core/json.ts'
import type { RealmTransaction, RealmView } from '../../core/realm-transaction.ts'
import {
  firstAnswerTo,
  type KeyedRequest,
  keepFirstAnswer,
  keyedRequest,
} from '../../model/idempotency/first-answer.ts'
import { findKeyedMessage } from '../../model/sending/send-for-caller.ts'
import type { CallContext } from './admission.ts'

/** The result of a command. `repeated` as in RealmAnswer. */
export interface Result {
  readonly value: unknown
  /** The answer to the Worker in place of the value. */
  readonly inSections?: RealmAnswer['inSections']
  readonly repeated?: RealmAnswer['repeated']
}

/** Returns the caller's request with a key, if a repetition gets its first answer; undefined without. */
export function keyedRequestOf(operation: Operation, context: CallContext): KeyedRequest | undefined {
  if (!('user' in context) || meaningOf(operation) === 'harmless') return undefined
  const { idempotency } = context.source
  return idempotency && keyedRequest(context.user.id, idempotency)
}

function meaningOf({ idempotency }: Operation): Idempotency {
  return idempotency ?? 'answer'
}

/** A call with an `Idempotency-Key`: it is made once, and each repetition gets the first answer. Without a key it does nothing. */
export class KeyedCall {
  readonly #operation: Operation
  readonly #context: CallContext
  readonly #request: KeyedRequest | undefined

  constructor(operation: Operation, context: CallContext, request: KeyedRequest | undefined) {
    this.#operation = operation
    this.#context = context
    this.#request = request
  }

  /** @throws IdempotencyKeyReusedError (422) */
  firstAnswer(view: RealmView, params: unknown): Result | undefined {
    if (!this.#request || !('user' in this.#context)) return undefined
    const first = firstAnswerTo(view, this.#request)
    if (!first) {
      this.#requireNoMessage(view)
      return undefined
    }
    const { withoutSecret } = this.#operation.command
    const kept = fromJson(first.answer)
    const value = withoutSecret ? withoutSecret.restore(view, this.#context, kept, params) : kept
    return { value, repeated: { files: first.files } }
  }

  /** @throws TooMuchAtOnceError (413), RateLimitHitError (429): then the change is not made. */
  keep(tx: RealmTransaction, value: object): void {
    if (!this.#request || !('user' in this.#context) || meaningOf(this.#operation) !== 'answer') return
    const { withoutSecret } = this.#operation.command
    const { id } = this.#context.user
    keepFirstAnswer(tx, id, this.#request, withoutSecret ? withoutSecret.keep(value) : value)
  }

  /** Requires that no message has the key: the keys of sends are stored with their messages. */
  #requireNoMessage({ sql, now }: RealmView): void {
    const { idempotency } = this.#context.source
    if (!idempotency || !('user' in this.#context) || meaningOf(this.#operation) === 'own') return
    if (findKeyedMessage(sql, this.#context.user.id, idempotency, now) !== undefined)
      throw new IdempotencyKeyReusedError()
  }
}
