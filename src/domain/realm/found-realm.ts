import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { defaultPermissions, findChannel, insertChannel } from '../channels/channel-rows.ts'
import { CHANNEL_STATISTICS, STATISTICS_EVERY_SECONDS } from '../channels/channel-statistics.ts'
import { joinChannel } from '../subscriptions/join-channels.ts'
import { insertSystemGroups } from '../user-groups/user-group-rows.ts'
import { newApiKey } from '../users/api-key.ts'
import { addUser } from '../users/create-user.ts'
import { findUserByEmail, insertUser, listSystemBots, type User } from '../users/user-rows.ts'
import { writeRealmSetting } from './realm-setting-rows.ts'

export interface Founding {
  readonly name: string
  readonly owner: { readonly email: string; readonly fullName: string; readonly passwordHash: string }
}

export interface FoundedRealm {
  readonly user_id: number
  readonly email: string
  readonly api_key: string
}

/** Public and default from the beginning (behaviour 0.11). */
const FIRST_CHANNELS = [
  { name: 'general', description: 'For everybody in the organization.' },
  { name: 'sandbox', description: 'Try things out here.' },
  { name: 'Parley', description: 'Questions and news about this server.' },
]

const SYSTEM_BOTS = [
  { name: 'Notification Bot', address: 'notification-bot' },
  { name: 'Welcome Bot', address: 'welcome-bot' },
  { name: 'Email Gateway', address: 'emailgateway' },
]

/**
 * Makes an organization of an empty realm: system groups and bots, the first channels, and the owner,
 * who may create users and change their addresses. Founding again with the same owner changes nothing.
 * Source: behaviour 0.5, 0.11, 0.13; decisions 4 (4.18).
 */
export function foundRealm(tx: RealmTransaction, { name, owner }: Founding): FoundedRealm {
  const existing = findUserByEmail(tx.sql, owner.email)
  const user = existing ?? makeOrganization(tx, name, owner)
  return { user_id: user.id, email: user.deliveryEmail, api_key: user.apiKey }
}

function makeOrganization(tx: RealmTransaction, name: string, owner: Founding['owner']): User {
  if (listSystemBots(tx.sql).length > 0) throw new Error('This organization has another owner')
  writeRealmSetting(tx.sql, 'name', name)
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
      topicsPolicy: 'inherit',
      folderId: null,
      settings: defaultPermissions(null),
    })
    joinChannel(tx, findChannel(tx.sql, id)!, [user.id])
    if (channelName === 'general') {
      writeRealmSetting(tx.sql, 'new_stream_announcements_stream_id', id)
      writeRealmSetting(tx.sql, 'zulip_update_announcements_stream_id', id)
    }
  }
  tx.schedule({ kind: CHANNEL_STATISTICS, key: '', dueAt: tx.now + STATISTICS_EVERY_SECONDS })
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
