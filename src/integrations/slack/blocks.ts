/** Slack's blocks and attachments, as Markdown. An unknown one shows its text. */
import { escapeName } from '../../markdown/mention-text.ts'
import {
  blocks,
  bold,
  inLines,
  link,
  linkIfAny,
  oneLine,
  person,
  plain,
  quotedLines,
  webAddress,
  words,
} from '../markdown.ts'
import type { Payload } from '../payload.ts'
import { momentOf } from '../template-language.ts'
import { NO_NAMES, type SlackNames } from './emoji.ts'
import { markdownOf, unescaped } from './mrkdwn.ts'
import { ofRichText } from './rich-text.ts'
import { linkTo, textSpan, written } from './spans.ts'

/** Limit of blocks and attachments: Slack allows fifty. */
const MAX_BLOCKS = 50
/** Limits of the rows and cells of a table. */
const [MAX_ROWS, MAX_CELLS] = [100, 20]

export function ofBlocks(list: readonly Payload[], names: SlackNames = NO_NAMES): string {
  return blocks(...list.slice(0, MAX_BLOCKS).map((block) => ofBlock(block, names)))
}

function ofBlock(block: Payload, names: SlackNames): string {
  const kind = block.text('type')
  switch (kind) {
    case 'divider':
      return '----'
    case 'header': {
      const heading = oneLine(unescaped(block.text('text', 'text')))
      return heading && `## ${plain(heading)}`
    }
    case 'context':
      return inLines(...block.firstItems(MAX_BLOCKS, 'elements').map((element) => ofElement(element, names)))
    case 'image':
      return ofImage(block)
    case 'rich_text':
      return ofRichText(block.list('elements'), names)
    case 'markdown':
      return block.text('text').trim()
    case 'table':
      return ofTable(block, names)
    case 'video':
      return blocks(
        link(
          unescaped(block.text('title', 'text') || block.text('alt_text')) || 'video',
          block.firstText('title_url', 'video_url'),
        ),
        ofText(block.at('description'), names),
      )
    case 'actions':
      return linksOf(block.firstItems(MAX_BLOCKS, 'elements'))
    // Interactive elements, and blocks shown otherwise: files are with the message.
    case 'input':
    case 'file':
    case 'contact_card':
    case 'condition':
      return ''
    case 'call': {
      const call = block.at('call', 'v1')
      return link(unescaped(call.text('name')), call.text('join_url'))
    }
    case 'section':
      return ofSection(block, names)
    default:
      names.unknown(`block ${kind || 'without a type'}`)
      return ofSection(block, names)
  }
}

function ofSection(block: Payload, names: SlackNames): string {
  return blocks(
    ofText(block.at('text'), names),
    ofFields(block.firstItems(MAX_BLOCKS, 'fields'), names),
    block.text('accessory', 'type') === 'image' ? ofImage(block.at('accessory')) : '',
    linksOf([block.at('accessory')]),
  )
}

/** Returns the buttons and choices that lead to an address. Others are for Slack's programs. */
function linksOf(elements: readonly Payload[]): string {
  const buttons = elements.flatMap((element) => [element, ...element.firstItems(MAX_BLOCKS, 'options')])
  return buttons
    .map((button) => linkIfAny(labelOf(button), button.text('url')))
    .filter((one) => one !== '')
    .join(' · ')
}

/** The words on a button: those of an attachment are a text. */
function labelOf(button: Payload): string {
  return unescaped(button.text('text', 'text') || button.text('text')).trim() || button.text('url')
}

/** Fields form two columns if each is one line. */
function ofFields(fields: readonly Payload[], names: SlackNames): string {
  const texts = fields.map((field) => ofText(field, names)).filter((text) => text !== '')
  const isTable = texts.length > 1 && texts.every((text) => !/[\n|]/.test(text))
  if (!isTable) return texts.join('\n')
  const rows: string[][] = []
  for (let at = 0; at < texts.length; at += 2) rows.push([texts[at]!, texts[at + 1] ?? ''])
  return tableOf([['', ''], ...rows])
}

function ofTable(block: Payload, names: SlackNames): string {
  const rows = block
    .firstItems(MAX_ROWS, 'rows')
    .map((row) =>
      (row.has('cells') ? row.at('cells') : row)
        .firstItems(MAX_CELLS)
        .map((cell) => ofCell(cell, names).replaceAll('|', '&#124;').replaceAll('\n', ' ')),
    )
  const width = Math.max(0, ...rows.map((row) => row.length))
  return width === 0
    ? ''
    : tableOf(rows.map((row) => [...row, ...Array<string>(width - row.length).fill('')]))
}

