/** The platform opens six connections at a time; some are left for the rest. */
const AT_ONCE = 4

/** How many outgoing webhooks are being posted to, and where that is allowed. Nothing of it must last. */
export class WebhookSlots {
  readonly allowedHosts: readonly string[]
  #taken = 0

  /** `allowedHosts`: `host:port`, apart by spaces, that may be posted to although they are not public. */
  constructor(allowedHosts = '') {
    this.allowedHosts = allowedHosts.split(/\s+/).filter((host) => host !== '')
  }

  get isFree(): boolean {
    return this.#taken < AT_ONCE
  }

  get isIdle(): boolean {
    return this.#taken === 0
  }

  take(): void {
    this.#taken += 1
  }

  leave(): void {
    this.#taken -= 1
  }
}
