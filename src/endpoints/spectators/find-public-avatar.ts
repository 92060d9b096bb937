import * as v from 'valibot'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Anyone } from '../../domain/anyone.ts'
import { spectatorCaller } from '../../domain/spectators/spectator.ts'
import { type FindAvatarParams, findAvatar } from '../../domain/users/profile/find-avatar.ts'
import { notLoggedIn } from '../../permissions/access.ts'
import { defineStep } from '../define-endpoint.ts'
import { inAddress } from '../step-types.ts'

/**
 * Finds the picture of a user by id, for somebody without an account. Source:
 * docs/interface/visitors.md#routes; docs/interface/visitors.md#files-and-pictures.
 * @throws UnauthorizedError for an address, whose user is not revealed.
 */
export const findPublicAvatarStep = defineStep({
  operation: 'find-public-avatar',
  access: 'spectator',
  params: { user: inAddress, medium: v.boolean() },
  command: { apply: findPublicAvatar },
  audit: 'read-only',
  rateLimit: 'user',
  perThing: { name: ({ user, medium }: FindAvatarParams) => `picture ${medium} ${user}` },
})

function findPublicAvatar(
  tx: RealmTransaction,
  { source }: Anyone,
  params: FindAvatarParams,
): { readonly url: string } {
  if (!/^\d{1,15}$/.test(params.user)) throw notLoggedIn()
  return findAvatar.apply(tx, spectatorCaller(tx, source), params)
}
