import type { AuditEntry } from '../../actions/organization.ts'
import { fromJson } from '../../api/json.ts'
import { state } from '../../chat.ts'
import type { GroupSettingValue } from '../../state/wire.ts'
import { s } from '../../texts/settings.ts'
import { listed, t } from '../../texts/texts.ts'
import { wordFor } from '../../texts/word-for.ts'
import { groupName, permissionName } from '../settings/group-setting-row.tsx'
import { channelName, userName } from '../words.ts'

type Words = Readonly<Record<string, string>>

/** Returns what was done: `Role changed`. */
export function actionName(action: string): string {
  return wordFor(s.audit.actions, action) ?? plain(action)
}

/** Returns who did it. */
export function actorName({ actor_id, details }: AuditEntry): string {
  if (actor_id !== null) return userName(actor_id)
  return details.scim === true ? s.organization.identityProvider : s.organization.server
}

/** Returns the details in words, with names in place of ids: `Clara Moreau`, `as Member`, `in #general`. */
export function detailWords({ details, address }: AuditEntry): readonly string[] {
  const parts = Object.entries(details).flatMap(([name, value]) => {
    const words = wordsOf(name, value)
    return words === '' ? [] : [words]
  })
  return address ? [...parts, s.audit.from(address)] : parts
}

/** Ids without a name on the screen, and flags that are described otherwise. */
const UNTOLD: ReadonlySet<string> = new Set([
  'provider_id',
  'login_provider_id',
  'login_identity_id',
  'export_id',
  'import_id',
  'token_id',
  'scim',
])

function wordsOf(name: string, value: unknown): string {
  if (UNTOLD.has(name) || value === null) return ''
  switch (name) {
    case 'user_id':
      return userName(Number(value))
    case 'user_ids':
      return listed(idsIn(value).map(userName))
    case 'owner_id':
      return s.audit.to(userName(Number(value)))
    case 'role':
      return s.audit.to(roleName(value))
    case 'invite_as':
      return s.audit.as(roleName(value))
    case 'bot_type':
      return s.bots.types[Number(value) as 1 | 2 | 3] ?? ''
    case 'stream_id':
      return `#${channelName(Number(value))}`
    case 'stream_ids':
      return inAll(idsIn(value).map((id) => `#${channelName(id)}`))
    case 'user_group_id':
      return groupName(Number(value))
    case 'group_ids':
    case 'groups':
      return inAll(idsIn(value).map(groupName))
    case 'users':
      return s.audit.people(Number(value))
    case 'messages':
      return s.audit.messages(Number(value))
    default:
      return `${settingName(name)}: ${valueWords(name, value)}`
  }
}

function inAll(names: readonly string[]): string {
  return names.length === 0 ? '' : s.audit.in(listed(names))
}

function idsIn(value: unknown): readonly number[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'number') : []
}

function roleName(role: unknown): string {
  return wordFor(t.roles, role) ?? ''
}

/** Returns the label of a setting by its API name, as its own view has it. */
function settingName(name: string): string {
  const { names, switches, permissions } = s.organization
  const known: readonly Words[] = [
    s.audit.details,
    names,
    switches,
    permissions,
    s.channels.permissions,
    s.groups.permissions,
    s.display.names,
    s.display.switches,
    s.notifications.names,
    s.notifications.switches,
    s.account.switches,
    s.people.erased,
  ]
  return known.find((words) => Object.hasOwn(words, name))?.[name] ?? plain(name)
}

function valueWords(name: string, value: unknown): string {
  if (value === true) return s.channels.on
  if (value === false) return s.channels.off
  if (name.endsWith('_group') || name === 'can_create_groups' || name === 'can_manage_all_groups') {
    const holders = holdersIn(value)
    if (holders !== undefined) return permissionName(holders)
  }
  if (name.endsWith('_stream_id') || name.endsWith('_channel_id')) {
    return Number(value) < 0 ? s.organization.nowhere : `#${channelName(Number(value))}`
  }
  if (Array.isArray(value)) return listed(value.map(userName))
  if (value === 'changed') return s.audit.changed
  return wordFor(s.audit.values, value) ?? String(value)
}

function holdersIn(value: unknown): GroupSettingValue | undefined {
  if (typeof value === 'number') return state.groups.has(value) ? value : undefined
  if (typeof value !== 'string' || !value.startsWith('{')) return undefined
  return fromJson<Exclude<GroupSettingValue, number>>(value)
}

function plain(name: string): string {
  return name.replaceAll('_', ' ')
}
