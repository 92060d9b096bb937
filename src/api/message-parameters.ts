import * as v from 'valibot'
import type { RawNarrowTerm } from '../model/messages/narrow/narrow-terms.ts'
import { MAX_MESSAGE_LENGTH, MAX_TOPIC_LENGTH } from '../model/messages/send/message-text.ts'
import { MAX_NARROW_LENGTH, VALUE_LENGTH, WORD_LENGTH } from './input-limits.ts'
import { json, listUpTo, textCutTo, textUpTo, valueUpTo, word } from './parameter-types.ts'

/** A message's source, without white space at its end and empty lines at its beginning. */
export const messageContent = textCutTo(MAX_MESSAGE_LENGTH, (content) =>
  content.trimEnd().replace(/^\n+/u, ''),
)

/** The topic of a new message. */
export const sentTopic = textCutTo(MAX_TOPIC_LENGTH, (topic) => topic.trim())

/** Where a page of messages is. Source: docs/interface/reading.md#anchors. */
export const anchor = v.pipe(
  word,
  v.description('A message id, or `newest`, `oldest`, `first_unread` or `date`.'),
)

/** For the anchor `date`. */
export const anchorDate = v.pipe(word, v.description('A date, or a date and a time, as in ISO 8601.'))

/** One term: an object, or the older pair of texts. Errors are those of docs/interface/reading.md#narrows. */
const narrowTerm = v.pipe(
  v.unknown(),
  v.rawTransform(({ dataset: { value }, addIssue, NEVER }): RawNarrowTerm => {
    const refuse = (message: string) => {
      addIssue({ message })
      return NEVER
    }
    if (Array.isArray(value)) {
      const [operator, operand, ...more] = value as unknown[]
      if (typeof operator !== 'string' || typeof operand !== 'string' || more.length > 0) {
        return refuse('element is not a string pair')
      }
      return { operator, operand }
    }
    if (typeof value !== 'object' || value === null) return refuse('dict or list required')
    const { operator, operand, negated } = value as Record<string, unknown>
    if (operand === undefined || operand === null) return refuse('operand is missing')
    if (operator === undefined || operator === null) return refuse('operator is missing')
    if (typeof operator !== 'string') return refuse('operator is not a string')
    if (negated !== undefined && typeof negated !== 'boolean') return refuse('negated is not a boolean')
    return { operator, operand, negated }
  }),
  v.object({
    operator: textUpTo(WORD_LENGTH),
    operand: valueUpTo(VALUE_LENGTH),
    negated: v.optional(v.boolean()),
  }),
)

/** Terms as the Worker passes them to a step. */
const narrowTerms = listUpTo(MAX_NARROW_LENGTH, narrowTerm)

const DESCRIPTION =
  'Terms that all have to match: objects with `operator`, `operand` and optionally `negated`, or pairs of texts.'

/** A list of terms that all have to match (docs/interface/reading.md#narrows). */
export const narrow = v.pipe(json(narrowTerms), v.description(DESCRIPTION))

/** A narrow like `narrow`, where null means no terms. */
export const narrowOrNull = v.pipe(json(v.nullable(narrowTerms)), v.description(DESCRIPTION))
