import * as v from 'valibot'
import { findPublicAvatar } from '../../domain/spectators/find-public-avatar.ts'
import type { FindAvatarParams } from '../../domain/users/profile/find-avatar.ts'
import { defineStep } from '../define-endpoint.ts'
import { inAddress } from '../step-types.ts'

/** GET /avatar/… without an account. Source: docs/interface/visitors.md#routes; docs/interface/visitors.md#files-and-pictures. */
export const findPublicAvatarStep = defineStep({
  operation: 'find-public-avatar',
  access: 'spectator',
  params: { user: inAddress, medium: v.boolean() },
  command: findPublicAvatar,
  audit: 'read-only',
  rateLimit: 'user',
  perThing: { name: ({ user, medium }: FindAvatarParams) => `picture ${medium} ${user}` },
})
