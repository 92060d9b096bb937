import type { Sql, WritableSql } from '../../core/sql.ts'
import { nameOfAccount } from '../users/account-set-rows.ts'
import { deleteWebhookCall } from './webhook-call-rows.ts'

/** Tables of what an account has set, noted and collected for itself, each with the column for the account. */
const OF_THE_ACCOUNT = {
  alert_word: 'user_id',
  bot_storage: 'user_id',
  draft: 'user_id',
  event_subscription: 'bot_id',
  incoming_delivery: 'bot_id',
  incoming_webhook: 'user_id',
  navigation_view: 'user_id',
  reminder: 'user_id',
  saved_snippet: 'user_id',
  user_topic: 'user_id',
  webhook_delivery: 'bot_id',
} as const

/** Deletes what a bot has of its own, and the calls that wait for its webhook: the next owner would read it, or it would act for the last one. */
export function deleteOwnThings(sql: WritableSql, botId: number): void {
  for (const [table, column] of Object.entries(OF_THE_ACCOUNT)) {
    sql.run(`DELETE FROM ${table} WHERE ${column} = ?`, botId)
  }
  for (const id of waitingCalls(sql, botId)) deleteWebhookCall(sql, id)
}

function waitingCalls(sql: Sql, botId: number): number[] {
  return sql.values(`SELECT id FROM webhook_call WHERE bot_id = ?`, botId)
}

/** Forgets in which channels a bot has been: what it received in a protected history stays closed to it when it comes back. */
export function forgetPeriods(sql: WritableSql, botId: number): void {
  sql.changing('subscription', [nameOfAccount(botId)], () =>
    sql.run(`DELETE FROM subscription_period WHERE user_id = ?`, botId),
  )
}

/** Gives a bot's files, and those that are under way, to another account. */
export function giveFiles(sql: WritableSql, botId: number, ownerId: number): void {
  sql.run(`UPDATE attachment SET owner_id = ?2 WHERE owner_id = ?1`, botId, ownerId)
  sql.run(`UPDATE resumable_upload SET owner_id = ?2 WHERE owner_id = ?1`, botId, ownerId)
}
