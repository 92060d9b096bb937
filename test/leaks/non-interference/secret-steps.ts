import { expectSuccess, type TestUser } from '../../support/factories.ts'
import { sendDirect, sendTo } from '../../support/messages.ts'
import { openQueue } from '../../support/queues.ts'
import { upload } from '../../support/uploads.ts'
import type { Chances } from './chances.ts'
import { someText, TOPICS, VOTE } from './shared-steps.ts'
import { type Kept, LOOKERS, type Looker, type Said, type Stage, type StageChannel } from './stage.ts'

/** They see all channels and invitations. */
const ADMINISTRATORS: readonly Looker[] = ['administrator', 'owner']

/** The audit log tells them what is done to other people's messages. */
const OWNERS: readonly Looker[] = ['owner']

interface SecretStep {
  /** Kinds of X who see it all the same; none by default. */
  readonly seenBy?: readonly Looker[]
  play(stage: Stage, chances: Chances): Promise<unknown>
}

/** Everybody but X, and no secret to X. */
function somebody({ ann, ben, cid }: Stage, chances: Chances): TestUser {
  return chances.pick([ann, ben, cid])
}

/** Returns a number that only this secret has. */
function nextNumber({ secret }: Stage): number {
  secret.numbers += 1
  return secret.numbers
}

/** Returns a text by which a secret is recognised if X ever sees it. */
function secretText(stage: Stage, chances: Chances): string {
  return `${someText(stage, chances)} secret ${nextNumber(stage)}`
}

/** Returns the channels that X cannot read; guests cannot read the square either. */
function hiddenChannels({ channels, secret, isInAttic, looker }: Stage): StageChannel[] {
  return [
    ...secret.channels,
    channels.past,
    ...(isInAttic ? [] : [channels.attic]),
    ...(looker.endsWith('guest') ? [channels.square] : []),
  ]
}

async function say(stage: Stage, chances: Chances): Promise<void> {
  const author = somebody(stage, chances)
  const channel = chances.pick(hiddenChannels(stage))
  const topic = chances.pick([...TOPICS, 'WALLS', 'secret plans', ''])
  const content = secretText(stage, chances)
  const id = await sendTo(author, channel.id, topic, content)
  stage.secret.messages.push({ id, author, channel, topic, isPoll: content.startsWith('/poll') })
}

async function write(stage: Stage, chances: Chances): Promise<void> {
  const { ann, ben, cid } = stage
  const [author, ...others] = chances.pick([
    [ann, ben],
    [ben, ann, cid],
    [cid, cid],
    [cid, ann],
  ])
  const content = secretText(stage, chances)
  const id = await sendDirect(author!, others, content)
  const isPoll = content.startsWith('/poll')
  stage.secret.messages.push({ id, author: author!, channel: undefined, topic: '', isPoll })
}

/** Returns a message that X has never seen; sends one if there is none. */
async function secretMessage(stage: Stage, chances: Chances): Promise<Said> {
  const hidden = () => stage.secret.messages.filter(({ channel }) => isStillHidden(stage, channel))
  if (hidden().length === 0) await write(stage, chances)
  return chances.pick(hidden())
}

/**
 * Returns whether a move keeps messages hidden: those of the attic stay hidden while X is subscribed to it, but a move
 * would show them to X.
 */
function isStillHidden({ channels, isInAttic }: Stage, channel: StageChannel | undefined): boolean {
  return channel !== channels.attic || !isInAttic
}

const withMessage =
  (act: (stage: Stage, said: Said, chances: Chances) => Promise<unknown>) =>
  async (stage: Stage, chances: Chances): Promise<void> => {
    await act(stage, await secretMessage(stage, chances), chances)
  }

const edit = withMessage(async (stage, { id, author, isPoll }, chances) => {
  if (isPoll) return
  expectSuccess(await author.api.patch(`/messages/${id}`, { content: secretText(stage, chances) }))
})

