import { defineIntegration } from './integration.ts'
import { blocks, bold, inLines, link, plain, words } from './markdown.ts'
import type { Payload } from './payload.ts'
import { ofAttachments, ofBlocks } from './slack/blocks.ts'
import { markdownOf as markdownOfSlack } from './slack/mrkdwn.ts'
import { momentOf } from './template-language.ts'

/** Limits of embeds, and of the fields of one: Discord allows ten and twenty-five. */
const [MAX_EMBEDS, MAX_FIELDS] = [10, 25]

/** Posts of programs that write to Discord. Source: docs/interface/webhooks.md#addresses-of-other-chats. */
export const discordIncoming = defineIntegration({
  name: 'discord_incoming',
  displayName: 'Discord',
  events: null,
  body: 'form',
  read({ body }) {
    const text = blocks(
      markdownOf(body.text('content')),
      ...body.firstItems(MAX_EMBEDS, 'embeds').map(ofEmbed),
    )
    if (text === '') return { unsupported: 'message without content' }
    return { event: null, topic: body.text('thread_name') || body.text('username') || 'Discord', text }
  },
})

function ofEmbed(embed: Payload): string {
  const fields = embed.firstItems(MAX_FIELDS, 'fields').map((field) => {
    const name = bold(field.text('name'))
    return words(name && `${name}:`, markdownOf(field.text('value')))
  })
  const moment = momentOf({ text: embed.text('timestamp') })
  const title = embed.text('title')
  return blocks(
    plain(embed.text('author', 'name')),
    title.trim() === '' ? '' : embed.has('url') ? link(title, embed.text('url')) : bold(title),
    markdownOf(embed.text('description')),
    inLines(...fields),
    embed.has('image', 'url') ? link('image', embed.text('image', 'url')) : '',
    words(plain(embed.text('footer', 'text')), moment === undefined ? '' : `<time:${moment}>`),
  )
}

/** Converts Discord's Markdown to ours: people and channels are only ids there. */
function markdownOf(markdown: string): string {
  return markdown
    .replaceAll(/<t:(-?\d{1,12})(?::[a-zA-Z])?>/g, (whole, seconds: string) => {
      const moment = momentOf({ text: seconds })
      return moment === undefined ? whole : `<time:${moment}>`
    })
    .replaceAll(/<@[!&]?\d{1,25}>/g, '@someone')
    .replaceAll(/<#\d{1,25}>/g, '#channel')
    .replaceAll(/<a?:(\w{1,50}):\d{1,25}>/g, ':$1:')
    .trim()
}

/** Posts of programs that write to Slack. Source: docs/interface/webhooks.md#addresses-of-other-chats. */
export const slackIncoming = defineIntegration({
  name: 'slack_incoming',
  displayName: 'Slack',
  events: null,
  read({ body }) {
    // Beside blocks, the text is only for notifications; above attachments it is shown.
    const text = blocks(
      ofBlocks(body.list('blocks')) || textOfSlack(body),
      ofAttachments(body.list('attachments')),
    )
    if (text === '') return { unsupported: 'message without text' }
    return { event: null, topic: body.text('channel').replace(/^[#@]/, '').trim() || '(no topic)', text }
  },
})

function textOfSlack(body: Payload): string {
  const emoji = body.text('icon_emoji').replaceAll(':', '').trim()
  const text = markdownOfSlack(body.text('text'))
  return text && words(emoji && `:${emoji}:`, text)
}
