import type { ChatState, Organization } from './chat-state.ts'
import type {
  CustomEmoji,
  DefaultChannelGroup,
  Linkifier,
  Playground,
  ProfileField,
  UserSettings,
  WireEvent,
} from './wire.ts'

export function applyRealm(state: ChatState, event: WireEvent): void {
  if (event.op === 'update') setProperty(state, event.property as string, event.value)
  if (event.op === 'update_dict') {
    for (const [name, value] of Object.entries(event.data as Record<string, unknown>)) {
      if (name === 'authentication_methods')
        setAuthenticationMethods(state, value as Organization['authentication_methods'])
      else setProperty(state, name, value)
    }
  }
  state.changes.touch('organization')
}

/**
 * Sets a property of the organization. Most names are those of the snapshot without `realm_`; a few are the
 * same there.
 */
function setProperty({ organization, server }: ChatState, name: string, value: unknown): void {
  if (!(name in organization) && name in server) Object.assign(server, { [name]: value })
  else Object.assign(organization, { [name]: value })
}

function setAuthenticationMethods(
  { organization }: ChatState,
  changed: Organization['authentication_methods'],
): void {
  const methods = { ...organization.authentication_methods, ...changed }
  const isOn = methods.Email?.enabled === true
  Object.assign(organization, {
    authentication_methods: methods,
    email_auth_enabled: isOn,
    password_auth_enabled: isOn,
  })
}

export function applyRestart(state: ChatState, { id: _id, type: _type, ...versions }: WireEvent): void {
  Object.assign(state.server, versions)
  state.changes.touch('organization')
}

export function applySettingsDefaults(state: ChatState, event: WireEvent): void {
  const { user_settings_defaults } = state.organization
  state.organization.user_settings_defaults = {
    ...user_settings_defaults,
    [event.property as string]: event.value,
  }
  state.changes.touch('organization')
}

export function applyRealmEmoji(state: ChatState, event: WireEvent): void {
  if (event.op === 'add') {
    const emoji = event.emoji as CustomEmoji
    state.emoji = { ...state.emoji, [emoji.id]: emoji }
  } else if (event.op === 'update_one') {
    const id = event.emoji_id as string
    const { [id]: emoji } = state.emoji
    if (emoji) state.emoji = { ...state.emoji, [id]: { ...emoji, ...(event.data as Partial<CustomEmoji>) } }
  } else state.emoji = event.realm_emoji as Record<string, CustomEmoji>
  state.changes.touch('emoji')
}

export function applyLinkifiers(state: ChatState, event: WireEvent): void {
  state.linkifiers = event.realm_linkifiers as Linkifier[]
  state.changes.touch('linkifiers')
}

export function applyPlaygrounds(state: ChatState, event: WireEvent): void {
  state.playgrounds = event.realm_playgrounds as Playground[]
  state.changes.touch('playgrounds')
}

export function applyDomains(state: ChatState, event: WireEvent): void {
  const added = event.realm_domain as { domain: string; allow_subdomains: boolean } | undefined
  const name = (event.domain as string | undefined) ?? added!.domain
  const rest = state.domains.filter(({ domain }) => domain !== name)
  state.domains = event.op === 'remove' ? rest : [...rest, added!]
  state.changes.touch('domains')
}

export function applyProfileFields(state: ChatState, event: WireEvent): void {
  state.profileFields = event.fields as ProfileField[]
  state.changes.touch('profile fields')
}

export function applyDefaultChannels(state: ChatState, event: WireEvent): void {
  state.defaultChannels = event.default_streams as number[]
  state.changes.touch('organization')
}

export function applyDefaultChannelGroups(state: ChatState, event: WireEvent): void {
  state.defaultGroups = event.default_stream_groups as DefaultChannelGroup[]
  state.offeredChannels = offeredIn(state.defaultGroups)
  state.changes.touch('organization')
}

/** Returns the channels of the groups. */
export function offeredIn(groups: readonly DefaultChannelGroup[]): ReadonlySet<number> {
  return new Set(groups.flatMap(({ streams }) => streams))
}

export function applySettings(state: ChatState, event: WireEvent): void {
  state.settings = { ...state.settings, [event.property as string]: event.value } as UserSettings
  state.changes.touch('settings')
}