const move = withMessage(async ({ owner, secret }, { id, channel }, chances) => {
  if (!channel) return
  const topic = chances.pick([...TOPICS, 'elsewhere'])
  const to = secret.channels.includes(channel) && chances.onceIn(3) ? chances.pick(secret.channels) : channel
  const target = to === channel ? { topic } : { topic, stream_id: to.id }
  await owner.api.patch(`/messages/${id}`, { ...target, propagate_mode: 'change_one' })
})

const remove = withMessage(async ({ owner, secret }, { id, channel, author }) => {
  const { status } = await (channel ? owner : author).api.delete(`/messages/${id}`)
  // An owner who subscribes later to a channel with protected history has not received the message either.
  if (status !== 200) return
  secret.messages.splice(
    secret.messages.findIndex((one) => one.id === id),
    1,
  )
})

const react = withMessage(async (_, { id, author }, chances) => {
  const method = chances.pick(['POST', 'POST', 'DELETE'])
  await author.api.request(method, `/messages/${id}/reactions`, { emoji_name: 'octopus' })
})

const flag = withMessage(async (_, { id, author }, chances) => {
  const params = {
    messages: [id],
    op: chances.pick(['add', 'remove']),
    flag: chances.pick(['read', 'starred']),
  }
  expectSuccess(await author.api.post('/messages/flags', params))
})

const vote = withMessage(async (_, { id, author, isPoll }) => {
  if (!isPoll) return
  expectSuccess(await author.api.post('/submessage', { message_id: id, msg_type: 'widget', content: VOTE }))
})

/** Actions of other users on messages that X sees, about which X gets no event. Cid hides his read receipts. */
async function keepWatch({ cid, ann, shared }: Stage, chances: Chances): Promise<void> {
  if (shared.length === 0) return
  const { id } = chances.pick(shared)
  const acts = [
    () => cid.api.post('/messages/flags', { messages: [id], op: 'add', flag: 'read' }),
    () => ann.api.post('/messages/flags', { messages: [id], op: 'add', flag: 'starred' }),
    () => cid.api.post('/mark_all_as_read'),
  ]
  await chances.pick(acts)()
}

async function type(stage: Stage, chances: Chances): Promise<void> {
  const { ann, ben } = stage
  const { id: stream_id } = chances.pick(hiddenChannels(stage))
  const op = chances.pick(['start', 'stop'])
  const acts = [
    () => ann.api.post('/typing', { op, to: [ben.id] }),
    () => ann.api.post('/typing', { op, type: 'stream', stream_id, topic: 'walls' }),
  ]
  expectSuccess(await chances.pick(acts)())
}

const typeEdit = withMessage(async (_, { id, author }) => {
  await author.api.post(`/messages/${id}/typing`, { op: 'start' })
})

/** Changes data that each user has for themselves only. */
async function keep(stage: Stage, chances: Chances): Promise<void> {
  const { channels, shared, secret } = stage
  const { api } = somebody(stage, chances)
  const number = nextNumber(stage)
  const later = Math.floor(stage.now()) + 3_600
  const to = chances.pick([channels.vault, channels.den]).id
  const text = `kept ${number}`
  const draft = { type: 'stream', to: [to], topic: 'walls', content: text, timestamp: 1 }
  const message = { type: 'channel', to: channels.vault.id, topic: 'walls', content: text }
  const messageId = shared.at(-1)?.id
  const acts: (() => Promise<unknown>)[] = [
    async () => note('draft', expectSuccess(await api.post('/drafts', { drafts: [draft] })).ids[0]),
    async () =>
      note(
        'saved_snippet',
        expectSuccess(await api.post('/saved_snippets', { title: text, content: text })).saved_snippet_id,
      ),
    async () => {
      const params = { ...message, scheduled_delivery_timestamp: later }
      note(
        'scheduled_message',
        expectSuccess(await api.post('/scheduled_messages', params)).scheduled_message_id,
      )
    },
    async () => {
      if (messageId === undefined) return
      const params = { message_id: messageId, note: text, scheduled_delivery_timestamp: later }
      const { body } = await api.post('/reminders', params)
      if (body.reminder_id) note('reminder', body.reminder_id)
    },
  ]
  const note = (kind: Kept, id: number) => secret.kept[kind].push(id)
  await chances.pick(acts)()
}

