import { join } from 'node:path'
import { expect, it } from 'vitest'
import { PROJECT } from '../../scripts/project.ts'
import { readSourceTree } from './import-graph.ts'

/** The page's sources, without its words and the page of its components. */
const SOURCES = new Map(
  [...readSourceTree(join(PROJECT, 'web'))].filter(([file]) => !/^(texts|components|docs)\//.test(file)),
)

const ADMINISTRATION = /^views\/(organization|people-settings|settings|channels)\//

/**
 * What shows people or what they do, and the files that may read it, by the reason why no muted person appears there. A new file either asks
 * `web/state/muted-people.ts`, and is added here, or calls what does.
 */
const RULES: readonly {
  readonly what: RegExp
  readonly within: RegExp
  readonly may: Readonly<Record<string, readonly string[]>>
}[] = [
  {
    what: /\bmutedUsers\b/,
    within: /./,
    may: {
      'keeps the list': [
        ...['state/chat-state.ts', 'state/create-state.ts', 'state/personal.ts', 'state/muted-people.ts'],
      ],
      'lists them for their user': ['views/settings/muted.tsx', 'views/settings/sections.ts'],
      'only looks whether they are others': ['views/inbox/preview.ts', 'views/message/html-text.tsx'],
    },
  },
  {
    what: /\b(sender_)?full_name\b/,
    within: /^(views|ui|notifications|actions)\/(?!auth-page)/,
    may: {
      'changes or asks for a name': ['actions/accounts.ts', 'actions/bots.ts'],
      'is the user’s own': ['views/app-shell/top-bar.tsx', 'views/app-shell/own-menu.tsx'],
      'is the one place for names': ['views/words.ts'],
      'shows nobody who is muted: asks before': [
        ...['views/message/message-row.tsx', 'views/inbox/preview.ts', 'notifications/notifications.ts'],
        ...[
          'views/conversation/head-parts.tsx',
          'views/people/people-list.tsx',
          'views/people/avatar-with-presence.tsx',
        ],
      ],
      'shows completions, which have none': [
        ...['views/compose/people-field.tsx', 'views/compose/completion-list.ts'],
        ...['views/search/search-filters.tsx', 'views/go-to/destinations.ts'],
      ],
      'writes a mention into the box': ['views/compose/answer.ts', 'views/compose/quoted.ts'],
      'is the card, which the user opens for a person': ['views/people/user-card.tsx'],
    },
  },
  {
    what: /\brealName\b/,
    within: /^(views|ui|notifications)\//,
    may: {
      'is the one place for names': ['views/words.ts'],
      'names the card that is open': ['views/app-shell/title.ts'],
      'says who has just been muted': ['views/conversation/direct-menu.tsx'],
    },
  },
  {
    what: /\bstate\.recent\b|\bunread\.conversations\.values\b/,
    within: /^(views|ui|notifications|actions)\//,
    may: {
      'looks for a channel, or whether a conversation has begun': [
        ...['views/compose/compose-state.ts', 'views/compose/compose.tsx'],
      ],
    },
  },
  {
    what: /\.reactions\b|\breactionsOf\b/,
    within: /^(views|ui|notifications)\//,
    may: {
      'asks before': [
        ...['views/message/reactions.tsx', 'views/message/message-dialogs.tsx'],
        'views/message/message-menu.tsx',
      ],
      'draws the above': ['views/message/message-row.tsx'],
    },
  },
  {
    what: /\breadersOf\b|\breadPoll\(/,
    within: /^views\//,
    may: {
      'asks before': ['views/message/message-dialogs.tsx', 'views/message/widget.tsx'],
      'reads the question alone': ['views/compose/quoted.ts', 'views/message/widget-data.ts'],
    },
  },
  {
    what: /\bpreview(Parts)?Of\(/,
    within: /^(views|ui|notifications)\//,
    may: {
      'makes them': ['views/inbox/preview.ts'],
      'asks before': [
        ...['views/inbox/conversation-row.tsx', 'views/compose/drafts-view.tsx'],
        ...['views/message/link-cards.ts', 'views/pins/pins-bar.tsx'],
      ],
      'gets only what others have said': ['views/message/reply-list.tsx'],
      'quotes what the user has chosen': ['views/compose/answer.ts'],
      'is given what was asked about': [
        ...['views/go-to/destinations.ts', 'views/activity/activity-row.tsx', 'views/search/topic-card.tsx'],
      ],
    },
  },
  {
    what: /\bstate\.typing\b/,
    within: /./,
    may: { 'asks before': ['state/typing.ts'] },
  },
]

it.each(RULES)('only known places of the page show people: $what', ({ what, within, may }) => {
  const known = Object.values(may).flat()
  const found = [...SOURCES]
    .filter(([file, source]) => within.test(file) && what.test(source))
    .map(([file]) => file)
  expect(found.filter((file) => !known.includes(file) && !ADMINISTRATION.test(file))).toEqual([])
  expect(known.filter((file) => SOURCES.has(file) && !found.includes(file))).toEqual([])
})

it('every place that asks about muted people goes by one rule', () => {
  const asking = [...SOURCES].filter(([, source]) => /\bmutedUsers\.has\b/.test(source))
  expect(asking.map(([file]) => file)).toEqual(['state/muted-people.ts', 'views/settings/muted.tsx'])
})
