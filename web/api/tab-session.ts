import { SessionEndedError } from './errors.ts'

/**
 * The session that this tab belongs to. A browser has one session for all its tabs, and a log-in in one of them replaces it: the others
 * would go on as one person with the session of another. The session's token, which the page can read, names it.
 */
export class TabSession {
  readonly #present: () => string
  #own = ''
  #hasEnded = false
  /** Called when the browser has another session than the tab. */
  onReplaced: () => void = () => {}
  /** Called when the server has said that the session is over. */
  onEnded: () => void = () => {}

  /** `present`: returns the token of the session that the browser has now; '' without one. */
  constructor(present: () => string) {
    this.#present = present
  }

  /** Makes this the tab's session, by default the one that the browser has now: at the start, and after a log-in in this tab. */
  bind(token: string = this.#present()): void {
    this.#own = token
    this.#hasEnded = false
  }

  /** Notes that the server does not know the session any more: until the next `bind`, no request is made. */
  end(): void {
    this.#hasEnded = true
    this.onEnded()
  }

  /** The token for requests: '' without a session. */
  get token(): string {
    return this.#own || this.#present()
  }

  /** Whether the browser has another session now; none is not another. */
  get isReplaced(): boolean {
    const present = this.#present()
    return present !== '' && present !== this.token
  }

  /**
   * @throws SessionEndedError if the browser has another session, whose cookie would go out with what is written here, or none any more:
   * each request would be refused, and repeated
   */
  require(): void {
    if (this.isReplaced) {
      this.onReplaced()
      throw new SessionEndedError('SESSION_REPLACED', '', 403)
    }
    if (this.#hasEnded) throw new SessionEndedError('UNAUTHORIZED', '', 401)
  }
}
