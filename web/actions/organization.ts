import type { GroupSettingValue, Playground } from '../state/wire.ts'
import { api, call } from './call.ts'
import { formOf } from './own-account.ts'

/** The organization's own settings and data. Changes are shown when their events have come. */

export async function saveOrganization(name: string, value: unknown): Promise<void> {
  await call('PATCH', '/realm', { [name]: value })
}

export async function setOrganizationPermission(name: string, value: GroupSettingValue): Promise<void> {
  await call('PATCH', '/realm', { [name]: { new: value } })
}

/** Saves a default setting of new accounts; existing accounts do not change. */
export async function saveDefaultSetting(name: string, value: unknown): Promise<void> {
  await call('PATCH', '/realm/user_settings_defaults', { [name]: value })
}

export async function uploadIcon(file: File): Promise<void> {
  await api.postForm('/realm/icon', formOf(file))
}

export async function deleteIcon(): Promise<void> {
  await call('DELETE', '/realm/icon')
}

/** Uploads a logo. `night`: the one for dark themes. */
export async function uploadLogo(file: File, night: boolean): Promise<void> {
  const form = formOf(file)
  form.set('night', String(night))
  await api.postForm('/realm/logo', form)
}

export async function deleteLogo(night: boolean): Promise<void> {
  await call('DELETE', '/realm/logo', { night })
}

export async function addDomain(domain: string, withSubdomains: boolean): Promise<void> {
  await call('POST', '/realm/domains', { domain, allow_subdomains: withSubdomains })
}

export async function changeDomain(domain: string, withSubdomains: boolean): Promise<void> {
  await call('PATCH', `/realm/domains/${encodeURIComponent(domain)}`, { allow_subdomains: withSubdomains })
}

export async function removeDomain(domain: string): Promise<void> {
  await call('DELETE', `/realm/domains/${encodeURIComponent(domain)}`)
}

export type EnteredPlayground = Omit<Playground, 'id'>

/** Returns its id. */
export async function addPlayground({
  name,
  pygments_language,
  url_template,
}: EnteredPlayground): Promise<number> {
  return (await call('POST', '/realm/playgrounds', { name, pygments_language, url_template })).id as number
}

/**
 * Returns a function that changes a playground, and can be called again after a refusal. The server only adds and removes, and has a name
 * once for each language: the old one has to go first where the new one has its name, and comes back if that is refused.
 */
export function changerOfPlayground(before: Playground): (entered: EnteredPlayground) => Promise<void> {
  let id: number | undefined = before.id
  const remove = async () => {
    if (id !== undefined) await removePlayground(id)
    id = undefined
  }
  return async (entered) => {
    if (entered.name !== before.name || entered.pygments_language !== before.pygments_language) {
      await addPlayground(entered)
      await remove()
      return
    }
    await remove()
    try {
      await addPlayground(entered)
    } catch (error) {
      id = await addPlayground(before).catch(() => undefined)
      throw error
    }
  }
}

export async function removePlayground(id: number): Promise<void> {
  await call('DELETE', `/realm/playgrounds/${id}`)
}

export async function deactivateOrganization(): Promise<void> {
  await call('POST', '/realm/deactivate')
}

export async function addDefaultChannel(channelId: number): Promise<void> {
  await call('POST', '/default_streams', { stream_id: channelId })
}

export async function removeDefaultChannel(channelId: number): Promise<void> {
  await call('DELETE', '/default_streams', { stream_id: channelId })
}

/** Makes a group of channels that new members may join together. */
export async function createDefaultGroup(
  name: string,
  description: string,
  channels: readonly string[],
): Promise<void> {
  await call('POST', '/default_stream_groups/create', {
    group_name: name,
    description,
    stream_names: channels,
  })
}

/** Changes a group's `new_group_name` or `new_description`. */
export async function changeDefaultGroup(id: number, changes: object): Promise<void> {
  await call('PATCH', `/default_stream_groups/${id}`, changes)
}

