/**
 * Requests of an identity provider in the order and in the form in which it sends them, with what it needs of each answer. `{{name}}` in a
 * path or in the JSON of a body stands for a value that an earlier answer gave, or for an account of the organization.
 */
export interface Recorded {
  readonly step: string
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly body?: object
  readonly status: number
  /** Parts of the answer. */
  readonly answer?: object
  /** Name under which the `id` of the answer is kept. */
  readonly keepsId?: string
}

export const USER = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group'
const PATCH_OP = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'
export const LIST = 'urn:ietf:params:scim:api:messages:2.0:ListResponse'
export const ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error'

export const NOBODY_FOUND = {
  schemas: [LIST],
  totalResults: 0,
  startIndex: 1,
  itemsPerPage: 0,
  Resources: [],
}

/** Returns the body of a PATCH. */
export function patchOf(...operations: readonly object[]): object {
  return { schemas: [PATCH_OP], Operations: operations }
}
