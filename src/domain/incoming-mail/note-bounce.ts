import type { Command } from '../../core/command.ts'
import type { Anyone } from '../anyone.ts'
import { pauseAddress } from '../emails/pause-address.ts'
import { userOfBounce } from './bounce-address.ts'
import type { WrittenAddress } from './mail-address.ts'

export interface BounceParams {
  readonly to: WrittenAddress
  /** The words of the server that would not have our mail. */
  readonly reason: string
}

/** Mail that we have sent has come back, and will again: the address is asked for no more. Silent for what is none of ours. */
export const noteBounce: Command<Anyone, BounceParams, void, object> = {
  apply(tx, _anyone, { to, reason }) {
    const user = userOfBounce(tx, to)
    if (user) pauseAddress(tx, user.deliveryEmail, reason)
    return {}
  },
}
