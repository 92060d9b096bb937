import type { Command } from '../../../core/command.ts'
import { BadRequestError } from '../../../core/errors.ts'
import type { RealmReads } from '../../../core/realm-transaction.ts'
import { isAdministrator } from '../../../permissions/roles.ts'
import type { Caller } from '../../caller.ts'
import { enterImage, type ReservedImage, reserveImage } from '../../images/reserve-image.ts'
import { realmProperty } from '../../realm/realm-setting-rows.ts'
import { changeAvatarOf } from './avatar-of-user.ts'

const NO_CHANGES = 'Avatar changes are disabled in this organization.'

export interface ReservedAvatar extends ReservedImage {
  /** Why the caller may not have it, which is answered after the check of the number of files. */
  readonly refusal: string | null
}

/** Reserves a key for a picture of the caller. Source: docs/interface/users.md#avatar. */
export const uploadAvatar: Command<Caller, object, void, ReservedAvatar> = {
  apply(tx, caller) {
    return {
      ...reserveImage(tx, caller.source.fileId),
      refusal: mayChangeAvatar(tx, caller) ? null : NO_CHANGES,
    }
  },
}

/** Enters a stored picture, which is shown from now on. */
export const enterAvatar: Command<Caller, { readonly path: string }, void, object> = {
  apply(tx, caller, { path }) {
    requireMayChangeAvatar(tx, caller)
    enterImage(tx, path)
    return { avatar_url: changeAvatarOf(tx, caller.user, path) }
  },
}

/** Removes the picture, so that the third party's for the address is shown again. */
export const deleteAvatar: Command<Caller, object, void, object> = {
  apply(tx, caller) {
    requireMayChangeAvatar(tx, caller)
    return { avatar_url: changeAvatarOf(tx, caller.user, null) }
  },
}

function mayChangeAvatar({ sql }: RealmReads, { actor }: Caller): boolean {
  return isAdministrator(actor) || !realmProperty(sql, 'avatar_changes_disabled')
}

function requireMayChangeAvatar(tx: RealmReads, caller: Caller): void {
  if (!mayChangeAvatar(tx, caller)) throw new BadRequestError(NO_CHANGES)
}
