import * as v from 'valibot'
import { defineEndpoint, defineStep } from '../../api/define-endpoint.ts'
import { discardImages, requireOnlyFile, storeAvatar } from '../../api/in-worker/store-image.ts'
import { inAddress, pathInStore } from '../../api/step-types.ts'
import type { WorkerContext } from '../../api/worker-context.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { IncomingFile } from '../../core/files.ts'
import type { RealmReads } from '../../core/realm-transaction.ts'
import { changeAvatarOf } from '../../model/accounts/avatar-of-user.ts'
import type { Caller } from '../../model/caller.ts'
import { insertImage, reserveImage } from '../../model/images/reserve-image.ts'
import { findAvatar } from '../../model/users/profile/find-avatar.ts'
import { isAdministrator } from '../../rules/roles.ts'
import { realmProperty } from '../../store/realm/realm-setting-rows.ts'

const returns = v.object({ avatar_url: v.string() })

/** Sets the caller's picture to the middle of the form's only file. Source: docs/interface/users.md#avatar. */
export const uploadAvatarEndpoint = defineEndpoint({
  operation: 'upload-avatar',
  route: 'POST /users/me/avatar',
  access: 'user',
  growsObject: true,
  takesFiles: true,
  returns,
  apply: (tx, caller) => ({
    ...reserveImage(tx, caller.source.fileId),
    refusal: mayChangeAvatar(tx, caller) ? null : NO_CHANGES,
  }),
  audit: 'own',
  idempotency: 'last-step',
  stores: {
    keep: async (_params, worker) => storeAvatar(await requireAvatar(worker), worker),
    discard: discardImages,
  },
  async finish({ refusal }, _params, worker, stored) {
    await requireAvatar(worker)
    if (refusal !== null) throw new BadRequestError(refusal)
    return (await worker.run(insertAvatarStep.operation, { path: await stored() })) as object
  },
})

function requireAvatar(worker: WorkerContext): Promise<IncomingFile> {
  return requireOnlyFile(worker, 'You must upload exactly one avatar.')
}

/** Enters a stored picture, which is shown from then on. */
export const insertAvatarStep = defineStep({
  operation: 'enter-avatar',
  access: 'user',
  params: { path: pathInStore },
  apply(tx, caller, { path }) {
    requireMayChangeAvatar(tx, caller)
    insertImage(tx, path)
    return { avatar_url: changeAvatarOf(tx, caller.user, path) }
  },
  audit: 'own',
  idempotency: 'answer',
})

/** Removes the caller's picture, so that the third party's for the address is shown again. */
export const deleteAvatarEndpoint = defineEndpoint({
  operation: 'delete-avatar',
  route: 'DELETE /users/me/avatar',
  access: 'user',
  returns,
  apply(tx, caller) {
    requireMayChangeAvatar(tx, caller)
    return { avatar_url: changeAvatarOf(tx, caller.user, null) }
  },
  audit: 'own',
})

/**
 * Checks, before pictures are shown, that the organization is the intended one and is active. Nothing else is checked, since the pictures'
 * addresses are secret.
 */
export const findImagesStep = defineStep({
  operation: 'find-images',
  access: 'anyone',
  madeInCopies: true,
  apply: ({ realm }) => ({ images_of: realm.copyOf?.realmId ?? realm.id }),
  audit: 'read-only',
})

/** The step behind /avatar/…. */
export const findAvatarStep = defineStep({
  operation: 'find-avatar',
  access: 'user',
  madeInCopies: true,
  params: { user: inAddress, medium: v.boolean() },
  apply: findAvatar,
  audit: 'read-only',
})

const NO_CHANGES = 'Avatar changes are disabled in this organization.'

function mayChangeAvatar({ sql }: RealmReads, { actor }: Caller): boolean {
  return isAdministrator(actor) || !realmProperty(sql, 'avatar_changes_disabled')
}

function requireMayChangeAvatar(tx: RealmReads, caller: Caller): void {
  if (!mayChangeAvatar(tx, caller)) throw new BadRequestError(NO_CHANGES)
}
