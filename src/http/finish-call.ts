import { type Endpoint, isAnswerLarge, type WorkerContext } from '../api/define-endpoint.ts'
import type { ArrivedBody, LargeBody } from '../core/arrived-body.ts'
import { BYTES_AT_ONCE } from '../core/budgets.ts'
import type { RateLimitState, RealmAnswer, RealmCall } from '../core/call.ts'
import {
  IdempotencyKeyReusedError,
  NonexistentSubdomainError,
  ServiceUnavailableError,
} from '../core/errors.ts'
import { fairScheduler, type ReservedSlices } from '../core/fair-scheduler.ts'
import { log } from '../core/log.ts'
import {
  type BodyRanges,
  type BodyVersion,
  lostBody,
  type MessageBody,
  type MessageText,
  type WantedBody,
  type WorkerBodyReader,
} from '../core/message-bodies.ts'
import { refusalText } from '../core/refusal-text.ts'
import { sealerOf } from '../core/sealed-secret.ts'
import { AnswerSizes, UNKNOWN_ANSWER_IN_SECTIONS } from '../core/sections.ts'
import { OPERATIONS } from '../features/index.ts'
import { bodyDatabase } from '../store/d1/body-databases.ts'
import { type BodyLocations, fetchBodiesFrom, fetchTextsFrom, textOf } from '../store/d1/message-bodies.ts'
import { isShortNameTaken, type RealmAddress } from '../store/d1/realms.ts'
import { holdUntilSent, type Release, waitForMemory, workerMemory } from './admission-control.ts'
import { callRealm, explainRefusal } from './call-realm.ts'
import { createCall } from './calls/create-call.ts'
import { zoomOfPerson } from './calls/zoom.ts'
import { isAccepted, noteAnswer } from './credentials.ts'
import { testProvider, testPush, testSealedPush } from './deployment/test-deliveries.ts'
import type { Environment } from './environment.ts'
import { picturesOf } from './files/decode-pictures.ts'
import { fileStoreOn, StoredFiles } from './files/stored-files.ts'
import { DigestedFiles } from './idempotency.ts'
import { keptTexts } from './kept-texts.ts'
import { respondFailure, respondInSections, respondSuccess } from './respond.ts'
import type { Readers } from './security-headers.ts'
import { askInSections, type WholeAnswer, wholeOf } from './snapshot/ask-in-sections.ts'
import { sectionsSent } from './snapshot/section-cache.ts'
import { unreadAt } from './unread-elsewhere.ts'

/** How often an answer is made again when the realm changes while its bodies are fetched. */
const FINISH_ATTEMPTS = 4

export interface UnfinishedCall {
  readonly endpoint: Endpoint
  readonly env: Environment
  readonly realm: RealmAddress
  readonly call: RealmCall
  readonly files: WorkerContext['files']
  readonly body?: ArrivedBody | undefined
  readonly largeBody?: LargeBody | undefined
  readonly readers: Readers
  /** Returns the names for `ignored_parameters_unsupported`, once the body was read. */
  ignored(): readonly string[]
}

/** Prepares in the Worker, asks the realm object, and completes the answer with bulk data from D1. */
export async function finishCall(unfinished: UnfinishedCall): Promise<Response> {
  const conversation = new Conversation(unfinished)
  const { endpoint, realm } = unfinished
  let release: Release | undefined
  try {
    if (endpoint.reservesPlace) conversation.place = fairScheduler.reserve()
    release = await waitForMemory(() => expectedBytes(unfinished))
    const result = await answer(unfinished, conversation)
    const { whole, rateLimit } = conversation
    if (whole) answerSizes.note(`${realm.id} ${endpoint.operation}`, whole.text.length)
    const facts = { rateLimit, readers: unfinished.readers, ignored: unfinished.ignored() }
    const response = whole ? respondInSections(whole, facts) : await respondSuccess(result, facts)
    return release ? holdUntilSent(response, release) : response
  } catch (error) {
    release?.()
    // Refused like a host without an organization.
    if (error instanceof NonexistentSubdomainError) throw error
    const { rateLimit, language } = conversation
    return respondFailure(endpoint.operation, error, { rateLimit, language })
  } finally {
    conversation.place?.leave()
  }
}

