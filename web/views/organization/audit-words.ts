import type { AuditEntry } from '../../actions/organization.ts'
import { fromJson } from '../../api/json.ts'
import { state } from '../../chat.ts'
import { availableCallProviders } from '../../state/calls.ts'
import type { GroupSettingValue } from '../../state/wire.ts'
import { s } from '../../texts/settings.ts'
import { listed, t } from '../../texts/texts.ts'
import { wordFor } from '../../texts/word-for.ts'
import { daysName, durationName } from '../../ui/duration.ts'
import { groupName, permissionName } from '../settings/group-setting-row.tsx'
import { notificationLabel } from '../settings/notification-grid.ts'
import { channelName, realName } from '../words.ts'

type Words = Readonly<Record<string, string>>

/** Returns what was done: `Role changed`. */
export function actionName(action: string): string {
  return wordFor(s.audit.actions, action) ?? plain(action)
}

/** Returns who did it. */
export function actorName({ actor_id, details }: AuditEntry): string {
  if (actor_id !== null) return realName(actor_id)
  return details.scim === true ? s.organization.identityProvider : s.organization.server
}

/** Returns the details in words, with names in place of ids: `Clara Moreau`, `as Member`, `in #general`. */
export function detailWords({ actor_id, details, address }: AuditEntry): readonly string[] {
  const parts = Object.entries(details).flatMap(([name, value]) => {
    // Who does something to the own account is named beside it.
    if (name === 'user_id' && value === actor_id) return []
    const words = wordsOf(name, value)
    return words === '' ? [] : [words]
  })
  return address ? [...parts, s.audit.from(address)] : parts
}

/** Ids without a name on the screen, and facts that are described otherwise. */
const UNTOLD: ReadonlySet<string> = new Set([
  'provider_id',
  'login_provider_id',
  'login_identity_id',
  'export_id',
  'import_id',
  'token_id',
  'invite_id',
  'message_id',
  'attachment_id',
  'hold_id',
  'erasure_id',
  'former_valid_until',
  'from_none',
  'scim',
])

function wordsOf(name: string, value: unknown): string {
  if (UNTOLD.has(name) || value === null || (Array.isArray(value) && value.length === 0)) return ''
  switch (name) {
    case 'user_id':
    case 'sender_id':
      return realName(Number(value))
    case 'user_ids':
      return listed(idsIn(value).map(realName))
    case 'owner_id':
      return s.audit.to(realName(Number(value)))
    case 'role':
      return wordFor(s.audit.becomes, value) ?? ''
    case 'invite_as':
      return wordFor(s.audit.as, value) ?? ''
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
    case 'addresses':
      return s.audit.addresses(Number(value))
    case 'method':
    case 'kind':
      return valueWords(name, value)
    case 'is_multiuse':
      return value === true ? s.invitations.link : ''
    case 'add_subgroups':
    case 'delete_subgroups':
      return `${s.audit.details[name]}${t.colon}${listed(idsIn(value).map(groupName))}`
    case 'export_type':
      return s.organization.exportTypes[EXPORT_TYPES[Number(value)] ?? 'public']
    case 'import_action':
      return wordFor(importActions(), value) ?? String(value)
    default:
      return settingName(name) + t.colon + valueWords(name, value)
  }
}

/** The types of exports by the numbers that the log has. */
const EXPORT_TYPES: Readonly<Record<number, keyof typeof s.organization.exportTypes>> = {
  1: 'public',
  2: 'full_with_consent',
  3: 'full_without_consent',
}

function inAll(names: readonly string[]): string {
  return names.length === 0 ? '' : s.audit.in(listed(names))
}

function idsIn(value: unknown): readonly number[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'number') : []
}

function importActions(): Words {
  const { run, pause, resume, cancel, undo } = s.imports
  return { run, pause, resume, cancel, undo }
}

