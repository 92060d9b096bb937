import { createHash } from 'node:crypto'
import { ScimError } from './scim-error.ts'

const DIGITS = 16

/** Returns the entity tag of a resource without its `meta`: another one when anything of it changes. */
export function entityTagOf(content: object): string {
  const digest = createHash('sha256').update(JSON.stringify(content)).digest('hex')
  return `W/"${digest.slice(0, DIGITS)}"`
}

/** Whether a list of tags of a header, or `*`, names a tag. Strong and weak ones are the same. */
export function namesTag(header: string, tag: string): boolean {
  const opaque = (text: string) => text.trim().replace(/^W\//, '')
  return header.split(',').some((one) => one.trim() === '*' || opaque(one) === opaque(tag))
}

/** @throws ScimError (412) unless the caller means this state of the resource, or any */
export function requireTag(ifMatch: string | undefined, tag: () => string): void {
  if (ifMatch === undefined || namesTag(ifMatch, tag())) return
  throw new ScimError(412, 'The resource has changed since you have read it')
}
