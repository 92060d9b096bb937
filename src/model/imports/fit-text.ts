import { firstUnfitInName } from '../../core/names.ts'
import { firstPoints, isLongerThan } from '../../core/text-length.ts'
import type { ImportTally } from '../../store/imports/import-report.ts'
import type { RealmImport } from '../../store/imports/import-rows.ts'
import { MAX_CHANNEL_NAME_LENGTH } from '../channels/change/channel-values.ts'
import { MAX_TOPIC_LENGTH, normaliseTopic } from '../messages/text/compose.ts'

/** Returns a text as one line, without control characters, and cut to the limit of `field`. Cuts are counted. */
export function lineUpTo(
  { tally }: { readonly tally: ImportTally },
  given: string,
  limit: number,
  field: string,
): string {
  const line = oneLineOf(given)
  if (!isLongerThan(line, limit)) return line
  tally.count('passedOver', `${field}, cut`)
  return firstPoints(line, limit).trim()
}

function oneLineOf(given: string): string {
  return given
    .toWellFormed()
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
}

/** Returns the name that a channel of the source gets here if it is free. */
export function channelNameFor(given: string): string {
  const name = firstPoints(oneLineOf(given), MAX_CHANNEL_NAME_LENGTH).trim()
  return name === '' || firstUnfitInName(name) !== undefined ? 'imported channel' : name
}

/** Returns a text of several lines in the same way. */
export function textUpTo(
  { tally }: { readonly tally: ImportTally },
  given: string,
  limit: number,
  field: string,
): string {
  const text = given
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(/(?![\n\t])\p{Cc}/gu, '')
    .trim()
  if (!isLongerThan(text, limit)) return text
  tally.count('passedOver', `${field}, cut`)
  return firstPoints(text, limit)
}

interface Work {
  readonly imported: Pick<RealmImport, 'mapping'>
  readonly tally: ImportTally
}

const UNFIT = /[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]+/gu

/** Returns a topic of the source in our form. Without one it is the topic that the owner has chosen. */
export function topicNamed(work: Work, given: string | undefined): string {
  if (isLongerThan(wholeTopic(work, given), MAX_TOPIC_LENGTH)) work.tally.count('passedOver', 'topic, cut')
  return topicHere(work, given)
}

/** Returns a topic as `topicNamed` does, and counts nothing. */
export function topicHere(work: Pick<Work, 'imported'>, given: string | undefined): string {
  return normaliseTopic(wholeTopic(work, given))
}

function wholeTopic({ imported }: Pick<Work, 'imported'>, given: string | undefined): string {
  return (given ?? imported.mapping.topic).toWellFormed().replace(UNFIT, ' ').trim()
}
