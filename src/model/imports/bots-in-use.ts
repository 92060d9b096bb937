import { LARGE_CHANGES_OF_COMMIT } from '../../core/budgets.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { WritableSql } from '../../core/sql.ts'
import { findNote, putNotes } from '../../store/imports/import-piece-rows.ts'
import type { RealmImport } from '../../store/imports/import-rows.ts'
import { listThingsOf } from '../../store/imports/imported-rows.ts'
import { hasImportedBots, importedBotsNamedBy } from '../../store/imports/undo-rows.ts'
import { findUsers } from '../../store/users/user-rows.ts'
import type { Reference } from '../../store/verification/references.ts'
import { closeAccount } from '../users/accounts/close-account.ts'

/**
 * An imported account of a person is deleted only if nobody has logged in to it. A bot has a key from the beginning,
 * and may have sent and done things that stay. So all bots are closed first, and those in whose name something stays
 * are kept as closed accounts.
 */

/** Closes the next bots that an import has made. Returns where it goes on; undefined after the last one. */
export function closeBots(tx: RealmTransaction, imported: RealmImport, after: string): string | undefined {
  const page = listThingsOf(tx.sql, imported.sourceId!, 'user', after, LARGE_CHANGES_OF_COMMIT)
  const own = page.filter(({ importId, isMade }) => importId === imported.id && isMade)
  const users = findUsers(
    tx.sql,
    own.map(({ targetId }) => targetId),
  )
  for (const user of users.values()) if (user.botType !== null && user.isActive) closeAccount(tx, user)
  return page.length < LARGE_CHANGES_OF_COMMIT ? undefined : page.at(-1)!.id
}

/** Notes the imported bots that the next rows name. Returns where it goes on; undefined after the last one. */
export function noteBotsNamedBy(
  tx: RealmTransaction,
  imported: RealmImport,
  reference: Reference,
  after: string,
): string | undefined {
  if (!hasImportedBots(tx.sql)) return undefined
  const { ids, next } = importedBotsNamedBy(tx.sql, reference, Number(after))
  putNotes(tx.sql, imported.id, new Map(ids.map((id) => [keyOf(id), 'named'])))
  return next?.toString()
}

/** Whether anything names the bot that stays. */
export function isNoted(sql: WritableSql, { id }: RealmImport, botId: number): boolean {
  return findNote(sql, id, keyOf(botId)) !== undefined
}

function keyOf(botId: number): string {
  return `bot in use:${botId}`
}
