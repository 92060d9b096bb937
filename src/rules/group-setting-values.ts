import { BadRequestError, ExpectationMismatchError, SystemGroupRequiredError } from '../core/errors.ts'
import type { GroupSetting } from './group-settings.ts'
import { type SystemGroupName, systemGroupById, systemGroupId } from './system-groups.ts'

/**
 * A permission's value: a named group's id, or users and groups listed for this setting alone. It is stored and sent in normal form.
 * Source: docs/interface/access.md#permission-values.
 */
export type GroupSettingValue = number | GroupMembersValue

/** Spelled as in the API, because values are stored as they are sent. */
interface GroupMembersValue {
  readonly direct_members: readonly number[]
  readonly direct_subgroups: readonly number[]
}

/** A permission's change: the new value, and optionally the one that the client believes to be current. */
export interface GroupSettingChange {
  readonly new: GroupSettingValue
  readonly old?: GroupSettingValue | null
}

/** The groups and accounts against which a value is checked. */
export interface GroupFacts {
  group(id: number): GroupFact | undefined
  /** Returns those of the ids that are active accounts. Up to a thousand are looked up together. */
  openAccounts(ids: readonly number[]): ReadonlySet<number>
}

interface GroupFact {
  readonly id: number
  readonly name: string
  readonly isSystem: boolean
  readonly isDeactivated: boolean
}

/** Returns the normal form: ascending ids without repetitions; a single subgroup becomes that group, an empty list `role:nobody`. */
export function normaliseGroupSetting(value: GroupSettingValue): GroupSettingValue {
  if (typeof value === 'number') return value
  const members = sortedIds(value.direct_members)
  const subgroups = sortedIds(value.direct_subgroups)
  if (members.length > 0 || subgroups.length > 1) {
    return { direct_members: members, direct_subgroups: subgroups }
  }
  return subgroups[0] ?? systemGroupId('role:nobody')
}

/** Whether two values name the same users and groups, in any order and form. */
export function sameGroupSetting(one: GroupSettingValue, other: GroupSettingValue): boolean {
  return JSON.stringify(normaliseGroupSetting(one)) === JSON.stringify(normaliseGroupSetting(other))
}

/**
 * Requires that an update's optional `old` is the current value *as clients see it*, without deactivated users. Throws
 * EXPECTATION_MISMATCH.
 */
export function requireExpectedGroupSetting(
  old: GroupSettingValue | null | undefined,
  presented: () => GroupSettingValue,
): void {
  if (old === null || old === undefined || sameGroupSetting(old, presented())) return
  throw new ExpectationMismatchError('old')
}

/** Returns a setting's default value. `botOwnerId`: of a bot that creates something, which has no right that its owner lacks. */
export function defaultGroupSettingValue(
  setting: GroupSetting,
  creatorId: number | null,
  botOwnerId: number | null = null,
): GroupSettingValue {
  if (setting.defaultGroup !== 'creator') return systemGroupId(setting.defaultGroup)
  if (creatorId === null) return systemGroupId('role:nobody')
  const direct_members = botOwnerId === null ? [creatorId] : [creatorId, botOwnerId].sort((a, b) => a - b)
  return { direct_members, direct_subgroups: [] }
}

/**
 * Checks a value in the order of docs/interface/access.md#permission-values and returns its normal form.
 * Throws BAD_REQUEST with the texts there, or SYSTEM_GROUP_REQUIRED.
 */
export function requireValidGroupSetting(
  setting: GroupSetting,
  value: GroupSettingValue,
  facts: GroupFacts,
): GroupSettingValue {
  const normal = normaliseGroupSetting(value)
  if (typeof normal === 'number') requireAllowedGroup(setting, normal, facts)
  else requireAllowedMembers(setting, normal, facts)
  return normal
}

function requireAllowedGroup(setting: GroupSetting, groupId: number, facts: GroupFacts): void {
  const group = facts.group(groupId)
  if (group === undefined) throw new BadRequestError('Invalid user group')
  if (group.isDeactivated) throw new BadRequestError('User group is deactivated.')
  if (group.isSystem && isRefusedSystemGroup(setting, group.name)) {
    throw new BadRequestError(`'${setting.name}' setting cannot be set to '${group.name}' group.`)
  }
  if (needsSystemGroup(setting) && !group.isSystem) throw new SystemGroupRequiredError(setting.name)
}