function ofCell(cell: Payload, names: SlackNames): string {
  if (cell.text('type') === 'rich_text') return ofRichText(cell.list('elements'), names)
  return written([textSpan(unescaped(cell.firstText('text', 'value')))], names)
}

/** The first row is the header. */
function tableOf([head = [], ...rows]: readonly (readonly string[])[]): string {
  const lineOf = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [lineOf(head), lineOf(head.map(() => '---')), ...rows.map(lineOf)].join('\n')
}

function ofText(text: Payload, names: SlackNames): string {
  return text.text('type') === 'plain_text'
    ? written([textSpan(unescaped(text.text('text')))], names).trim()
    : markdownOf(text.text('text'), names)
}

function ofElement(element: Payload, names: SlackNames): string {
  return element.text('type') === 'image' ? ofImage(element) : ofText(element, names)
}

function ofImage(image: Payload): string {
  const title = unescaped(image.text('title', 'text') || image.text('alt_text')) || 'image'
  return link(title, image.text('image_url') || image.text('slack_file', 'url'))
}

/** `text`: the message's own text, since link previews repeat its links. */
export function ofAttachments(list: readonly Payload[], names: SlackNames = NO_NAMES, text = ''): string {
  return blocks(
    ...list
      .slice(0, MAX_BLOCKS)
      .filter((attachment) => !isPreviewOf(attachment, text))
      .map((attachment) => ofAttachment(attachment, names)),
  )
}

/** Whether an attachment is the preview of a link in the text. */
function isPreviewOf(attachment: Payload, text: string): boolean {
  if (!attachment.has('service_name') && !attachment.has('is_app_unfurl')) return false
  const url = attachment.firstText('original_url', 'from_url')
  return url !== '' && (text.includes(url) || text.includes(webAddress(url) ?? url))
}

function ofAttachment(attachment: Payload, names: SlackNames): string {
  const fields = attachment.firstItems(MAX_BLOCKS, 'fields').map((field) => {
    const title = bold(unescaped(field.text('title')))
    return words(title && `${title}:`, markdownOf(field.text('value'), names))
  })
  const moment = momentOf({ text: attachment.text('ts') })
  const title = unescaped(attachment.text('title'))
  const address = names.address(attachment.text('title_link'))
  const image = attachment.firstText('image_url', 'thumb_url')
  const time = moment === undefined ? '' : `<time:${moment}>`
  const isMessage = attachment.isTrue('is_share') || attachment.isTrue('is_msg_unfurl')
  const shown = blocks(
    markdownOf(attachment.text('pretext'), names),
    isMessage ? '' : plain(unescaped(attachment.text('author_name'))),
    address !== undefined && title.trim() !== ''
      ? linkTo(title, address)
      : link(title, attachment.text('title_link')),
    wordsOf(attachment, names),
    inLines(...fields),
    webAddress(image) === undefined ? '' : link('image', image),
    linksOf(attachment.firstItems(MAX_BLOCKS, 'actions')),
    isMessage ? '' : words(plain(unescaped(attachment.text('footer'))), time),
  )
  if (isMessage) return ofMessage(attachment, shown, time, names)
  return shown || markdownOf(attachment.text('fallback'), names) || linkOfUnknown(attachment)
}

/** Returns the words of an attachment, which it may have in several forms. */
function wordsOf(attachment: Payload, names: SlackNames): string {
  const ofMessages = attachment
    .firstItems(MAX_BLOCKS, 'message_blocks')
    .map((one) => ofBlocks(one.list('message', 'blocks'), names))
  return (
    ofBlocks(attachment.list('blocks'), names) ||
    blocks(...ofMessages) ||
    markdownOf(attachment.text('text'), names)
  )
}

/** Returns a message that was forwarded, or to which the text links, as a quotation. */
function ofMessage(attachment: Payload, shown: string, time: string, names: SlackNames): string {
  const id = attachment.text('author_id')
  const name = unescaped(attachment.firstText('author_name', 'author_subname'))
  const url = attachment.text('from_url')
  const address = names.address(url) ?? webAddress(url)
  const author = id === '' ? person(name) : names.user(id, escapeName(name))
  const head = words(author, address === undefined ? 'said' : linkTo('said', address), time)
  return shown === '' ? head : `${head}:\n\n${quotedLines(shown)}`
}

function linkOfUnknown(attachment: Payload): string {
  const url = attachment.firstText('from_url', 'original_url')
  return url === '' ? '' : link(url, url)
}
