import { runInDurableObject } from 'cloudflare:test'
import type { RealmTransaction } from '../../src/core/realm-transaction.ts'
import type { WritableSql } from '../../src/core/sql.ts'
import { addUser } from '../../src/model/accounts/add-user.ts'
import { joinChannel } from '../../src/model/subscriptions/join-and-announce.ts'
import {
  defaultPermissions,
  findChannel,
  insertChannel,
  type NewChannel,
} from '../../src/store/channels/channel-rows.ts'
import { checkSet, namesOfSets } from '../../src/store/id-set-rows.ts'
import { ApiClient, realmStub } from './api.ts'
import type { TestRealm, TestUser } from './factories.ts'
import type { RealmObject } from './worker.ts'

export { INTERFACE_VERSION } from '../../src/core/call.ts'

/** Runs a function inside the realm object, for rules about what no client can see. */
export function inRealm<R>(
  realm: TestRealm,
  look: (object: RealmObject, state: DurableObjectState) => R | Promise<R>,
): Promise<R> {
  return runInDurableObject(realmStub(realm.id), look)
}

/** Commits a change that no endpoint makes, and returns its result. The stored sets of accounts follow rows that it writes by hand. */
export function changeRealm<R>(realm: TestRealm, make: (tx: RealmTransaction) => R): Promise<R> {
  return inRealm(realm, (object) =>
    object.change((tx) => {
      let areWritten = false
      const run = tx.sql.run
      tx.sql.run = function (query, ...params) {
        areWritten ||= /\b(user|subscription|user_group_member)\b/.test(query)
        return run.call(this, query, ...params)
      }
      try {
        return make(tx)
      } finally {
        tx.sql.run = run
        if (areWritten) makeSetsAnew(tx.sql)
      }
    }),
  )
}

function makeSetsAnew(sql: WritableSql): void {
  for (const name of namesOfSets(sql, 0, 100_000)) checkSet(sql, name, true)
}

/** Returns the id of the newest entry of the log, which shows whether anything has happened. */
export function newestLogId(realm: TestRealm): Promise<number> {
  return inRealm(
    realm,
    ({ parts: { sql } }) => sql.first<{ id: number }>('SELECT MAX(id) AS id FROM log')!.id,
  )
}

/** Creates a bot of `owner`, without any endpoint. */
export async function buildBot(realm: TestRealm, owner: TestUser): Promise<TestUser> {
  entered += 1
  const [fullName, email] = [`Robot ${entered}`, `robot-${entered}-bot@${realm.host}`]
  const { id, apiKey } = await changeRealm(realm, (tx) => {
    const bot = { deliveryEmail: email, fullName, role: 400 as const, passwordHash: null }
    return addUser(tx, { ...bot, botType: 1, botOwnerId: owner.id })
  })
  return {
    id,
    email,
    fullName,
    apiKey,
    api: new ApiClient({ host: realm.host, realmId: realm.id, email, apiKey }),
  }
}

let entered = 0

/**
 * Creates many accounts at once, subscribed to a channel if one is given. They have no passwords, since hashing
 * each takes a tenth of a second.
 */
export async function insertUsers(realm: TestRealm, count: number, channelId?: number): Promise<TestUser[]> {
  const users = await changeRealm(realm, (tx) => {
    const users = Array.from({ length: count }, () => {
      entered += 1
      const fullName = `Person ${entered}`
      const email = `person-${entered}@${realm.host}`
      const { id, apiKey } = addUser(tx, { deliveryEmail: email, fullName, role: 400, passwordHash: null })
      return { id, email, fullName, apiKey }
    })
    const ids = users.map(({ id }) => id)
    if (channelId !== undefined) joinChannel(tx, findChannel(tx.sql, channelId)!, ids)
    return users
  })
  return users.map((user) => ({
    ...user,
    api: new ApiClient({ host: realm.host, realmId: realm.id, email: user.email, apiKey: user.apiKey }),
  }))
}

/** Subscribes users to a channel, without notices or events. */
export function subscribe(
  tx: RealmTransaction,
  channelId: number,
  userIds: readonly number[],
  color?: string,
): void {
  joinChannel(tx, findChannel(tx.sql, channelId)!, userIds, color)
}

/** Creates many channels at once, public by default, without subscribers, notices or events. Returns their ids. */
export function addChannels(
  realm: TestRealm,
  names: readonly string[],
  differences: Partial<NewChannel> = {},
): Promise<number[]> {
  return changeRealm(realm, (tx) => names.map((name) => addChannel(tx, name, differences)))
}

/** Creates a channel without subscribers, notices or events. Returns its id. */
function addChannel(tx: RealmTransaction, name: string, differences: Partial<NewChannel> = {}): number {
  return insertChannel(tx.sql, {
    name,
    description: '',
    renderedDescription: '',
    createdAt: tx.now,
    creatorId: null,
    isPrivate: false,
    isWebPublic: false,
    historyPublicToSubscribers: true,
    isDefault: false,
    retentionDays: null,
    folderId: null,
    settings: defaultPermissions(null),
    ...differences,
  })
}
