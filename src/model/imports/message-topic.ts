import { isLongerThan } from '../../core/text-length.ts'
import type { ImportTally } from '../../store/imports/import-report.ts'
import type { RealmImport } from '../../store/imports/import-rows.ts'
import { MAX_TOPIC_LENGTH, normaliseTopic } from '../messages/send/message-text.ts'

interface Work {
  readonly imported: Pick<RealmImport, 'mapping'>
  readonly tally: ImportTally
}

const UNFIT = /[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]+/gu

/**
 * Returns a topic of the source in the form that topics have here, or the topic that the owner has chosen if the
 * source has none.
 */
export function topicNamed({ imported, tally }: Work, given: string | undefined): string {
  const whole = (given ?? imported.mapping.topic).toWellFormed().replace(UNFIT, ' ').trim()
  if (isLongerThan(whole, MAX_TOPIC_LENGTH)) tally.count('passedOver', 'topic, cut')
  return normaliseTopic(whole)
}
