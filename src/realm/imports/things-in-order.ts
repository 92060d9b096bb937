import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { ThingType } from '../../domain/imports/import-piece-rows.ts'
import type { ImportWork } from '../../domain/imports/import-work.ts'
import { writeChannel } from '../../domain/imports/write-channel.ts'
import { writeEmoji } from '../../domain/imports/write-emoji.ts'
import { writeOrganization } from '../../domain/imports/write-organization.ts'
import { writePerson } from '../../domain/imports/write-person.ts'
import type { NeutralRecord, RecordOf } from '../../imports/neutral.ts'

/** Small records of one commit. */
const RECORDS_AT_ONCE = 100
/** A person may have a picture and a profile, and a channel thousands of members, so there are fewer of them. */
const PEOPLE_AT_ONCE = 50
const CHANNELS_AT_ONCE = 2

type Write<Type extends ThingType> = (tx: RealmTransaction, work: ImportWork, record: RecordOf<Type>) => void

/** One step of the writing: what is made of the records of one type, and how many of them one commit has. */
export interface ThingsStep {
  readonly type: ThingType
  readonly atOnce: number
  readonly write: (tx: RealmTransaction, work: ImportWork, record: NeutralRecord) => void
}

function step<Type extends ThingType>(type: Type, write: Write<Type>, atOnce = RECORDS_AT_ONCE): ThingsStep {
  return { type, atOnce, write: (tx, work, record) => write(tx, work, record as RecordOf<Type>) }
}

/** Things in the order in which they are written: each refers to those before it. */
export const THINGS_IN_ORDER: readonly ThingsStep[] = [
  step('user', writePerson, PEOPLE_AT_ONCE),
  step('organization', writeOrganization),
  step('emoji', writeEmoji),
  step('channel', writeChannel, CHANNELS_AT_ONCE),
]
