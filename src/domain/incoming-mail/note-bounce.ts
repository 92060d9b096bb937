import type { Command } from '../../core/command.ts'
import type { Anyone } from '../anyone.ts'
import { pauseAddress } from '../emails/pause-address.ts'
import { userOfBounce } from './bounce-address.ts'
import type { WrittenAddress } from './mail-address.ts'

export interface BounceParams {
  readonly to: WrittenAddress
  /** The words of the server that has refused our mail. */
  readonly reason: string
}

/** Pauses an address whose mail has come back, and will again. Does nothing for other bounces. */
export const noteBounce: Command<Anyone, BounceParams, void, object> = {
  apply(tx, _anyone, { to, reason }) {
    const user = userOfBounce(tx, to)
    if (user) pauseAddress(tx, user.deliveryEmail, reason)
    return {}
  },
}
