import { readdirSync, readFileSync } from 'node:fs'
import { CLIENT_CAPABILITIES } from '../../src/events/queue.ts'
import type { ClientForm } from './client-state.ts'

/** The source of each event type, to see which capabilities it asks about. */
const FOLDER = new URL('../../src/events/', import.meta.url)
const SOURCES = readdirSync(FOLDER).map((name) => readFileSync(new URL(name, FOLDER), 'utf8'))

/** Without `svc_names`, since the messages that are fetched beside the events have the public names. */
const DECLARED = CLIENT_CAPABILITIES.filter((name) => name !== 'svc_names')
const ALL = Object.fromEntries(DECLARED.map((name) => [name, true]))

export const MODERN: ClientForm = {
  name: 'every capability',
  // As the page does.
  level: 510,
  capabilities: ALL,
  options: { apply_markdown: true, client_gravatar: true, slim_presence: true, include_subscribers: true },
}

const ANCIENT: ClientForm = {
  name: 'no capability',
  level: 420,
  capabilities: { notification_settings_null: false },
  options: { apply_markdown: false, client_gravatar: false, slim_presence: false, include_subscribers: true },
}

/** The answer is small, since it has no lists of subscribers. */
const SLIM: ClientForm = {
  name: 'every capability, without subscribers',
  capabilities: ALL,
  options: { apply_markdown: false, client_gravatar: true, slim_presence: true, include_subscribers: false },
}

/** Like most clients, it declares no level. */
const UNDECLARED: ClientForm = { ...MODERN, name: 'every capability, and no level', level: undefined }

/** A client of the year in which profiles had no pronouns yet. */
const OLD_MOBILE: ClientForm = {
  ...MODERN,
  name: 'an old mobile client',
  userAgent: 'ZulipMobile/27.100',
  level: undefined,
}

const ALL_BUT_ONE: readonly ClientForm[] = DECLARED.map((capability) => ({
  name: withoutName(capability),
  capabilities: { ...ALL, [capability]: false },
  options: MODERN.options,
  // Without that one a client hears of settings by events that ended with level 439.
  level: capability === 'user_settings_object' ? 438 : MODERN.level,
}))

function withoutName(capability: string): string {
  return `every capability but ${capability}`
}

export const EVERY_FORM: readonly ClientForm[] = [
  MODERN,
  ANCIENT,
  UNDECLARED,
  SLIM,
  OLD_MOBILE,
  ...ALL_BUT_ONE,
]

/** Types whose events, or whose lists, depend on the options of a registration. */
const TYPES_WITH_OPTIONS = new Set(['message', 'presence', 'realm_user', 'stream', 'subscription'])

/** The forms for which the code of an event type makes a difference. */
export function formsThatMatterTo(type: string): ReadonlySet<ClientForm> {
  const asked = new Set(capabilitiesAskedBy(type).map(withoutName))
  return new Set([
    MODERN,
    ANCIENT,
    ...(sourceOf(type).includes('getsRepresentation') ? [UNDECLARED] : []),
    ...(TYPES_WITH_OPTIONS.has(type) ? [SLIM] : []),
    ...(sourceOf(type).includes('userAgent') ? [OLD_MOBILE] : []),
    ...ALL_BUT_ONE.filter(({ name }) => asked.has(name)),
  ])
}

/** Returns the capabilities that the code of an event type names, or uses through `topicFor`. */
function capabilitiesAskedBy(type: string): string[] {
  const source = sourceOf(type)
  return DECLARED.filter(
    (name) => source.includes(`'${name}'`) || (name === 'empty_topic_name' && source.includes('topicFor(')),
  )
}

function sourceOf(type: string): string {
  const declaration = new RegExp(`define(?:Shaped)?EventType(?:<[^(]*>)?\\(\\s*'${type}'`)
  const source = SOURCES.find((text) => declaration.test(text))
  if (source === undefined) throw new Error(`No source of the event type ${type}`)
  return source
}
