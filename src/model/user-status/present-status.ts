import { reactionTypeFor } from '../../events/message-additions.ts'
import type { UserStatus } from '../../store/presence/presence-and-status-rows.ts'
import { userSetting } from '../../store/users/settings/user-setting-rows.ts'
import type { User } from '../../store/users/user-rows.ts'

/**
 * Returns a status without its empty parts. `away`: the user hides their presence. `asksForSvc`: as of `reactionTypeFor`. Source: docs/interface/users.md#status.
 */
export function presentStatus(user: User, status: UserStatus, asksForSvc: boolean) {
  return presentStatusOf(!userSetting(user, 'presence_enabled'), status, asksForSvc)
}

/** Returns the same for a user of whom only `isAway` is known. */
export function presentStatusOf(isAway: boolean, status: UserStatus, asksForSvc: boolean) {
  const { status_text, emoji_name, emoji_code, reaction_type } = status
  return {
    ...(isAway ? { away: true } : {}),
    ...(status_text === '' ? {} : { status_text }),
    ...(emoji_name === ''
      ? {}
      : { emoji_name, emoji_code, reaction_type: reactionTypeFor(reaction_type, asksForSvc) }),
  }
}
