import { SessionEndedError } from './errors.ts'

/**
 * The session that this tab belongs to. A browser has one session for all its tabs, and a log-in in one of them replaces it: the others
 * would go on as one person with the session of another. The session's token, which the page can read, names it.
 */
export class TabSession {
  readonly #present: () => string
  #own = ''
  /** Called when the browser has another session than the tab. */
  onReplaced: () => void = () => {}

  /** `present`: returns the token of the session that the browser has now; '' without one. */
  constructor(present: () => string) {
    this.#present = present
  }

  /** Makes this the tab's session, by default the one that the browser has now: at the start, and after a log-in in this tab. */
  bind(token: string = this.#present()): void {
    this.#own = token
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

  /** @throws SessionEndedError if the browser has another session: its cookie would go out with what is written here */
  require(): void {
    if (!this.isReplaced) return
    this.onReplaced()
    throw new SessionEndedError('SESSION_REPLACED', '', 403)
  }
}
