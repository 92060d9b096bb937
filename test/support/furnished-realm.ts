/** An organization that has something of everything that an archive contains. */
import { buildChannel, buildUser, expectSuccess, type TestRealm, type TestUser } from './factories.ts'
import { PNG } from './images.ts'
import { sendDirect, sendTo } from './messages.ts'
import { postFiles, upload } from './uploads.ts'

export interface Furnished {
  readonly bea: TestUser
  readonly cai: TestUser
  readonly open: { readonly id: number; readonly name: string }
  readonly hidden: { readonly id: number; readonly name: string }
  /** The path of an uploaded file. */
  readonly file: string
  readonly fieldId: number
  readonly sent: Readonly<Record<'first' | 'edited' | 'secret' | 'direct' | 'unread', number>>
}

export async function furnish(realm: TestRealm): Promise<Furnished> {
  const { owner } = realm
  const bea = await buildUser(realm, { name: 'Bea Birch' })
  const cai = await buildUser(realm, { name: 'Cai Cole' })
  const gone = await buildUser(realm, { name: 'Gus Gone' })
  expectSuccess(await postFiles(bea, '/users/me/avatar', [{ name: 'bea.png', ...PNG }]))
  expectSuccess(await postFiles(owner, '/realm/icon', [{ name: 'icon.png', ...PNG }]))
  expectSuccess(await postFiles(owner, '/realm/emoji/tick', [PNG]))
  const choices = { '0': { text: 'Sea', order: '1' }, '1': { text: 'Land', order: '2' } }
  const field = { name: 'Team', hint: 'Which', field_type: 3, field_data: JSON.stringify(choices) }
  const fieldId = expectSuccess(await owner.api.post('/realm/profile_fields', field)).id
  expectSuccess(await bea.api.patch('/users/me/profile_data', { data: [{ id: fieldId, value: '1' }] }))
  const folder = expectSuccess(
    await owner.api.post('/channel_folders/create', { name: 'Work', description: 'All work' }),
  ).channel_folder_id
  const open = await buildChannel([owner, bea, cai], { name: 'boats' })
  expectSuccess(
    await owner.api.patch(`/streams/${open.id}`, { folder_id: folder, description: 'Of **boats**' }),
  )
  const hidden = await buildChannel([owner, bea], {
    name: 'board',
    invite_only: true,
    history_public_to_subscribers: false,
  })
  const old = await buildChannel([owner, gone], { name: 'old' })
  await sendTo(gone, old.id, 'end', 'the last word')
  expectSuccess(await owner.api.delete(`/streams/${old.id}`))
  expectSuccess(await owner.api.delete(`/users/${gone.id}`))
  expectSuccess(
    await owner.api.post('/user_groups/create', {
      name: 'ops',
      description: 'Who mends',
      members: [bea.id, cai.id],
    }),
  )
  const setting = (property: string, value: unknown) => ({ stream_id: open.id, property, value })
  expectSuccess(
    await bea.api.post('/users/me/subscriptions/properties', {
      subscription_data: [setting('color', '#ff0000'), setting('pin_to_top', true)],
    }),
  )
  const file = await upload(bea, { name: 'plan.txt', content: 'the plan' })
  const first = await sendTo(bea, open.id, 'engine', `@**Cai Cole|${cai.id}** see [plan](${file})`)
  const link = `broken, see #**boats>engine@${first}**`
  const edited = await sendTo(cai, open.id, 'engine', 'brokn')
  expectSuccess(await cai.api.patch(`/messages/${edited}`, { content: link }))
  for (const reaction of [{ emoji_name: 'smile' }, { emoji_name: 'tick' }]) {
    expectSuccess(await cai.api.post(`/messages/${first}/reactions`, reaction))
  }
  const secret = await sendTo(owner, hidden.id, 'plans', 'between us')
  const moved = await sendTo(owner, hidden.id, 'plans', 'for all to see')
  expectSuccess(
    await owner.api.patch(`/messages/${moved}`, {
      stream_id: open.id,
      topic: 'engine',
      propagate_mode: 'change_one',
    }),
  )
  const direct = await sendDirect(bea, [cai], 'psst')
  const unread = await sendTo(bea, open.id, 'engine', 'not read yet')
  expectSuccess(
    await cai.api.post('/messages/flags', { messages: [first, edited, direct], op: 'add', flag: 'read' }),
  )
  expectSuccess(await cai.api.post('/messages/flags', { messages: [first], op: 'add', flag: 'starred' }))
  const policy = { stream_id: open.id, topic: 'engine', visibility_policy: 3 }
  expectSuccess(await cai.api.post('/user_topics', policy))
  expectSuccess(await cai.api.post('/users/me/alert_words', { alert_words: ['ship'] }))
  expectSuccess(await cai.api.post(`/users/me/muted_users/${gone.id}`))
  return { bea, cai, open, hidden, file, fieldId, sent: { first, edited, secret, direct, unread } }
}
