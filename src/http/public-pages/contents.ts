import type { PublicTexts } from '../../../texts/compiled/public.ts'
import { directionOf } from '../../core/written-languages.ts'
import type {
  PublicChannelPage,
  PublicChannels,
  PublicOrganization,
  PublicTopicPage,
} from '../../features/spectators/spectators.ts'
import { emojiCharacters } from '../../markdown/emoji-data.ts'
import { htmlForPublicPage } from '../../markdown/for-public-page.ts'
import { channelLink, messageNearLink } from '../../markdown/message-links.ts'
import { plainTextOf } from '../../markdown/plain-text.ts'
import type { CompleteMessage } from '../../model/messages/in-worker/complete-message.ts'
import { channelAddress, PUBLIC_ROOT, topicAddress } from '../html/addresses-of-public-pages.ts'
import { Html, html } from '../html/html.ts'
import { publicTexts } from './texts.ts'

/** Returns the page with the list of channels. `after`: list channels above this id. */
export function channelsPage(found: PublicChannels, origin: string, after: number): string {
  const { organization, channels, next } = found
  const texts = publicTexts(organization.language)
  const items = channels.map(
    (
      channel,
    ) => html`<li><a href="${channelAddress(channel)}" dir="auto">${channel.name}</a>${archivedMark(channel, texts)}
${channel.description === '' ? html`` : html`<p dir="auto">${channel.description}</p>`}</li>\n`,
  )
  const description = organization.description.trim() || texts.about
  return layOut({
    organization,
    texts,
    origin,
    address: after === 0 ? PUBLIC_ROOT : `${PUBLIC_ROOT}?after=${after}`,
    title: organization.name,
    description,
    path: [],
    enter: '/',
    kind: 'website',
    body: html`<p dir="auto">${description}</p>
<h2>${texts.channels}</h2>
<ul class="public-list">
${items}</ul>
${next === null ? html`` : pageLinks(texts, [[`${PUBLIC_ROOT}?after=${next}`, texts.moreChannels, 'next']])}`,
  })
}

export function channelPage(found: PublicChannelPage, origin: string, before: number | null): string {
  const { organization, channel, topics, older } = found
  const texts = publicTexts(organization.language)
  const address = channelAddress(channel)
  const items = topics.map(
    ({
      name,
      first,
      newestAt,
    }) => html`<li><a href="${topicAddress(first, name)}" dir="auto">${shownTopic(name, texts)}</a>
${moment(newestAt, texts)}</li>\n`,
  )
  return layOut({
    organization,
    texts,
    origin,
    address: before === null ? address : `${address}?before=${before}`,
    title: `#${channel.name}`,
    description: channel.description || organization.description || texts.about,
    path: [{ name: `#${channel.name}`, address }],
    enter: channelLink(channel),
    kind: 'website',
    body: html`${channel.isArchived ? html`<p class="public-mark">${texts.archived}</p>` : html``}
${channel.description === '' ? html`` : html`<p dir="auto">${channel.description}</p>`}
<h2>${texts.topics}</h2>
${items.length === 0 ? html`<p>${texts.noTopics}</p>` : html`<ul class="public-list">\n${items}</ul>`}
${older === null ? html`` : pageLinks(texts, [[`${address}?before=${older}`, texts.moreTopics, 'next']])}`,
  })
}

/** Returns the page with messages of a topic. `messages` include their texts. */
export function topicPage(
  found: PublicTopicPage,
  messages: readonly CompleteMessage[],
  origin: string,
): string {
  const { organization, channel, topic, older, newer } = found
  const texts = publicTexts(organization.language)
  const name = shownTopic(topic.name, texts)
  const first = messages[0]
  const beginning = found.messages[0]!.facts.id
  const links: PageLink[] = []
  if (older !== null) links.push([topicAddress(older, topic.name), texts.older, 'prev'])
  if (newer !== null) links.push([topicAddress(newer, topic.name), texts.newer, 'next'])
  if (older !== null && older !== topic.first) {
    links.unshift([topicAddress(topic.first, topic.name), texts.first, 'first'])
  }
  return layOut({
    organization,
    texts,
    origin,
    address: topicAddress(beginning, topic.name),
    title: name,
    description: first ? plainTextOf(first.content, { hideSpoilers: true }) : name,
    path: [
      { name: `#${channel.name}`, address: channelAddress(channel) },
      { name, address: topicAddress(topic.first, topic.name) },
    ],
    enter: messageNearLink(channel, topic.name, beginning),
    kind: 'article',
    body: html`${messages.map((message) => messageOf(message, topic.name, texts))}
${links.length === 0 ? html`` : pageLinks(texts, links)}`,
  })
}

function messageOf(message: CompleteMessage, topic: string, texts: PublicTexts): Html {
  const { id, sender_full_name: sender, timestamp, avatar_url: avatar } = message
  const isEdited = message.last_edit_timestamp !== undefined
  return html`<article class="public-message" id="m${id}" aria-labelledby="s${id}">
${avatarOf(avatar, sender)}
<header><h2 id="s${id}" dir="auto">${sender}</h2>
<a href="${topicAddress(id, topic)}" rel="nofollow" title="${texts.link}">${moment(timestamp, texts)}</a>${isEdited ? html` <span class="public-mark">${texts.edited}</span>` : html``}</header>
<div class="public-text" dir="auto">${new Html(htmlForPublicPage(message.content))}</div>
${reactionsOf(message)}</article>
`
}

