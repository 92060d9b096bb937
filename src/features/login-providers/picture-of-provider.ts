import { defineStep } from '../../api/define-endpoint.ts'
import { integer } from '../../api/parameter-types.ts'
import { entered, inAddress, pathInStore } from '../../api/step-types.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { RealmReads } from '../../core/realm-transaction.ts'
import { changeAvatarOf } from '../../model/accounts/avatar-of-user.ts'
import { insertImage, type ReservedImage, reserveImage } from '../../model/images/reserve-image.ts'
import { type ProviderAtHand, requireProviderOn } from '../../model/login-providers/find-login-provider.ts'
import { hasIdentityAt } from '../../model/login-providers/proven-person.ts'
import { findUser, type User } from '../../store/users/user-rows.ts'

/** Reserves a key for the provider's picture of a user who has just joined (http/pages/log-in/provider-callback.ts). */
export const reservePictureOfProviderStep = defineStep({
  operation: 'reserve-picture-of-provider',
  access: 'anyone',
  growsObject: true,
  params: { user_id: integer, provider_id: integer, issuer: entered, file_id: inAddress },
  apply(tx, _anyone, { file_id, ...whose }): ReservedImage {
    requireWithoutPicture(tx, whose)
    return reserveImage(tx, file_id)
  },
  audit: 'step',
})

/** Enters a stored picture, even if users may not change theirs: then the organization's provider decides. */
export const insertPictureOfProviderStep = defineStep({
  operation: 'enter-picture-of-provider',
  access: 'anyone',
  params: { user_id: integer, provider_id: integer, issuer: entered, path: pathInStore },
  apply(tx, _anyone, { path, ...whose }) {
    const user = requireWithoutPicture(tx, whose)
    insertImage(tx, path)
    changeAvatarOf(tx, user, path)
  },
  audit: { because: 'A part of joining, which has its entry; the picture is visible to everyone.' },
})

interface WhosePicture extends ProviderAtHand {
  readonly user_id: number
}

/** Returns the user, unless they have a picture by now, or the provider's is no longer wanted. @throws BadRequestError */
function requireWithoutPicture({ sql }: RealmReads, { user_id, ...at }: WhosePicture): User {
  const provider = requireProviderOn(sql, at)
  const user = findUser(sql, user_id)
  if (
    !provider.takesPicture ||
    !user?.isActive ||
    user.avatarPath !== null ||
    !hasIdentityAt(sql, provider, user)
  ) {
    throw new BadRequestError('No such user')
  }
  return user
}
