import { firstUnfitInName } from '../../core/names.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { countPoints } from '../../core/text-length.ts'
import type { RecordOf } from '../../imports/neutral.ts'
import { ROLES, type Role } from '../../permissions/roles.ts'
import { newestMessageId } from '../messages/message-rows.ts'
import { hasRoom } from '../quotas/within-quota.ts'
import { isEmailAddress } from '../users/addresses/email-rules.ts'
import { digestOfApiKey, newApiKey } from '../users/login/api-key.ts'
import { changeUser, findUser, findUserByEmail, insertUser, listSystemBots } from '../users/user-rows.ts'
import { lineUpTo } from './fit-text.ts'
import { type ImportWork, noteFound, noteTarget, targetOf } from './import-work.ts'
import { notePictureUse } from './picture-uses.ts'

const GENERIC_BOT = 1
const MAX_NAME_LENGTH = 100
const NAMELESS = 'Somebody without a name'

/**
 * Makes the account of a person or bot of the source, or finds the one that the person has: the one that an owner has named, else the one
 * with the same address. An account that is made has no password and no subscriptions, and nobody is notified.
 */
export function writePerson(tx: RealmTransaction, work: ImportWork, person: RecordOf<'user'>): void {
  if (targetOf(tx, work, 'user', person.id) !== undefined) return
  const { imported, tally } = work
  const { sql } = tx
  const ownBot = person.is_system_bot
    ? listSystemBots(sql).find(({ fullName }) => fullName === person.full_name)
    : undefined
  if (ownBot) {
    noteFound(tx, work, 'user', person.id, ownBot.id, 'people who have accounts')
    return
  }
  const given = addressOf(person.email)
  const holder = given === undefined ? undefined : findUserByEmail(sql, given)
  // Nobody can have the address of one of the organization's own bots.
  const email = holder?.isSystemBot ? undefined : given
  if (person.email && email === undefined)
    tally.problem('address that nobody can have', `${person.full_name}: ${person.email}`)
  const named = Object.hasOwn(imported.mapping.users, person.id)
    ? findUser(sql, imported.mapping.users[person.id]!)
    : undefined
  const known = named ?? (holder?.isSystemBot ? undefined : holder)
  if (known) {
    noteFound(tx, work, 'user', person.id, known.id, 'people who have accounts')
    return
  }
  if (!hasRoom(tx, 'accounts', imported.actingUserId)) {
    tally.problem('no room for more accounts', person.full_name)
    return
  }
  const apiKey = newApiKey(tx)
  tx.writeToD1({ statement: 'insert-api-key-digest', row: [digestOfApiKey(apiKey)] })
  const id = insertUser(sql, {
    fullName: nameOf(work, person.full_name),
    deliveryEmail: email ?? `imported-${tx.randomHex(8)}@no-mail.${tx.realm.host}`,
    isEmailConfirmed: email !== undefined,
    role: roleOf(person.role),
    apiKey,
    joinedAt: (person.joined_ms ?? imported.report.firstTime ?? tx.now * 1_000) / 1_000,
    passwordHash: null,
    awaitsLogin: person.is_bot !== true,
    isImported: true,
    settings: {},
    readFloor: newestMessageId(sql),
    ...(person.is_bot ? { botType: GENERIC_BOT, botOwnerId: imported.actingUserId } : {}),
  })
  if (person.deactivated) changeUser(sql, id, { isActive: false })
  noteTarget(tx, work, 'user', person.id, id, person.is_bot ? 'bots' : 'people')
  if (person.avatar !== undefined) notePictureUse(tx, work, person.avatar, { kind: 'avatar', userId: id })
}

/** Returns the address in its stored form; undefined where nobody can have it. */
function addressOf(email: string | null | undefined): string | undefined {
  const address = email?.trim()
  return address !== undefined && isEmailAddress(address) ? address : undefined
}

/** Returns a name that an account may have: signs that no name may have are left out. */
function nameOf(work: ImportWork, fullName: string): string {
  const shown = fullName
    .replace(/[*`\\<>"@\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}]+/gu, ' ')
    .replace(/\|(?=\d+$)/, ' ')
  const name = lineUpTo(work, shown, MAX_NAME_LENGTH, 'user.full_name')
  if (name === '' || firstUnfitInName(name) !== undefined) return NAMELESS
  return countPoints(name) === 1 ? `${name} ${name}` : name
}

function roleOf(role: RecordOf<'user'>['role']): Role {
  return ROLES[role ?? 'member']
}
