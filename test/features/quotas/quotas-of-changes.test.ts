import { beforeAll, describe, expect, it } from 'vitest'
import type { ApiResponse } from '../../support/api.ts'
import { expectSuccess } from '../../support/factories.ts'
import { pngOf } from '../../support/pictures.ts'
import { BOUNCER_PUBLIC_KEY, BOUNCER_SETTINGS } from '../../support/push-bouncer.ts'
import { askTus } from '../../support/tus.ts'
import { postFiles } from '../../support/uploads.ts'
import { useRealm } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

const { owner, member, other, channel } = useRealm(
  { member: 'member', other: 'member' },
  { channels: { channel: ['owner', 'member', 'other'] } },
)

const LONG = 'é'.repeat(100)
const later = () => Math.floor(Date.now() / 1_000) + 3_600
let [scheduledId, botId, folderId, defaultGroupId] = [0, 0, 0, 0]

/** One thing of each kind that a request changes later. */
beforeAll(async () => {
  const idOf = async (answer: Promise<ApiResponse>, name: string) => expectSuccess(await answer)[name]
  const note = { type: 'direct', to: [member.id], content: 'x', scheduled_delivery_timestamp: later() }
  scheduledId = await idOf(member.api.post('/scheduled_messages', note), 'scheduled_message_id')
  const bot = { full_name: 'A robot', short_name: 'robot', bot_type: 1 }
  botId = await idOf(member.api.post('/bots', bot), 'user_id')
  folderId = await idOf(
    owner.api.post('/channel_folders/create', { name: 'folder', description: '' }),
    'channel_folder_id',
  )
  const group = { group_name: 'newcomers', description: '', stream_names: [] }
  expectSuccess(await owner.api.post('/default_stream_groups/create', group))
  const listed = expectSuccess(
    await owner.api.post('/register', { fetch_event_types: ['default_stream_groups'] }),
  )
  defaultGroupId = listed.realm_default_stream_groups[0].id
})

/** The limits that each kind has. */
const LIMITS = {
  bots: ['account', 'organization'],
  channels: ['account', 'accountBytes', 'organization', 'organizationBytes'],
  defaultGroups: ['organization', 'organizationBytes'],
  emoji: ['account', 'organization'],
  files: ['account', 'accountBytes', 'organization', 'organizationBytes'],
  folders: ['account', 'organization', 'organizationBytes'],
  pushDevices: ['account', 'accountBytes', 'organization', 'organizationBytes'],
  scheduled: ['account', 'accountBytes', 'organization', 'organizationBytes'],
  settings: ['organization', 'organizationBytes'],
  uploads: ['account', 'accountBytes', 'organization', 'organizationBytes'],
} as const
type Kind = keyof typeof LIMITS

/** What a request does that makes more of a kind, or makes one of them larger. */
const GROWING: readonly [what: string, kind: Kind, grow: () => Promise<ApiResponse>][] = [
  [
    'a scheduled message that is edited',
    'scheduled',
    () => member.api.patch(`/scheduled_messages/${scheduledId}`, { content: LONG }),
  ],
  [
    'a bot that gets another owner',
    'bots',
    () => member.api.patch(`/bots/${botId}`, { bot_owner_id: other.id }),
  ],
  [
    'an encrypted registration of a device',
    'pushDevices',
    () => member.api.post('/mobile_push/register', device()),
  ],
  [
    'a default channel group that is edited',
    'defaultGroups',
    () => owner.api.patch(`/default_stream_groups/${defaultGroupId}`, { new_description: LONG }),
  ],
  [
    'a channel that is added to a default channel group',
    'defaultGroups',
    () =>
      owner.api.patch(`/default_stream_groups/${defaultGroupId}/streams`, {
        op: 'add',
        stream_names: [channel.name],
      }),
  ],
  [
    'a channel folder that is edited',
    'folders',
    () => owner.api.patch(`/channel_folders/${folderId}`, { description: LONG }),
  ],
  [
    'a channel that is edited',
    'channels',
    () => owner.api.patch(`/streams/${channel.id}`, { description: LONG }),
  ],
  ['custom emoji', 'emoji', () => postFiles(member, '/realm/emoji/wave_back', [pngOf(8, 8)])],
  [
    'a resumable upload',
    'uploads',
    () => askTus(member, 'POST', '/api/v1/tus/', { headers: { 'Upload-Length': '5' } }),
  ],
  ['a file', 'files', () => postFiles(member, '/user_uploads', [{ content: 'text' }])],
  ['settings of the organization', 'settings', () => owner.api.patch('/realm', { description: LONG })],
]

function device() {
  return {
    token_kind: 'fcm',
    push_account_id: 77,
    push_public_key: btoa('device key'),
    bouncer_public_key: BOUNCER_PUBLIC_KEY,
    encrypted_push_registration: btoa('registration'),
  }
}

/** Returns the setting by which an organization, and where there is such a quota an account, may have nothing of a kind. */
function nothingOf(kind: Kind): string {
  return LIMITS[kind].map((limit) => `${kind}/${limit}=0`).join(' ')
}

describe('the quota of a kind', () => {
  it.each(GROWING)('limits %s', async (_what, kind, grow) => {
    world.settings = { ...BOUNCER_SETTINGS, QUOTAS: nothingOf(kind) }
    const refused = await grow()
    expect([refused.status, refused.body.code]).toEqual([400, 'BAD_REQUEST'])
    expect(refused.body.msg).toMatch(/cannot have more than|are too large together/)
    world.settings = BOUNCER_SETTINGS
    expect((await grow()).status).toBeLessThan(300)
  })
})
