import { createHash } from 'node:crypto'
import { ApiError } from '../../core/errors.ts'
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
  readonly version: string
}

/** The kinds of refusals that RFC 7644 (3.12) has words for. */
type ScimType =
  | 'invalidFilter'
  | 'invalidPath'
  | 'invalidSyntax'
  | 'invalidValue'
  | 'mutability'
  | 'noTarget'
  | 'tooMany'
  | 'uniqueness'

/** A refusal in SCIM's own words. Errors of the API are translated where they are answered (http/scim). */
export class ScimError extends ApiError {
  constructor(status: number, detail: string, scimType?: ScimType) {
    super('SCIM', detail, scimType ? { scimType } : {}, status)
  }
}

export function invalidValue(detail: string): ScimError {
  return new ScimError(400, detail, 'invalidValue')
}

/** The refusal for a resource that does not exist, or that an identity provider must not see. */
export function noResource(id: string | number): ScimError {
  return new ScimError(404, `Resource ${id} not found`)
}

/** The refusal for a change that only owners may make, or nobody. */
export function forbidden(detail: string): ScimError {
  return new ScimError(403, detail)
}

const DIGITS = 16

/** Returns the entity tag of a resource without its `meta`, which changes with the resource. */
export function entityTagOf(content: object): string {
  const digest = createHash('sha256').update(JSON.stringify(content)).digest('hex')
  return `W/"${digest.slice(0, DIGITS)}"`
}

/** Whether a header with a list of tags, or `*`, names a tag. Strong and weak tags are the same. */
export function namesTag(header: string, tag: string): boolean {
  const opaque = (text: string) => text.trim().replace(/^W\//, '')
  return header.split(',').some((one) => one.trim() === '*' || opaque(one) === opaque(tag))
}

/** @throws ScimError (412) unless the caller means this state of the resource, or any */
export function requireTag(ifMatch: string | undefined, tag: () => string): void {
  if (ifMatch === undefined || namesTag(ifMatch, tag())) return
  throw new ScimError(412, 'The resource has changed since you read it')
}
