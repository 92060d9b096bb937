import { state } from '../../chat.ts'
import { goToConversation, hrefOf, names } from '../../navigation.ts'
import { printAddress } from '../../state/addresses.ts'
import { mayPost } from '../../state/channel-permissions.ts'
import { completeChannels, completePeople } from '../../state/completion.ts'
import { type Conversation, conversationKey, conversationOf, peersOf } from '../../state/conversation.ts'
import { channelNarrow, channelOfNarrow, type Narrow, narrowOf } from '../../state/narrow.ts'
import { recentConversations } from '../../state/recent.ts'
import { parseSearch } from '../../state/search-parse.ts'
import { conversationUnread } from '../../state/unread.ts'
import type { Message } from '../../state/wire.ts'
import { FIT, fitOf, hasWords } from '../../state/words.ts'
import type { f } from '../../texts/frame.ts'
import { t } from '../../texts/texts.ts'
import { iconOfChannel } from '../channel-icon.tsx'
import { previewOf } from '../inbox/preview.ts'
import { findSettings } from '../settings/search-index.ts'
import { offeredSections, type Section } from '../settings/sections.ts'
import { channelName, conversationName, peerNames, topicName } from '../words.ts'
import { type Action, actionsAnywhere, actionsHere, follow } from './actions.ts'

/** The headings of the list. */
export type Group = keyof typeof f.palette.groups

/** A destination, or an action. */
export interface Destination extends Action {
  readonly group: Group
  readonly unread: number
}

/** A conversation or a channel. */
export interface Place extends Destination {
  readonly narrow: Narrow
}

interface Ranked extends Destination {
  /** The first difference decides; lower comes earlier. */
  readonly rank: readonly [fit: number, kind: number, age: number]
}

/** Kinds in the order in which equally good matches are listed. */
const KIND = { person: 0, channel: 1, topic: 2, group: 3, view: 4, setting: 5, action: 6, label: 7 } as const

const GROUP: Readonly<Record<keyof typeof KIND, Group>> = {
  person: 'people',
  channel: 'channels',
  topic: 'topics',
  group: 'people',
  view: 'actions',
  setting: 'settings',
  action: 'actions',
  label: 'settings',
}

const RECENT_SHOWN = 10
const CHANNELS_SHOWN = 8
const PEOPLE_SHOWN = 20
const SHOWN = 40

/** Returns the matches for the words, best first; without words, the recent conversations. */
export function destinationsFor(words: string): Destination[] {
  if (words === '') {
    return [...newest(), ...channels(words), ...actions(words)]
  }
  const found = [
    ...topics(words),
    ...recent(words),
    ...channels(words),
    ...people(words),
    ...views(words),
    ...actions(words),
    ...settings(words),
  ]
  return [...grouped(best(found)), searchFor(words)]
}

function newest(): RankedPlace[] {
  return recent('')
    .slice(0, RECENT_SHOWN)
    .map((one) => ({ ...one, group: 'recent' }))
}

/** Returns the matches by their groups, of which the one with the best match comes first. */
function grouped<One extends Destination>(found: readonly One[]): One[] {
  return [...Map.groupBy(found, ({ group }) => group).values()].flat()
}

/** Returns the conversations and channels for the words in which the user may write. */
export function placesFor(words: string): Place[] {
  const found =
    words === ''
      ? [...newest(), ...channels(words)]
      : grouped(best([...topics(words), ...recent(words), ...channels(words), ...people(words)]))
  return found.filter(({ narrow }) => mayWriteIn(narrow)).slice(0, SHOWN)
}

function mayWriteIn(narrow: Narrow): boolean {
  const channelId = channelOfNarrow(narrow)
  const channel = channelId === undefined ? undefined : state.channels.get(channelId)
  return channelId === undefined || (channel !== undefined && !channel.is_archived && mayPost(state, channel))
}

/** Returns each of the matches once, in their order. */
function best<One extends Ranked>(found: readonly One[]): One[] {
  const once = new Map(found.map((one) => [one.key, one]))
  const sorted = [...once.values()].sort(
    (a, b) => a.rank[0] - b.rank[0] || a.rank[1] - b.rank[1] || a.rank[2] - b.rank[2],
  )
  return sorted.slice(0, SHOWN)
}

type RankedPlace = Ranked & Place

function recent(words: string): RankedPlace[] {
  return recentConversations(state).flatMap(({ conversation }, age) => {
    const name = placeName(conversation)
    const fit = fitOf(name, words)
    if (words !== '' && fit === undefined) return []
    const key = conversationKey(conversation)
    const isGroup = conversation.kind === 'direct' && conversation.peers.length > 1
    const kind = conversation.kind === 'topic' ? 'topic' : isGroup ? 'group' : 'person'
    return {
      key,
      group: GROUP[kind],
      icon:
        conversation.kind === 'topic'
          ? iconOfChannel(state.channels.get(conversation.channelId))
          : isGroup
            ? 'group'
            : 'direct',
      name,
      unread: unreadIn(conversation),
      ...leadsTo(narrowOf(conversation)),
      rank: [fit ?? 0, KIND[kind], age],
    }
  })
}

/** Counts what is unread, muted or not. */
function unreadIn(conversation: Conversation): number {
  const { count, mutedCount } = conversationUnread(state, conversation)
  return count + mutedCount
}

function leadsTo(narrow: Narrow): Pick<Place, 'narrow' | 'go'> {
  return { narrow, go: follow(hrefOf(narrow)) }
}

