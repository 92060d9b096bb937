import * as v from 'valibot'
import { BadRequestError } from '../../core/errors.ts'
import type { IncomingFile } from '../../core/files.ts'
import { deleteAvatar, enterAvatar, uploadAvatar } from '../../domain/users/profile/change-avatar.ts'
import { findAvatar } from '../../domain/users/profile/find-avatar.ts'
import { defineEndpoint, defineStep, type WorkerContext } from '../define-endpoint.ts'
import { discardImages, requireOnlyFile, storeAvatar } from '../in-worker/store-image.ts'
import { inAddress, pathInStore } from '../step-types.ts'

const returns = v.object({ avatar_url: v.string() })

/**
 * Sets the caller's picture to the middle of the one file of a form. Source: docs/interface/users.md#avatar.
 */
export const uploadAvatarEndpoint = defineEndpoint({
  operation: 'upload-avatar',
  method: 'POST',
  path: '/users/me/avatar',
  access: 'user',
  growsObject: true,
  takesFiles: true,
  params: {},
  returns,
  command: uploadAvatar,
  audit: 'own',
  idempotency: 'last-step',
  stores: {
    keep: async (_params, worker) => storeAvatar(await requireAvatar(worker), worker),
    discard: discardImages,
  },
  async finish({ refusal }, _params, worker, stored) {
    await requireAvatar(worker)
    if (refusal !== null) throw new BadRequestError(refusal)
    return (await worker.run(enterAvatarStep.operation, { path: await stored() })) as object
  },
})

function requireAvatar(worker: WorkerContext): Promise<IncomingFile> {
  return requireOnlyFile(worker, 'You must upload exactly one avatar.')
}

export const enterAvatarStep = defineStep({
  operation: 'enter-avatar',
  access: 'user',
  params: { path: pathInStore },
  command: enterAvatar,
  audit: 'own',
  idempotency: 'answer',
})

/** Removes the caller's picture. */
export const deleteAvatarEndpoint = defineEndpoint({
  operation: 'delete-avatar',
  method: 'DELETE',
  path: '/users/me/avatar',
  access: 'user',
  params: {},
  returns,
  command: deleteAvatar,
  audit: 'own',
})

/**
 * Checks, before pictures are shown to anybody, that the organization is the one that is meant, and is
 * active. Nothing else is checked, since the pictures' addresses are secret.
 */
export const findImagesStep = defineStep({
  operation: 'find-images',
  access: 'anyone',
  params: {},
  command: { apply: () => ({}) },
  audit: 'read-only',
})

/** The step behind /avatar/…. */
export const findAvatarStep = defineStep({
  operation: 'find-avatar',
  access: 'user',
  params: { user: inAddress, medium: v.boolean() },
  command: findAvatar,
  audit: 'read-only',
})
