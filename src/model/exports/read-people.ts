import { PAGE_OF_ROWS } from '../../core/budgets.ts'
import { ROLES } from '../../rules/roles.ts'
import { idsAfter } from '../../store/exports/export-page-rows.ts'
import { findUsers } from '../../store/users/user-rows.ts'
import { presentUser } from '../users/read/present-user.ts'
import type { ExportSource } from './export-source.ts'

/**
 * Users as in GET /users for an administrator, without addresses that are hidden from administrators. The
 * bots of the organization's own notices are among them, since they send messages.
 */
export const usersSource: ExportSource = {
  name: 'users',
  read({ tx }, [after = 0]) {
    const ids = idsAfter(tx.sql, 'user', after, PAGE_OF_ROWS)
    const users = findUsers(tx.sql, ids)
    const members = ids.map((id) =>
      presentUser(users.get(id)!, {
        viewer: { id: 0, role: ROLES.administrator },
        realm: tx.realm,
        clientGravatar: false,
        includeProfileData: true,
      }),
    )
    return {
      kind: 'json',
      content: members.length > 0 ? { members } : null,
      next: ids.length < PAGE_OF_ROWS ? null : [ids.at(-1)!],
    }
  },
}
