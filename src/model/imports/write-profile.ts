import { parseJson } from '../../core/json.ts'
import { nameKey } from '../../core/names.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { RecordOf } from '../../imports/neutral.ts'
import {
  choicesOf,
  FIELD_TYPE,
  type FieldType,
  isRendered,
  requireFieldData,
} from '../../store/profile-fields/field-types.ts'
import {
  findProfileField,
  insertProfileField,
  listProfileFields,
  type ProfileField,
} from '../../store/profile-fields/profile-field-rows.ts'
import { canonicalTimezone } from '../../store/users/settings/locales.ts'
import { changeUser, findUser, type ProfileValue } from '../../store/users/user-rows.ts'
import { renderDescription } from '../messages/text/render-text.ts'
import {
  LONG_LENGTH,
  requireFieldValue,
  requireUsableField,
  SHORT_LENGTH,
} from '../profile-fields/field-values.ts'
import { hasRoom, hasRoomInOrganization } from '../quotas/within-quota.ts'
import { lineUpTo } from './fit-text.ts'
import {
  authorFor,
  type ImportWork,
  noteFound,
  noteTarget,
  takesPersonal,
  targetOf,
  unlessRefused,
} from './import-work.ts'

const MAX_NAME_LENGTH = 40
const MAX_HINT_LENGTH = 80
/** People that one value names. */
const PEOPLE_OF_VALUE = 100

const TYPES: Readonly<Record<NonNullable<RecordOf<'profile_field'>['kind']>, FieldType>> = {
  short: FIELD_TYPE.SHORT_TEXT,
  long: FIELD_TYPE.LONG_TEXT,
  link: FIELD_TYPE.URL,
  date: FIELD_TYPE.DATE,
  user: FIELD_TYPE.USER,
  pronouns: FIELD_TYPE.PRONOUNS,
  choice: FIELD_TYPE.SELECT,
  external_account: FIELD_TYPE.EXTERNAL_ACCOUNT,
}

/** Makes a profile field, or takes the one with the same name and kind. */
export function writeProfileField(
  tx: RealmTransaction,
  work: ImportWork,
  record: RecordOf<'profile_field'>,
): void {
  if (targetOf(tx, work, 'profile_field', record.id) !== undefined) return
  const { sql } = tx
  const type = TYPES[record.kind ?? 'short']
  const { profile_fields } = work.imported.mapping
  const given = Object.hasOwn(profile_fields, record.id) ? profile_fields[record.id]! : record.name
  const name = lineUpTo(work, given, MAX_NAME_LENGTH, 'profile_field.name')
  const key = nameKey(name)
  const namesake = listProfileFields(sql).find((field) => field.type === type && nameKey(field.name) === key)
  if (namesake) {
    noteFound(tx, work, 'profile_field', record.id, namesake.id, 'fields of profiles that were here already')
    return
  }
  if (!hasRoomInOrganization(tx, 'profileFields')) {
    work.tally.problem('no room for more fields of profiles', record.name)
    return
  }
  unlessRefused(work, 'field of profiles', record.name, () => {
    const field = {
      type,
      name,
      hint: lineUpTo(work, record.hint ?? '', MAX_HINT_LENGTH, 'profile_field.hint'),
      fieldData: requireFieldData(type, dataOf(record)),
      isInSummary: record.in_summary === true,
      isRequired: record.required === true,
      isEditableByUser: record.editable_by_user !== false,
      isMatched: record.matched === true,
    }
    requireUsableField(sql, field)
    noteTarget(tx, work, 'profile_field', record.id, insertProfileField(sql, field), 'fields of profiles')
  })
}

function dataOf({ data }: RecordOf<'profile_field'>): Readonly<Record<string, unknown>> {
  try {
    const parsed = data === undefined ? undefined : parseJson(data)
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
      ? (parsed as Record<string, unknown>)
      : {}
  } catch {
    return {}
  }
}

/** Completes an account once all people are there. Accounts that were here keep what they have. */
export function completePerson(tx: RealmTransaction, work: ImportWork, person: RecordOf<'user'>): void {
  const userId = targetOf(tx, work, 'user', person.id)
  if (userId === undefined || !takesPersonal(tx, work, person.id, userId)) return
  const owner =
    person.is_bot && person.bot_owner !== undefined ? targetOf(tx, work, 'user', person.bot_owner) : undefined
  if (owner !== undefined) giveBot(tx, userId, owner)
  const timezone = person.timezone === undefined ? undefined : canonicalTimezone(person.timezone)
  if (timezone !== undefined) changeUser(tx.sql, userId, { timezone })
  else if (person.timezone) work.tally.count('passedOver', 'user.timezone')
  writeProfile(tx, work, userId, person)
}

/** Gives a bot to its owner at the source, who has as many rights as the bot. A deactivated account gets none, and a person has no owner. */
function giveBot({ sql }: RealmTransaction, botId: number, ownerId: number): void {
  const owner = findUser(sql, ownerId)
  const { role, botType } = findUser(sql, botId)!
  if (!owner?.isActive || owner.botType !== null || botType === null) return
  // A larger number has fewer rights.
  changeUser(sql, botId, { botOwnerId: ownerId, ...(owner.role > role ? { role: owner.role } : {}) })
}

function writeProfile(
  tx: RealmTransaction,
  work: ImportWork,
  userId: number,
  { profile = [], full_name }: RecordOf<'user'>,
): void {
  const author = authorFor(tx, findUser(tx.sql, userId)!)
  const values = new Map<number, ProfileValue>()
  for (const { field: id, value: given } of profile) {
    const fieldId = targetOf(tx, work, 'profile_field', id)
    const field = fieldId === undefined ? undefined : findProfileField(tx.sql, fieldId)
    if (!field) {
      work.tally.count('passedOver', 'user.profile[]')
      continue
    }
    unlessRefused(work, 'value of a profile', full_name, () => {
      const value = requireFieldValue(tx.sql, field, valueFor(tx, work, field, given))
      if (value === undefined) return
      const html = isRendered(field.type) && renderDescription(tx, author, value, tx.origin)
      values.set(field.id, { value, ...(html !== false && { rendered_value: html }) })
    })
  }
  if (values.size === 0) return
  if (!hasRoom(tx, 'profiles', userId)) {
    work.tally.problem('no room for more values in profiles', full_name)
    return
  }
  changeUser(tx.sql, userId, { profileData: Object.fromEntries(values) })
  work.tally.count('written', 'values in profiles', values.size)
}

/** Returns a value as a client would send it, with ids of users here. */
function valueFor(
  tx: RealmTransaction,
  work: ImportWork,
  field: ProfileField,
  given: string,
): string | number[] {
  switch (field.type) {
    case FIELD_TYPE.USER:
      return [...new Set(given.match(/[^\s,[\]"]+/g))].slice(0, PEOPLE_OF_VALUE).flatMap((id) => {
        const target = targetOf(tx, work, 'user', id)
        const user = target === undefined ? undefined : findUser(tx.sql, target)
        return user?.isActive && user.botType === null ? [user.id] : []
      })
    case FIELD_TYPE.SELECT: {
      const choices = Object.entries(choicesOf(field.fieldData))
      return choices.find(([, choice]) => choice.text === given)?.[0] ?? given
    }
    case FIELD_TYPE.LONG_TEXT:
      return lineUpTo(work, given, LONG_LENGTH, 'user.profile')
    case FIELD_TYPE.DATE:
    case FIELD_TYPE.URL:
      return given.trim()
    default:
      return lineUpTo(work, given, SHORT_LENGTH, 'user.profile')
  }
}