/** Shows a user's picture only if this server has it, so that no other server learns who reads. */
function avatarOf(url: string | null, name: string): Html {
  if (url?.startsWith('/user_avatars/')) {
    return html`<img class="public-avatar" src="${url}" alt="" width="40" height="40" loading="lazy">`
  }
  return html`<span class="public-avatar" aria-hidden="true">${[...name][0] ?? '?'}</span>`
}

function reactionsOf({ reactions }: CompleteMessage): Html {
  if (reactions.length === 0) return html``
  const groups = Map.groupBy(reactions, ({ reaction_type, emoji_code }) => `${reaction_type} ${emoji_code}`)
  const items = [...groups.values()].map((group) => {
    const { reaction_type: type, emoji_code: code, emoji_name: name } = group[0]!
    const sign = (type === 'unicode_emoji' ? emojiCharacters(code) : undefined) ?? `:${name}:`
    return html`<li title="${group.map(({ user }) => user.full_name).join(', ')}">${sign} ${group.length}</li>`
  })
  return html`<ul class="public-reactions">${items}</ul>
`
}

function archivedMark({ isArchived }: { readonly isArchived: boolean }, texts: PublicTexts): Html {
  return isArchived ? html` <span class="public-mark">${texts.archived}</span>` : html``
}

function shownTopic(name: string, { noTopic }: PublicTexts): string {
  return name === '' ? noTopic : name
}

/** Returns a time in UTC, so that a page is the same for every reader. `at` in UNIX seconds. */
function moment(at: number, { language }: PublicTexts): Html {
  const date = new Date(at * 1_000)
  const shown = new Intl.DateTimeFormat(language, {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'UTC',
  })
  return html`<time datetime="${date.toISOString()}">${shown.format(date)} UTC</time>`
}

type PageLink = readonly [address: string, text: string, relation: 'first' | 'prev' | 'next']

function pageLinks({ pages }: PublicTexts, links: readonly PageLink[]): Html {
  const items = links.map(
    ([address, text, relation]) => html`<li><a href="${address}" rel="${relation}">${text}</a></li>`,
  )
  return html`<nav class="public-pages" aria-label="${pages}"><ul>${items}</ul></nav>`
}

/** Style of these pages, from the same sheets as the web app (web/public.css). */
const PUBLIC_STYLE = '/page/public.css'

/** Limit of a description in characters, since link previews show no more. */
const MAX_DESCRIPTION_LENGTH = 200

interface PublicPage {
  readonly organization: PublicOrganization
  readonly texts: PublicTexts
  readonly origin: string
  /** The page's canonical address, below the origin. */
  readonly address: string
  readonly title: string
  /** Text that other sites show about the page. */
  readonly description: string
  /** Links from the list of channels down to this page. */
  readonly path: readonly { readonly name: string; readonly address: string }[]
  /** The path where a user with an account can continue. */
  readonly enter: string
  readonly kind: 'website' | 'article'
  readonly body: Html
}

/** Returns a whole page: no script, nothing external. */
function layOut(page: PublicPage): string {
  const { organization, texts, title, origin, address, path } = page
  const heading = path.length === 0 ? title : `${title} · ${organization.name}`
  const description = shortened(page.description)
  return html`<!doctype html>
<html lang="${texts.language}"${directionOf(texts.language)}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${heading}</title>
<meta name="description" content="${description}">
<link rel="canonical" href="${origin}${address}">
<meta property="og:title" content="${heading}">
<meta property="og:description" content="${description}">
<meta property="og:url" content="${origin}${address}">
<meta property="og:type" content="${page.kind}">
<meta property="og:site_name" content="${organization.name}">
${organization.icon === null ? html`` : html`<meta property="og:image" content="${organization.icon}">\n`}<meta name="twitter:card" content="summary">
<link rel="stylesheet" href="${PUBLIC_STYLE}">
</head>
<body class="public">
<a class="public-skip" href="#main">${texts.skip}</a>
<header class="public-head">
<nav aria-label="${texts.path}"><ol>
<li><a href="${PUBLIC_ROOT}" dir="auto">${organization.name}</a></li>
${path.map(({ name, address: to }) => html`<li><a href="${to}" dir="auto">${name}</a></li>\n`)}</ol></nav>
<a class="button" href="${page.enter}">${texts.enter}</a>
</header>
<main id="main">
<h1 dir="auto">${title}</h1>
${page.body}
</main>
</body>
</html>
`.text
}

/** Returns a page without content, the same for all that is missing or closed. */
export function plainPage(texts: PublicTexts, title: string, about: string): string {
  return html`<!doctype html>
<html lang="${texts.language}"${directionOf(texts.language)}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="stylesheet" href="${PUBLIC_STYLE}">
</head>
<body class="public">
<main id="main">
<h1>${title}</h1>
<p>${about}</p>
</main>
</body>
</html>
`.text
}

function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  const characters = [...line]
  return characters.length <= MAX_DESCRIPTION_LENGTH
    ? line
    : `${characters.slice(0, MAX_DESCRIPTION_LENGTH - 1).join('')}…`
}
