import type { Json } from '../support/json.ts'
import type { ClientState } from './client-state.ts'

/** The organization's own settings and lists. Source: docs/interface/events.md#events-about-the-organization. */
export function applyOrganizationEvent(state: ClientState, event: Json): boolean {
  const { register } = state
  switch (event.type) {
    case 'restart':
      restart(register, event)
      return true
    case 'realm':
      changeRealm(register, event)
      return true
    case 'realm_user_settings_defaults':
      register.realm_user_settings_defaults[event.property] = event.value
      return true
    case 'realm_domains':
      changeDomains(register, event)
      return true
    case 'realm_emoji':
      applyEmoji(register, event)
      return true
    case 'realm_linkifiers':
      register.realm_linkifiers = event.realm_linkifiers
      return true
    case 'realm_playgrounds':
      register.realm_playgrounds = event.realm_playgrounds
      return true
    case 'custom_profile_fields':
      register.custom_profile_fields = event.fields
      return true
    case 'invites_changed':
      if (state.invites !== undefined) state.invites = 'stale'
      return true
    // Exports are not in the snapshot: administrators request the list.
    case 'realm_export':
    case 'realm_export_consent':
      return true
    default:
      return false
  }
}

function changeRealm(register: Json, event: Json): void {
  if (event.op === 'deactivated') return
  if (event.op === 'update') {
    setRealm(register, event.property, event.value)
    return
  }
  for (const [name, value] of Object.entries<Json>(event.data)) {
    if (name === 'authentication_methods') {
      for (const [method, facts] of Object.entries(value))
        register.realm_authentication_methods[method] = facts
      register.realm_email_auth_enabled = register.realm_authentication_methods.Email.enabled
      register.realm_password_auth_enabled = register.realm_email_auth_enabled
    } else setRealm(register, name, value)
  }
}

/** Most keys carry a prefix; some names of events stand in the snapshot as they are. */
function setRealm(register: Json, name: string, value: unknown): void {
  register[`realm_${name}` in register || !(name in register) ? `realm_${name}` : name] = value
}

function applyEmoji(register: Json, event: Json): void {
  const { realm_emoji } = register
  if (event.op === 'update') register.realm_emoji = event.realm_emoji
  else if (event.op === 'add') register.realm_emoji = { ...realm_emoji, [event.emoji.id]: event.emoji }
  else Object.assign(realm_emoji[event.emoji_id], event.data)
}

function changeDomains(register: Json, event: Json): void {
  const name = event.domain ?? event.realm_domain.domain
  const rest = register.realm_domains.filter(({ domain }: Json) => domain !== name)
  register.realm_domains = event.op === 'remove' ? rest : [...rest, event.realm_domain]
}

function restart(register: Json, { id: _id, type: _type, ...versions }: Json): void {
  Object.assign(register, versions)
}
