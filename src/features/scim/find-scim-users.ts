import { defineReader, type Steps } from '../../core/reader.ts'
import type { RealmReads } from '../../core/realm-transaction.ts'
import type { Sql } from '../../core/sql.ts'
import { entityTagOf, nameOfRole, type ScimUser, USER_SCHEMA } from '../../model/scim/scim-answer.ts'
import { comparable, readFilter, testOf, USER_ATTRIBUTES, valueAt } from '../../model/scim/scim-filter.ts'
import { SCIM_PATH } from '../../model/scim/scim-token.ts'
import {
  findScimPerson,
  type ScimPerson,
  scimPeople,
  scimPeopleAbove,
  usersWithExternalId,
} from '../../store/scim/scim-rows.ts'
import { findUserByEmail } from '../../store/users/user-rows.ts'

/** Returns the ids of all users who match a filter, ascending; without one, of all. @throws ScimError (400, invalidFilter) */
export function idsOfPeople(tx: RealmReads, text: string | undefined): readonly number[] {
  if (text === undefined) return scimPeople(tx.sql).toArray()
  const filter = readFilter(text, USER_ATTRIBUTES)
  const among = candidates(tx.sql, filter)
  if (!among) return tx.use(peopleFound, text)
  const matches = testOf(filter)
  return among.filter((id) => {
    const person = findScimPerson(tx.sql, id)
    return person && matches(comparedOf(person))
  })
}

/** Returns the only users who can match, by an index; undefined if everyone must be compared. */
function candidates(sql: Sql, filter: ReturnType<typeof readFilter>): number[] | undefined {
  const id = valueAt(filter, 'id')
  if (id !== undefined) return /^\d{1,15}$/.test(id) ? [Number(id)] : []
  const externalId = valueAt(filter, 'externalid')
  if (externalId !== undefined) return usersWithExternalId(sql, externalId)
  const address = valueAt(filter, 'username', 'emails.value')
  if (address === undefined) return undefined
  const user = findUserByEmail(sql, address)
  return user ? [user.id] : []
}

/** Users compared between two pauses, and rows that take as long as comparing one. */
const PEOPLE_AT_A_TIME = 100
const ROWS_OF_PERSON = 10

const peopleFound = defineReader({
  name: 'people that a filter of an identity provider finds',
  allowStale: true,
  key: (text: string) => text,
  *read({ sql }, text): Steps<readonly number[]> {
    const matches = testOf(readFilter(text, USER_ATTRIBUTES))
    const ids: number[] = []
    for (let above: number | undefined = 0; above !== undefined; ) {
      const { found, last } = scimPeopleAbove(sql, above, PEOPLE_AT_A_TIME)
      for (const person of found) if (matches(comparedOf(person))) ids.push(person.user.id)
      above = last
      yield PEOPLE_AT_A_TIME * ROWS_OF_PERSON
    }
    return ids
  },
})

function comparedOf(person: ScimPerson): object {
  return comparable(filteredPartOf(person))
}

/** Returns a user in the form for identity providers. `origin`: `https://chat.example.com`. */
export function presentScimUser(person: ScimPerson, origin: string): ScimUser {
  const content = contentOf(person)
  return {
    ...content,
    meta: {
      resourceType: 'User',
      ...timesOf(person),
      location: `${origin}${SCIM_PATH}/Users/${person.user.id}`,
      version: entityTagOf(content),
    },
  }
}

/** Returns the user's attributes for filters, except the tag, which takes as long as everything else. */
function filteredPartOf(person: ScimPerson): object {
  return { ...contentOf(person), meta: timesOf(person) }
}

function timesOf({ user, facts }: ScimPerson) {
  return {
    created: scimTime(user.joinedAt),
    lastModified: scimTime(Math.max(user.joinedAt, facts.changedAt ?? 0)),
  }
}

function contentOf({ user, facts }: ScimPerson): Omit<ScimUser, 'meta'> {
  const role = nameOfRole(user.role)
  const { externalId, givenName, familyName } = facts
  return {
    schemas: [USER_SCHEMA],
    id: String(user.id),
    ...(externalId === null ? {} : { externalId }),
    userName: user.deliveryEmail,
    name: {
      formatted: user.fullName,
      ...(givenName === null ? {} : { givenName }),
      ...(familyName === null ? {} : { familyName }),
    },
    displayName: user.fullName,
    emails: [{ value: user.deliveryEmail, type: 'work', primary: true }],
    active: user.isActive,
    role,
    roles: [{ value: role, primary: true }],
  }
}

/** `seconds`: UNIX seconds. */
export function scimTime(seconds: number): string {
  return new Date(seconds * 1_000).toISOString()
}
