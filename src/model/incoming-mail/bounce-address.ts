import { createHash } from 'node:crypto'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { findUser, findUserByEmail, type User } from '../../store/users/user-rows.ts'
import { isOurs, signedLocalPart, type WrittenAddress } from './mail-address.ts'

/**
 * Returns the local part of the address to which undeliverable mail to a user comes back; undefined for an
 * address without an account.
 */
export function bounceLocalPart(tx: RealmTransaction, recipient: string): string | undefined {
  const user = findUserByEmail(tx.sql, recipient)
  return user && signedLocalPart(tx, 'bounce', [user.id, digestOf(user)])
}

/** Returns the user whose mail has come back, if they still have that address; undefined otherwise. */
export function userOfBounce(tx: RealmTransaction, to: WrittenAddress): User | undefined {
  const user = to.kind === 'bounce' && isOurs(tx, to) ? findUser(tx.sql, to.ids[0]!) : undefined
  return user && digestOf(user) === to.ids[1] ? user : undefined
}

function digestOf({ deliveryEmail }: User): number {
  return createHash('sha256').update(deliveryEmail).digest().readUInt32BE()
}
