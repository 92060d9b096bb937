import { runDurableObjectAlarm } from 'cloudflare:test'
import { realmStub } from '../../support/api.ts'
import { expectSuccess, type TestUser } from '../../support/factories.ts'
import { fromJson } from '../../support/json.ts'
import { sendDirect, sendTo } from '../../support/messages.ts'
import type { Chances } from './chances.ts'
import { askAsX, type Fields, type Said, type Stage, type StageChannel } from './stage.ts'

/** A step that is done in both organizations alike, whether X sees it or not. */
type SharedStep = (stage: Stage, chances: Chances) => Promise<unknown>

export const TOPICS = ['first', 'walls', 'Walls', 'towers', 'a (b) c'] as const

/** Returns the channels that X can read. */
function readableChannels({ channels, isInAttic }: Stage): StageChannel[] {
  return [
    channels.lobby,
    channels.lobby,
    channels.den,
    ...(isInAttic ? [channels.attic, channels.attic] : []),
  ]
}

function othersInside({ ann, ben, cid, owner }: Stage): TestUser[] {
  return [ann, ben, cid, owner]
}

export function someText({ x }: Stage, chances: Chances): string {
  const word = `word${chances.below(20)}`
  return chances.pick([
    word,
    `${word} again`,
    `${word} @**${x.fullName}**`,
    `${word} @**all**`,
    `${word} @**topic**`,
    `${word} the zebra`,
    `${word} https://example.com/${word} and :tada:`,
    `${word} #**lobby>walls**`,
    ['```spoiler Hidden', word, '```'].join('\n'),
    `/poll ${word}?\nyes\nno`,
  ])
}

const say: SharedStep = async (stage, chances) => {
  const [author, channel, topic] = [
    chances.pick(othersInside(stage)),
    chances.pick(readableChannels(stage)),
    chances.pick(TOPICS),
  ]
  const content = someText(stage, chances)
  const id = await sendTo(author, channel.id, topic, content)
  stage.shared.push({ id, author, channel, topic, isPoll: content.startsWith('/poll') })
}

const write: SharedStep = async (stage, chances) => {
  const author = chances.pick([stage.ann, stage.ben])
  const to = chances.onceIn(3) ? [stage.x, stage.cid] : [stage.x]
  const id = await sendDirect(author, to, someText(stage, chances))
  stage.shared.push({ id, author, channel: undefined, topic: '', isPoll: false })
}

const saySomethingInSquare: SharedStep = async ({ ann, channels }, chances) =>
  sendTo(ann, channels.square.id, chances.pick(TOPICS), 'in the square')

/** Lets a user act on a message that exists in both organizations. */
const touch: SharedStep = async (stage, chances) => {
  const said = pickShared(stage, chances)
  if (!said) return
  const { id, author, channel } = said
  const reader = chances.pick([stage.ann, stage.ben])
  const acts: (() => Promise<unknown>)[] = [
    () => author.api.patch(`/messages/${id}`, { content: someText(stage, chances) }),
    () => reader.api.post(`/messages/${id}/reactions`, { emoji_name: 'tada' }),
    () => reader.api.delete(`/messages/${id}/reactions`, { emoji_name: 'tada' }),
    () => reader.api.post('/messages/flags', { messages: [id], op: 'add', flag: 'read' }),
    () => stage.owner.api.post('/submessage', { message_id: id, msg_type: 'widget', content: VOTE }),
  ]
  const propagate_mode = chances.pick(['change_one', 'change_all'])
  // A notice counts the messages that its author has moved, and X may not see all of those in the attic.
  const send_notification_to_new_thread = channel !== stage.channels.attic
  const moved = { topic: chances.pick(TOPICS), propagate_mode, send_notification_to_new_thread }
  const elsewhere = { ...moved, stream_id: stage.channels.den.id, propagate_mode: 'change_one' }
  if (channel) {
    acts.push(
      () => stage.owner.api.patch(`/messages/${id}`, moved),
      () => stage.owner.api.patch(`/messages/${id}`, elsewhere),
      () => stage.owner.api.delete(`/messages/${id}`),
    )
  }
  // The action is refused where nothing of it is left, in both organizations alike.
  await chances.pick(acts)()
}

export const VOTE = JSON.stringify({ type: 'vote', key: 'canned,0', vote: 1 })

function pickShared({ shared }: Stage, chances: Chances): Said | undefined {
  return shared.length === 0 ? undefined : chances.pick(shared.slice(-12))
}

