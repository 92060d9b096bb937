/** Slack's blocks and attachments, as Markdown. An unknown one shows its text. */
import { blocks, bold, code, codeBlock, link, oneLine, plain, words } from '../markdown.ts'
import type { Payload } from '../payload.ts'
import { momentOf } from '../template-language.ts'
import { markdownOf } from './mrkdwn.ts'

/** Blocks and attachments that are read: Slack allows fifty. */
const MAX_BLOCKS = 50

export function ofBlocks(list: readonly Payload[]): string {
  return blocks(...list.slice(0, MAX_BLOCKS).map(ofBlock))
}

function ofBlock(block: Payload): string {
  switch (block.text('type')) {
    case 'divider':
      return '----'
    case 'header': {
      const heading = oneLine(block.text('text', 'text'))
      return heading && `## ${plain(heading)}`
    }
    case 'context':
      return block
        .list('elements')
        .slice(0, MAX_BLOCKS)
        .map(ofElement)
        .filter((part) => part !== '')
        .join('\n')
    case 'image':
      return ofImage(block)
    case 'rich_text':
      return blocks(...block.list('elements').slice(0, MAX_BLOCKS).map(ofRichBlock))
    case 'markdown':
      return block.text('text').trim()
    case 'actions':
    case 'input':
      return ''
    default:
      return blocks(
        ofText(block.at('text')),
        block
          .list('fields')
          .slice(0, MAX_BLOCKS)
          .map(ofText)
          .filter((part) => part !== '')
          .join('\n'),
        block.text('accessory', 'type') === 'image' ? ofImage(block.at('accessory')) : '',
      )
  }
}

function ofText(text: Payload): string {
  return text.text('type') === 'plain_text' ? plain(text.text('text')) : markdownOf(text.text('text'))
}

function ofElement(element: Payload): string {
  return element.text('type') === 'image' ? ofImage(element) : ofText(element)
}

function ofImage(image: Payload): string {
  const title = image.text('title', 'text') || image.text('alt_text') || 'image'
  return link(title, image.text('image_url'))
}

function ofRichBlock(block: Payload): string {
  const inside = () => block.list('elements').map(ofSpan).join('')
  switch (block.text('type')) {
    case 'rich_text_list': {
      const mark = block.text('style') === 'ordered' ? '1.' : '*'
      const indent = '   '.repeat(Math.min(Math.max(block.number('indent') ?? 0, 0), 5))
      return block
        .list('elements')
        .map((item) => `${indent}${mark} ${item.list('elements').map(ofSpan).join('').trim()}`)
        .join('\n')
    }
    case 'rich_text_quote':
      return inside().trim().replaceAll(/^/gm, '> ')
    case 'rich_text_preformatted':
      return codeBlock(
        block
          .list('elements')
          .map((one) => one.firstText('text', 'url'))
          .join(''),
      )
    default:
      return inside().trim()
  }
}

function ofSpan(span: Payload): string {
  switch (span.text('type')) {
    case 'link':
      return link(span.firstText('text', 'url'), span.text('url'))
    case 'emoji':
      return `:${span.text('name')}:`
    case 'user':
      return `@${span.text('user_id')}`
    case 'usergroup':
      return `@${span.text('usergroup_id')}`
    case 'channel':
      return `#${span.text('channel_id')}`
    case 'broadcast':
      return `@${span.text('range')}`
    case 'date': {
      const moment = momentOf({ text: span.text('timestamp') })
      return moment === undefined ? span.text('fallback') : `<time:${moment}>`
    }
    default:
      return styled(span)
  }
}

function styled(span: Payload): string {
  const text = span.text('text')
  const inside = text.trim()
  if (inside === '') return text
  const style = span.at('style')
  let marked = style.isTrue('code') ? code(inside) : inside
  for (const [name, mark] of [
    ['bold', '**'],
    ['italic', '*'],
    ['strike', '~~'],
  ] as const) {
    if (style.isTrue(name)) marked = `${mark}${marked}${mark}`
  }
  return text.replace(inside, () => marked)
}

export function ofAttachments(list: readonly Payload[]): string {
  return blocks(...list.slice(0, MAX_BLOCKS).map(ofAttachment))
}

function ofAttachment(attachment: Payload): string {
  const fields = attachment
    .list('fields')
    .slice(0, MAX_BLOCKS)
    .map((field) => {
      const title = bold(field.text('title'))
      return words(title && `${title}:`, markdownOf(field.text('value')))
    })
  const moment = momentOf({ text: attachment.text('ts') })
  const shown = blocks(
    markdownOf(attachment.text('pretext')),
    plain(attachment.text('author_name')),
    bold(attachment.text('title')) && `${link(attachment.text('title'), attachment.text('title_link'))}`,
    ofBlocks(attachment.list('blocks')),
    markdownOf(attachment.text('text')),
    fields.filter((field) => field !== '').join('\n'),
    link('image', attachment.has('image_url') ? attachment.text('image_url') : '').replace(/^image$/, ''),
    words(plain(attachment.text('footer')), moment === undefined ? '' : `<time:${moment}>`),
  )
  return shown || markdownOf(attachment.text('fallback'))
}
