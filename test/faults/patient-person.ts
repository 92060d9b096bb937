import type { Params, Person } from '../reference-model/person.ts'
import { askWorker } from '../support/api.ts'
import { requireDeclaredAnswer } from '../support/declared-answers.ts'
import type { TestUser } from '../support/factories.ts'
import type { Json } from '../support/json.ts'
import { authorization } from '../support/uploads.ts'

/** Number of times that a client without an answer sends the same request. */
const ATTEMPTS = 40
const WAIT_MS = 5

export interface Answer {
  readonly status: number
  readonly body: Json
}

/** The error after all these attempts without an answer: something is stuck. */
class NoAnswerError extends Error {}

/**
 * A client that repeats a request that got no answer, or a request to come back later, until it is answered. Each change
 * has a key of its own, so that it counts once however often it is repeated.
 */
export class PatientPerson implements Person {
  readonly id: number
  readonly email: string
  readonly fullName: string
  readonly apiKey: string
  readonly #user: TestUser
  /** Answers that were not final, by status. */
  readonly unanswered: Map<number, number>

  constructor(user: TestUser, unanswered: Map<number, number>) {
    this.id = user.id
    this.email = user.email
    this.fullName = user.fullName
    this.apiKey = user.apiKey
    this.#user = user
    this.unanswered = unanswered
  }

  async request(method: string, path: string, params: Params = {}): Promise<Answer> {
    const headers: Record<string, string> = method === 'GET' ? {} : { 'Idempotency-Key': crypto.randomUUID() }
    return this.#untilAnswered(`${method} ${path}`, async () => {
      const { api } = this.#user
      const { status, body } = await api.request(method, path, params as Record<string, string>, { headers })
      return { status, body }
    })
  }

  async postFile(path: string, file: File): Promise<Json> {
    const key = crypto.randomUUID()
    const { body } = await this.#untilAnswered(`POST ${path}`, () => this.#postOnce(path, file, key))
    return body
  }

  /** Returns the content at an address of the server. */
  async read(path: string): Promise<string> {
    const { body } = await this.#untilAnswered(`GET ${path}`, async () => {
      const url = `http://${this.#user.api.host}${path}`
      const response = await askWorker(new Request(url, { headers: authorization(this.#user) }))
      return { status: response.status, body: await response.text() }
    })
    return body
  }

  using(): Person {
    return this
  }

  async #postOnce(path: string, file: File, key: string): Promise<Answer> {
    const form = new FormData()
    form.append('file', file)
    const response = await askWorker(
      new Request(`http://${this.#user.api.host}/api/v1${path}`, {
        method: 'POST',
        headers: { ...authorization(this.#user), 'Idempotency-Key': key },
        body: form,
      }),
    )
    const body = await response.json()
    requireDeclaredAnswer('POST', path, response.status, body)
    return { status: response.status, body }
  }

  async #untilAnswered(what: string, ask: () => Promise<Answer>): Promise<Answer> {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      // An answer that breaks off counts as none.
      const answer = await ask().catch((error: unknown) => {
        if (error instanceof SyntaxError || error instanceof TypeError) return undefined
        throw error
      })
      const status = answer?.status ?? 0
      if (answer && status < 500) return answer
      this.unanswered.set(status, (this.unanswered.get(status) ?? 0) + 1)
      if (status === 500) throw new Error(`${what} was answered with 500: ${JSON.stringify(answer?.body)}`)
      await scheduler.wait(WAIT_MS * attempt)
    }
    throw new NoAnswerError(`${what} has no answer after ${ATTEMPTS} attempts`)
  }
}