export async function changeDefaultGroupChannels(
  id: number,
  op: 'add' | 'remove',
  channels: readonly string[],
): Promise<void> {
  await call('PATCH', `/default_stream_groups/${id}/streams`, { op, stream_names: channels })
}

export async function deleteDefaultGroup(id: number): Promise<void> {
  await call('DELETE', `/default_stream_groups/${id}`)
}

/** Sends the user the welcome message that new members would get. */
export async function tryWelcomeText(text: string): Promise<void> {
  await call('POST', '/realm/test_welcome_bot_custom_message', { welcome_message_custom_text: text })
}

export async function uploadEmoji(name: string, file: File): Promise<void> {
  await api.postForm(`/realm/emoji/${encodeURIComponent(name)}`, formOf(file))
}

export async function deleteEmoji(name: string): Promise<void> {
  await call('DELETE', `/realm/emoji/${encodeURIComponent(name)}`)
}

/** The fields of a linkifier; an empty text means none. */
export interface EnteredLinkifier {
  readonly pattern: string
  readonly url_template: string
  readonly example_input: string
  readonly reverse_template: string
  readonly alternative_url_templates: readonly string[]
}

export async function addLinkifier(entered: EnteredLinkifier): Promise<void> {
  await call('POST', '/realm/filters', { ...entered })
}

export async function changeLinkifier(id: number, entered: EnteredLinkifier): Promise<void> {
  await call('PATCH', `/realm/filters/${id}`, { ...entered })
}

export async function removeLinkifier(id: number): Promise<void> {
  await call('DELETE', `/realm/filters/${id}`)
}

/** Orders linkifiers. `ids`: all of them, in the new order. */
export async function orderLinkifiers(ids: readonly number[]): Promise<void> {
  await call('PATCH', '/realm/linkifiers', { ordered_linkifier_ids: ids })
}

/** Orders profile fields. `ids`: all of them, in the new order. */
export async function orderProfileFields(ids: readonly number[]): Promise<void> {
  await call('PATCH', '/realm/profile_fields', { order: ids })
}

/** Adds a profile field. `data`: for a field with choices, or for accounts elsewhere. */
export async function addProfileField(field: {
  readonly name: string
  readonly hint: string
  readonly type: number
  readonly data?: object | undefined
}): Promise<void> {
  await call('POST', '/realm/profile_fields', {
    name: field.name,
    hint: field.hint,
    field_type: field.type,
    field_data: field.data,
  })
}

export async function changeProfileField(id: number, changes: object): Promise<void> {
  await call('PATCH', `/realm/profile_fields/${id}`, changes)
}

export async function removeProfileField(id: number): Promise<void> {
  await call('DELETE', `/realm/profile_fields/${id}`)
}

/** The kinds of exports: public data, or also private data of users who consent, or of everybody. */
export type ExportType = 'public' | 'full_with_consent' | 'full_without_consent'

export interface Export {
  readonly id: number
  readonly acting_user_id: number
  /** UNIX seconds, with fraction; null: not yet. */
  readonly export_time: number
  readonly deleted_timestamp: number | null
  readonly failed_timestamp: number | null
  readonly export_url: string | null
  readonly pending: boolean
  readonly export_type: ExportType
}

export async function loadExports(): Promise<readonly Export[]> {
  const { exports } = await call('GET', '/export/realm')
  return (exports as Export[]).toReversed()
}

export async function askForExport(type: ExportType): Promise<void> {
  await call('POST', '/export/realm', { export_type: type })
}

export async function deleteExport(id: number): Promise<void> {
  await call('DELETE', `/export/realm/${id}`)
}

/** A backup of the organization. */
export interface Backup {
  readonly id: number
  /** Null for one of the night. */
  readonly acting_user_id: number | null
  /** UNIX seconds, with fraction. */
  readonly began_at: number
  readonly finished_at: number | null
  readonly failed_at: number | null
  /** Until when it is kept whatever the rule says; null for most. */
  readonly kept_until: number | null
  readonly size: number
  readonly sent: number
  readonly contents: {
    readonly users: number
    readonly channels: number
    readonly messages: number
    readonly files: number
  } | null
}

