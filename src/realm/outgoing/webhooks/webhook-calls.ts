/** The bots whose webhooks are being posted to, and the targets that are allowed. */
export class WebhookCalls {
  /** `host:port` that may be posted to although they are not public. */
  readonly allowedHosts: readonly string[]
  /** Ids of bots. Nothing of it must last. */
  readonly busyBots = new Set<number>()

  /** `allowedHosts`: apart by spaces. */
  constructor(allowedHosts = '') {
    this.allowedHosts = allowedHosts.split(/\s+/).filter((host) => host !== '')
  }
}
