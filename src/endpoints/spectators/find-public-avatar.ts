import { findPublicAvatar } from '../../domain/spectators/find-public-avatar.ts'
import type { FindAvatarParams } from '../../domain/users/find-avatar.ts'
import { defineStep } from '../define-endpoint.ts'

/** GET /avatar/… without an account. Source: docs/interface/visitors.md#routes; docs/interface/visitors.md#files-and-pictures. */
export const findPublicAvatarStep = defineStep({
  operation: 'find-public-avatar',
  access: 'spectator',
  command: findPublicAvatar,
  rateLimit: 'user',
  perThing: { name: ({ user, medium }: FindAvatarParams) => `picture ${medium} ${user}` },
})
