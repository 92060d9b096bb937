/** Slack's rich text, which states exactly how a message looks, as Markdown. */
import { escapeName } from '../../markdown/mention-text.ts'
import { codeBlock, quotedLines, wholeCode } from '../markdown.ts'
import type { Payload } from '../payload.ts'
import { emojiText, type SlackNames } from './emoji.ts'
import { dateOf } from './mrkdwn.ts'
import { BOLD, ITALIC, linkOf, markdownSpan, type Span, STRUCK, textSpan, written } from './spans.ts'

/** Levels of a list. */
const MAX_INDENT = 8

/** Returns the elements of a `rich_text` block as Markdown. */
export function ofRichText(elements: readonly Payload[], names: SlackNames): string {
  let text = ''
  let before = ''
  const numbers: ListNumber[] = []
  for (const element of elements) {
    const kind = element.text('type')
    if (kind !== 'rich_text_list') numbers.length = 0
    const part = ofElement(element, kind, numbers, names)
    if (part.trim() === '') continue
    // Lists of different levels form one list: an empty line would split it.
    const gap = kind === 'rich_text_list' && before === kind ? '\n' : '\n\n'
    text += text === '' ? part : gap + part
    before = kind
  }
  return text
}

function ofElement(element: Payload, kind: string, numbers: ListNumber[], names: SlackNames): string {
  switch (kind) {
    case 'rich_text_list':
      return ofList(element, numbers, names)
    case 'rich_text_quote':
      return quotedLines(inside(element, names))
    case 'rich_text_preformatted':
      return codeBlock(names.typed(plainOf(element)), /^[\w+#.-]{1,40}$/.exec(element.text('language'))?.[0])
    default:
      if (kind !== 'rich_text_section') names.unknown(`rich text ${kind || 'without a type'}`)
      return inside(element, names)
  }
}

function inside(element: Payload, names: SlackNames): string {
  const text = written(spansOf(element.list('elements'), names), names).trim() || ofOwnText(element, names)
  return element.unread('elements') > 0 ? `${text}…` : text
}

/** Returns the text of an element of an unknown type. */
function ofOwnText(element: Payload, names: SlackNames): string {
  return written([textSpan(element.firstText('text', 'fallback'))], names).trim()
}

function plainOf(element: Payload): string {
  return element
    .list('elements')
    .map((one) => one.firstText('text', 'url', 'name'))
    .join('')
}

/** The last number of a level, since a list continues after a nested one, if it is of the same style. */
interface ListNumber {
  readonly isOrdered: boolean
  last: number
}

function ofList(list: Payload, numbers: ListNumber[], names: SlackNames): string {
  const level = Math.min(Math.max(Math.floor(list.number('indent') ?? 0), 0), MAX_INDENT)
  const isOrdered = list.text('style') === 'ordered'
  const offset = list.number('offset')
  numbers.length = Math.min(numbers.length, level + 1)
  while (numbers.length <= level) numbers.push({ isOrdered, last: 0 })
  if (numbers[level]!.isOrdered !== isOrdered) numbers[level] = { isOrdered, last: 0 }
  const number = numbers[level]!
  if (offset !== undefined && offset > 0 && offset < 1e8) number.last = Math.floor(offset)
  const indent = '   '.repeat(level)
  return list
    .list('elements')
    .map((item) => {
      number.last += 1
      const mark = isOrdered ? `${number.last}. ` : '* '
      return indent + mark + inside(item, names).replaceAll('\n', `\n${indent}${' '.repeat(mark.length)}`)
    })
    .join('\n')
}

function spansOf(elements: readonly Payload[], names: SlackNames): Span[] {
  return elements.map((element, at) => {
    const style = styleOf(element)
    return spanOf(element, style, elements[at + 1]?.text('text')[0] ?? '', names)
  })
}

function styleOf(element: Payload): number {
  const style = element.at('style')
  return (
    (style.isTrue('bold') ? BOLD : 0) +
    (style.isTrue('italic') ? ITALIC : 0) +
    (style.isTrue('strike') ? STRUCK : 0)
  )
}

function spanOf(span: Payload, style: number, next: string, names: SlackNames): Span {
  const kind = span.text('type')
  if (kind === 'text') return ofText(span, style, names)
  const markdown = ofSpan(span, kind, next, names)
  if (markdown !== undefined) return markdownSpan(markdown, style)
  names.unknown(`rich text ${kind || 'without a type'}`)
  // Its parts would say more, but their structure is unknown.
  return textSpan(span.firstText('text', 'fallback', 'name', 'value', 'url') || plainOf(span), style)
}

function ofText(span: Payload, style: number, names: SlackNames): Span {
  const text = names.typed(span.text('text'))
  if (!span.at('style').isTrue('code') || text.trim() === '') return textSpan(text, style)
  return markdownSpan(wholeCode(text), style)
}

function ofSpan(span: Payload, kind: string, next: string, names: SlackNames): string | undefined {
  switch (kind) {
    case 'link':
    case 'message-link':
    case 'message_link':
      return linkOf(names.typed(span.text('url')), names.typed(span.text('text')), next, names)
    case 'emoji':
      return emojiText(span.text('name'))
    case 'user':
      return names.user(span.text('user_id'), '')
    case 'usergroup':
      return names.group(span.text('usergroup_id'), '')
    case 'channel':
      return names.channel(span.text('channel_id'), '')
    case 'team':
      return escapeName(span.firstText('name', 'team_id'))
    case 'broadcast':
      return escapeName(`@${span.text('range')}`)
    case 'color':
      return escapeName(span.text('value'))
    case 'date':
      return dateOf(span.text('timestamp'), span.text('fallback'))
    default:
      return undefined
  }
}
