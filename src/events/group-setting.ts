import * as v from 'valibot'

/** The value of a permission: a group, or people and groups by id. Source: docs/interface/access.md#permission-values. */
export const groupSettingSchema = v.union([
  v.number(),
  v.strictObject({ direct_members: v.array(v.number()), direct_subgroups: v.array(v.number()) }),
])
