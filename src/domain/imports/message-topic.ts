import { isLongerThan } from '../../core/text-length.ts'
import { MAX_TOPIC_LENGTH, normaliseTopic } from '../messages/send/message-text.ts'
import type { ImportTally } from './import-report.ts'

/** The topic of messages that have none in the source. */
const WITHOUT_NAME = 'imported'
const UNFIT = /[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]+/gu

/** Returns the name of a topic of the source in the form that topics have here. */
export function topicNamed({ tally }: { readonly tally: ImportTally }, given: string | undefined): string {
  const whole = (given ?? WITHOUT_NAME).toWellFormed().replace(UNFIT, ' ').trim()
  if (isLongerThan(whole, MAX_TOPIC_LENGTH)) tally.count('passedOver', 'topic, cut')
  return normaliseTopic(whole)
}
