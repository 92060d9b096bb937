import type { ModelRun } from '../model-run.ts'
import { succeed } from '../person.ts'
import type { ChannelKind, ModelChannel, ModelMessage } from '../reference-model.ts'
import { actorOf, type Command, channelOf, pick } from './chosen.ts'

const subscribe: Command = async (run, action) => {
  const person = actorOf(run, action)
  const channel = channelOf(run, action, ({ subscribers }) => !subscribers.has(person.id))
  if (!channel) return undefined
  await succeed(run.boss, 'POST', '/users/me/subscriptions', {
    subscriptions: [{ name: channel.name }],
    principals: [person.id],
    send_new_subscription_messages: false,
  })
  channel.subscribers.add(person.id)
  return `The boss subscribes ${person.fullName} to ${channel.name}`
}

const unsubscribe: Command = async (run, action) => {
  const person = actorOf(run, action)
  const channel = channelOf(run, action, ({ subscribers }) => subscribers.has(person.id))
  if (!channel) return undefined
  await succeed(person, 'DELETE', '/users/me/subscriptions', { subscriptions: [channel.name] })
  run.model.leave(person.id, channel.id)
  return `${person.fullName} leaves ${channel.name}`
}

const muteChannel: Command = async (run, action) => {
  const person = actorOf(run, action)
  const channel = channelOf(run, action, ({ subscribers }) => subscribers.has(person.id))
  if (!channel) return undefined
  const value = !channel.muted.has(person.id)
  const subscription_data = [{ stream_id: channel.id, property: 'is_muted', value }]
  await succeed(person, 'POST', '/users/me/subscriptions/properties', { subscription_data })
  if (value) channel.muted.add(person.id)
  else channel.muted.delete(person.id)
  return `${person.fullName} ${value ? 'mutes' : 'unmutes'} ${channel.name}`
}

const KINDS = ['public', 'shared', 'protected'] as const

const PRIVACY_NAMES: Readonly<Record<ChannelKind, string>> = {
  public: 'Public',
  shared: 'Private, shared history',
  protected: 'Private, protected history',
}

const changePrivacy: Command = async (run, action) => {
  const kind = pick(KINDS, action.what)!
  const channel = channelOf(run, action, (one) => !one.isArchived && one.kind !== kind)
  if (!channel) return undefined
  await succeed(run.boss, 'PATCH', `/streams/${channel.id}`, {
    is_private: kind !== 'public',
    history_public_to_subscribers: kind !== 'protected',
  })
  const { fullName, id } = run.boss
  const content =
    `@_**${fullName}|${id}** changed the [access permissions](/help/channel-permissions) for this channel ` +
    `from **${PRIVACY_NAMES[channel.kind]}** to **${PRIVACY_NAMES[kind]}**.`
  channel.kind = kind
  await noteNotice(run, channel, content)
  return `The boss makes ${channel.name} ${kind}`
}

/** Archives or unarchives a channel. */
const archive: Command = async (run, action) => {
  const channel = channelOf(run, action)!
  channel.isArchived = !channel.isArchived
  if (channel.isArchived) {
    await succeed(run.boss, 'DELETE', `/streams/${channel.id}`)
    const notice = await noteNotice(run, channel, `Channel ${channel.name} has been archived.`)
    for (const userId of notice.records) notice.read.add(userId)
    return `The boss archives ${channel.name}`
  }
  await succeed(run.boss, 'PATCH', `/streams/${channel.id}`, { is_archived: false })
  await noteNotice(run, channel, `Channel ${channel.name} un-archived.`)
  return `The boss brings ${channel.name} back`
}

/** Notices about the channel itself, which are read for the user who caused them. */
async function noteNotice(
  run: ModelRun,
  { id: channelId }: ModelChannel,
  content: string,
): Promise<ModelMessage> {
  const conversation = { channelId, topic: 'channel events' }
  const notice = run.model.addChannelMessage({
    ...(await run.newestNotice(conversation)),
    ...conversation,
    content,
  })
  notice.read.add(run.boss.id)
  return notice
}

export const CHANNEL_COMMANDS = { subscribe, unsubscribe, muteChannel, changePrivacy, archive }
