import { ROLES, type Role } from '../../rules/roles.ts'

/** Names of schemas and messages (RFC 7643, RFC 7644). */
export const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const GROUP_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Group'

/** Names of roles, as identity providers give them. */
export const ROLE_NAMES = {
  owner: ROLES.owner,
  administrator: ROLES.administrator,
  moderator: ROLES.moderator,
  member: ROLES.member,
  guest: ROLES.guest,
} as const satisfies Record<string, Role>

export function nameOfRole(role: Role): string {
  return Object.entries(ROLE_NAMES).find(([, value]) => value === role)![0]
}

/** A user as identity providers get it. */
export interface ScimUser {
  readonly schemas: readonly string[]
  readonly id: string
  readonly externalId?: string
  readonly userName: string
  readonly name: { readonly formatted: string; readonly givenName?: string; readonly familyName?: string }
  readonly displayName: string
  readonly emails: readonly { readonly value: string; readonly type: string; readonly primary: boolean }[]
  readonly active: boolean
  readonly role: string
  readonly roles: readonly { readonly value: string; readonly primary: boolean }[]
  readonly meta: ScimMeta
}

/** A group as identity providers get it. */
export interface ScimGroup {
  readonly schemas: readonly string[]
  readonly id: string
  readonly externalId?: string
  readonly displayName: string
  /** Absent where they are not asked for. */
  readonly members?: readonly { readonly value: string; readonly type: string }[]
  readonly meta: ScimMeta
}

interface ScimMeta {
  readonly resourceType: string
  readonly created?: string
  readonly lastModified?: string
  readonly location: string
  /** The entity tag. */
  readonly version: string
}
