import { buildChannel, expectSuccess, type TestUser } from '../../support/factories.ts'
import { archiveIdOf, beginArchive } from '../../support/import-uploads.ts'
import { changeRealm } from '../../support/inside.ts'
import { insertBrowserSession, insertPasskey } from '../../support/inside-rows.ts'
import { addLoginProvider, connectTo } from '../../support/login-identities.ts'
import { sendDirect, sendTo } from '../../support/messages.ts'
import { openQueue } from '../../support/queues.ts'
import { upload } from '../../support/uploads.ts'
import type { Organization } from '../../support/use-realm.ts'

import type { Fields, Names } from './ways-to-name.ts'

export const LATER = Math.floor(Date.now() / 1_000) + 86_400
export const ABSENT: Names = {
  channel: 777_001,
  channelName: 'zqx absent',
  message: 777_101,
  direct: 777_102,
  attachment: 777_201,
  file: `2/ab/${'A'.repeat(24)}/zqx.txt`,
  draft: 777_202,
  snippet: 777_203,
  scheduled: 777_204,
  reminder: 777_205,
  view: 'narrow/zqx-absent',
  queue: '9-00000000000000000000000000000000',
  device: 777_206,
  session: 777_211,
  passkey: 777_215,
  loginProvider: 777_213,
  loginIdentity: 777_214,
  invitation: 777_207,
  link: 777_208,
  export: 777_209,
  import: 777_216,
  archive: '0'.repeat(32),
  hold: 777_217,
  backup: 777_218,
  deadLetter: 777_210,
  delivery: 777_212,
  user: 777_301,
  email: 'zqx-absent@example.com',
  group: 777_302,
  folder: 777_303,
  field: 777_304,
  linkifier: 777_305,
  playground: 777_306,
  defaults: 777_307,
  emoji: 'zqxabsent',
}

/** People of an organization, who have what nobody else may see. */
export type Hiding = Pick<Organization<'ann' | 'ben', never>, 'realm' | 'ann' | 'ben'>

/** Creates one thing of each kind, which belongs to Ann or the organization. */
export async function hide({ realm, ann, ben }: Hiding): Promise<Names> {
  const many = async (count: number, make: () => Promise<number>): Promise<number> => {
    let last = 0
    for (let n = 0; n < count; n += 1) last = await make()
    return last
  }
  const channelName = 'zqx hidden'
  const shared = { invite_only: true, history_public_to_subscribers: true }
  const { id: channel } = await buildChannel([ann, ben], { name: channelName, ...shared })
  const file = (await upload(ann, { name: 'zqx.txt' })).replace('/user_uploads/', '')
  const message = await sendTo(ann, channel, 'topic', `[zqx](/user_uploads/${file})`)
  const direct = await sendDirect(ann, [ben], 'zqx')
  const post = async (user: TestUser, path: string, fields: Fields = {}) =>
    expectSuccess(await user.api.post(path, fields))
  const scheduled = { to: channel, topic: 'x', content: 'zqx', scheduled_delivery_timestamp: LATER }
  const reminder = { message_id: message, scheduled_delivery_timestamp: LATER }
  const draft = { type: 'stream', to: [channel], topic: 'x', content: 'zqx' }
  const snippet = { title: 'zqx', content: 'zqx' }
  await post(ann, '/navigation_views', { fragment: 'narrow/zqx-hidden', name: 'zqx', is_pinned: true })
  const { owner } = realm
  await post(owner, '/invites', {
    invitee_emails: `zqx-invited@${realm.host}`,
    stream_ids: [],
    invite_as: 400,
  })
  await post(owner, '/invites/multiuse', { stream_ids: [] })
  const { invites } = expectSuccess(await owner.api.get('/invites'))
  const invite = (isLink: boolean) =>
    invites.find((one: { is_multiuse: boolean }) => one.is_multiuse === isLink).id
  await post(owner, '/default_stream_groups/create', {
    group_name: 'zqx',
    description: 'x',
    stream_names: [],
  })
  const defaults = (await openQueue(owner)).snapshot.realm_default_stream_groups.at(-1).id
  const linkifier = { pattern: 'ZQX-(?P<id>[0-9]+)', url_template: 'https://example.com/{id}' }
  const playground = { name: 'zqx', pygments_language: 'Python', url_template: 'https://example.com/{code}' }
  const { attachments } = expectSuccess(await ann.api.get('/attachments'))
  const loginProvider = await addLoginProvider(realm, 'work')
  return {
    channel,
    channelName,
    message,
    direct,
    loginProvider,
    loginIdentity: await connectTo(realm, loginProvider, ann),
    attachment: attachments[0].id,
    file,
    import: (await post(owner, '/imports', { path_id: (await upload(owner)).replace('/user_uploads/', '') }))
      .id,
    hold: (await post(owner, '/realm/holds', { user_id: ben.id, reason: 'x' })).id,
    backup: (await post(owner, '/backups', {})).id,
    archive: archiveIdOf(await beginArchive(owner, 10)),
    draft: (await post(ann, '/drafts', { drafts: Array(12).fill(draft) })).ids.at(-1),
    snippet: await many(40, async () => (await post(ann, '/saved_snippets', snippet)).saved_snippet_id),
    scheduled: await many(
      12,
      async () =>
        (await post(ann, '/scheduled_messages', { type: 'channel', ...scheduled })).scheduled_message_id,
    ),
    reminder: await many(12, async () => (await post(ann, '/reminders', reminder)).reminder_id),
    view: 'narrow/zqx-hidden',
    queue: (await openQueue(ann)).id,
    device: 1,
    session: await changeRealm(realm, (tx) =>
      insertBrowserSession(
        tx.sql,
        { userId: ann.id, digest: 'cd'.repeat(32), userAgent: '', proof: { method: 'password' } },
        tx.now,
      ),
    ),
    passkey: await changeRealm(realm, (tx) =>
      insertPasskey(
        tx.sql,
        {
          userId: ann.id,
          credentialId: 'hidden',
          publicKey: '',
          counter: 0,
          transports: [],
          isBackedUp: false,
          isVerified: true,
          name: 'Laptop',
        },
        tx.now,
      ),
    ),
    invitation: invite(false),
    link: invite(true),
    export: (await post(owner, '/export/realm')).id,
    deadLetter: 1,
    delivery: 1,
    user: ann.id,
    email: ann.email,
    group: await many(
      6,
      async () =>
        (
          await post(owner, '/user_groups/create', {
            name: crypto.randomUUID(),
            description: 'x',
            members: [ann.id],
          })
        ).group_id,
    ),
    folder: await many(
      4,
      async () =>
        (await post(owner, '/channel_folders/create', { name: crypto.randomUUID(), description: '' }))
          .channel_folder_id,
    ),
    field: (await post(owner, '/realm/profile_fields', { name: 'zqx', field_type: 1 })).id,
    linkifier: (await post(owner, '/realm/filters', linkifier)).id,
    playground: (await post(owner, '/realm/playgrounds', playground)).id,
    defaults,
    emoji: 'zqxhidden',
  }
}
