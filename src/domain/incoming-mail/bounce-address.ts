import { createHash } from 'node:crypto'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { findUser, findUserByEmail, type User } from '../users/user-rows.ts'
import { isOurs, signedLocalPart, type WrittenAddress } from './mail-address.ts'

/**
 * The local part of the address that mail to somebody comes back to when it cannot be delivered; undefined for an address that
 * is no account's.
 */
export function bounceLocalPart(tx: RealmTransaction, recipient: string): string | undefined {
  const user = findUserByEmail(tx.sql, recipient)
  return user && signedLocalPart(tx, 'bounce', [user.id, digestOf(user)])
}

/** The user whose mail has come back, from the address that they still have; undefined for anybody else's. */
export function userOfBounce(tx: RealmTransaction, to: WrittenAddress): User | undefined {
  const user = to.kind === 'bounce' && isOurs(tx, to) ? findUser(tx.sql, to.ids[0]!) : undefined
  return user && digestOf(user) === to.ids[1] ? user : undefined
}

function digestOf({ deliveryEmail }: User): number {
  return createHash('sha256').update(deliveryEmail).digest().readUInt32BE()
}
