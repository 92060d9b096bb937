import { s } from './settings.ts'

/** How a service is connected, in the words that its own pages have. */
export interface ServiceGuide {
  /** What its messages are about. */
  readonly about: string
  /** What to do at the service, once the bot and its address are there. */
  readonly steps: readonly [string, string, string]
  /** Where the secret is entered or found there; absent where the service signs with none. */
  readonly secret?: string
}

/** Returns undefined for a service that this page does not know. */
export function guideOf(service: string): ServiceGuide | undefined {
  const guides: Readonly<Record<string, ServiceGuide>> = s.bots.services
  return Object.hasOwn(guides, service) ? guides[service] : undefined
}
