import { BadRequestError } from '../../core/errors.ts'
import { firstUnfitInName } from '../../core/names.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Sql } from '../../core/sql.ts'
import { countPoints, isLongerThan } from '../../core/text-length.ts'
import { realmProperty } from '../../store/realm/realm-setting-rows.ts'
import { changeUser, findUsersNamed, type User } from '../../store/users/user-rows.ts'
import { announceBotChange } from '../bots/announce-bot.ts'
import { emitUserChange } from '../users/visibility/emit-user-change.ts'

const MIN_LENGTH = 2
const MAX_LENGTH = 100

/** Characters with a meaning in mentions. */
const UNFIT = /[*`\\>"@]/

/** Returns a name in its stored form. Errors: docs/interface/users.md#create-a-user. `ownId`: its account; absent for a new one. */
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
  // Mentions tell people with the same name apart as `name|id`.
  if (/\|\d+$/.test(name)) throw new BadRequestError('Invalid format!')
  return name
}

/** Returns a name from elsewhere, shortened and without forbidden characters; the rules may still refuse it. */
export function fittingFullName(text: string): string {
  const fitting = [...text.replace(/\|(?=\d+$)/, ' ')].filter((char) => !UNFIT.test(char) && !isUnseen(char))
  return fitting.slice(0, MAX_LENGTH).join('').trim()
}

function isUnseen(char: string): boolean {
  return char !== ' ' && firstUnfitInName(char) !== undefined
}

/** Gives a user an allowed name and notifies everybody who may know of them. The same name changes nothing. */
export function changeFullName(tx: RealmTransaction, user: User, fullName: string): void {
  if (fullName === user.fullName) return
  changeUser(tx.sql, user.id, { fullName })
  emitUserChange(tx, user, { full_name: fullName })
  announceBotChange(tx, user, { full_name: fullName })
}
