import { Api, type BrowserApi } from '../../web/api/index.ts'

export type Answer = {
  readonly status?: number
  readonly headers?: Record<string, string>
  readonly body?: object | string
}

export interface Asked {
  readonly method: string
  readonly url: string
  readonly headers: Headers
  readonly fields: URLSearchParams
}

/** A server that gives a list of answers, and a clock that moves on whenever a caller waits. */
export class ScriptedServer {
  readonly asked: Asked[] = []
  readonly waits: number[] = []
  now = 0
  isOnline = true
  /** The token of the browser's session. */
  token = 'token'
  #ids = 0
  readonly #answers: (Answer | Error | 'never')[]

  constructor(...answers: (Answer | Error | 'never')[]) {
    this.#answers = answers
  }

  add(...answers: (Answer | Error | 'never')[]): void {
    this.#answers.push(...answers)
  }

  get browserApi(): BrowserApi {
    return {
      fetch: (url, init) => this.#fetch(url, init),
      now: () => this.now,
      wait: async (ms) => {
        this.waits.push(ms)
        this.now += ms
      },
      random: () => 0.5,
      csrfToken: () => this.token,
      newId: () => {
        this.#ids += 1
        return `id-${this.#ids}`
      },
      isOnline: () => this.isOnline,
    }
  }

  api(): Api {
    return new Api(this.browserApi)
  }

  async #fetch(url: string, init: RequestInit): Promise<Response> {
    const fields = init.body instanceof URLSearchParams ? init.body : new URL(url, 'http://x').searchParams
    this.asked.push({ method: init.method!, url, headers: new Headers(init.headers), fields })
    const answer = this.#answers.shift()
    if (answer === undefined) throw new Error('Nothing more was expected')
    if (answer === 'never') return untilAborted(init.signal!)
    if (answer instanceof Error) throw answer
    const { status = 200, headers = {}, body = {} } = answer
    const text = typeof body === 'string' ? body : JSON.stringify({ ...envelope(status), ...body })
    return new Response(text, { status, headers })
  }
}

function envelope(status: number) {
  return status === 200 ? { result: 'success', msg: '' } : { result: 'error' }
}

function untilAborted(signal: AbortSignal): Promise<Response> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason))
  })
}
