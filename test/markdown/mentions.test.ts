import { describe, expect, it } from 'vitest'
import { renderMarkdown } from '../../src/markdown/render.ts'
import { describeCases, inParagraph } from './describe-cases.ts'
import { lookups } from './lookups.ts'

const user = (id: number, name: string): string =>
  `<span class="user-mention" data-user-id="${id}">@${name}</span>`
const silentUser = (id: number, name: string): string =>
  `<span class="user-mention silent" data-user-id="${id}">${name}</span>`
const group = (id: number, name: string): string =>
  `<span class="user-group-mention" data-user-group-id="${id}">@${name}</span>`
const silentGroup = (id: number, name: string): string =>
  `<span class="user-group-mention silent" data-user-group-id="${id}">${name}</span>`
const everyone = (name: string): string =>
  `<span class="user-mention channel-wildcard-mention" data-user-id="*">@${name}</span>`

describeCases(
  'mentions of users',
  inParagraph([
    ['@**Ada Lovelace**', user(7, 'Ada Lovelace')],
    ['@**ada lovelace**', user(7, 'Ada Lovelace')],
    ['@**Ada Lovelace|7**', user(7, 'Ada Lovelace')],
    ['@**|7**', user(7, 'Ada Lovelace')],
    ['@**Ada Lovelace|8**', '@<strong>Ada Lovelace|8</strong>'],
    ['@**Ada Lovelace|999**', '@<strong>Ada Lovelace|999</strong>'],
    ['@**|999**', '@<strong>|999</strong>'],
    ['@**Sam Twin**', user(12, 'Sam Twin')],
    ['@**Sam Twin|13**', user(13, 'Sam Twin')],
    ['@**Pipe|Name**', user(22, 'Pipe|Name')],
    ['@**Pipe|Name|22**', user(22, 'Pipe|Name')],
    ['@**王小明**', user(23, '王小明')],
    ["@**Zoë O'Neil-Çelik (QA)**", user(21, "Zoë O'Neil-Çelik (QA)")],
    ['@**Nobody Here**', '@<strong>Nobody Here</strong>'],
    ['@**Iago**!', `${user(8, 'Iago')}!`],
    ['(@**Iago**)', `(${user(8, 'Iago')})`],
    ['"@**Iago**"', `"${user(8, 'Iago')}"`],
    ['@**Iago**@**Iago**', `${user(8, 'Iago')}@<strong>Iago</strong>`],
    ['mail@**Iago**', 'mail@<strong>Iago</strong>'],
    ['/@**Iago**', `/${user(8, 'Iago')}`],
    ['**@**Iago** x**', '<strong>@<strong>Iago</strong> x</strong>'],
    ['*see @**Iago***', `<em>see ${user(8, 'Iago')}</em>`],
    ['@Iago', '@Iago'],
    ['@*Iago*', '@<em>Iago</em>'],
    ['@**Iago', '@**Iago'],
    ['@**Ia\ngo**', '@**Ia<br>\ngo**'],
    ['@****', '@****'],
    ['@ **Iago**', '@ <strong>Iago</strong>'],
    ['`@**Iago**` @**Iago**', `<code>@**Iago**</code> ${user(8, 'Iago')}`],
    ['[@**Iago**](https://example.com)', `<a href="https://example.com">${user(8, 'Iago')}</a>`],
    ['~~see @**Iago**~~', `<del>see ${user(8, 'Iago')}</del>`],
  ]),
)

describeCases(
  'silent mentions',
  inParagraph([
    ['@_**Ada Lovelace**', silentUser(7, 'Ada Lovelace')],
    ['@_**Ada Lovelace|7**', silentUser(7, 'Ada Lovelace')],
    ['@_**Nobody**', '@_<strong>Nobody</strong>'],
    ['@**Gone Person**', silentUser(20, 'Gone Person')],
    ['@*old team*', silentGroup(32, 'old team')],
    ['@_*old team*', silentGroup(32, 'old team')],
    ['@_*support*', silentGroup(31, 'support')],
    ['@_*role:administrators*', silentGroup(5, 'Administrators')],
    ['@_*role:members*', silentGroup(6, 'Members')],
    ['@_**all**', '<span class="user-mention channel-wildcard-mention silent" data-user-id="*">all</span>'],
    ['@_**topic**', '<span class="topic-mention silent">topic</span>'],
  ]),
)

