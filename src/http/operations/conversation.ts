import { type Endpoint, isAnswerLarge } from '../../api/define-endpoint.ts'
import type { WorkerContext } from '../../api/worker-context.ts'
import type { RateLimitState, RealmAnswer, RealmCall } from '../../core/call.ts'
import { IdempotencyKeyReusedError } from '../../core/errors.ts'
import { OPERATIONS } from '../../features/index.ts'
import type { RealmAddress } from '../../store/d1/realms.ts'
import { callRealm, explainRefusal } from '../request/call-realm.ts'
import { isAccepted, noteAnswer } from '../request/credentials.ts'
import type { Environment } from '../request/environment.ts'
import { allAtOnce, askInSections, type WholeAnswer } from '../snapshot/ask-in-sections.ts'
import { DigestedFiles } from './idempotency.ts'
import { TextsOfAnswer } from './texts-of-answer.ts'

export interface UnansweredCall {
  readonly endpoint: Endpoint
  readonly env: Environment
  readonly realm: RealmAddress
  readonly call: RealmCall
  readonly files: WorkerContext['files']
}

/** The calls to the realm object for one request. Only the first counts towards rate limits; each may be refused. */
export class Conversation {
  readonly #env: Environment
  readonly #endpoint: Endpoint
  readonly #realm: RealmAddress
  readonly #call: RealmCall
  /** The request's files, digested as they are read where they tell whether it is repeated. */
  readonly files: WorkerContext['files']
  /** The texts of the messages in the last answer. */
  readonly texts: TextsOfAnswer
  #counted: boolean
  #fileId: string | undefined
  /** The state of the rate limit after the counted call. */
  rateLimit: RateLimitState | undefined
  /** The caller's language for refusals, after the first call. */
  language: RealmAnswer['language']
  /** Set if the last call returned the first answer to a repeated request. */
  repeated: RealmAnswer['repeated']
  /** The last answer, if it came in sections. */
  whole: WholeAnswer | undefined

  constructor({ endpoint, env, realm, call, files }: UnansweredCall) {
    this.texts = new TextsOfAnswer(env, realm.id)
    this.#env = env
    this.#endpoint = endpoint
    this.#realm = realm
    this.#call = call
    this.#counted = call.counted === true
    const isRead = endpoint.streamsFiles || endpoint.tus?.chunk
    this.files = isRead && call.source.idempotency ? new DigestedFiles(files) : files
  }

  /** @throws ApiError when the realm refuses. */
  async ask(changes: Partial<RealmCall>): Promise<object> {
    const source = this.#sourceNow()
    const call: RealmCall = { ...this.#call, ...changes, source }
    const { answer, whole } = this.#isInSections(call)
      ? await askInSections(this.#realm.id, (held) => this.#reach({ ...call, held }))
      : await allAtOnce(await this.#reach(call))
    const { outcome, repeated } = answer
    noteAnswer(this.#realm.id, call.credentials, outcome.ok)
    this.whole = whole
    this.repeated = repeated
    if (!outcome.ok) throw await explainRefusal(this.#env, this.#realm.id, call, outcome.error)
    this.texts.note(answer)
    return outcome.value as object
  }

  async #reach(call: RealmCall): Promise<RealmAnswer> {
    const counted = { ...call, counted: this.#counted }
    const answer = await callRealm(this.#env, this.#realm, counted, this.#isRepeatable(call))
    this.#counted = true
    this.rateLimit ??= answer.rateLimit
    this.language ??= answer.language
    return answer
  }

  #isInSections({ parameters }: RealmCall): boolean {
    return this.#endpoint.answersInSections === true && isAnswerLarge(this.#endpoint, parameters)
  }

  /** Whether the call may be made twice: reads may; for others the endpoint decides, apart from its steps. */
  #isRepeatable({ operation, parameters, source, rehearse }: RealmCall): boolean {
    if (rehearse) return true
    const isStep = operation !== this.#endpoint.operation
    const { idempotency } = isStep ? OPERATIONS.get(operation)! : this.#endpoint
    if (source.idempotency && idempotency !== 'harmless') return true
    if (isStep) return false
    const { method, repeatable } = this.#endpoint
    return method === 'GET' || (parameters.ok && repeatable?.(parameters.value, source) === true)
  }

  /** Checks that a repeated request has the same files. None of them is stored. @throws IdempotencyKeyReusedError (422) */
  async requireSameFiles(): Promise<void> {
    const first = this.repeated?.files
    if (typeof first !== 'string' || !(this.files instanceof DigestedFiles)) return
    // A truncated form counts as a different one.
    await this.files.drain().catch(() => {})
    if (this.files.digest !== first) throw new IdempotencyKeyReusedError()
  }

  /** Whether work may begin although the realm may still refuse. */
  get mayBegin(): boolean {
    const { source, credentials } = this.#call
    return !source.idempotency && isAccepted(this.#realm.id, credentials)
  }

  /** The id of the request's file in the store. */
  get fileId(): string {
    this.#fileId ??= crypto.randomUUID().replaceAll('-', '')
    return this.#fileId
  }

  /** Returns the source with the digest of files that are read as they arrive, known only after that. */
  #sourceNow(): RealmCall['source'] {
    const source = this.#endpoint.stores ? { ...this.#call.source, fileId: this.fileId } : this.#call.source
    if (!source.idempotency || !(this.files instanceof DigestedFiles)) return source
    return { ...source, idempotency: { ...source.idempotency, files: this.files.digest } }
  }
}
