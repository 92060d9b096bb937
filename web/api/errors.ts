/** A refusal by the server: callers branch on `code`, the message is the server's own sentence. */
export class ApiError extends Error {
  readonly code: string
  readonly status: number
  /** Fields besides `code` in the answer. */
  readonly extra: Readonly<Record<string, unknown>>

  constructor(code: string, message: string, status: number, extra: Readonly<Record<string, unknown>> = {}) {
    super(message)
    this.name = 'ApiError'
    this.code = code
    this.status = status
    this.extra = extra
  }

  /** Whether the request was refused, and has changed nothing. Other failures leave that unknown. */
  get isRefusal(): boolean {
    return this.status < 500 && this.status !== 429
  }
}

/** A request without an answer: no network, no server, or a timeout. It may have been carried out. */
export class NetworkError extends Error {
  readonly code = 'NETWORK'

  constructor(cause: unknown) {
    super('There is no connection.', { cause })
    this.name = 'NetworkError'
  }
}

/** The session has ended: the user has to log in again. */
export class SessionEndedError extends ApiError {
  constructor(code: string, message: string, status: number) {
    super(code, message, status)
    this.name = 'SessionEndedError'
  }
}

/** Returns a failure in one form for `failSend` and the like. What is neither a refusal nor a lost connection is a fault of the page or the browser. */
export function failureOf(error: unknown): { code: string; text: string; isRefused: boolean } {
  if (error instanceof ApiError) {
    // The request is repeated after the login.
    const isRefused = error.isRefusal && !(error instanceof SessionEndedError)
    return { code: error.code, text: error.message, isRefused }
  }
  return { code: error instanceof NetworkError ? error.code : 'UNKNOWN', text: '', isRefused: false }
}
