import { hostsIn } from '../../../core/outgoing-target.ts'

/** The bots whose webhooks are being called, and the allowed targets. */
export class WebhookCalls {
  /** `host:port` that may be called though not public. */
  readonly allowedHosts: readonly string[]
  /** Ids of bots. They need not survive an eviction. */
  readonly busyBots = new Set<number>()

  /** @param allowedHosts separated by spaces */
  constructor(allowedHosts?: string) {
    this.allowedHosts = hostsIn(allowedHosts)
  }
}
