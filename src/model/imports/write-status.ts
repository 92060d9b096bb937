import { BadRequestError } from '../../core/errors.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { RecordOf } from '../../imports/neutral.ts'
import { NO_STATUS, putStatus } from '../../store/user-status/user-status-rows.ts'
import { lineUpTo } from './fit-text.ts'
import { type ImportWork, takesPersonal, targetOf } from './import-work.ts'
import { emojiOf } from './write-emoji.ts'

const MAX_STATUS_LENGTH = 60

/** Gives an account that the import has made its status, once custom emoji are there. */
export function writeStatus(tx: RealmTransaction, work: ImportWork, person: RecordOf<'user'>): void {
  if (person.status === undefined && person.status_emoji === undefined) return
  const userId = targetOf(tx, work, 'user', person.id)
  if (userId === undefined || !takesPersonal(tx, work, person.id, userId)) return
  const text = lineUpTo(work, person.status ?? '', MAX_STATUS_LENGTH, 'user.status')
  putStatus(tx.sql, userId, { ...NO_STATUS, ...statusEmoji(tx, work, person), status_text: text })
}

function statusEmoji(tx: RealmTransaction, work: ImportWork, { status_emoji, full_name }: RecordOf<'user'>) {
  if (status_emoji === undefined) return undefined
  try {
    return emojiOf(tx, work, status_emoji)
  } catch (error) {
    if (!(error instanceof BadRequestError)) throw error
    work.tally.problem('unknown emoji', `${full_name}: ${status_emoji.emoji}`)
    return undefined
  }
}
