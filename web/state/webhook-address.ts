/** Where posts of a service go, and which of them count. */
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
}

/** Returns the address to which a service has to post. `origin` is that of the organization. */
export function webhookAddress(origin: string, target: WebhookTarget): string {
  const { integration, key, channelId, topic, filter, events, options } = target
  const url = new URL(`/api/v1/external/${encodeURIComponent(integration)}`, origin)
  const params = new URLSearchParams({ api_key: key })
  if (channelId !== undefined) {
    params.set('stream', String(channelId))
    if (topic.trim() !== '') params.set('topic', topic.trim())
  }
  if (filter !== 'all' && events.length > 0) {
    params.set(filter === 'only' ? 'only_events' : 'exclude_events', JSON.stringify(events))
  }
  for (const [name, value] of Object.entries(options)) {
    if (value.trim() !== '') params.set(name, value.trim())
  }
  // Some services escape addresses again, after which a plus would no longer be a space.
  return `${url.href}?${String(params).replaceAll('+', '%20')}`
}
