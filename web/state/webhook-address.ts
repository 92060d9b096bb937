/** The destination of a service's posts, and the filter for them. */
export interface WebhookTarget {
  /** Name of the integration. */
  readonly integration: string
  /** Key of the bot. */
  readonly key: string
  /** Undefined: the bot writes to its owner. */
  readonly channelId: number | undefined
  /** '' for the topics that the integration chooses. */
  readonly topic: string
  readonly filter: 'all' | 'only' | 'except'
  /** Names of the events that the filter is about; without any, all count. */
  readonly events: readonly string[]
  /** Values of the integration's options by name; '' for its default. */
  readonly options: Readonly<Record<string, string>>
  /** Whether the address has the form of the other chat's webhooks, which the integration imitates. */
  readonly looksLikeOther: boolean
}

/** The paths of other chats, before the key. Their ids are ignored. */
const OTHER_PATHS: Readonly<Record<string, string>> = {
  slack_incoming: '/services/T00000000/B00000000/',
  discord_incoming: '/api/webhooks/1/',
}

/** Whether addresses for an integration can look like those of another chat. */
export function canLookLikeOther(integration: string): boolean {
  return Object.hasOwn(OTHER_PATHS, integration)
}

/** Returns the address to which a service has to post. `origin` is that of the organization. */
export function webhookAddress(origin: string, target: WebhookTarget): string {
  const { integration, key } = target
  const otherPath = target.looksLikeOther ? OTHER_PATHS[integration] : undefined
  const path = otherPath === undefined ? `/api/v1/external/${integration}` : otherPath + key
  const url = new URL(path, origin)
  const params = new URLSearchParams({
    ...(otherPath === undefined ? { api_key: key } : {}),
    ...addressParameters(target),
  })
  // Some services escape addresses again, after which a plus would no longer be a space.
  const query = String(params).replaceAll('+', '%20')
  return query === '' ? url.href : `${url.href}?${query}`
}

/** Returns the parameters of the address besides the key. */
function addressParameters({
  channelId,
  topic,
  filter,
  events,
  options,
}: WebhookTarget): Record<string, string> {
  const isFiltered = filter !== 'all' && events.length > 0
  const entries = [
    ['stream', channelId === undefined ? '' : String(channelId)],
    ['topic', channelId === undefined ? '' : topic],
    [filter === 'only' ? 'only_events' : 'exclude_events', isFiltered ? JSON.stringify(events) : ''],
    ...Object.entries(options),
  ] as const
  return Object.fromEntries(
    entries.map(([name, value]) => [name, value.trim()] as const).filter(([, value]) => value !== ''),
  )
}

/** Returns the same parameters for a test that the server posts, which has no address. */
export function testParameters(target: WebhookTarget): Record<string, string> {
  return {
    ...addressParameters(target),
    ...(target.looksLikeOther ? { to_default_channel: 'true' } : {}),
  }
}
