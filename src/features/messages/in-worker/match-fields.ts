import { escapeText } from '../../../markdown/escape.ts'
import { htmlParts, unescapeHtml } from '../../../markdown/html-parts.ts'

/** The passages of a message that a search has found. Source: docs/interface/reading.md#search. */
export interface MatchFields {
  /** Always HTML, whatever form the content has. */
  readonly match_content: string
  readonly match_subject: string
}

export function matchFields(html: string, topic: string, needles: readonly string[]): MatchFields {
  return {
    match_content: highlightHtml(html, needles),
    match_subject: highlightText(topic, needles),
  }
}

/**
 * Returns rendered HTML with every occurrence of a needle marked, in text only. Source:
 * docs/interface/reading.md#search.
 */
export function highlightHtml(html: string, needles: readonly string[]): string {
  return [...htmlParts(html)]
    .map((part) => (part.kind === 'text' ? highlightText(unescapeHtml(part.html), needles) : part.html))
    .join('')
}

/** Returns plain text as HTML, with every occurrence of a needle marked. Needles are in lower case. */
export function highlightText(text: string, needles: readonly string[]): string {
  const lower = text.toLowerCase()
  // Some capitals have longer lower-case forms: then positions in the two texts differ, and nothing is
  // marked.
  if (needles.length === 0 || lower.length !== text.length) return escapeText(text)
  let html = ''
  let at = 0
  for (const [start, end] of occurrences(lower, needles)) {
    html += `${escapeText(text.slice(at, start))}<span class="highlight">${escapeText(text.slice(start, end))}</span>`
    at = end
  }
  return html + escapeText(text.slice(at))
}

/** Returns ranges that needles cover, ascending; those that touch or overlap are one. */
function occurrences(lower: string, needles: readonly string[]): [start: number, end: number][] {
  const found: [number, number][] = []
  for (const needle of needles) {
    for (let at = lower.indexOf(needle); at >= 0; at = lower.indexOf(needle, at + needle.length)) {
      found.push([at, at + needle.length])
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
