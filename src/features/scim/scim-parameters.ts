import * as v from 'valibot'
import { integer, listUpTo, nonNegativeInteger, textUpTo } from '../../api/parameter-types.ts'
import { inAddress } from '../../api/step-types.ts'
import { MAX_MEMBERS } from '../../model/scim/read-scim-group.ts'
import { MAX_FILTER_LENGTH } from '../../model/scim/scim-filter.ts'
import { ROLE_VALUES } from '../../rules/roles.ts'

/** Values that the Worker has read of requests of identity providers. */

/** Code points: scim-body.ts has the limit of what is read. */
const TEXT = 500

const text = textUpTo(TEXT)
const removable = v.optional(v.nullable(text))
const role = v.picklist(ROLE_VALUES)

export const page = {
  filter: v.optional(textUpTo(MAX_FILTER_LENGTH)),
  start_index: nonNegativeInteger,
  count: nonNegativeInteger,
}

export const ifMatch = v.optional(inAddress)

export const userChanges = v.strictObject({
  userName: v.optional(text),
  displayName: removable,
  formatted: removable,
  givenName: removable,
  familyName: removable,
  externalId: removable,
  active: v.optional(v.boolean()),
  role: v.optional(role),
  withoutRoles: v.optional(listUpTo(ROLE_VALUES.length, role)),
})

const members = listUpTo(MAX_MEMBERS, integer)

export const groupChanges = v.strictObject({
  displayName: v.optional(text),
  externalId: removable,
  members: v.optional(v.strictObject({ fromNone: v.boolean(), add: members, remove: members })),
})
