import { BadRequestError } from '../../core/errors.ts'
import type { Sql } from '../../core/sql.ts'
import { findHoldOn, heldAmong, isFileHeld } from '../../store/holds/hold-rows.ts'

/**
 * What is on hold is not deleted (docs/erasure.md#hold). Those whom that stops may learn that it is so, and neither why nor for whom.
 */

export function isUserHeld(sql: Sql, userId: number): boolean {
  return findHoldOn(sql, { userId, channelId: null }) !== undefined
}

export function isChannelHeld(sql: Sql, channelId: number): boolean {
  return findHoldOn(sql, { userId: null, channelId }) !== undefined
}

/** @throws BadRequestError if any of these people and bots is on hold */
export function requireNoAccountHeld(sql: Sql, users: readonly { readonly id: number }[]): void {
  if (users.some(({ id }) => isUserHeld(sql, id)))
    throw new BadRequestError('This account is on hold, so nothing of it can be deleted.')
}

/** Returns the messages that are not on hold. */
export function withoutHeld<Message extends { readonly id: number }>(
  sql: Sql,
  messages: readonly Message[],
): readonly Message[] {
  const held = heldAmong(
    sql,
    messages.map(({ id }) => id),
  )
  return held.size === 0 ? messages : messages.filter(({ id }) => !held.has(id))
}

/** @throws BadRequestError if any of these messages is on hold */
export function requireNoneHeld(sql: Sql, messages: readonly { readonly id: number }[]): void {
  if (withoutHeld(sql, messages).length === messages.length) return
  throw new BadRequestError(
    messages.length === 1
      ? 'This message is on hold, so it cannot be deleted.'
      : 'Some of these messages are on hold, so they cannot be deleted.',
  )
}

/** @throws BadRequestError if the file is on hold */
export function requireFileNotHeld(sql: Sql, file: { readonly id: number; readonly ownerId: number }): void {
  if (isFileHeld(sql, file)) throw new BadRequestError('This file is on hold, so it cannot be deleted.')
}
