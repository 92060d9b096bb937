import type { Command } from '../../core/command.ts'
import { notLoggedIn } from '../../permissions/access.ts'
import type { Anyone } from '../anyone.ts'
import { type FindAvatarParams, findAvatar } from '../users/profile/find-avatar.ts'
import { spectatorCaller } from './spectator.ts'

/**
 * Finds the picture of a user by id, for somebody without an account. Source:
 * docs/interface/visitors.md#routes; docs/interface/visitors.md#files-and-pictures.
 * @throws UnauthorizedError for an address, whose user is not revealed.
 */
export const findPublicAvatar: Command<Anyone, FindAvatarParams, void, { readonly url: string }> = {
  apply(tx, { source }, params) {
    if (!/^\d{1,15}$/.test(params.user)) throw notLoggedIn()
    return findAvatar.apply(tx, spectatorCaller(tx, source), params)
  },
}
