import type { MessageBody } from '../../../core/command.ts'
import { highlightHtml, highlightText } from './highlight.ts'

/** The passages of a message that a search has found. Source: docs/interface/reading.md#search. */
export interface MatchFields {
  /** Always HTML, whatever form the content has. */
  readonly match_content: string
  readonly match_subject: string
}

export function matchFields(
  body: Pick<MessageBody, 'renderedContent'>,
  topic: string,
  needles: readonly string[],
): MatchFields {
  return {
    match_content: highlightHtml(body.renderedContent, needles),
    match_subject: highlightText(topic, needles),
  }
}
