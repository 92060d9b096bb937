import { IdSet } from '../../core/id-set.ts'
import { fromJson, type JsonText } from '../../core/json.ts'
import type { Sql } from '../../core/sql.ts'
import { storedSet } from '../id-set-rows.ts'
import { activeGuests, closedAccounts } from '../users/account-set-rows.ts'
import { nameOfAccount } from '../users/user-subjects.ts'

/** The present subscribers of a channel, closed accounts included. */
export function subscribersOf(sql: Sql, channelId: number): IdSet {
  return storedSet(sql, `subscribers ${channelId}`)
}

/** The same without closed accounts. */
export function openSubscribersOf(sql: Sql, channelId: number): IdSet {
  return subscribersOf(sql, channelId).andNot(closedAccounts(sql))
}

/** Guests among these, who see a public channel only by being in it. */
export function guestSubscribersOf(sql: Sql, channelId: number): IdSet {
  return subscribersOf(sql, channelId).and(activeGuests(sql))
}

export function isSubscribed(sql: Sql, channelId: number, userId: number): boolean {
  return subscribersOf(sql, channelId).has(userId)
}

/** The channels to which the user is subscribed now. */
export function channelsOf(sql: Sql, userId: number): IdSet {
  return sql.kept(`channels of ${userId}`, () => {
    const { ids } = sql.about('subscription', nameOfAccount(userId), () =>
      sql.first<{ ids: JsonText<number[]> }>(
        `SELECT json_group_array(channel_id) AS ids FROM subscription WHERE user_id = ? AND is_active = 1`,
        userId,
      ),
    )!
    return IdSet.of(fromJson(ids))
  })
}
