import { type GroupSettingValue, normaliseGroupSetting } from './group-setting-values.ts'
import { type SystemGroupName, systemGroupById } from './system-groups.ts'

/**
 * Integers that older clients read in place of group settings. Each stands for a group that contains
 * everybody who has the permission: a value without a number of its own gets the next wider one, and custom
 * groups and lists get the widest. Source: docs/interface/register.md#settings-of-the-organization-in-it;
 * docs/interface/channels.md#the-channel-object.
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