/** Settings of other users that nobody is shown. */
async function set(stage: Stage, chances: Chances): Promise<void> {
  const { channels, ann, sam, cid } = stage
  const { api } = somebody(stage, chances)
  const word = `kept ${nextNumber(stage)}`
  const { id: stream_id } = chances.pick([channels.lobby, channels.den, channels.vault])
  const on = chances.onceIn(2)
  const subscription_data = [{ stream_id, property: 'pin_to_top', value: on }]
  const acts = [
    () => api.post('/users/me/alert_words', { alert_words: [word] }),
    () => api.patch('/settings', { high_contrast_mode: on, enter_sends: on, color_scheme: 2 }),
    () => api.post('/users/me/subscriptions/properties', { subscription_data }),
    () => api.post('/user_topics', { stream_id, topic: 'walls', visibility_policy: chances.below(4) }),
    () => ann.api.post(`/users/me/muted_users/${sam.id}`),
    () => api.post('/navigation_views', { fragment: word.replace(' ', '-'), is_pinned: on, name: word }),
    () => cid.api.post('/users/me/presence', { status: chances.pick(['active', 'idle']) }),
    () => api.post('/users/me/onboarding_steps', { onboarding_step: 'intro_inbox_view_modal' }),
    () => api.post('/register_client_device'),
  ]
  await chances.pick(acts)()
}

/** Channels that X may not know of, since X is not an administrator; administrators know all channels. */
async function changeChannels(stage: Stage, chances: Chances): Promise<void> {
  const { ann, ben, sam, owner, secret } = stage
  const own = secret.channels.slice(1)
  const number = nextNumber(stage)
  if (own.length === 0 || chances.onceIn(3)) {
    const name = `secret room ${number}`
    const settings = { invite_only: true, history_public_to_subscribers: chances.onceIn(2) }
    const allowed = { can_add_subscribers_group: { direct_members: [ann.id], direct_subgroups: [] } }
    const params = {
      subscriptions: [{ name, description: `secret ${number}` }],
      principals: [ann.id, ben.id, owner.id, stage.cid.id],
    }
    expectSuccess(await ann.api.post('/users/me/subscriptions', { ...params, ...settings, ...allowed }))
    const { stream_id } = expectSuccess(await ann.api.get('/get_stream_id', { stream: name }))
    secret.channels.push({ id: stream_id, name })
    return
  }
  const channel = chances.pick(own)
  const path = `/streams/${channel.id}`
  const name = `renamed room ${number}`
  const acts = [
    async () => {
      const { status } = await ann.api.patch(path, { new_name: name })
      if (status === 200)
        secret.channels.splice(secret.channels.indexOf(channel), 1, { id: channel.id, name })
    },
    () => ann.api.patch(path, { description: `secret ${number}` }),
    () => ann.api.patch(path, { topics_policy: 'disable_empty_topic' }),
    () =>
      ann.api.patch(path, {
        can_send_message_group: {
          new: { direct_members: [ann.id, ben.id, stage.cid.id], direct_subgroups: [] },
        },
      }),
    () =>
      ann.api.post('/users/me/subscriptions', {
        subscriptions: [{ name: channel.name }],
        principals: [sam.id],
      }),
    () => ben.api.delete('/users/me/subscriptions', { subscriptions: [channel.name], principals: [sam.id] }),
    () => ann.api.post('/mark_topic_as_read', { stream_id: channel.id, topic_name: 'walls' }),
    () => owner.api.post(`${path}/delete_topic`, { topic_name: 'walls' }),
    async () => {
      secret.channels.splice(secret.channels.indexOf(channel), 1)
      await owner.api.delete(path)
    },
  ]
  await chances.pick(acts)()
}

