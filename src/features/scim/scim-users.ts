import { changeOfAccount } from '../../api/audit-notes.ts'
import { defineStep } from '../../api/define-endpoint.ts'
import { integer } from '../../api/parameter-types.ts'
import type { AuditNote, MadeChange } from '../../model/audit-log/audit-rule.ts'
import { ifMatch, page, userChanges } from './scim-parameters.ts'
import {
  admitProvider,
  changeScimUser,
  createScimUser,
  deleteScimUser,
  getScimUser,
  listScimUsers,
} from './scim-users-work.ts'

/** What an identity provider does with accounts (docs/scim.md#users). */

const ACCESS = { access: 'provisioning', rateLimit: 'provisioning' } as const
const BY_PROVIDER = { scim: true }

export const admitProviderStep = defineStep({
  operation: 'scim-admit',
  ...ACCESS,
  params: {},
  command: admitProvider,
  audit: 'read-only',
})

export const listScimUsersStep = defineStep({
  operation: 'scim-list-users',
  ...ACCESS,
  params: page,
  command: listScimUsers,
  audit: 'read-only',
})

export const getScimUserStep = defineStep({
  operation: 'scim-get-user',
  ...ACCESS,
  params: { user_id: integer, if_match: ifMatch },
  command: getScimUser,
  audit: 'read-only',
})

export const createScimUserStep = defineStep({
  operation: 'scim-create-user',
  ...ACCESS,
  growsObject: true,
  params: { changes: userChanges },
  command: createScimUser,
  audit(change) {
    const user_id = Number(change.value.resource.id)
    const isNew = change.events.some(({ type, op }) => type === 'realm_user' && op === 'add')
    const made: AuditNote[] = isNew ? [{ action: 'user_created', details: { user_id, ...BY_PROVIDER } }] : []
    return [...made, ...notesOf(change, user_id)]
  },
})

export const changeScimUserStep = defineStep({
  operation: 'scim-change-user',
  ...ACCESS,
  params: { user_id: integer, if_match: ifMatch, changes: userChanges },
  command: changeScimUser,
  audit: (change) => notesOf(change, change.params.user_id),
})

export const deleteScimUserStep = defineStep({
  operation: 'scim-delete-user',
  ...ACCESS,
  params: { user_id: integer, if_match: ifMatch },
  command: deleteScimUser,
  audit: (change) => notesOf(change, change.params.user_id),
})

/** Returns entries for what has changed of an account, as an administrator's changes have them. */
function notesOf({ events }: Pick<MadeChange, 'events'>, userId: number): AuditNote[] {
  const opened = events.flatMap((event): AuditNote[] => {
    if (event.type !== 'realm_user' || event.op !== 'update') return []
    const { user_id, is_active } = event.person as { user_id: number; is_active?: boolean }
    if (user_id !== userId || is_active === undefined) return []
    return [{ action: is_active ? 'user_reactivated' : 'user_deactivated', details: { user_id } }]
  })
  return [...changeOfAccount({ events }), ...opened].map(({ details, ...note }) => ({
    ...note,
    details: { ...details, ...BY_PROVIDER },
  }))
}