/** The last time that a backup has replaced the organization, or was to. */
export interface Restore {
  readonly backup_id: number
  /** Null when it is over. */
  readonly stage: string | null
  readonly outcome: 'restored' | 'returned' | 'damaged' | 'failed' | null
}

interface Backups {
  /** The newest first. */
  readonly backups: readonly Backup[]
  readonly restore: Restore | null
}

/** Loads the backups; null where the deployment makes none. */
export async function loadBackups(): Promise<Backups | null> {
  const { is_configured, backups, restore } = await call('GET', '/backups')
  return is_configured ? { backups: backups as Backup[], restore: restore as Restore | null } : null
}

/** Has a backup replace the organization. */
export async function restoreBackup(id: number): Promise<void> {
  await call('POST', `/backups/${id}/restore`)
}

export async function askForBackup(): Promise<void> {
  await call('POST', '/backups')
}

/** What a comparison with a backup lists. */
export type ComparedThing = 'people' | 'channels' | 'messages'
export type DifferenceKind = 'only_in_backup' | 'only_today' | 'changed'

/** A thing that differs between a backup and today. */
export interface Difference {
  readonly id: number
  /** Of a person or a channel. */
  readonly name?: string
  /** Of a message; null: a direct one. */
  readonly stream_id?: number | null
  readonly topic?: string | null
  readonly sender_id?: number
  /** UNIX seconds. */
  readonly timestamp?: number
}

/** What differs between a backup and today. */
export interface Comparison {
  /** UNIX seconds, with fraction; null without a comparison. */
  readonly began_at: number | null
  readonly finished_at: number | null
  readonly failed_at: number | null
  readonly counts: Readonly<Record<ComparedThing, Readonly<Record<DifferenceKind, number>>>>
  readonly differences: readonly Difference[]
  readonly has_more: boolean
}

export async function loadDifferences(
  backupId: number,
  of: ComparedThing,
  difference: DifferenceKind,
): Promise<Comparison> {
  const answer: unknown = await call('GET', `/backups/${backupId}/differences`, { of, difference })
  return answer as Comparison
}

export async function compareBackup(backupId: number): Promise<void> {
  await call('POST', `/backups/${backupId}/differences`)
}

/** Makes a copy of a backup to look at, and returns a link into it. */
export async function copyBackup(backupId: number): Promise<string> {
  return (await call('POST', `/backups/${backupId}/copy`)).url as string
}

/** Begins to delete the copy in which the user is. */
export async function removeCopy(): Promise<void> {
  await call('DELETE', '/copy')
}

/** A part of a backup that was given back. */
export interface GivenBack {
  readonly id: number
  readonly began_at: number
  readonly finished_at: number | null
  readonly failed_at: number | null
  readonly counts: { readonly messages: number; readonly hidden: number }
}

export async function loadGivenBack(backupId: number): Promise<readonly GivenBack[]> {
  return (await call('GET', `/backups/${backupId}/parts`)).parts as GivenBack[]
}

export async function giveBack(
  backupId: number,
  part: { readonly stream_id?: number; readonly topic?: string; readonly user_id?: number },
): Promise<void> {
  await call('POST', `/backups/${backupId}/parts`, part)
}

/** Whether a user lets administrators export their private data. */
export interface ExportConsent {
  readonly user_id: number
  readonly consented: boolean
}

export async function loadConsents(): Promise<readonly ExportConsent[]> {
  return (await call('GET', '/export/realm/consents')).export_consents as ExportConsent[]
}

/** An inconsistency in the data. */
export interface Finding {
  readonly check: string
  readonly what: string
  readonly problem: string
  readonly repaired: boolean
}

/**
 * Checks all data, part by part, and repairs what can be derived if `repairs`. `onPart` is called with the number of finished parts;
 * `isWanted` is asked before each.
 */
