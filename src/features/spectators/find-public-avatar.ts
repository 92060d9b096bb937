import * as v from 'valibot'
import { defineStep } from '../../api/define-endpoint.ts'
import { inAddress } from '../../api/step-types.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Anyone } from '../../model/anyone.ts'
import { spectatorCaller } from '../../model/spectators/spectator.ts'
import { type FindAvatarParams, findAvatar } from '../../model/users/profile/find-avatar.ts'
import { notLoggedIn } from '../../rules/access.ts'

/**
 * Finds the picture of a user by id, for a visitor without an account. Source:
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
