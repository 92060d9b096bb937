import * as v from 'valibot'
import type { AuditDetails } from '../../domain/audit-log/audit-entry-rows.ts'
import type { ScimGroupChanges } from '../../domain/scim/read-scim-group.ts'
import {
  changeScimGroup,
  createScimGroup,
  deleteScimGroup,
  getScimGroup,
  listScimGroups,
} from '../../domain/scim/scim-groups.ts'
import { defineStep } from '../define-endpoint.ts'
import { integer } from '../parameter-types.ts'
import { groupChanges, ifMatch, page } from './scim-parameters.ts'

/** What an identity provider does with groups (docs/scim.md#groups). */

const ACCESS = { access: 'provisioning', rateLimit: 'provisioning' } as const
const BY_PROVIDER = { scim: true }

const one = { group_id: integer, if_match: ifMatch }
const shown = { with_members: v.boolean() }

export const listScimGroupsStep = defineStep({
  operation: 'scim-list-groups',
  ...ACCESS,
  params: { ...page, ...shown },
  command: listScimGroups,
  audit: 'read-only',
})

export const getScimGroupStep = defineStep({
  operation: 'scim-get-group',
  ...ACCESS,
  params: { ...one, ...shown },
  command: getScimGroup,
  audit: 'read-only',
})

export const createScimGroupStep = defineStep({
  operation: 'scim-create-group',
  ...ACCESS,
  growsObject: true,
  params: { ...shown, changes: groupChanges },
  command: createScimGroup,
  audit: ({ params, value }) => ({
    action: 'group_created',
    details: { user_group_id: Number(value.resource.id), ...changesOf(params.changes), ...BY_PROVIDER },
  }),
})

export const changeScimGroupStep = defineStep({
  operation: 'scim-change-group',
  ...ACCESS,
  growsObject: true,
  params: { ...one, ...shown, changes: groupChanges },
  command: changeScimGroup,
  audit: {
    whenChanged: ({ params }) => ({
      action: 'group_changed',
      details: { user_group_id: params.group_id, ...changesOf(params.changes), ...BY_PROVIDER },
    }),
  },
})

export const deleteScimGroupStep = defineStep({
  operation: 'scim-delete-group',
  ...ACCESS,
  params: one,
  command: deleteScimGroup,
  audit: ({ params }) => ({
    action: 'group_changed',
    details: { user_group_id: params.group_id, deactivated: true, ...BY_PROVIDER },
  }),
})

/** Returns what was asked for, without names that somebody wrote. */
function changesOf({ displayName, members }: ScimGroupChanges): AuditDetails {
  return {
    ...(displayName === undefined ? {} : { name: 'changed' }),
    ...(members ? { from_none: members.fromNone, add: members.add, delete: members.remove } : {}),
  }
}