export function takesMemory({ largeAnswer, workerBytes }: Endpoint): boolean {
  return largeAnswer !== undefined || workerBytes !== undefined
}

/** Recent sizes of potentially large answers, by organization and operation. */
const answerSizes = new AnswerSizes()

/** Returns the expected size in bytes. An answer in bytes is in memory twice: as received, and while it is sent. A refusal is small. */
function expectedBytes({ endpoint, realm, call: { parameters } }: UnfinishedCall): number {
  if (!parameters.ok) return 0
  if (isAnswerLarge(endpoint, parameters)) {
    const unknown = endpoint.answersInSections ? UNKNOWN_ANSWER_IN_SECTIONS : BYTES_AT_ONCE
    return 2 * answerSizes.expected(`${realm.id} ${endpoint.operation}`, unknown)
  }
  return endpoint.workerBytes?.(parameters.value) ?? 0
}

async function answer(
  { endpoint, call, files }: UnfinishedCall,
  conversation: Conversation,
): Promise<object> {
  let parameters = call.parameters
  if (endpoint.prepare && parameters.ok && endpoint.hasWork?.(parameters.value, files) !== false) {
    const rehearsed = await conversation.ask({ rehearse: true })
    if (conversation.repeated) return rehearsed
    parameters = { ok: true, value: await endpoint.prepare(parameters.value, conversation.worker()) }
  }
  const stored = storedFiles(endpoint, parameters, conversation)
  for (let attempt = 1; attempt <= FINISH_ATTEMPTS; attempt += 1) {
    const value = await conversation.ask({ parameters }).catch((error: unknown) => {
      stored?.abandon()
      throw error
    })
    if (!endpoint.finish || !parameters.ok) return value
    if (conversation.repeated) {
      await conversation.requireSameFiles()
      if (endpoint.idempotency === 'last-step') return value
    }
    const result = await endpoint
      .finish(value, parameters.value, conversation.worker(), async () => stored?.stored(value))
      .catch(async (error: unknown) => {
        await stored?.discardAfter(error)
        throw error
      })
    if (result !== 'again') return result
  }
  log('warn', 'An answer could not be finished, since its messages kept changing', {
    operation: call.operation,
  })
  throw new ServiceUnavailableError()
}

/** Begins to store the files of the request if the caller is known. A possible repetition is checked first. */
function storedFiles(
  { stores }: Endpoint,
  parameters: RealmCall['parameters'],
  conversation: Conversation,
): StoredFiles | undefined {
  if (!stores || !parameters.ok) return undefined
  const files = new StoredFiles(stores, parameters.value, conversation.worker())
  if (conversation.mayBegin) void files.stored()
  return files
}

/** The calls to the realm object for one request. Only the first counts towards rate limits; each may be refused. */
class Conversation {
  readonly #env: Environment
  readonly #endpoint: Endpoint
  readonly #realm: RealmAddress
  readonly #call: RealmCall
  readonly #files: WorkerContext['files']
  readonly #body: Pick<WorkerContext, 'body' | 'largeBody'>
  #counted: boolean
  /** Bodies included in the last answer: newer than D1's, or missing there. */
  #sent: ReadonlyMap<number, MessageBody> = new Map()
  /** Bodies that belong in the answer but did not fit. */
  #unsent: ReadonlySet<number> = new Set()
  /** The databases that hold the bodies, according to the realm. */
  #ranges: BodyRanges = []
  /** The epoch within which a version of a message is one text, according to the realm. */
  #textEpoch: string | undefined
  #answers = 0
  #fileId: string | undefined
  /** Bodies missing in D1: the version, and after which answer it was missed. */
  readonly #lacked = new Map<number, { readonly version: number; readonly answer: number }>()
  /** A place at the gate, if the endpoint reserved one. */
  place: ReservedSlices | undefined
  /** The state of the rate limit after the counted call. */
  rateLimit: RateLimitState | undefined
  /** The caller's language for refusals, after the first call. */
  language: RealmAnswer['language']
  /** Set if the last call returned the first answer to a repeated request. */
  repeated: RealmAnswer['repeated']
  /** The last answer, if it came in sections. */
  whole: WholeAnswer | undefined

