import { firstUnfitInName } from '../../core/names.ts'
import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import { countPoints, firstPoints } from '../../core/text-length.ts'
import type { RecordOf } from '../../imports/neutral.ts'
import { ROLES, type Role } from '../../rules/roles.ts'
import { EMAIL_VISIBILITY } from '../../rules/user-rules.ts'
import { changeBotSettings } from '../../store/bots/bot-setting-rows.ts'
import type { RealmImport } from '../../store/imports/import-rows.ts'
import { newestMessageId } from '../../store/messages/message-rows.ts'
import {
  changeUser,
  findUser,
  findUserByEmail,
  insertUser,
  listSystemBots,
  type User,
} from '../../store/users/user-rows.ts'
import { settingsOfNewUsers } from '../accounts/add-user.ts'
import { giveWebhookSecret } from '../accounts/bots/change-bot-owner.ts'
import { newApiKey } from '../accounts/login/api-key.ts'
import { BOT_TYPE, isWebhookAddress, WEBHOOK_INTERFACE } from '../bots/bot-rules.ts'
import { hasRoom } from '../quotas/within-quota.ts'
import { isEmailAddress } from '../users/addresses/email-rules.ts'
import { lineUpTo } from './fit-text.ts'
import { type ImportWork, noteFound, noteTarget, takesPersonal, targetOf } from './import-work.ts'
import { factsOfPerson, updatePerson } from './update-person.ts'
import { notePicture, notePictureUse } from './write-file.ts'

const MAX_NAME_LENGTH = 100
const NAMELESS = 'Nameless user'

/**
 * Makes the account of a person or bot, or finds the existing one: the account that an owner has named, or else the
 * one with the same address, unless it may belong to another user (`accountToJoin`). A new account has no password and no
 * subscriptions, and nobody is notified of it.
 */
export function writePerson(tx: RealmTransaction, work: ImportWork, person: RecordOf<'user'>): void {
  notePicture(tx, work, person.avatar)
  if (targetOf(tx, work, 'user', person.id) !== undefined) {
    updatePerson(tx, work, person, (name) => nameOf(work, name))
    return
  }
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
  const named = Object.hasOwn(imported.mapping.users, person.id)
    ? findUser(sql, imported.mapping.users[person.id]!)
    : undefined
  const known = named ?? (given === undefined ? undefined : accountToJoin(tx, imported, given, person.is_bot))
  if (known) {
    const facts = factsOfPerson(person, known.fullName)
    noteFound(tx, work, 'user', person.id, known.id, 'people who have accounts', facts)
    if (person.avatar !== undefined && takesPersonal(tx, work, person.id, known.id))
      notePictureUse(tx, work, person.avatar, { kind: 'avatar', userId: known.id })
    return
  }
  if (!hasRoom(tx, 'accounts', imported.actingUserId)) {
    tally.problem('no room for more accounts', person.full_name)
    return
  }
  const email = holder ? undefined : given
  if (person.email && email === undefined) {
    const kind =
      holder && !holder.isSystemBot ? 'address that another account has' : 'address that nobody can have'
    tally.problem(kind, `${person.full_name}: ${person.email}`)
  }
  const apiKey = newApiKey(tx)
  const fullName = nameOf(work, person.full_name)
  const id = insertUser(sql, {
    fullName,
    deliveryEmail: email ?? `imported-${tx.randomHex(8)}@no-mail.${tx.realm.host}`,
    isEmailConfirmed: email !== undefined,
    role: roleOf(person),
    apiKey,
    joinedAt: (person.joined_ms ?? imported.report.firstTime ?? tx.now * 1_000) / 1_000,
    passwordHash: null,
    awaitsLogin: person.is_bot !== true,
    isImported: true,
    settings: settingsOf(sql, person),
    readFloor: newestMessageId(sql),
    ...(person.is_bot ? { botType: BOT_TYPES[kindOf(person)], botOwnerId: imported.actingUserId } : {}),
  })
  const isSwitchedOff =
    person.is_bot && kindOf(person) === 'outgoing_webhook' && giveService(tx, work, id, person)
  if (person.deactivated || isSwitchedOff) changeUser(sql, id, { isActive: false })
  const facts = factsOfPerson(person, fullName)
  noteTarget(tx, work, 'user', person.id, id, person.is_bot ? 'bots' : 'people', facts)
  if (person.avatar !== undefined) notePictureUse(tx, work, person.avatar, { kind: 'avatar', userId: id })
}

