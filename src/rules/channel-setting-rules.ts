import {
  CHANNEL_PROPERTIES,
  CHANNEL_PROPERTY_NAMES,
  type ChannelProperties,
  type ChannelPropertyName,
} from '../core/channel-properties.ts'
import { BadRequestError } from '../core/errors.ts'
import type { Actor } from './access.ts'
import { type ChannelFacts, mayAccessChannelContent } from './channel-rules.ts'
import { hasRealmGrant, type RealmPermissions } from './grants.ts'
import { type GroupSettingValue, sameGroupSetting } from './group-setting-values.ts'
import type { ChannelGroupSettingName } from './group-settings.ts'
import { insufficientPermission, isAdministrator, requireAdministrator, requireOwner } from './roles.ts'
import { systemGroupId } from './system-groups.ts'
import type { ChannelTopicsPolicy } from './topic-rules.ts'

/**
 * Rules for creating a channel and changing its settings. Source: docs/interface/access.md#organization-permissions;
 * docs/interface/channels.md#rights-and-settings-of-a-new-channel; docs/interface/channels.md#change-a-channel;
 * docs/decisions/interface.md#channels-groups-people.
 */
export interface WantedChannel {
  readonly isPrivate: boolean
  readonly isWebPublic: boolean
  readonly isDefault: boolean
  readonly properties: Partial<ChannelProperties>
  /** Whether `message_retention_days` differs from the organization's default. */
  readonly setsRetention: boolean
}

/** Facts for creating a channel. `isWebPublicEnabled`: by both the server's and the organization's setting. */
export type CreationFacts = RealmPermissions & { readonly isWebPublicEnabled: boolean }

export function mayCreateChannel(
  actor: Actor,
  wanted: Pick<WantedChannel, 'isPrivate'>,
  realm: RealmPermissions,
): boolean {
  const right = wanted.isPrivate ? 'can_create_private_channel_group' : 'can_create_public_channel_group'
  return hasRealmGrant(actor, realm, right)
}

/** Throws the refusals of docs/interface/channels.md#rights-and-settings-of-a-new-channel, step 4, in order. */
export function requireMayCreateChannel(actor: Actor, wanted: WantedChannel, realm: CreationFacts): void {
  if (!mayCreateChannel(actor, wanted, realm)) throw insufficientPermission()
  if (wanted.isDefault && !isAdministrator(actor)) throw insufficientPermission()
  if (wanted.isDefault && wanted.isPrivate) throw new BadRequestError('A default channel cannot be private.')
  if (wanted.isWebPublic) requireMayMakeWebPublic(actor, realm)
  if (wanted.setsRetention) requireOwner(actor)
  for (const name of CHANNEL_PROPERTY_NAMES) {
    const value = wanted.properties[name]
    if (value !== undefined && value !== CHANNEL_PROPERTIES[name].default) requireMaySetProperty(actor, name)
  }
}

/**
 * Requires the right to set a property, of an actor who may administer the channel or make it. That of a property with a rule
 * of its own is checked there.
 */
export function requireMaySetProperty(actor: Actor, name: ChannelPropertyName): void {
  if (CHANNEL_PROPERTIES[name].setBy === 'administrators') requireAdministrator(actor)
}

export function mayMakeWebPublic(actor: Actor, realm: CreationFacts): boolean {
  return realm.isWebPublicEnabled && hasRealmGrant(actor, realm, 'can_create_web_public_channel_group')
}

export function requireMayMakeWebPublic(actor: Actor, realm: CreationFacts): void {
  if (!realm.isWebPublicEnabled) throw new BadRequestError('Web-public channels are not enabled.')
  if (!mayMakeWebPublic(actor, realm)) throw insufficientPermission()
}

/**
 * Refuses settings of a new channel that the actor may not choose, before the names are checked: every value but the default needs its
 * right.
 */
export function requireMayUseCreationSettings(
  actor: Actor,
  wanted: {
    readonly settings: Partial<Record<ChannelGroupSettingName, GroupSettingValue>>
    readonly topicsPolicy: ChannelTopicsPolicy
  },
  realm: RealmPermissions,
): void {
  const nobody = systemGroupId('role:nobody')
  const grantsDeletion = DELETION_SETTINGS.some((name) => {
    const value = wanted.settings[name]
    return value !== undefined && !sameGroupSetting(value, nobody)
  })
  if (grantsDeletion) requireMaySetDeletePolicy(actor, realm)
  if (wanted.topicsPolicy !== 'inherit') requireMaySetTopicsPolicy(actor, realm)
}

const DELETION_SETTINGS = ['can_delete_any_message_group', 'can_delete_own_message_group'] as const

/** Settings that decide who can read the channel; changing one also needs the right to read. */
const CONTENT_SETTINGS: readonly ChannelGroupSettingName[] = [
  'can_add_subscribers_group',
  'can_subscribe_group',
  ...DELETION_SETTINGS,
]

/** Refuses some changes of permissions even to an actor who may administer the channel (`requireMayAdministerChannel`). */
export function requireMayChangeChannelGroupSetting(
  actor: Actor,
  name: ChannelGroupSettingName,
  channel: ChannelFacts,
  isSubscribed: boolean,
  realm: RealmPermissions,
): void {
  if (CONTENT_SETTINGS.includes(name)) requireContentToChange(actor, channel, isSubscribed)
  if (DELETION_SETTINGS.some((setting) => setting === name)) requireMaySetDeletePolicy(actor, realm)
}

/**
 * Refuses changes of privacy and some permissions to an administrator who cannot read a private channel, and could otherwise gain access to
 * it.
 */
export function requireContentToChange(actor: Actor, channel: ChannelFacts, isSubscribed: boolean): void {
  if (!mayAccessChannelContent(actor, channel, isSubscribed)) {
    throw new BadRequestError('Channel content access is required.')
  }
}

function requireMaySetDeletePolicy(actor: Actor, realm: RealmPermissions): void {
  if (!hasRealmGrant(actor, realm, 'can_set_delete_message_policy_group')) throw insufficientPermission()
}

export function requireMaySetTopicsPolicy(actor: Actor, realm: RealmPermissions): void {
  if (!hasRealmGrant(actor, realm, 'can_set_topics_policy_group')) throw insufficientPermission()
}

export function requireMayChangeDefaultChannels(actor: Actor): void {
  if (!isAdministrator(actor)) {
    throw new BadRequestError('You do not have permission to change default channels.')
  }
}
