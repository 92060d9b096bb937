import * as v from 'valibot'
import { muteUser } from '../../domain/muted-users/change-muted-users.ts'
import { defineEndpoint, defineStep } from '../define-endpoint.ts'
import { areAllMarked, markTheRest } from '../messages/mark-channel-read.ts'
import { integer, pathInteger } from '../parameter-types.ts'
import { messagesToMark } from '../step-types.ts'

/** Mutes somebody. Source: docs/interface/users.md#muted-users. */
export const muteUserEndpoint = defineEndpoint({
  operation: 'mute-user',
  method: 'POST',
  path: '/users/me/muted_users/:muted_user_id',
  access: 'user',
  params: { muted_user_id: pathInteger },
  returns: v.object({}),
  command: muteUser,
  audit: 'own',
  idempotency: 'last-step',
  isLast: areAllMarked,
  finish: (first, params, worker) => markTheRest(first, muteUserStep.operation, params, worker),
})

/** Marks a further part of their thousands of messages as read, in a commit of its own; the last one mutes them. */
export const muteUserStep = defineStep({
  operation: 'mute-user-step',
  access: 'user',
  params: { muted_user_id: integer, rest: v.optional(messagesToMark) },
  command: muteUser,
  audit: 'step',
  idempotency: 'last-step',
  isLast: areAllMarked,
})
