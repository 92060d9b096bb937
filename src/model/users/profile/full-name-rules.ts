import { BadRequestError } from '../../../core/errors.ts'
import { firstUnfitInName } from '../../../core/names.ts'
import type { RealmTransaction } from '../../../core/realm-transaction.ts'
import type { Sql } from '../../../core/sql.ts'
import { countPoints, isLongerThan } from '../../../core/text-length.ts'
import type { StoredRealmUserEvent } from '../../../events/realm-user.ts'
import { realmProperty } from '../../../store/realm/realm-setting-rows.ts'
import { changeUser, findUsersNamed, type User } from '../../../store/users/user-rows.ts'
import { announceBotChange } from '../../bots/announce-bot.ts'
import { userAudience } from '../visibility/user-audience.ts'

const MIN_LENGTH = 2
const MAX_LENGTH = 100

/** Characters with a meaning where people are mentioned. */
const UNFIT = /[*`\\>"@]/

/**
 * Returns the name in its stored form. Errors in the order of docs/interface/users.md#create-a-user. `ownId`:
 * the account that gets the name, if it exists already.
 */
export function requireAllowedFullName(sql: Sql, fullName: string, ownId?: number): string {
  const name = requireFullName(fullName)
  const others = () => findUsersNamed(sql, name).filter(({ id }) => id !== ownId)
  if (realmProperty(sql, 'require_unique_names') && others().length > 0) {
    throw new BadRequestError('Unique names required in this organization.')
  }
  return name
}

/** Returns the name in its stored form, without checking whether it is taken. */
export function requireFullName(fullName: string): string {
  const name = fullName.trim()
  if (isLongerThan(name, MAX_LENGTH)) throw new BadRequestError('Name too long!')
  if (countPoints(name) < MIN_LENGTH) throw new BadRequestError('Name too short!')
  if (firstUnfitInName(name) !== undefined || UNFIT.test(name)) {
    throw new BadRequestError('Invalid characters in name!')
  }
  // Mentions distinguish two people with one name as `name|id`.
  if (/\|\d+$/.test(name)) throw new BadRequestError('Invalid format!')
  return name
}

/** Returns a name from elsewhere without what no name may have, and cut; the rules may still refuse it. */
export function fittingFullName(text: string): string {
  const fitting = [...text.replace(/\|(?=\d+$)/, ' ')].filter((char) => !UNFIT.test(char) && !isUnseen(char))
  return fitting.slice(0, MAX_LENGTH).join('').trim()
}

function isUnseen(char: string): boolean {
  return char !== ' ' && firstUnfitInName(char) !== undefined
}

/** Gives a user an allowed name and notifies everybody who knows them. The same name changes nothing. */
export function changeFullName(tx: RealmTransaction, user: User, fullName: string): void {
  if (fullName === user.fullName) return
  changeUser(tx.sql, user.id, { fullName })
  const event: StoredRealmUserEvent = {
    type: 'realm_user',
    op: 'update',
    person: { user_id: user.id, full_name: fullName },
  }
  tx.emit(event, userAudience(tx, user))
  announceBotChange(tx, user, { full_name: fullName })
}
