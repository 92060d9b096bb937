import { expect, it } from 'vitest'
import type { UserGroupPermissions } from '../../src/rules/grants.ts'
import { expectSuccess } from '../support/factories.ts'
import { addChannels, changeRealm } from '../support/inside.ts'
import {
  changeChannel,
  changeGroup,
  defaultPermissions,
  insertGroup,
  insertSubgroups,
} from '../support/inside-rows.ts'
import { CHANNELS_OF_ONE_SLICE, GROUPS_OF_ONE_SLICE } from '../support/limits.ts'
import { systemGroupId } from '../support/system-groups.ts'
import { useRealm } from '../support/use-realm.ts'

const SETTINGS: UserGroupPermissions = {
  can_add_members_group: systemGroupId('role:nobody'),
  can_join_group: systemGroupId('role:nobody'),
  can_leave_group: systemGroupId('role:everyone'),
  can_manage_group: systemGroupId('role:nobody'),
  can_mention_group: systemGroupId('role:everyone'),
  can_remove_members_group: systemGroupId('role:nobody'),
}

/** More than one turn reads. */
const CHANNELS = CHANNELS_OF_ONE_SLICE.channels + 20
const GROUPS = GROUPS_OF_ONE_SLICE + 20

const { realm, ann, ben } = useRealm({ ann: 'member', ben: 'member' })

function namesOf(count: number, what: string) {
  return Array.from({ length: count }, (_, at) => `${what} ${String(at).padStart(4, '0')}`)
}

async function make(name: string): Promise<number> {
  const group = { name, description: '', members: [] }
  return expectSuccess(await ann.api.post('/user_groups/create', group)).group_id
}

it('a group in use by more than one turn reads is refused with every use', async () => {
  const used = await make('used')
  const value = { direct_members: [ann.id], direct_subgroups: [used] }
  const settings = { ...defaultPermissions(null), can_subscribe_group: used, can_send_message_group: value }
  const [archived = 0, ...channels] = await addChannels(realm, namesOf(CHANNELS, 'channel'), { settings })
  // Its number is among the digits of others.
  const others = await addChannels(realm, namesOf(20, 'other'), {
    settings: { ...defaultPermissions(null), can_subscribe_group: Number(`${used}${used}`) },
  })
  const [deactivated = 0, ...groups] = await changeRealm(realm, (tx) => {
    changeChannel(tx.sql, archived, { isArchived: true })
    const group = { description: '', creatorId: null, createdAt: tx.now }
    const naming = { ...SETTINGS, can_join_group: used, can_mention_group: value }
    const ids = namesOf(GROUPS, 'group').map((name) => {
      const id = insertGroup(tx.sql, { ...group, name, settings: naming })
      insertSubgroups(tx.sql, id, [used])
      return id
    })
    changeGroup(tx.sql, ids[0]!, { isDeactivated: true })
    const other = { ...SETTINGS, can_join_group: Number(`1${used}`) }
    insertGroup(tx.sql, { ...group, name: 'another', settings: other })
    return ids
  })
  const { status, body } = await ann.api.post(`/user_groups/${used}/deactivate`)
  expect(status).toBe(400)
  expect(body.objections).toEqual([
    { type: 'subgroup', supergroup_ids: groups },
    ...channels.map((channel_id) => ({
      type: 'channel',
      channel_id,
      settings: ['can_send_message_group', 'can_subscribe_group'],
    })),
    ...groups.map((group_id) => ({
      type: 'user_group',
      group_id,
      settings: ['can_join_group', 'can_mention_group'],
    })),
  ])
  expect([...channels, ...others]).not.toContain(archived)
  expect(groups).not.toContain(deactivated)
})

it('a use that begins while the others are read keeps the group active', async () => {
  const used = await make('soon used')
  const [answer, change] = await Promise.all([
    ann.api.post(`/user_groups/${used}/deactivate`),
    ann.api.post('/user_groups/create', {
      name: 'user',
      description: '',
      members: [],
      can_join_group: { direct_members: [ann.id], direct_subgroups: [used] },
    }),
  ])
  // Whichever comes first, the other is refused.
  const both = [answer, change].map(({ status }) => status).sort()
  expect(both).toEqual([200, 400])
  expect((await ben.api.post(`/user_groups/${used}/deactivate`)).status).toBe(400)
})