/** Lets X act. What X may not do is refused in the same words. */
const actAsX: SharedStep = async (stage, chances) => {
  const { x, ann, ben, channels, now } = stage
  const id = pickShared(stage, chances)?.id ?? 1
  const channel = chances.pick(readableChannels(stage))
  const topic = chances.pick(TOPICS)
  const later = Math.floor(now()) + 3_600
  const acts: readonly [method: string, path: string, fields?: Fields][] = [
    ['POST', '/messages', { type: 'channel', to: channel.id, topic, content: someText(stage, chances) }],
    ['POST', '/messages', { type: 'direct', to: [ann.id, ben.id], content: someText(stage, chances) }],
    ['POST', '/messages', { type: 'channel', to: channels.attic.id, topic, content: 'Anybody here?' }],
    ['POST', `/messages/${id}/reactions`, { emoji_name: 'heart' }],
    ['PATCH', `/messages/${id}`, { topic, propagate_mode: 'change_all' }],
    ['PATCH', `/messages/${id}`, { topic, propagate_mode: 'change_later' }],
    ['POST', '/messages/flags', { messages: [id], op: 'add', flag: 'starred' }],
    ['POST', '/messages/flags', { messages: [id], op: 'remove', flag: 'read' }],
    ['POST', '/messages/flags/narrow', { ...AROUND, narrow: [], op: 'add', flag: 'read' }],
    ['POST', `/streams/${channels.attic.id}/delete_topic`, { topic_name: topic }],
    ['POST', '/mark_all_as_read'],
    ['POST', '/mark_topic_as_read', { stream_id: channel.id, topic_name: topic }],
    ['POST', '/user_topics', { stream_id: channel.id, topic, visibility_policy: chances.below(4) }],
    ['POST', `/users/me/muted_users/${ben.id}`],
    ['DELETE', `/users/me/muted_users/${ben.id}`],
    [
      'POST',
      '/drafts',
      { drafts: [{ type: 'stream', to: [channel.id], topic, content: 'Hm', timestamp: 1 }] },
    ],
    ['POST', '/saved_snippets', { title: 'Greeting', content: 'Hello' }],
    ['POST', '/scheduled_messages', { ...scheduled(channel, topic), scheduled_delivery_timestamp: later }],
    ['POST', '/reminders', { message_id: id, scheduled_delivery_timestamp: later }],
    ['POST', '/users/me/presence', { status: 'active', slim_presence: true, last_update_id: -1 }],
    ['POST', '/users/me/status', { status_text: `busy ${chances.below(9)}` }],
    ['POST', '/typing', { op: 'start', to: [ann.id] }],
    ['PATCH', '/settings', { high_contrast_mode: chances.onceIn(2) }],
    ['POST', '/messages/render', { content: someText(stage, chances) }],
    ['POST', '/users/me/subscriptions', { subscriptions: [{ name: channels.square.name }] }],
    ['DELETE', '/users/me/subscriptions', { subscriptions: [channels.square.name] }],
    ['POST', '/users/me/subscriptions', { subscriptions: [{ name: `made ${chances.below(3)}` }] }],
  ]
  const [method, path, fields] = chances.pick(acts)
  const body = await askAsX(stage, `X: ${method} ${path.replaceAll(/\d+/g, '#')}`, { method, path, fields })
  const isMessage = method === 'POST' && path === '/messages'
  const sent = isMessage ? fromJson(body).id : undefined
  if (sent === undefined) return
  const toChannel = fields?.type === 'channel' ? channel : undefined
  stage.shared.push({ id: sent, author: x, channel: toChannel, topic, isPoll: false })
}

const AROUND = { anchor: 'newest', num_before: 20, num_after: 0 }

function scheduled(channel: StageChannel, topic: string): Fields {
  return { type: 'channel', to: channel.id, topic, content: 'At last' }
}

/** X subscribes to the attic, or leaves it: what is sent there in between is hidden from X. */
export async function comeOrGo(stage: Stage): Promise<void> {
  const { owner, channels, x } = stage
  const principals = [x.id]
  if (stage.isInAttic) {
    const subscriptions = [channels.attic.name]
    expectSuccess(await owner.api.delete('/users/me/subscriptions', { subscriptions, principals }))
  } else {
    const subscriptions = [{ name: channels.attic.name }]
    expectSuccess(await owner.api.post('/users/me/subscriptions', { subscriptions, principals }))
  }
  stage.isInAttic = !stage.isInAttic
}

/** Changes facts about the organization that everybody sees. */
const changeOrganization: SharedStep = async ({ owner, ann, ben, channels, x }, chances) => {
  const number = chances.below(1_000)
  const acts: readonly (() => Promise<unknown>)[] = [
    () => ann.api.patch('/settings', { full_name: `Ann ${number}` }),
    () => ann.api.post('/users/me/presence', { status: 'active' }),
    () => ben.api.post('/users/me/status', { status_text: `away ${number}` }),
    () => owner.api.patch('/realm', { name: `Castle ${number}` }),
    () => owner.api.patch('/realm', { default_code_block_language: number % 2 ? 'python' : '' }),
    () => owner.api.patch(`/streams/${channels.lobby.id}`, { description: `The hall ${number}` }),
    () => owner.api.patch(`/streams/${channels.den.id}`, { new_name: `den ${number}` }),
    () =>
      owner.api.post('/realm/filters', {
        pattern: `t${number}-(?P<id>[0-9]+)`,
        url_template: 'https://e.example/{id}',
      }),
    () => ben.api.post('/user_groups/create', group(`group ${number}`, [ann.id, x.id])),
    () => ann.api.post('/typing', { op: 'start', to: [x.id] }),
    () =>
      ann.api.post('/typing', { op: 'start', type: 'stream', stream_id: channels.lobby.id, topic: 'walls' }),
  ]
  await chances.pick(acts)()
}

function group(name: string, members: readonly number[]): Fields {
  return { name, members, description: '' }
}

/** Runs the jobs that are due: alarms follow the real clock, which is behind. */
export async function letTimePass({ realm }: Stage): Promise<void> {
  await runDurableObjectAlarm(realmStub(realm.id))
}

export const SHARED_STEPS: Readonly<Record<string, SharedStep>> = {
  say,
  'say once more': say,
  write,
  'say something in the square': saySomethingInSquare,
  touch,
  'touch once more': touch,
  'act as X': actAsX,
  'act as X again': actAsX,
  'come or go': comeOrGo,
  'change the organization': changeOrganization,
}