/** Returns the name of a conversation beside its icon, which says what it is. */
function placeName(conversation: Conversation): string {
  return conversation.kind === 'topic'
    ? `${channelName(conversation.channelId)} › ${topicName(conversation.topic)}`
    : peerNames(conversation.peers)
}

function channels(words: string): RankedPlace[] {
  return completeChannels(state, words, CHANNELS_SHOWN).map(({ stream_id, name }, at) => ({
    key: `channel ${stream_id}`,
    group: GROUP.channel,
    icon: iconOfChannel(state.channels.get(stream_id)),
    name,
    unread: 0,
    ...leadsTo(channelNarrow(stream_id)),
    rank: [fitOf(name, words) ?? 0, KIND.channel, at],
  }))
}

/** Known topics that nobody wrote in lately, or whose messages are not known. */
function topics(words: string): RankedPlace[] {
  return [...state.topics].flatMap(([channelId, { byKey }]) =>
    [...byKey.values()].flatMap(({ name: topic, newestId }) => {
      const conversation = { kind: 'topic', channelId, topic } as const
      const name = placeName(conversation)
      const fit = fitOf(topic, words) ?? fitOf(name, words)
      if (fit === undefined) return []
      const key = conversationKey(conversation)
      return {
        key,
        group: GROUP.topic,
        icon: iconOfChannel(state.channels.get(channelId)),
        name,
        unread: unreadIn(conversation),
        ...leadsTo(narrowOf(conversation)),
        rank: [fit, KIND.topic, 1 / newestId] as const,
      }
    }),
  )
}

/** The key is that of the direct conversation, which may be among the recent ones. */
function people(words: string): RankedPlace[] {
  return completePeople(state, words, { limit: PEOPLE_SHOWN }).map(({ user_id, full_name }, at) => {
    const conversation = { kind: 'direct', peers: peersOf([user_id], state.me) } as const
    const key = conversationKey(conversation)
    return {
      key,
      group: GROUP.person,
      icon: 'direct',
      name: full_name,
      unread: unreadIn(conversation),
      ...leadsTo(narrowOf(conversation)),
      // An address may fit where the name does not.
      rank: [fitOf(full_name, words) ?? Number.MAX_SAFE_INTEGER, KIND.person, at],
    }
  })
}

const VIEWS = [
  ['inbox', 'inbox', '#inbox', 'i'],
  ['recent', 'recent', '#recent', 't'],
  ['activity', 'at', '#activity'],
  ['feed', 'feed', '#feed', 'a'],
  ['mentions', 'at', '#narrow/is/mentioned'],
  ['starred', 'star', '#narrow/is/starred'],
  ['drafts', 'later', '#drafts', 'd'],
  ['people', 'people', '#people', 'g'],
  ['settings', 'gear', '#settings'],
] as const

function views(words: string): Ranked[] {
  return fitting(
    words,
    'view',
    VIEWS.map(([view, icon, href, hint]) => ({
      key: view,
      icon,
      name: t.views[view],
      ...(hint ? { hint } : {}),
      go: follow(href),
    })),
  )
}

function actions(words: string): Ranked[] {
  return fitting(words, 'action', [...actionsHere(), ...actionsAnywhere()])
}

/** Sections of the settings by their titles, and by the labels of what they have. */
function settings(words: string): Ranked[] {
  const offered = offeredSections(state)
  const placeOf = ({ group }: Section) => (group === 'own' ? t.views.settings : state.organization.name)
  const sections = offered.map((section) => ({
    key: section.at,
    icon: 'gear' as const,
    name: section.title(),
    note: placeOf(section),
    go: follow(`#${section.at}`),
  }))
  const labels = findSettings(offered, words).flatMap(({ section, labels: found }) =>
    found.map((label) => ({
      key: `${section.at} ${label}`,
      icon: 'gear' as const,
      name: label,
      note: `${placeOf(section)} › ${section.title()}`,
      go: follow(`#${section.at}`),
    })),
  )
  return [...fitting(words, 'setting', sections), ...fitting(words, 'label', labels)]
}

function fitting(words: string, kind: keyof typeof KIND, all: readonly Action[]): Ranked[] {
  return all.flatMap((one, at) => {
    const fit = bestFit([one.name, ...(one.aliases ?? [])], words)
    return fit === undefined ? [] : { ...one, group: GROUP[kind], unread: 0, rank: [fit, KIND[kind], at] }
  })
}

/** Returns how well one of the names fits; words of it in any order fit least. */
function bestFit(all: readonly string[], words: string): number | undefined {
  const fits = all.flatMap((name) => {
    const fit = fitOf(name, words) ?? (hasWords(name, words) ? FIT.inside + 1 : undefined)
    return fit === undefined ? [] : [fit]
  })
  return fits.length === 0 ? undefined : Math.min(...fits)
}

/** Leads to a message that a search has found. */
export function placeOfMessage(message: Message): Destination {
  return {
    key: `message ${message.id}`,
    group: 'messages',
    icon: 'quote',
    name: previewOf(message),
    note: conversationName(conversationOf(message, state.me)),
    unread: 0,
    go: () => goToConversation(conversationOf(message, state.me), message.id),
  }
}

function searchFor(words: string): Destination {
  return {
    key: 'search',
    group: 'messages',
    icon: 'search',
    name: t.goTo.search(words),
    unread: 0,
    go: follow(printAddress({ view: 'narrow', ...parseSearch(state, words) }, names)),
  }
}
