import { defineStep } from '../../api/define-endpoint.ts'
import { integer } from '../../api/parameter-types.ts'
import { entered, inAddress, pathInStore } from '../../api/step-types.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import type { Anyone } from '../../model/anyone.ts'
import { enterImage, type ReservedImage, reserveImage } from '../../model/images/reserve-image.ts'
import { type ProviderAtHand, requireProviderOn } from '../../model/login-providers/find-login-provider.ts'
import { hasIdentityAt } from '../../model/login-providers/proven-person.ts'
import { changeAvatarOf } from '../../model/users/profile/avatar-of-user.ts'
import { findUser, type User } from '../../store/users/user-rows.ts'

/** Reserves a key for the picture that a provider has of a user who has just joined (http/pages/log-in/provider-callback.ts). */
export const reservePictureOfProviderStep = defineStep({
  operation: 'reserve-picture-of-provider',
  access: 'anyone',
  growsObject: true,
  params: { user_id: integer, provider_id: integer, issuer: entered, file_id: inAddress },
  command: { apply: reservePictureOfProvider },
  audit: 'step',
})

export const enterPictureOfProviderStep = defineStep({
  operation: 'enter-picture-of-provider',
  access: 'anyone',
  params: { user_id: integer, provider_id: integer, issuer: entered, path: pathInStore },
  command: { apply: enterPictureOfProvider },
  audit: { because: 'A part of joining, which has its entry; the picture is shown to everybody.' },
})

interface WhosePicture extends ProviderAtHand {
  readonly user_id: number
}

function reservePictureOfProvider(
  tx: RealmTransaction,
  _anyone: Anyone,
  { file_id, ...whose }: WhosePicture & { readonly file_id: string },
): ReservedImage {
  requireWithoutPicture(tx, whose)
  return reserveImage(tx, file_id)
}

/** Enters a stored picture, also where people may not change theirs: then it is the organization's provider that decides. */
function enterPictureOfProvider(
  tx: RealmTransaction,
  _anyone: Anyone,
  { path, ...whose }: WhosePicture & { readonly path: string },
): object {
  const user = requireWithoutPicture(tx, whose)
  enterImage(tx, path)
  changeAvatarOf(tx, user, path)
  return {}
}

/** Returns the person, unless they have a picture by now, or the provider's is not wanted any more. @throws BadRequestError */
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