const BOT_TYPES = {
  generic: BOT_TYPE.generic,
  incoming_webhook: BOT_TYPE.incomingWebhook,
  outgoing_webhook: BOT_TYPE.outgoingWebhook,
} as const
const MAX_TOKEN_LENGTH = 100

function kindOf({ bot_kind = 'generic' }: RecordOf<'user'>): keyof typeof BOT_TYPES {
  return bot_kind
}

/**
 * Gives a bot the address to which messages to it are posted there, and the token by which the receiver knows the calls. Returns whether it has
 * an address: then its account is closed, so that nothing is posted before an administrator opens it.
 */
function giveService(
  tx: RealmTransaction,
  { tally }: ImportWork,
  botId: number,
  { full_name, webhook }: RecordOf<'user'>,
): boolean {
  const isUsable = webhook !== undefined && isWebhookAddress(webhook.url)
  if (webhook && !isUsable) tally.problem('address of an outgoing webhook', `${full_name}: ${webhook.url}`)
  const { url = '', format = 'json', token = '' } = isUsable ? webhook : {}
  const isToken = token !== '' && token.length <= MAX_TOKEN_LENGTH
  const service = {
    name: firstPoints(full_name, MAX_NAME_LENGTH),
    url,
    interface: WEBHOOK_INTERFACE[format],
    token: isToken ? token : newApiKey(tx),
  }
  changeBotSettings(tx.sql, botId, { service })
  giveWebhookSecret(tx, botId)
  tally.count('written', `outgoing webhooks, ${isUsable ? 'switched off' : 'without an address'}`)
  return isUsable
}

/** Returns the settings of new accounts, with the person's choice of who sees the address. */
function settingsOf(
  sql: RealmTransaction['sql'],
  { is_bot, email_visibility }: RecordOf<'user'>,
): Record<string, unknown> {
  if (is_bot) return {}
  const chosen =
    email_visibility === undefined ? {} : { email_address_visibility: EMAIL_VISIBILITY[email_visibility] }
  return { ...settingsOfNewUsers(sql), ...chosen }
}

/** Returns the address in its stored form; undefined for an invalid one. */
function addressOf(email: string | null | undefined): string | undefined {
  const address = email?.trim()
  return address !== undefined && isEmailAddress(address) ? address : undefined
}

/** Returns a name without the characters that no name may have. */
function nameOf(work: ImportWork, fullName: string): string {
  const shown = fullName
    .replace(/[*`\\<>"@\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}]+/gu, ' ')
    .replace(/\|(?=\d+$)/, ' ')
  const name = lineUpTo(work, shown, MAX_NAME_LENGTH, 'user.full_name')
  if (name === '' || firstUnfitInName(name) !== undefined) return NAMELESS
  return countPoints(name) === 1 ? `${name} ${name}` : name
}

/** Bots of a source are members: nobody here has given one more rights. */
function roleOf({ role = 'member', is_bot }: RecordOf<'user'>): Role {
  return is_bot ? ROLES.member : ROLES[role]
}

/**
 * Returns the account of a user of the source by the address. Bots, and accounts with an unconfirmed address, which may
 * belong to someone else, are never chosen automatically; an owner can name them.
 */
export function accountToJoin(
  { sql }: Pick<RealmReads, 'sql'>,
  { actingUserId }: Pick<RealmImport, 'actingUserId'>,
  address: string,
  isBot = false,
): User | undefined {
  const holder = findUserByEmail(sql, address)
  if (!holder || holder.isSystemBot) return undefined
  const isOwn = holder.isEmailConfirmed || holder.id === actingUserId
  return isOwn && (holder.botType === null || isBot) ? holder : undefined
}
