import { EXPORT_TYPE_WORDS } from '../../events/realm-lists.ts'
import type { NeutralRecord } from '../../imports/neutral.ts'
import { findGroup, listMadeGroups } from '../../store/user-groups/user-group-rows.ts'
import { VERSION } from '../server/version.ts'
import { presentGroupSettings, presentMadeGroup } from '../user-groups/present-user-group.ts'
import { type ExportSource, ROWS_PER_PAGE } from './export-source.ts'
import { organizationRecords, permissionsIn } from './organization-records.ts'

/** The first record, and the organization with its settings. */
export const organizationSource: ExportSource = {
  name: 'organization',
  read(view) {
    const { exported } = view
    return {
      kind: 'records',
      name: 'parley-import.jsonl',
      records: [
        {
          type: 'parley-import',
          version: 1,
          source: `parley:${exported.origin.toLowerCase()}`.slice(0, 200),
          made_at_ms: Math.floor(exported.startedAt * 1_000),
          made_by: `Parley ${VERSION}`,
          contents: EXPORT_TYPE_WORDS[exported.type],
        },
        ...organizationRecords(view),
      ],
      next: null,
    }
  },
}

/** Groups that people have made, deactivated ones too; in several files if they have too many members for one page. */
export const groupsSource: ExportSource = {
  name: 'groups',
  read({ tx: { sql } }, [after = 0]) {
    const made = listMadeGroups(sql)
    const ids = new Set(made.map(({ id }) => id))
    const records: NeutralRecord[] = []
    let room = ROWS_PER_PAGE
    for (const { id } of made) {
      if (id <= after) continue
      const group = findGroup(sql, id)!
      const { members, direct_subgroup_ids } = presentMadeGroup(sql, group)
      records.push({
        type: 'group',
        id: String(id),
        name: group.name,
        description: group.description,
        members: members.map(String),
        subgroups: direct_subgroup_ids.filter((subgroup) => ids.has(subgroup)).map(String),
        deactivated: group.isDeactivated,
        permissions: permissionsIn(presentGroupSettings(sql, group.settings)),
      })
      room -= 1 + members.length
      if (room <= 0) return { kind: 'records', records, next: [id] }
    }
    return { kind: 'records', records, next: null }
  },
}
