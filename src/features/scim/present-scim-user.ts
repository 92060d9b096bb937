import { entityTagOf } from '../../model/scim/entity-tag.ts'
import { nameOfRole, type ScimUser, USER_SCHEMA } from '../../model/scim/scim-schemas.ts'
import { SCIM_PATH } from '../../model/scim/scim-token.ts'
import type { ScimPerson } from '../../store/scim/scim-user-rows.ts'

/** Returns a person as identity providers get it. `origin`: `https://chat.example.com`. */
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

/** Returns what a filter may ask for of a person: without the tag, which takes as long as all else. */
export function filteredPartOf(person: ScimPerson): object {
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
