import { type Endpoint, isAnswerLarge } from '../../api/define-endpoint.ts'
import type { WorkerContext } from '../../api/worker-context.ts'
import { BYTES_AT_ONCE } from '../../core/budgets.ts'
import type { RealmCall } from '../../core/call.ts'
import { NonexistentSubdomainError, ServiceUnavailableError } from '../../core/errors.ts'
import { log } from '../../core/log.ts'
import type { HashingPlace } from '../../core/password-hasher.ts'
import { AnswerSizes, UNKNOWN_ANSWER_IN_SECTIONS } from '../../core/sections.ts'
import { holdUntilSent, type Release, waitForMemory } from '../request/admission-control.ts'
import { passwordHasher } from '../request/password-hasher.ts'
import { respondFailure, respondInSections, respondSuccess } from '../request/respond.ts'
import type { Readers } from '../request/security-headers.ts'
import { StoredFiles } from '../storage/stored-files.ts'
import { Conversation, type UnansweredCall } from './conversation.ts'
import { workerContext } from './worker-context.ts'

/** How often an answer is made again when the realm changes while its bodies are fetched. */
const FINISH_ATTEMPTS = 4

export interface UnfinishedCall extends UnansweredCall, Pick<WorkerContext, 'body' | 'largeBody'> {
  readonly readers: Readers
  /** Returns the names for `ignored_parameters_unsupported`, once the body was read. */
  ignored(): readonly string[]
}

/** Prepares in the Worker, asks the realm object, and completes the answer with bulk data from D1. */
export async function finishCall(unfinished: UnfinishedCall): Promise<Response> {
  const conversation = new Conversation(unfinished)
  const { endpoint, env, realm } = unfinished
  let place: HashingPlace | undefined
  let release: Release | undefined
  try {
    if (endpoint.reservesHashing) place = await passwordHasher(env, realm).reserve()
    release = await waitForMemory(() => expectedBytes(unfinished))
    const result = await answer(unfinished, conversation, () =>
      workerContext(unfinished, conversation, place),
    )
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
    place?.leave()
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
  worker: () => WorkerContext,
): Promise<object> {
  let parameters = call.parameters
  if (endpoint.prepare && parameters.ok && endpoint.hasWork?.(parameters.value, files) !== false) {
    const rehearsed = await conversation.ask({ rehearse: true })
    if (conversation.repeated) return rehearsed
    parameters = { ok: true, value: await endpoint.prepare(parameters.value, worker()) }
  }
  const stored = storedFiles(endpoint, parameters, conversation, worker)
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
      .finish(value, parameters.value, worker(), async () => stored?.stored(value))
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
  worker: () => WorkerContext,
): StoredFiles | undefined {
  if (!stores || !parameters.ok) return undefined
  const files = new StoredFiles(stores, parameters.value, worker())
  if (conversation.mayBegin) void files.stored()
  return files
}
