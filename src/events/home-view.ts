import { type DeclaresLevel, getsForm } from '../core/forms-by-level.ts'

/** The recent conversations as `web_home_view`, as it is stored. Both words are accepted; which is sent depends on the client's level. */
const STORED = 'recent_topics'
export const NEWER_RECENT_VIEW = 'recent'

/** Returns the stored word; other values as they are. */
export function storedHomeView(value: unknown): unknown {
  return value === NEWER_RECENT_VIEW ? STORED : value
}

/** Returns a setting's value as a client knows it. */
export function settingValueFor<Value>(
  client: DeclaresLevel,
  name: string,
  value: Value,
): Value | typeof NEWER_RECENT_VIEW {
  const isRenamed =
    name === 'web_home_view' && value === STORED && getsForm(client, 'web_home_view named recent')
  return isRenamed ? NEWER_RECENT_VIEW : value
}

/** Returns settings as a client knows them. */
export function settingsFor(
  client: DeclaresLevel,
  settings: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [name, settingValueFor(client, name, value)]),
  )
}
