import { Slots } from './slots.ts'

/** The platform opens six connections at a time; some are left for the rest. */
const AT_ONCE = 4

/** How many outgoing webhooks are being posted to, and where that is allowed. */
export class WebhookSlots extends Slots {
  readonly allowedHosts: readonly string[]

  /** `allowedHosts`: `host:port`, apart by spaces, that may be posted to although they are not public. */
  constructor(allowedHosts = '') {
    super(AT_ONCE)
    this.allowedHosts = allowedHosts.split(/\s+/).filter((host) => host !== '')
  }
}
