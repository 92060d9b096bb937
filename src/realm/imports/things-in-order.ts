import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { NeutralRecord, RecordOf } from '../../imports/neutral.ts'
import type { ImportWork } from '../../model/imports/import-work.ts'
import { writeChannel, writeFolder } from '../../model/imports/write-channel.ts'
import { writeEmoji } from '../../model/imports/write-emoji.ts'
import { removeUnused } from '../../model/imports/write-file.ts'
import { writeEndOfGroup, writeGroup, writeSubgroups } from '../../model/imports/write-group.ts'
import { writePerson } from '../../model/imports/write-person.ts'
import {
  writeAlertWord,
  writeMutedUser,
  writeNavigationView,
  writeReadState,
  writeSnippet,
  writeStatus,
  writeUserSettings,
  writeUserTopic,
} from '../../model/imports/write-personal.ts'
import { completePerson, writeProfileField } from '../../model/imports/write-profile.ts'
import {
  writeDefaultSetting,
  writeLinkifier,
  writeOrganization,
  writePlayground,
  writeRealmSettingOf,
} from '../../model/imports/write-setting.ts'
import { writeDraft, writeReminder, writeScheduledMessage } from '../../model/imports/write-unsent.ts'
import { writeDefaultChannelGroup, writeDomain } from '../../model/imports/write-ways-in.ts'
import type { ThingType } from '../../store/imports/import-piece-rows.ts'

/** Small records of one commit. */
const RECORDS_AT_ONCE = 100
/** A person may have a picture and a profile, and a channel or group thousands of members, so there are fewer of them. */
const PEOPLE_AT_ONCE = 50
const CHANNELS_AT_ONCE = 1
const GROUPS_AT_ONCE = 1

type Write<Type extends ThingType> = (tx: RealmTransaction, work: ImportWork, record: RecordOf<Type>) => void

/** One step of the writing: what the records of one type become, and how many of them one commit writes. */
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
  step('profile_field', writeProfileField),
  step('user', writePerson, PEOPLE_AT_ONCE),
  step('user', completePerson, PEOPLE_AT_ONCE),
  step('user_settings', writeUserSettings),
  step('organization', writeOrganization),
  step('emoji', writeEmoji),
  step('group', writeGroup, GROUPS_AT_ONCE),
  step('group', writeSubgroups, GROUPS_AT_ONCE),
  step('channel_folder', writeFolder),
  step('channel', writeChannel, CHANNELS_AT_ONCE),
  step('group', writeEndOfGroup, GROUPS_AT_ONCE),
  step('linkifier', writeLinkifier),
  step('playground', writePlayground),
  step('domain', writeDomain),
  step('default_channel_group', writeDefaultChannelGroup),
  step('realm_setting', writeRealmSettingOf),
  step('default_setting', writeDefaultSetting),
  // Things that concern messages come after these.
  step('user_topic', writeUserTopic),
  step('scheduled_message', writeScheduledMessage),
  step('draft', writeDraft),
  step('reminder', writeReminder),
  step('file', removeUnused),
  step('user', writeStatus),
  step('read_state', writeReadState, 1),
  step('muted_user', writeMutedUser),
  step('alert_word', writeAlertWord),
  step('saved_snippet', writeSnippet),
  step('navigation_view', writeNavigationView),
]

/** The first step after the messages. */
export const FIRST_AFTER_MESSAGES = THINGS_IN_ORDER.findIndex(({ type }) => type === 'user_topic')