export async function verifyData(
  repairs: boolean,
  onPart: (parts: number) => void,
  isWanted: () => boolean,
): Promise<readonly Finding[]> {
  const findings: Finding[] = []
  let after: string | undefined
  for (let parts = 1; isWanted(); parts += 1) {
    const answer = await call('POST', '/realm/verify', { after, repair: repairs })
    findings.push(...(answer.findings as Finding[]))
    onPart(parts)
    if (answer.next === null) break
    after = answer.next as string
  }
  return findings
}

/** Bytes of all uploaded files. */
export async function loadUploadSpace(): Promise<number> {
  return (await call('GET', '/attachments')).upload_space_used as number
}

/** A message by which a user reported another. */
export interface Report {
  readonly id: number
  readonly sender_id: number
  /** UNIX seconds. */
  readonly timestamp: number
  readonly subject: string
  /** HTML made by the server. */
  readonly content: string
}

/** The number of messages in unresolved topics of the moderators' channel that are searched for reports in one request. */
const SEARCHED_AT_ONCE = 100
/** Messages that are searched for each wanted report, at most: discussions may be endless. */
const SEARCHED_FOR_ONE = 10

/**
 * Returns the newest reports among the messages of the channel for moderators in topics that are not resolved, the newest first: as many as
 * wanted or more, where there are so many not too far back. Discussions stand between them.
 */
export async function loadReports(
  channelId: number,
  isReport: (message: Report) => boolean,
  wanted: number,
): Promise<{ readonly reports: readonly Report[]; readonly isAll: boolean }> {
  const reports: Report[] = []
  let searched = 0
  let anchor: number | 'newest' = 'newest'
  for (;;) {
    const answer: { messages: readonly Report[]; found_oldest: boolean } = await call('GET', '/messages', {
      narrow: [
        { operator: 'channel', operand: channelId },
        { operator: 'is', operand: 'resolved', negated: true },
      ],
      anchor,
      include_anchor: anchor === 'newest',
      num_before: SEARCHED_AT_ONCE,
      num_after: 0,
      apply_markdown: true,
      allow_empty_topic_name: true,
    })
    const { messages, found_oldest: isAll } = answer
    reports.push(...messages.toReversed().filter(isReport))
    searched += messages.length
    const [oldest] = messages
    const isEnough = reports.length >= wanted || searched >= wanted * SEARCHED_FOR_ONE
    if (isAll || oldest === undefined || isEnough) return { reports, isAll }
    anchor = oldest.id
  }
}

export interface AuditEntry {
  readonly id: number
  /** UNIX seconds. */
  readonly timestamp: number
  readonly action: string
  readonly actor_id: number | null
  readonly address: string | null
  readonly details: Readonly<Record<string, unknown>>
}

export interface AuditPage {
  readonly entries: readonly AuditEntry[]
  /** Position at which the next page begins. */
  readonly next: number | null
}

/** What the log is read for: one action, or one account; undefined: any. */
export interface AuditWish {
  readonly action: string | undefined
  readonly actor_id: number | undefined
}

export function loadAuditLog(wanted: AuditWish, before?: number): Promise<AuditPage> {
  return call<AuditPage>('GET', '/audit_log', { before, limit: 50, ...wanted })
}

export interface DeadLetter {
  readonly id: number
  readonly kind: string
  readonly description: string
  /** UNIX seconds. */
  readonly first_attempt: number
  readonly last_attempt: number
  readonly attempts: number
  readonly error: string
}

export async function loadDeadLetters(): Promise<readonly DeadLetter[]> {
  return (await call('GET', '/dead_letters')).dead_letters as DeadLetter[]
}

/** Retries dead letters; without ids the oldest hundred. */
export async function retryDeadLetters(ids?: readonly number[]): Promise<void> {
  await call('POST', '/dead_letters/retry', { ids })
}

export async function deleteDeadLetter(id: number): Promise<void> {
  await call('DELETE', `/dead_letters/${id}`)
}