  constructor({ endpoint, env, realm, call, files, body, largeBody }: UnfinishedCall) {
    this.#body = { body, largeBody }
    this.#env = env
    this.#endpoint = endpoint
    this.#realm = realm
    this.#call = call
    this.#counted = call.counted === true
    const isRead = endpoint.streamsFiles || endpoint.tus?.chunk
    this.#files = isRead && call.source.idempotency ? new DigestedFiles(files) : files
  }

  /** @throws ApiError when the realm refuses. */
  async ask(changes: Partial<RealmCall>): Promise<object> {
    const source = this.#sourceNow()
    const call: RealmCall = { ...this.#call, ...changes, source }
    const { answer, whole } = this.#isInSections(call)
      ? await askInSections(this.#realm.id, (held) => this.#reach({ ...call, held }))
      : await allAtOnce(await this.#reach(call))
    const { outcome, repeated, bodies, unsentBodies, bodyRanges, textEpoch } = answer
    noteAnswer(this.#realm.id, call.credentials, outcome.ok)
    this.whole = whole
    this.repeated = repeated
    if (!outcome.ok) throw await explainRefusal(this.#env, this.#realm.id, call, outcome.error)
    this.#sent = new Map(bodies?.map((body) => [body.id, body]))
    this.#unsent = new Set(unsentBodies)
    this.#ranges = bodyRanges ?? this.#ranges
    this.#textEpoch = textEpoch
    this.#answers += 1
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
    if (typeof first !== 'string' || !(this.#files instanceof DigestedFiles)) return
    // A truncated form counts as a different one.
    await this.#files.drain().catch(() => {})
    if (this.#files.digest !== first) throw new IdempotencyKeyReusedError()
  }

  /** Whether work may begin although the realm may still refuse. */
  get mayBegin(): boolean {
    const { source, credentials } = this.#call
    return !source.idempotency && isAccepted(this.#realm.id, credentials)
  }

  get #newFileId(): string {
    this.#fileId ??= crypto.randomUUID().replaceAll('-', '')
    return this.#fileId
  }

  /** Returns the source with the digest of files that are read as they arrive, known only after that. */
  #sourceNow(): RealmCall['source'] {
    const source = this.#endpoint.stores
      ? { ...this.#call.source, fileId: this.#newFileId }
      : this.#call.source
    if (!source.idempotency || !(this.#files instanceof DigestedFiles)) return source
    return { ...source, idempotency: { ...source.idempotency, files: this.#files.digest } }
  }

  worker(): WorkerContext {
    return {
      realmId: this.#realm.id,
      source: this.#call.source,
      ...this.#body,
      files: this.#files,
      store: fileStoreOn(this.#env.UPLOADS),
      fileId: this.#newFileId,
      images: picturesOf(this.#env),
      secrets: sealerOf(this.#env, this.#realm.id),
      place: this.place,
      isRepetition: this.repeated !== undefined,
      arrivingMemory: () => workerMemory.arriving(),
      bodies: this.#bodies,
      isShortNameTaken: (name) => isShortNameTaken(this.#env.DB, name),
      createCall: (wanted) => createCall(this.#env, this.#realm.id, wanted),
      unreadAt: (url, key) => unreadAt(this.#env, this.#call.source, url, key),
      zoom: zoomOfPerson(this.#env),
      testProvider: async (test) => {
        const problem = await testProvider(this.#env, test)
        return problem === null ? null : refusalText(problem, this.language)
      },
      testPush: (test) => testPush(this.#env, test),
      testSealedPush: (test) => testSealedPush(this.#env, test),
      run: (operation, value) => this.ask({ operation, parameters: { ok: true, value } }),
    }
  }

  /** Reads the bodies of the messages in the realm's last answer. */
  readonly #bodies: WorkerBodyReader = {
    read: (wanted) => this.#read(wanted, fetchBodiesFrom, (body) => body),
    readVersions: async (wanted) => {
      const found = await this.#bodies.read(this.#asVersions(wanted))
      return this.#ofVersions(wanted, found, (body) => body)
    },
    readTexts: async (wanted, form) => {
      const epoch = this.#textEpoch && { realmId: this.#realm.id, epoch: this.#textEpoch }
      const exact = epoch ? keptTexts.find(epoch, wanted, form) : new Map<number, MessageText>()
      if (exact.size === wanted.length) return exact
      const others = exact.size === 0 ? wanted : wanted.filter(({ id }) => !exact.has(id))
      const found = await this.#read(
        this.#asVersions(others),
        (locations, realmId, unknown) => fetchTextsFrom(locations, realmId, unknown, form),
        (body) => textOf(body, form),
      )
      for (const [id, text] of this.#ofVersions(others, found, (body) => textOf(body, form))) {
        exact.set(id, text)
        if (epoch && !this.#sent.has(id) && found.get(id) === text) keptTexts.keep(epoch, text, form)
      }
      return exact
    },
  }

  /** Reads bodies: `inD1` those that D1 has, and `of` makes those that came with the realm's answer. */
  async #read<Body>(
    wanted: readonly WantedBody[],
    inD1: (
      locations: BodyLocations,
      realmId: number,
      wanted: readonly WantedBody[],
    ) => Promise<Map<number, Body>>,
    of: (body: MessageBody) => Body,
  ): Promise<Map<number, Body>> {
    const unknown = wanted.filter(({ id }) => !this.#sent.has(id) && !this.#unsent.has(id))
    const database = (number: number) => bodyDatabase(this.#env, number)
    const found = await inD1({ ranges: this.#ranges, database }, this.#realm.id, unknown)
    for (const { id } of wanted) {
      const body = this.#sent.get(id)
      if (body) found.set(id, of(body))
    }
    return found
  }

  /** Returns the bodies to fetch from D1. Without an epoch, a kept text of this version may be a different one. */
  #asVersions(wanted: readonly BodyVersion[]): readonly WantedBody[] {
    return this.#textEpoch ? wanted : wanted.map(({ id, isShort }) => ({ id, isShort }))
  }

  /** Returns the found bodies of the wanted versions, and replacements for lost ones. */
  #ofVersions<Body extends Pick<MessageBody, 'version'>>(
    wanted: readonly BodyVersion[],
    found: ReadonlyMap<number, Body>,
    of: (body: MessageBody) => Body,
  ): Map<number, Body> {
    const exact = new Map<number, Body>()
    for (const each of wanted) {
      const { id, version } = each
      const body = found.get(id)
      if (body?.version === version) exact.set(id, body)
      else if (body && this.#isLost(each)) exact.set(id, of(lostBody(id, version)))
    }
    return exact
  }

  /**
   * Whether a body is lost: D1 lacks this version, and the realm did not send it as one that D1 may lack. It may have been edited or
   * deleted in between, unless the realm names the same version again.
   */
  #isLost({ id, version }: BodyVersion): boolean {
    const before = this.#lacked.get(id)
    if (before?.version !== version) {
      this.#lacked.set(id, { version, answer: this.#answers })
      return false
    }
    if (before.answer === this.#answers) return false
    log('error', 'The body of a message is lost', { realm_id: this.#realm.id, message_id: id })
    return true
  }
}

/** Returns the answer to a call that holds no sections: all its parts came with it. */
async function allAtOnce(
  answer: RealmAnswer,
): Promise<{ answer: RealmAnswer; whole?: WholeAnswer | undefined }> {
  if (!answer.inSections) return { answer }
  const sent = new Map(
    Array.from(sectionsSent(answer.inSections.sent), ({ version, bytes }) => [version, bytes]),
  )
  const whole = await wholeOf(answer.inSections, (version) => sent.get(version))
  return { answer, whole: whole && { ...whole, end: () => {} } }
}
