import { highlightHtml, highlightText } from './highlight.ts'

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
