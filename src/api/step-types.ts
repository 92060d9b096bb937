import * as v from 'valibot'
import type { RealmCall } from '../core/call.ts'
import { BadRequestError, ServiceUnavailableError } from '../core/errors.ts'
import { log } from '../core/log.ts'
import type { Operation } from './define-endpoint.ts'
import { NAME_LENGTH, STEP_WORD_LENGTH } from './input-limits.ts'
import { integer, nonNegativeInteger, textCutTo, textUpTo } from './parameter-types.ts'

/**
 * Types of values that the Worker passes to steps (`defineStep`) directly, and not as form text. They have limits like parameters, which
 * the object checks, since some values come unchanged from pages, URLs and mails.
 */

/** A part of a request's URL. */
export const inAddress = textUpTo(STEP_WORD_LENGTH)

/** A name, mail address or password, as entered in a form on a page. */
export const entered = textUpTo(NAME_LENGTH)

/** The digest of a token, or of a password with its salt. */
export const digest = textUpTo(NAME_LENGTH)

/** The facts to check a password against. */
export const passwordCheck = {
  hash: v.nullable(digest),
  userId: v.nullable(integer),
  address: v.optional(entered),
}

/** A file's key in the store. */
export const pathInStore = textUpTo(STEP_WORD_LENGTH)

const image = v.strictObject({
  type: v.picklist(['png', 'jpeg', 'gif', 'webp']),
  width: nonNegativeInteger,
  height: nonNegativeInteger,
  orientation: v.optional(nonNegativeInteger),
  isAnimated: v.boolean(),
})

/** Facts read from a picture. */
export const imageFacts = v.optional(image)

/** A stored file. */
export const storedUpload = {
  directory: pathInStore,
  name: textCutTo(NAME_LENGTH, String),
  contentType: textCutTo(NAME_LENGTH, String),
  size: nonNegativeInteger,
  image: imageFacts,
}

/**
 * Returns the parameters of a call if they fit the step's declaration, and otherwise an error. Texts that are too long come from users, in
 * a form or in a mail (400). Missing or unknown parameters, or those of another type, come from a Worker of another build during a deploy,
 * and the call must be repeated (503, after `retrySeconds`).
 */
export function checkedParameters(
  { operation, stepParams }: Operation,
  given: RealmCall['parameters'],
  retrySeconds: number,
): RealmCall['parameters'] {
  if (!stepParams || !given.ok) return given
  const { success, output, issues } = v.safeParse(stepParams, given.value, {
    abortEarly: true,
    abortPipeEarly: true,
  })
  if (success) return { ok: true, value: output }
  const parameter = v.getDotPath(issues[0]) ?? ''
  if (issues[0].kind === 'validation') {
    return { ok: false, error: new BadRequestError(`${parameter} ${issues[0].message}`).toWire() }
  }
  log('error', 'A step was called with parameters that it does not have: Worker and object differ', {
    operation,
    parameter,
  })
  return { ok: false, error: new ServiceUnavailableError(retrySeconds).toWire() }
}
