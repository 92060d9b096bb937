import { BadNarrowError } from '../../../core/errors.ts'
import type { RealmView } from '../../../core/realm-transaction.ts'
import type { Channel } from '../../channels/channel-rows.ts'
import { findVisibleChannel } from '../../channels/visibility/find-for-caller.ts'
import { findUserAtAddress } from '../../users/addresses/find-by-address.ts'
import { findUser, type User } from '../../users/user-rows.ts'
import type { Viewer } from '../read/message-access.ts'
import { idOperand, type Operand } from './narrow-terms.ts'

/**
 * The users and channels that the operands of a narrow name. A channel that the viewer may not know of is
 * like one that does not exist (docs/decisions/interface.md#stricter-than-the-public-server); others only
 * have to exist, since without access there are no messages.
 */

/** Finds a channel. Text is first a name, and only then an id in digits. */
export function channelNamed({ sql }: Pick<RealmView, 'sql'>, viewer: Viewer, operand: Operand): Channel {
  const byName = typeof operand === 'string' ? findVisibleChannel(sql, viewer, { name: operand }) : undefined
  const id = idOperand(operand)
  const channel = byName ?? (id === undefined ? undefined : findVisibleChannel(sql, viewer, { id }))
  if (!channel) throw new BadNarrowError(`unknown channel ${describe(operand)}`)
  return channel
}

/** Returns the user whom an operand names: by id, or by an address that the viewer may know. */
export function userNamed(view: RealmView, viewer: Viewer, operand: Operand): User {
  const user = findNamedUser(view, viewer, operand)
  if (!user) throw new BadNarrowError(`unknown user ${describe(operand)}`)
  return user
}

/** Returns ids of a direct conversation's participants as the operand lists them, without duplicates. */
export function usersNamed(view: RealmView, viewer: Viewer, operand: Operand): number[] {
  const named: readonly Operand[] = Array.isArray(operand)
    ? (operand as readonly number[])
    : String(operand)
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== '')
  const ids = named.map((one) => {
    const user = findNamedUser(view, viewer, one)
    if (!user) throw new BadNarrowError(`unknown user in ${describe(operand)}`)
    return user.id
  })
  return [...new Set(ids)]
}

function findNamedUser(view: RealmView, viewer: Viewer, operand: Operand): User | undefined {
  const id = idOperand(operand)
  return id === undefined ? findUserAtAddress(view, viewer, String(operand)) : findUser(view.sql, id)
}

/** Returns the operand as the error texts quote it. */
function describe(operand: Operand): string {
  return Array.isArray(operand) ? `[${operand.join(', ')}]` : String(operand)
}