describeCases(
  'mentions of groups and wildcards',
  inParagraph([
    ['@*support*', group(31, 'support')],
    ['@*Support*', '@<em>Support</em>'],
    ['@*role:administrators*', group(5, 'Administrators')],
    ['@**support**', '@<strong>support</strong>'],
    ['@**all**', everyone('all')],
    ['@**everyone**', everyone('everyone')],
    ['@**channel**', everyone('channel')],
    ['@**stream**', everyone('stream')],
    ['@**topic**', '<span class="topic-mention">@topic</span>'],
    ['@**All**', '@<strong>All</strong>'],
    ['@all', '@all'],
    ['@*all*', '@<em>all</em>'],
  ]),
)

describeCases('mentions in quotes', [
  ['> @**Iago**', `<blockquote>\n<p>${silentUser(8, 'Iago')}</p>\n</blockquote>`],
  ['> @*old team*', `<blockquote>\n<p>${silentGroup(32, 'old team')}</p>\n</blockquote>`],
  ['> @*support*', `<blockquote>\n<p>${silentGroup(31, 'support')}</p>\n</blockquote>`],
  [
    '```quote\n@**Iago**\n```\n@**Iago**',
    `<blockquote>\n<p>${silentUser(8, 'Iago')}</p>\n</blockquote>\n<p>${user(8, 'Iago')}</p>`,
  ],
  ['* @**Iago**', `<ul>\n<li>${user(8, 'Iago')}</li>\n</ul>`],
  ['# @**Iago**', `<h1>${user(8, 'Iago')}</h1>`],
])

/** Returns the users whom a text notifies. */
function notified(source: string) {
  const { mentionedUserIds, mentionedGroupIds, channelWildcard, topicWildcard } = renderMarkdown(
    source,
    lookups,
  )
  return { users: mentionedUserIds, groups: mentionedGroupIds, channelWildcard, topicWildcard }
}

const nobody = { users: [], groups: [], channelWildcard: false, topicWildcard: false }

describe('whom a message notifies', () => {
  it.each([
    ['a user', '@**Iago**', { users: [8] }],
    ['users once, in ascending order', '@**Iago** @**Ada Lovelace** @**Iago|8**', { users: [7, 8] }],
    ['a group', '@*support*', { groups: [31] }],
    ['a system group', '@*role:members*', { groups: [6] }],
    ['the channel', '@**all**', { channelWildcard: true }],
    ['the channel by each name', '@**stream** @**channel** @**everyone**', { channelWildcard: true }],
    ['the topic', '@**topic**', { topicWildcard: true }],
    ['a user in a list', '1. @**Iago**', { users: [8] }],
    ['a user in a table', '| @**Iago** |\n| - |', { users: [8] }],
    ['a user in a spoiler', '```spoiler\n@**Iago**\n```', { users: [8] }],
    ['a user in a spoiler header', '```spoiler @**Iago**\nx\n```', { users: [8] }],
    ['a user in a link', '[@**Iago**](/a)', { users: [8] }],
    ['a user after a quote', '> @**Ada Lovelace**\n\n@**Iago**', { users: [8] }],
    [
      'all at once',
      '@**Iago** @*support* @**all** @**topic**',
      { users: [8], groups: [31], channelWildcard: true, topicWildcard: true },
    ],
  ])('%s', (_, source, expected) => {
    expect(notified(source)).toEqual({ ...nobody, ...expected })
  })

  it.each([
    ['silent mentions', '@_**Iago** @_*support* @_**all** @_**topic**'],
    ['quotes', '> @**Iago** @*support* @**all** @**topic**'],
    ['fenced quotes', '```quote\n@**Iago** @**all**\n```'],
    ['quotes within lists', '* > @**Iago**'],
    ['spoilers within quotes', '````quote\n```spoiler @**Iago**\n@**Iago**\n```\n````'],
    ['code', '`@**Iago**` `@**all**`'],
    ['blocks of code', '```\n@**Iago**\n```'],
    ['indented code', '    @**Iago**'],
    ['formulas', '$$@**Iago**$$'],
    ['deactivated users', '@**Gone Person**'],
    ['deactivated groups', '@*old team*'],
    ['unknown names', '@**Nobody** @*nobody*'],
    ['addresses', 'https://example.com/@**Iago**'],
    ['parts of words', 'x@**Iago**'],
    ['a wrong id', '@**Iago|7**'],
  ])('nobody for %s', (_, source) => {
    expect(notified(source)).toEqual(nobody)
  })
})

describe('lookups', () => {
  it('happen once for each name, however often a message has it', () => {
    const asked: string[] = []
    const usersNamed = (name: string) => {
      asked.push(name)
      return lookups.usersNamed(name)
    }
    renderMarkdown('[[[@**Iago** @**Nobody**]]](/a) @**Iago** @**Nobody** > @**Iago**', {
      ...lookups,
      usersNamed,
    })
    expect(asked).toEqual(['Iago', 'Nobody'])
  })
})
