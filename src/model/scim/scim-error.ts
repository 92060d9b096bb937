import { ApiError } from '../../core/errors.ts'

/** The kinds of refusals that RFC 7644 (3.12) has words for. */
export type ScimType =
  | 'invalidFilter'
  | 'invalidPath'
  | 'invalidSyntax'
  | 'invalidValue'
  | 'mutability'
  | 'noTarget'
  | 'tooMany'
  | 'uniqueness'

/** A refusal in SCIM's own words. Others, which the API has too, get theirs where they are answered (http/scim). */
export class ScimError extends ApiError {
  constructor(status: number, detail: string, scimType?: ScimType) {
    super('SCIM', detail, scimType ? { scimType } : {}, status)
  }
}

export function invalidValue(detail: string): ScimError {
  return new ScimError(400, detail, 'invalidValue')
}

/** The refusal for what is not there, and for what an identity provider must not see. */
export function noResource(id: string | number): ScimError {
  return new ScimError(404, `Resource ${id} not found`)
}

/** The refusal for what only owners may do, or nobody. */
export function forbidden(detail: string): ScimError {
  return new ScimError(403, detail)
}
