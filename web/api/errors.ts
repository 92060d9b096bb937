/** A refusal of the server: `code` is what callers branch on, the message is the server's own sentence. */
export class ApiError extends Error {
  readonly code: string
  readonly status: number
  /** Fields beside `code` in the answer. */
  readonly extra: Readonly<Record<string, unknown>>

  constructor(code: string, message: string, status: number, extra: Readonly<Record<string, unknown>> = {}) {
    super(message)
    this.name = 'ApiError'
    this.code = code
    this.status = status
    this.extra = extra
  }

  /** Whether it was refused as it is, and has changed nothing. Of any other failure nobody knows. */
  get isRefusal(): boolean {
    return this.status < 500 && this.status !== 429
  }
}

/** A request without an answer: no network, no server, or none in time. It may have been carried out. */
export class NetworkError extends Error {
  readonly code = 'NETWORK'

  constructor(cause: unknown) {
    super('There is no connection.', { cause })
    this.name = 'NetworkError'
  }
}

/** The session has ended: whoever it is has to log in again. */
export class SessionEndedError extends ApiError {
  constructor(code: string, message: string, status: number) {
    super(code, message, status)
    this.name = 'SessionEndedError'
  }
}

/** A failure in one form for `failSend` and the like. */
export function failureOf(error: unknown): { code: string; text: string; isRefused: boolean } {
  if (error instanceof ApiError) {
    // After log-in it is tried again: nothing is wrong with what was asked.
    const isRefused = error.isRefusal && !(error instanceof SessionEndedError)
    return { code: error.code, text: error.message, isRefused }
  }
  return { code: 'NETWORK', text: '', isRefused: false }
}