/** Returns labels that the views have under other names than the API. */
function labelsElsewhere(): Words {
  const { organizationMore, calls, channels, organization, logIn, scim, bots } = s
  return {
    welcome_message_custom_text: organizationMore.welcome,
    video_chat_provider: calls.provider,
    jitsi_server_url: calls.jitsi,
    default_code_block_language: calls.code,
    default_language: organization.language,
    giphy_rating: organization.names.gif_rating_policy,
    topics_policy: channels.topics,
    folder_id: channels.folder,
    is_default_stream: channels.isDefault,
    default_push_notifications: channels.pushesByDefault,
    is_archived: channels.archived,
    display_name: logIn.displayName,
    issuer: logIn.issuer,
    client_id: logIn.clientId,
    client_secret: logIn.clientSecret,
    is_enabled: logIn.isOn,
    auto_signup: logIn.autoSignup,
    trusts_email: logIn.trustsEmail,
    takes_picture: logIn.takesPicture,
    groups_claim: logIn.groupsClaim,
    group_map: logIn.mapping,
    role_claim: logIn.roleClaim,
    role_map: logIn.mapping,
    token_auth: logIn.tokenAuth,
    scopes: logIn.scopes,
    icon_url: logIn.icon,
    manages_owners: scim.owners,
    end_former: scim.endFormer,
    event_subscriptions: bots.events,
  }
}

/** Returns the label of a setting by its API name, as its own view has it. */
function settingName(name: string): string {
  const { names, switches, permissions } = s.organization
  const known: readonly Words[] = [
    s.audit.details,
    labelsElsewhere(),
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
  const label = known.find((words) => Object.hasOwn(words, name))?.[name]
  return label ?? notificationLabel(name) ?? plain(name)
}

/** Returns the words for the values of a setting that are numbers, or fixed words, in the API. */
function choicesOf(name: string): object {
  const { retentions, weekdays, gifRatings, previewSizes } = s.organization
  const own: Readonly<Record<string, object>> = {
    message_retention_days: retentions,
    digest_weekday: weekdays,
    giphy_rating: gifRatings,
    media_preview_size: previewSizes,
    org_type: s.organizationMore.types,
    preset: s.logIn.presets,
    ...s.display.choices,
    ...s.notifications.choices,
  }
  return Object.hasOwn(own, name) ? own[name]! : s.audit.values
}

function valueWords(name: string, value: unknown): string {
  const word = wordFor(choicesOf(name) as Words, value)
  if (word !== undefined) return word
  if (value === true) return s.channels.on
  if (value === false) return s.channels.off
  if (name.endsWith('_group') || name === 'can_create_groups' || name === 'can_manage_all_groups') {
    const holders = holdersIn(value)
    if (holders !== undefined) return permissionName(holders)
  }
  if (name.endsWith('_stream_id') || name.endsWith('_channel_id')) {
    return Number(value) < 0 ? s.organization.nowhere : `#${channelName(Number(value))}`
  }
  if (typeof value === 'number') return numberWords(name, value)
  if (Array.isArray(value)) return listed(value.map(realName))
  if (typeof value === 'string' && !isTold(name, value)) return s.audit.changed
  return String(value)
}

function numberWords(name: string, value: number): string {
  if (name.endsWith('_limit_seconds')) return wordFor(s.organization.limits, value) ?? durationName(value)
  switch (name) {
    case 'message_retention_days':
      return daysName(value)
    case 'folder_id':
      return state.folders.get(value)?.name ?? s.audit.changed
    case 'video_chat_provider':
      return availableCallProviders(state).find(({ id }) => id === value)?.name ?? s.audit.changed
    default:
      return String(value)
  }
}

/** Whether a text of the log is told as it is: names of events, and codes of refusals; others are maps, or say only that there was a change. */
function isTold(name: string, value: string): boolean {
  return name !== 'event_subscriptions' && value !== 'changed' && !/^[[{]/.test(value)
}

function holdersIn(value: unknown): GroupSettingValue | undefined {
  if (typeof value === 'number') return state.groups.has(value) ? value : undefined
  if (typeof value !== 'string' || !value.startsWith('{')) return undefined
  return fromJson<Exclude<GroupSettingValue, number>>(value)
}

function plain(name: string): string {
  return name.replaceAll('_', ' ')
}
