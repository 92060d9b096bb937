import { PAUSES } from '../../../core/budgets.ts'
import { ServiceUnavailableError } from '../../../core/errors.ts'
import { fairScheduler } from '../../../core/fair-scheduler.ts'
import { fromJson, unquotedText } from '../../../core/json.ts'
import type { WorkerBodyReader } from '../../../core/message-bodies.ts'
import { escapeText, htmlParts, unescapeHtml } from '../../../markdown/html-parts.ts'
import { bodyOf, completeJson, textForm } from '../../../model/messages/in-worker/complete-message.ts'
import { unpackMessages } from '../../../model/messages/read/pack-messages.ts'
import { type FoundFields, type FoundMessages, IDS_AT_ONCE } from '../found-messages.ts'

/** Characters of finished messages that are sent together, plus one message. */
const PART = 64_000

/** Times that the realm is asked about messages although none has a body of its version. */
const FRUITLESS_ATTEMPTS = 4
/** Messages that are requested again if hardly any could be finished. */
const FEW = 20

interface FormattingOptions {
  readonly apply_markdown: boolean
  readonly allow_empty_topic_name: boolean
}

/** Asks the realm object again for some of the messages, by their ids (ascending). */
export type PresentAgain = (ids: readonly number[]) => Promise<FoundMessages>

/** Returns the answer, whose messages are completed while they are sent, since together they may be larger than memory. */
export function finishMessages(
  found: FoundMessages,
  options: FormattingOptions,
  reader: WorkerBodyReader,
  presentAgain: PresentAgain,
): FoundFields & { messages: AsyncIterable<string> } {
  return { ...found.found, messages: finishedMessages(found, options, reader, presentAgain) }
}

/**
 * Yields messages with their bodies, in order, in the Worker: the JSON of some at a time, with commas between them. If one has no body of
 * its version (it did not fit, or the message was edited or deleted meanwhile), the realm is asked again about this message and those after
 * it: each message is as the realm presented it to this reader at one moment, and one that was deleted or hidden by then is left out.
 *
 * @throws ServiceUnavailableError if D1 cannot be read, or a message changes all the time.
 */
async function* finishedMessages(
  { searchTerms, rest, ...first }: FoundMessages,
  options: FormattingOptions,
  reader: WorkerBodyReader,
  presentAgain: PresentAgain,
): AsyncGenerator<string, void, undefined> {
  let { historyPolicy } = first
  let messages = unpackMessages(first.messages)
  let later = rest
  for (let fruitless = 0; ; ) {
    const shown = {
      applyMarkdown: options.apply_markdown,
      allowEmptyTopic: options.allow_empty_topic_name,
      historyPolicy,
    }
    const form = textForm(shown)
    // Search results are marked in the HTML, whichever form the client wants.
    const isElse = searchTerms && form !== 'renderedContent'
    const [texts, other] = await Promise.all([
      reader.readTexts(messages, form),
      isElse ? reader.readTexts(messages, 'renderedContent') : undefined,
    ])
    const html = searchTerms && (other ?? texts)
    let finished = 0
    let part = ''
    for (const message of messages) {
      const text = bodyOf(message, texts)
      const searched = html && bodyOf(message, html)
      if (!text || (html && !searched)) break
      finished += 1
      const matches =
        searched && matchFields(unquotedText(searched.text), fromJson(message.facts).subject, searchTerms!)
      part += `${part === '' ? '' : ','}${completeJson(message, text, shown, matches)}`
      if (part.length < PART) continue
      yield part
      part = ''
    }
    if (part !== '') yield part
    later = [...messages.slice(finished).map(({ id }) => id), ...later]
    if (later.length === 0) return
    fruitless = finished === 0 && messages.length > 0 ? fruitless + 1 : 0
    if (fruitless === FRUITLESS_ATTEMPTS) throw new ServiceUnavailableError()
    // Messages that did not fit now will not fit the next time either.
    const fitting = finished < messages.length ? Math.max(2 * finished, FEW) : IDS_AT_ONCE
    const count = Math.min(fitting, IDS_AT_ONCE)
    await fairScheduler.nextSlice({ rest: PAUSES.turn })
    const again = await presentAgain(later.slice(0, count))
    historyPolicy = again.historyPolicy
    messages = unpackMessages(again.messages)
    later = [...again.rest, ...later.slice(count)]
  }
}

/** The passages of a message that match a search. Source: docs/interface/reading.md#search. */
export interface MatchFields {
  /** Always HTML, whichever form the content has. */
  readonly match_content: string
  readonly match_subject: string
}

export function matchFields(html: string, topic: string, searchTerms: readonly string[]): MatchFields {
  return {
    match_content: highlightHtml(html, searchTerms),
    match_subject: highlightText(topic, searchTerms),
  }
}

/** Returns rendered HTML with every occurrence of a search term in its text marked. Source: docs/interface/reading.md#search. */
export function highlightHtml(html: string, searchTerms: readonly string[]): string {
  return [...htmlParts(html)]
    .map((part) => (part.kind === 'text' ? highlightText(unescapeHtml(part.html), searchTerms) : part.html))
    .join('')
}

/** Returns plain text as HTML, with every occurrence of a search term marked. Needles are in lower case. */
export function highlightText(text: string, searchTerms: readonly string[]): string {
  const lower = text.toLowerCase()
  // Some capitals have longer lower-case forms: then positions in the two texts differ, and nothing is marked.
  if (searchTerms.length === 0 || lower.length !== text.length) return escapeText(text)
  let html = ''
  let at = 0
  for (const [start, end] of occurrences(lower, searchTerms)) {
    html += `${escapeText(text.slice(at, start))}<span class="highlight">${escapeText(text.slice(start, end))}</span>`
    at = end
  }
  return html + escapeText(text.slice(at))
}

/** Returns the ranges that search terms cover, ascending; adjacent and overlapping ones are merged. */
function occurrences(lower: string, searchTerms: readonly string[]): [start: number, end: number][] {
  const found: [number, number][] = []
  for (const searchTerm of searchTerms) {
    for (
      let at = lower.indexOf(searchTerm);
      at >= 0;
      at = lower.indexOf(searchTerm, at + searchTerm.length)
    ) {
      found.push([at, at + searchTerm.length])
    }
  }
  const joined: [number, number][] = []
  for (const [start, end] of found.sort((a, b) => a[0] - b[0])) {
    const last = joined.at(-1)
    if (last && start <= last[1]) last[1] = Math.max(last[1], end)
    else joined.push([start, end])
  }
  return joined
}
