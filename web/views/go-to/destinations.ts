import { changeSettings } from '../../actions/personal.ts'
import { endSession } from '../../actions/session.ts'
import { state } from '../../chat.ts'
import { hrefOf, hrefOfConversation, names } from '../../navigation.ts'
import { printAddress } from '../../state/addresses.ts'
import { completeChannels, completePeople, fitOf } from '../../state/completion.ts'
import { conversationKey, peersOf } from '../../state/conversation.ts'
import { channelNarrow } from '../../state/narrow.ts'
import { mayCreateChannel, maySeeInvitations } from '../../state/permissions.ts'
import { recentConversations } from '../../state/recent.ts'
import { parseSearch } from '../../state/search-parse.ts'
import { t } from '../../texts/texts.ts'
import type { IconName } from '../../ui/icon.tsx'
import { attempt } from '../announcement.tsx'
import { composeToChannel, composeToPeople } from '../compose/compose-state.ts'
import { isHelpOpen } from '../preferences.ts'
import { offeredSections } from '../settings/sections.ts'
import { conversationName } from '../words.ts'

/** What can be gone to, or done. */
export interface Destination {
  readonly key: string
  readonly icon: IconName
  readonly name: string
  /** What it is, where the name does not say it. */
  readonly note?: string
  readonly unread: number
  readonly go: () => void
}

interface Ranked extends Destination {
  /** The first difference decides; lower comes earlier. */
  readonly rank: readonly [fit: number, kind: number, age: number]
}

/** Kinds in the order in which equally good matches are listed. */
const KIND = { person: 0, channel: 1, topic: 2, group: 3, view: 4, action: 5, setting: 6 } as const

const RECENT_SHOWN = 10
const CHANNELS_SHOWN = 8
const PEOPLE_SHOWN = 20
const SHOWN = 40

/** Returns what fits the words, the best first; without words, the recent conversations. */
export function destinationsFor(words: string): Destination[] {
  if (words === '') return [...recent(words).slice(0, RECENT_SHOWN), ...channels(words)]
  const found = [
    ...recent(words),
    ...channels(words),
    ...people(words),
    ...views(words),
    ...actions(words),
    ...settings(words),
  ]
  const once = new Map(found.map((one) => [one.key, one]))
  const sorted = [...once.values()].sort(
    (a, b) => a.rank[0] - b.rank[0] || a.rank[1] - b.rank[1] || a.rank[2] - b.rank[2],
  )
  return [...sorted.slice(0, SHOWN), searchFor(words)]
}

function follow(href: string): () => void {
  return () => {
    location.hash = href
  }
}

function recent(words: string): Ranked[] {
  return recentConversations(state).flatMap(({ conversation }, age) => {
    const name = conversationName(conversation)
    const fit = fitOf(name.replace(/^#/, ''), words)
    if (words !== '' && fit === undefined) return []
    const key = conversationKey(conversation)
    const isGroup = conversation.kind === 'direct' && conversation.peers.length > 1
    const kind = conversation.kind === 'topic' ? 'topic' : isGroup ? 'group' : 'person'
    return {
      key,
      icon: conversation.kind === 'topic' ? 'hash' : isGroup ? 'group' : 'direct',
      name,
      unread: state.unread.conversations.get(key)?.ids.size ?? 0,
      go: follow(hrefOfConversation(conversation)),
      rank: [fit ?? 0, KIND[kind], age],
    }
  })
}

function channels(words: string): Ranked[] {
  return completeChannels(state, words, CHANNELS_SHOWN).map(({ stream_id, name, invite_only }, at) => ({
    key: `channel ${stream_id}`,
    icon: invite_only ? 'lock' : 'hash',
    name: `#${name}`,
    unread: 0,
    go: follow(hrefOf(channelNarrow(stream_id))),
    rank: [fitOf(name, words) ?? 0, KIND.channel, at],
  }))
}

/** The key is that of the direct conversation, which may be among the recent ones. */
function people(words: string): Ranked[] {
  return completePeople(state, words, { limit: PEOPLE_SHOWN }).map(({ user_id, full_name }, at) => {
    const conversation = { kind: 'direct', peers: peersOf([user_id], state.me) } as const
    const key = conversationKey(conversation)
    return {
      key,
      icon: 'direct',
      name: full_name,
      unread: state.unread.conversations.get(key)?.ids.size ?? 0,
      go: follow(hrefOfConversation(conversation)),
      // An address may fit where the name does not.
      rank: [fitOf(full_name, words) ?? Number.MAX_SAFE_INTEGER, KIND.person, at],
    }
  })
}

const VIEWS = [
  ['inbox', 'inbox', '#inbox'],
  ['recent', 'recent', '#recent'],
  ['feed', 'feed', '#feed'],
  ['mentions', 'at', '#narrow/is/mentioned'],
  ['starred', 'star', '#narrow/is/starred'],
  ['drafts', 'draft', '#drafts'],
  ['people', 'people', '#people'],
  ['settings', 'gear', '#settings'],
] as const

function views(words: string): Ranked[] {
  return fitting(
    words,
    'view',
    VIEWS.map(([view, icon, href]) => ({ key: view, icon, name: t.views[view], go: follow(href) })),
  )
}

/** What can be done from anywhere. */
function actions(words: string): Ranked[] {
  const scheme = (value: number) => () => void attempt(changeSettings({ color_scheme: value }))
  const openHelp = () => {
    isHelpOpen.value = true
  }
  return fitting(words, 'action', [
    { key: 'write', icon: 'compose', name: t.sidebar.newMessage, go: composeToChannel },
    { key: 'write to people', icon: 'compose', name: t.sidebar.newDirect, go: composeToPeople },
    ...(mayCreateChannel(state, 'public') || mayCreateChannel(state, 'private')
      ? [{ key: 'new channel', icon: 'plus' as const, name: t.channels.create, go: follow('#channels/new') }]
      : []),
    { key: 'channels', icon: 'hash', name: t.sidebar.allChannels, go: follow('#channels/all') },
    ...(maySeeInvitations(state)
      ? [
          {
            key: 'invite',
            icon: 'invite' as const,
            name: t.invite,
            go: follow('#organization/invitations'),
          },
        ]
      : []),
    { key: 'help', icon: 'keyboard', name: t.help.title, go: openHelp },
    { key: 'light', icon: 'sun', name: t.goTo.schemes[3], go: scheme(3) },
    { key: 'dark', icon: 'moon', name: t.goTo.schemes[2], go: scheme(2) },
    { key: 'system', icon: 'system', name: t.goTo.schemes[1], go: scheme(1) },
    { key: 'log out', icon: 'logOut', name: t.ownMenu.logOut, go: endSession },
  ])
}

function settings(words: string): Ranked[] {
  return fitting(
    words,
    'setting',
    offeredSections(state).map(({ at, title, group }) => ({
      key: at,
      icon: 'gear',
      name: title(),
      note: group === 'own' ? t.views.settings : state.organization.name,
      go: follow(`#${at}`),
    })),
  )
}

function fitting(
  words: string,
  kind: keyof typeof KIND,
  all: readonly Omit<Destination, 'unread'>[],
): Ranked[] {
  return all.flatMap((one, at) => {
    const fit = fitOf(one.name, words)
    return fit === undefined ? [] : { ...one, unread: 0, rank: [fit, KIND[kind], at] }
  })
}

function searchFor(words: string): Destination {
  return {
    key: 'search',
    icon: 'search',
    name: t.goTo.search(words),
    unread: 0,
    go: follow(printAddress({ view: 'narrow', ...parseSearch(state, words) }, names)),
  }
}