function isRefusedSystemGroup(setting: GroupSetting, name: string): boolean {
  // Nothing can be granted to people without an account: no setting accepts role:internet.
  if (name === 'role:internet') return true
  if (name === 'role:nobody' && !setting.allowsNobody) return true
  if (name === 'role:everyone' && !setting.allowsEveryone) return true
  if (setting.refusedSystemGroups.some((refused) => refused === name)) return true
  return needsSystemGroup(setting) && !setting.allowedSystemGroups.some((allowed) => allowed === name)
}

function requireAllowedMembers(setting: GroupSetting, value: GroupMembersValue, facts: GroupFacts): void {
  if (needsSystemGroup(setting)) throw new SystemGroupRequiredError(setting.name)
  const open = facts.openAccounts(value.direct_members)
  const other = value.direct_members.find((id) => !open.has(id))
  if (other !== undefined) throw new BadRequestError(`Invalid user ID: ${other}`)
  for (const id of value.direct_subgroups) {
    const group = facts.group(id)
    if (group === undefined) throw new BadRequestError(`Invalid user group ID: ${id}`)
    if (group.isDeactivated) throw new BadRequestError('User group is deactivated.')
  }
}

/** Whether a setting accepts only certain system groups. */
export function needsSystemGroup(setting: GroupSetting): boolean {
  return setting.allowedSystemGroups.length > 0
}

function sortedIds(ids: readonly number[]): number[] {
  return [...new Set(ids)].sort((a, b) => a - b)
}

/**
 * Integers that older clients read in place of group settings. A value without a number of its own gets that of the next larger group, so
 * that everyone who has the permission is included; custom groups and lists get the widest. Source:
 * docs/interface/register.md#settings-of-the-organization-in-it; docs/interface/channels.md#the-channel-object.
 */

/** `realm_wildcard_mention_policy`: 1 everyone, 2 members, 3 full members, 5 administrators, 6 nobody, 7 moderators. */
export function wildcardMentionPolicy(value: GroupSettingValue): number {
  return policyOf(value, WILDCARD_MENTION, 1)
}

const WILDCARD_MENTION: PolicyNumbers = {
  'role:nobody': 6,
  'role:owners': 5,
  'role:administrators': 5,
  'role:moderators': 7,
  'role:fullmembers': 3,
  'role:members': 2,
  'role:everyone': 1,
}

/** `realm_create_public_stream_policy` and `…_private_…`: 1 members, 2 administrators, 3 full members, 4 moderators. */
export function createChannelPolicy(value: GroupSettingValue): number {
  return policyOf(value, CREATE_CHANNEL, 1)
}

const CREATE_CHANNEL: PolicyNumbers = {
  'role:nobody': 2,
  'role:owners': 2,
  'role:administrators': 2,
  'role:moderators': 4,
  'role:fullmembers': 3,
  'role:members': 1,
}

/** `realm_create_web_public_stream_policy`: 2 administrators, 4 moderators, 6 nobody, 7 owners. */
export function createWebPublicChannelPolicy(value: GroupSettingValue): number {
  return policyOf(value, CREATE_WEB_PUBLIC_CHANNEL, 4)
}

const CREATE_WEB_PUBLIC_CHANNEL: PolicyNumbers = {
  'role:nobody': 6,
  'role:owners': 7,
  'role:administrators': 2,
  'role:moderators': 4,
}

/** A channel's `stream_post_policy`: 1 everyone, 2 administrators, 3 full members, 4 moderators, else 1. */
export function postPolicy(value: GroupSettingValue): number {
  return policyOf(value, POST, 1)
}

const POST: PolicyNumbers = { 'role:administrators': 2, 'role:fullmembers': 3, 'role:moderators': 4 }

type PolicyNumbers = Partial<Record<SystemGroupName, number>>

function policyOf(value: GroupSettingValue, numbers: PolicyNumbers, widest: number): number {
  const normal = normaliseGroupSetting(value)
  const name = typeof normal === 'number' ? systemGroupById(normal)?.name : undefined
  return (name && numbers[name]) ?? widest
}
