import { defineIntegration } from './integration.ts'
import { blocks, words } from './markdown.ts'
import { ofAttachments, ofBlocks } from './slack/blocks.ts'
import { markdownOf } from './slack/mrkdwn.ts'

/** Posts of programs that write to Slack. Source: docs/interface/webhooks.md#addresses-of-other-chats. */
export const slackIncoming = defineIntegration({
  name: 'slack_incoming',
  displayName: 'Slack',
  events: null,
  read({ body }) {
    const rich = blocks(ofBlocks(body.list('blocks')), ofAttachments(body.list('attachments')))
    const emoji = body.text('icon_emoji').replaceAll(':', '').trim()
    const simple = markdownOf(body.text('text'))
    const text = rich || (simple && words(emoji && `:${emoji}:`, simple))
    if (text === '') return { unsupported: 'message without text' }
    return { event: null, topic: body.text('channel').replace(/^[#@]/, '').trim() || '(no topic)', text }
  },
})
