import { createHash } from 'node:crypto'
import type { RealmIdentity } from '../../../core/realm-transaction.ts'
import { mediumPath } from '../../../store/images/public-image.ts'
import { userSetting } from '../../../store/users/settings/user-setting-rows.ts'
import type { Profile, User } from '../../../store/users/user-rows.ts'
import { apiEmail, EMAIL_VISIBLE_TO_EVERYONE } from '../addresses/api-email.ts'

/** The facts about a user on which the picture depends. */
type Pictured = Pick<
  User,
  'id' | 'botType' | 'deliveryEmail' | 'isEmailConfirmed' | 'settings' | 'avatarPath' | 'avatarVersion'
>

/** The path of the picture for users with an unconfirmed address. */
export const UNCONFIRMED_PICTURE = '/static/images/unconfirmed.png'

/**
 * Returns the address of a user's picture: an upload, or a third party's by the digest of the API e-mail, so that the digest
 * does not reveal a hidden address. For an unconfirmed address, which may be another person's, no third party is asked.
 */
export function avatarUrl(user: Pictured, realm: RealmIdentity, size: 'small' | 'medium' = 'small'): string {
  if (user.avatarPath !== null) {
    const path = size === 'medium' ? mediumPath(user.avatarPath) : user.avatarPath
    return `${path}?version=${user.avatarVersion}`
  }
  if (!user.isEmailConfirmed) return `${UNCONFIRMED_PICTURE}?version=${user.avatarVersion}`
  return avatarUrlOfEmail(apiEmail(user, realm), user.avatarVersion, size)
}

/** Returns the address of the picture that a third party has, or generates, for an e-mail address. */
export function avatarUrlOfEmail(email: string, version: number, size: 'small' | 'medium' = 'small'): string {
  const digest = digestOf(email.toLowerCase())
  const pixels = size === 'medium' ? '&s=500' : ''
  return `https://secure.gravatar.com/avatar/${digest}?d=identicon${pixels}&version=${version}`
}

/** Digests of recent addresses: each message has its sender's, and lists have everybody's. */
const digests = new Map<string, string>()
let digestsSize = 0

/** Number of characters that an entry counts for besides its address. */
const ENTRY = 100

/**
 * Limit of the kept digests, in characters of their addresses, each with ENTRY: room for all accounts of the largest
 * organization, since a list of them would compute each digest again, some 10 µs each.
 */
const DIGESTS_KEPT = 3_000_000

function digestOf(address: string): string {
  const known = digests.get(address)
  if (known !== undefined) return known
  const digest = createHash('md5').update(address).digest('hex')
  const size = ENTRY + address.length
  if (digestsSize + size > DIGESTS_KEPT) {
    digests.clear()
    digestsSize = 0
  }
  digests.set(address, digest)
  digestsSize += size
  return digest
}

/** Whether a client that knows the user's addresses can compute the picture's (docs/interface/messages.md#get-a-message). */
export function isAvatarComputable(user: Profile): boolean {
  return isThirdParty(user) && userSetting(user, 'email_address_visibility') === EMAIL_VISIBLE_TO_EVERYONE
}

export function isThirdParty({ avatarSource, isEmailConfirmed }: Profile): boolean {
  return avatarSource === 'G' && isEmailConfirmed
}
