import { BadRequestError } from '../../core/errors.ts'
import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import { ROLES } from '../../rules/roles.ts'
import { defaultPermissions, findChannel, insertChannel } from '../../store/channels/channel-rows.ts'
import type { RealmProperties } from '../../store/realm/realm-properties.ts'
import { isRealmDeactivated, writeRealmSetting } from '../../store/realm/realm-setting-rows.ts'
import { insertSystemGroups } from '../../store/user-groups/user-group-rows.ts'
import type { UserSettings } from '../../store/users/settings/user-settings.ts'
import { findUserByEmail, insertUser, listSystemBots, type User } from '../../store/users/user-rows.ts'
import { addUser } from '../accounts/add-user.ts'
import { newApiKey } from '../accounts/login/api-key.ts'
import { STATISTICS_EVERY_SECONDS } from '../channels/activity/channel-statistics.ts'
import { joinChannel } from '../subscriptions/join-and-announce.ts'

export interface RealmCreation {
  readonly name: string
  /** Settings that differ from the defaults. */
  readonly settings?: Partial<RealmProperties>
  readonly owner: { readonly email: string; readonly fullName: string; readonly passwordHash: string }
  /** Set if the organization exists already, and the password fits this hash of an earlier answer. */
  readonly checkedHash?: string
}

export interface CreatedRealm {
  readonly user_id: number
  readonly email: string
  readonly api_key: string
}

export interface CreationOutcome {
  /** Null: the organization exists already. */
  readonly founded: CreatedRealm | null
  /** The hash that the founder's password must fit if the organization exists already; null: none does. */
  readonly hash: string | null
  /** Set if the object has another organization, whose id a restored D1 gave out again, or the storage of another build. */
  readonly isOther?: boolean
}

/** The first channels, which are public and default (docs/interface/access.md#a-new-organization). */
const FIRST_CHANNELS = [
  { name: 'general', description: 'For everybody in the organization.' },
  { name: 'sandbox', description: 'Try things out here.' },
  { name: 'Parley', description: 'Questions and news about this server.' },
]

/** What a new organization presets for its people. Organizations of before keep the built-in defaults, on which stored accounts rest. */
const FIRST_USER_DEFAULTS: Partial<UserSettings> = { enter_sends: true }

/** The id of `general`: an empty object numbers its channels from 1. */
export const FIRST_CHANNEL_ID = 1

const SYSTEM_BOTS = [
  { name: 'Notification Bot', address: 'notification-bot' },
  { name: 'Welcome Bot', address: 'welcome-bot' },
  { name: 'Email Gateway', address: 'emailgateway' },
]

/**
 * Turns an empty realm into an organization: with system groups and bots, the first channels, and an owner who may create users and change
 * their addresses. RealmCreation again changes nothing, and returns the key again to the founder with the right password, since the first answer
 * may have been lost. Source: docs/interface/access.md#system-groups; docs/interface/access.md#a-new-organization;
 * docs/interface/access.md#notices; docs/decisions/interface.md#channels-groups-people.
 */
export function createRealm(
  tx: RealmTransaction,
  { name, settings, owner, checkedHash }: RealmCreation,
): CreationOutcome {
  if (listSystemBots(tx.sql).length === 0) {
    return { founded: keyOf(makeOrganization(tx, { name, settings, owner })), hash: null }
  }
  const founder = findFounder(tx, owner.email)
  const hash = founder?.passwordHash ?? null
  const isChecked = hash !== null && hash === checkedHash
  return { founded: founder && isChecked ? keyOf(founder) : null, hash }
}

/** Returns the refusal for callers who are not known to be the founder. */
export function createdAlready(): BadRequestError {
  return new BadRequestError('There is an organization at this host already.')
}

/** Finds the founder: the only owner with both rights of their own (accounts/create-user.ts). */
function findFounder({ sql }: RealmReads, email: string): User | undefined {
  if (isRealmDeactivated(sql)) return undefined
  const user = findUserByEmail(sql, email)
  return user?.isActive && user.role === ROLES.owner && user.canCreateUsers && user.canChangeEmails
    ? user
    : undefined
}

function keyOf(user: User): CreatedRealm {
  return { user_id: user.id, email: user.deliveryEmail, api_key: user.apiKey }
}

function makeOrganization(tx: RealmTransaction, { name, settings, owner }: RealmCreation): User {
  for (const [setting, value] of Object.entries({ ...settings, name })) {
    writeRealmSetting(tx.sql, setting, value)
  }
  writeRealmSetting(tx.sql, 'user_settings_defaults', FIRST_USER_DEFAULTS)
  insertSystemGroups(tx.sql, tx.now)
  for (const bot of SYSTEM_BOTS) insertSystemBot(tx, bot)
  const user = addUser(tx, {
    deliveryEmail: owner.email,
    fullName: owner.fullName,
    role: 100,
    passwordHash: owner.passwordHash,
    canCreateUsers: true,
    canChangeEmails: true,
  })
  for (const { name: channelName, description } of FIRST_CHANNELS) {
    const id = insertChannel(tx.sql, {
      name: channelName,
      description,
      renderedDescription: `<p>${description}</p>`,
      createdAt: tx.now,
      creatorId: null,
      isPrivate: false,
      isWebPublic: false,
      historyPublicToSubscribers: true,
      isDefault: true,
      retentionDays: null,
      folderId: null,
      settings: defaultPermissions(null),
    })
    joinChannel(tx, findChannel(tx.sql, id)!, [user.id])
    if (channelName === 'general') {
      writeRealmSetting(tx.sql, 'new_stream_announcements_stream_id', id)
      writeRealmSetting(tx.sql, 'zulip_update_announcements_stream_id', id)
    }
  }
  tx.schedule({ kind: 'channel-statistics', key: '', dueAt: tx.now + STATISTICS_EVERY_SECONDS })
  return user
}

function insertSystemBot(tx: RealmTransaction, { name, address }: (typeof SYSTEM_BOTS)[number]): void {
  insertUser(tx.sql, {
    deliveryEmail: `${address}@${tx.realm.host}`,
    fullName: name,
    role: 400,
    joinedAt: tx.now,
    apiKey: newApiKey(tx),
    passwordHash: null,
    settings: {},
    readFloor: 0,
    botType: 1,
    isSystemBot: true,
  })
}
