import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { type Digest, enqueueDigestAgain, finishDigest } from '../../store/digests/digest-rows.ts'
import { SEND_EMAILS } from '../../store/emails/email-rows.ts'
import { findUser } from '../../store/users/user-rows.ts'
import { enterDeadLetter } from '../dead-letters/enter-dead-letter.ts'

/** Moves a digest to the dead letters, with its reader but nothing of its content. */
export function giveUpDigest(
  tx: RealmTransaction,
  { userId, round, origin, attempts, firstTriedAt }: Digest,
  error: string,
): void {
  finishDigest(tx.sql, userId)
  enterDeadLetter(tx, {
    kind: 'mail',
    description: `Digest to ${findUser(tx.sql, userId)?.deliveryEmail}`,
    firstTriedAt,
    attempts,
    error,
    payload: { digest_of: userId, round, origin },
  })
}

/** Makes a digest due again, with the content of that time. */
export function retryDigest(tx: RealmTransaction, userId: number, round: number, origin: string): void {
  enqueueDigestAgain(tx.sql, { userId, round, origin }, tx.now)
  tx.schedule({ kind: SEND_EMAILS, key: '', dueAt: tx.now })
}
