import * as v from 'valibot'
import type { LogEvent } from '../core/realm-transaction.ts'
import { forEachPermission, USER_GROUP_SETTINGS } from '../rules/group-settings.ts'
import { defineShapedEventType, hasCapability } from './event-type.ts'
import { groupSettingSchema } from './representations.ts'

/** A group or its membership changed. Source: docs/interface/events.md#events-about-channels-and-groups; docs/interface/groups.md#change-a-group. */
export interface StoredUserGroupEvent extends LogEvent {
  readonly type: 'user_group'
  readonly op:
    | 'add'
    | 'update'
    | 'remove'
    | 'add_members'
    | 'remove_members'
    | 'add_subgroups'
    | 'remove_subgroups'
  readonly [field: string]: unknown
  /** `yes`: only for clients that know deactivated groups; `no`: only for others. */
  readonly for_deactivated_groups?: 'yes' | 'no'
}

const groupSettings = forEachPermission(USER_GROUP_SETTINGS, groupSettingSchema)

export const userGroupSchema = v.strictObject({
  id: v.number(),
  name: v.string(),
  description: v.string(),
  creator_id: v.nullable(v.number()),
  date_created: v.nullable(v.number()),
  members: v.array(v.number()),
  direct_subgroup_ids: v.array(v.number()),
  is_system_group: v.boolean(),
  deactivated: v.boolean(),
  ...groupSettings,
})

/** Changes, one property each. */
const changes = Object.entries({
  name: v.string(),
  description: v.string(),
  deactivated: v.boolean(),
  ...groupSettings,
}).map(([name, value]) => v.strictObject({ [name]: value }))

const groupId = { group_id: v.number() }

export const userGroupEvent = defineShapedEventType<StoredUserGroupEvent>(
  'user_group',
  [
    { op: v.literal('add'), group: userGroupSchema },
    { ...groupId, op: v.literal('update'), data: v.union(changes) },
    { ...groupId, op: v.literal('remove') },
    { ...groupId, op: v.picklist(['add_members', 'remove_members']), user_ids: v.array(v.number()) },
    {
      ...groupId,
      op: v.picklist(['add_subgroups', 'remove_subgroups']),
      direct_subgroup_ids: v.array(v.number()),
    },
  ],
  {
    deliver({ for_deactivated_groups, ...stored }, context) {
      const knows = hasCapability(context, 'include_deactivated_groups')
      if (for_deactivated_groups === 'yes' && !knows) return []
      if (for_deactivated_groups === 'no' && knows) return []
      return [stored]
    },
  },
)
