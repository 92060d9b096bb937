import type { ChatState } from './chat-state.ts'
import { isOwner } from './own-permissions.ts'
import type { Role, User } from './wire.ts'

/** Returns the roles that the user may give: to a bot, none above its owner's. */
export function rolesToGive(state: ChatState, user?: Pick<User, 'bot_owner_id'>): readonly Role[] {
  const highest = state.users.get(user?.bot_owner_id ?? 0)?.role ?? 100
  const roles: readonly Role[] = isOwner(state) ? [100, 200, 300, 400, 600] : [200, 300, 400, 600]
  return roles.filter((role) => role >= highest)
}
