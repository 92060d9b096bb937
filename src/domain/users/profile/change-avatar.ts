import type { Command } from '../../../core/command.ts'
import { BadRequestError } from '../../../core/errors.ts'
import type { RealmReads, RealmTransaction } from '../../../core/realm-transaction.ts'
import type { StoredRealmUserEvent } from '../../../events/realm-user.ts'
import { isAdministrator } from '../../../permissions/roles.ts'
import { announceBotChange } from '../../bots/announce-bot.ts'
import type { Caller } from '../../caller.ts'
import { enterImage, type ReservedImage, reserveImage, retireImage } from '../../images/reserve-image.ts'
import { realmProperty } from '../../realm/realm-setting-rows.ts'
import { changeUser, findUser, type User } from '../user-rows.ts'
import { userAudience } from '../visibility/user-audience.ts'
import { avatarUrl } from './avatar.ts'

const NO_CHANGES = 'Avatar changes are disabled in this organization.'

export interface ReservedAvatar extends ReservedImage {
  /** Why the caller may not have it; said after the number of files has been found right. */
  readonly refusal: string | null
}

/** Reserves an address for a picture of the caller. Source: docs/interface/users.md#avatar. */
export const uploadAvatar: Command<Caller, object, void, ReservedAvatar> = {
  apply(tx, caller) {
    return {
      ...reserveImage(tx, caller.source.fileId),
      refusal: mayChangeAvatar(tx, caller) ? null : NO_CHANGES,
    }
  },
}

/** The picture is there: it is shown from now on. */
export const enterAvatar: Command<Caller, { readonly path: string }, void, object> = {
  apply(tx, caller, { path }) {
    requireMayChangeAvatar(tx, caller)
    enterImage(tx, path)
    return { avatar_url: showAvatar(tx, caller.user, path) }
  },
}

/** Back to the picture that a third party has for the address. */
export const deleteAvatar: Command<Caller, object, void, object> = {
  apply(tx, caller) {
    requireMayChangeAvatar(tx, caller)
    return { avatar_url: showAvatar(tx, caller.user, null) }
  },
}

/** Changes the picture, takes the old one away, and notifies all who may know of the user. Answers its address. */
export function showAvatar(tx: RealmTransaction, user: User, path: string | null): string {
  if (user.avatarPath !== null) retireImage(tx, user.avatarPath)
  changeUser(tx.sql, user.id, {
    avatarSource: path === null ? 'G' : 'U',
    avatarPath: path,
    avatarVersion: user.avatarVersion + 1,
  })
  const changed = findUser(tx.sql, user.id)!
  const url = avatarUrl(changed, tx.realm)
  const event: StoredRealmUserEvent = {
    type: 'realm_user',
    op: 'update',
    person: {
      user_id: user.id,
      avatar_source: changed.avatarSource,
      avatar_url: url,
      avatar_url_medium: avatarUrl(changed, tx.realm, 'medium'),
      avatar_version: changed.avatarVersion,
    },
  }
  tx.emit(event, userAudience(tx, changed))
  announceBotChange(tx, changed, { avatar_url: url })
  return url
}

function mayChangeAvatar({ sql }: RealmReads, { actor }: Caller): boolean {
  return isAdministrator(actor) || !realmProperty(sql, 'avatar_changes_disabled')
}

function requireMayChangeAvatar(tx: RealmReads, caller: Caller): void {
  if (!mayChangeAvatar(tx, caller)) throw new BadRequestError(NO_CHANGES)
}
