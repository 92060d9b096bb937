import type { RateLimitState, RealmCall } from '../core/call.ts'
import type { BodyReader, MessageBody } from '../core/command.ts'
import { ApiError, ServiceUnavailableError } from '../core/errors.ts'
import { fetchMessageBodies } from '../d1/message-bodies.ts'
import { isShortNameTaken } from '../d1/realms.ts'
import type { Endpoint, WorkerContext } from '../endpoints/define-endpoint.ts'
import { cropSquare, fitInside } from '../images/resize-image.ts'
import { callRealm } from './call-realm.ts'
import type { Environment } from './environment.ts'
import { explainRefusal } from './explain-refusal.ts'
import { fileStoreOn } from './file-store.ts'
import { respondError, respondSuccess } from './respond.ts'
import { testPush, testSealedPush } from './test-push.ts'

/** How often an answer is made again when the realm moves on while its bodies are fetched. */
const FINISH_ATTEMPTS = 4

export interface UnfinishedCall {
  readonly endpoint: Endpoint
  readonly env: Environment
  readonly realmId: number
  readonly call: RealmCall
  /** What `WorkerContext.files` is. */
  readonly files: WorkerContext['files']
  /** Names for `ignored_parameters_unsupported`. */
  readonly ignored: readonly string[]
}

/** Prepares in the Worker, asks the realm object, and completes the answer with bulk from D1. */
export async function finishCall(unfinished: UnfinishedCall): Promise<Response> {
  const conversation = new Conversation(unfinished)
  try {
    const result = await answer(unfinished, conversation)
    return await respondSuccess(result, { rateLimit: conversation.rateLimit, ignored: unfinished.ignored })
  } catch (error) {
    if (error instanceof ApiError) return respondError(error, { rateLimit: conversation.rateLimit })
    throw error
  }
}

async function answer({ endpoint, call }: UnfinishedCall, conversation: Conversation): Promise<object> {
  let parameters = call.parameters
  if (endpoint.prepare && parameters.ok) {
    await conversation.ask({ rehearse: true })
    parameters = { ok: true, value: await endpoint.prepare(parameters.value, conversation.worker()) }
  }
  for (let attempt = 1; attempt <= FINISH_ATTEMPTS; attempt += 1) {
    const value = await conversation.ask({ parameters })
    if (!endpoint.finish || !parameters.ok) return value
    const result = await endpoint.finish(value, parameters.value, conversation.worker())
    if (result !== 'again') return result
  }
  console.warn(`${call.operation} could not be finished: the realm moves on too fast`)
  throw new ServiceUnavailableError()
}

/** The calls to the realm object that one request makes: only the first is counted, each may be refused. */
class Conversation {
  readonly #env: Environment
  readonly #endpoint: Endpoint
  readonly #realmId: number
  readonly #call: RealmCall
  readonly #files: WorkerContext['files']
  #counted = false
  /** Bodies that came with the last answer: they are newer than D1's, or not there at all. */
  #sent: ReadonlyMap<number, MessageBody> = new Map()
  /** Those that should have come and did not fit. */
  #unsent: ReadonlySet<number> = new Set()
  /** As the call that was counted left it. */
  rateLimit: RateLimitState | undefined

  constructor({ endpoint, env, realmId, call, files }: UnfinishedCall) {
    this.#env = env
    this.#endpoint = endpoint
    this.#realmId = realmId
    this.#call = call
    this.#files = files
  }

  /** @throws ApiError when the realm refuses. */
  async ask(changes: Partial<RealmCall>): Promise<object> {
    const call: RealmCall = { ...this.#call, ...changes, counted: this.#counted }
    const { outcome, rateLimit, bodies, unsentBodies } = await callRealm(
      this.#env,
      this.#realmId,
      call,
      this.#isRepeatable(call),
    )
    this.#counted = true
    this.rateLimit ??= rateLimit
    if (!outcome.ok) throw await explainRefusal(this.#env, this.#realmId, call, outcome.error)
    this.#sent = new Map(bodies?.map((body) => [body.id, body]))
    this.#unsent = new Set(unsentBodies)
    return outcome.value as object
  }

  /** What only looks may be asked twice; of the rest the endpoint says. Its steps are no part of that. */
  #isRepeatable({ operation, parameters, source, rehearse }: RealmCall): boolean {
    if (rehearse) return true
    if (operation !== this.#endpoint.operation) return false
    const { method, repeatable } = this.#endpoint
    return method === 'GET' || (parameters.ok && repeatable?.(parameters.value, source) === true)
  }

  worker(): WorkerContext {
    return {
      realmId: this.#realmId,
      source: this.#call.source,
      files: this.#files,
      store: fileStoreOn(this.#env.UPLOADS),
      images: { fitInside, cropSquare },
      bodies: this.#bodies,
      isShortNameTaken: (name) => isShortNameTaken(this.#env.DB, name),
      testPush: (test) => testPush(this.#env, test),
      testSealedPush: (test) => testSealedPush(this.#env, test),
      run: (operation, value) => this.ask({ operation, parameters: { ok: true, value } }),
    }
  }

  /** Reads the bodies of the messages that the realm has answered with last. */
  readonly #bodies: BodyReader = {
    read: async (ids) => {
      const unknown = ids.filter((id) => !this.#sent.has(id) && !this.#unsent.has(id))
      const found = await fetchMessageBodies(this.#env.DB, this.#realmId, unknown)
      for (const id of ids) {
        const body = this.#sent.get(id)
        if (body) found.set(id, body)
      }
      return found
    },
  }
}