async function invite(stage: Stage, chances: Chances): Promise<void> {
  const { ann, secret, channels, owner } = stage
  const number = nextNumber(stage)
  const path = chances.onceIn(2) ? '/invites/multiuse' : '/invites'
  const to = path === '/invites' ? { invitee_emails: `new${number}@castle.example` } : {}
  const { api } = path === '/invites' ? chances.pick([ann, owner]) : owner
  expectSuccess(await api.post(path, { ...to, stream_ids: [channels.den.id] }))
  const { invites } = expectSuccess(await api.get('/invites'))
  secret.kept.invitation.push(invites.at(-1).id)
  if (chances.onceIn(3)) await api.delete(`${path}/${invites.at(-1).id}`)
}

/** Uploads a file that is in no message, or one in a channel that is hidden from X. */
async function addFile(stage: Stage, chances: Chances): Promise<void> {
  const owner = somebody(stage, chances)
  const path = await upload(owner, { name: 'secret.txt', content: `secret ${nextNumber(stage)}` })
  const { attachments } = expectSuccess(await owner.api.get('/attachments'))
  stage.secret.kept.attachment.push(attachments.at(-1).id)
  if (chances.onceIn(2)) {
    const [{ id: channelId }, topic] = [chances.pick(hiddenChannels(stage)), 'files']
    await sendTo(owner, channelId, topic, `[secret.txt](${path}) [plans.txt](${stage.file})`)
  }
}

/** Uses bots, queues and devices of other users. */
async function useMachines(stage: Stage, chances: Chances): Promise<void> {
  const { bot, ben, secret } = stage
  const acts = [
    async () => secret.queues.push((await openQueue(somebody(stage, chances))).id),
    () => bot.api.request('PUT', '/bot_storage', { storage: { plan: `secret ${nextNumber(stage)}` } }),
    () => ben.api.patch(`/bots/${bot.id}`, { default_sending_stream: stage.channels.vault.name }),
    () => sendTo(bot, stage.channels.vault.id, 'robots', secretText(stage, chances)),
    () => stage.owner.api.post('/export/realm'),
  ]
  await chances.pick(acts)()
}

/**
 * Changes the account of a user whom a shy guest has never met. (It neither creates the account nor changes its role: all
 * users get the ids in all groups, and a placeholder for users whom they may not see. Source:
 * docs/interface/events.md#who-gets-an-event; docs/interface/register.md#what-the-snapshot-has.)
 */
async function changeStranger(stage: Stage, chances: Chances): Promise<void> {
  const { sam } = stage
  const number = nextNumber(stage)
  const acts = [
    () => sam.api.patch('/settings', { full_name: `Sam ${number}` }),
    () => sam.api.patch('/settings', { timezone: 'Europe/Rome' }),
    () => sam.api.post('/users/me/status', { status_text: `secret ${number}` }),
    () => sam.api.post('/users/me/presence', { status: 'active' }),
  ]
  await chances.pick(acts)()
}

/** Addresses that Cid shows to administrators, or to nobody. */
async function hideAddress({ cid }: Stage, chances: Chances): Promise<void> {
  expectSuccess(await cid.api.patch('/settings', { email_address_visibility: chances.pick([3, 4]) }))
}

/** Each step is done in one of the organizations, or in both in different ways. X must not see any difference. */
export const SECRET_STEPS: Readonly<Record<string, SecretStep>> = {
  say: { play: say },
  'say more': { play: say },
  write: { play: write },
  edit: { play: edit },
  move: { play: move },
  remove: { seenBy: OWNERS, play: remove },
  react: { play: react },
  flag: { play: flag },
  vote: { play: vote },
  'keep watch': { play: keepWatch },
  type: { play: type },
  'type an edit': { play: typeEdit },
  keep: { play: keep },
  set: { play: set },
  'change channels': { seenBy: ADMINISTRATORS, play: changeChannels },
  invite: { seenBy: ADMINISTRATORS, play: invite },
  'add a file': { play: addFile },
  'use machines': { seenBy: ADMINISTRATORS, play: useMachines },
  'change a stranger': {
    seenBy: LOOKERS.filter((looker) => looker !== 'shy guest'),
    play: changeStranger,
  },
  'hide an address': { seenBy: ADMINISTRATORS, play: hideAddress },
}
