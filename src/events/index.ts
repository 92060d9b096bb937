import * as v from 'valibot'
import { attachmentEvent } from './attachment.ts'
import { deviceEvent, pushDeviceEvent } from './device.ts'
import type { EventType, StoredOf } from './event-type.ts'
import { messageEvent } from './message.ts'
import { reactionEvent, submessageEvent } from './message-additions.ts'
import { deleteMessageEvent, updateMessageEvent, updateMessageFlagsEvent } from './message-changes.ts'
import {
  alertWordsEvent,
  hasZoomTokenEvent,
  mutedTopicsEvent,
  mutedUsersEvent,
  navigationViewEvent,
  onboardingStepsEvent,
  userTopicEvent,
} from './personal.ts'
import { presenceEvent, userStatusEvent } from './presence.ts'
import { invitesChangedEvent, realmEvent, realmUserSettingsDefaultsEvent, restartEvent } from './realm.ts'
import {
  customProfileFieldsEvent,
  realmDomainsEvent,
  realmEmojiEvent,
  realmExportConsentEvent,
  realmExportEvent,
  realmLinkifiersEvent,
  realmPlaygroundsEvent,
} from './realm-lists.ts'
import { realmBotEvent, realmUserEvent } from './realm-user.ts'
import { channelFolderEvent, defaultStreamGroupsEvent, defaultStreamsEvent, streamEvent } from './stream.ts'
import { subscriptionEvent } from './subscription.ts'
import { typingEditMessageEvent, typingEvent } from './typing.ts'
import { draftsEvent, remindersEvent, savedSnippetsEvent, scheduledMessagesEvent } from './unsent.ts'
import { userGroupEvent } from './user-group.ts'
import {
  updateDisplaySettingsEvent,
  updateGlobalNotificationsEvent,
  userSettingsEvent,
} from './user-settings.ts'

const LIST = [
  attachmentEvent,
  alertWordsEvent,
  channelFolderEvent,
  defaultStreamGroupsEvent,
  customProfileFieldsEvent,
  defaultStreamsEvent,
  deleteMessageEvent,
  deviceEvent,
  draftsEvent,
  hasZoomTokenEvent,
  invitesChangedEvent,
  messageEvent,
  mutedTopicsEvent,
  mutedUsersEvent,
  navigationViewEvent,
  onboardingStepsEvent,
  presenceEvent,
  pushDeviceEvent,
  reactionEvent,
  realmDomainsEvent,
  realmEvent,
  realmBotEvent,
  realmEmojiEvent,
  realmExportEvent,
  realmExportConsentEvent,
  realmLinkifiersEvent,
  realmPlaygroundsEvent,
  realmUserEvent,
  realmUserSettingsDefaultsEvent,
  scheduledMessagesEvent,
  remindersEvent,
  restartEvent,
  savedSnippetsEvent,
  streamEvent,
  submessageEvent,
  subscriptionEvent,
  typingEvent,
  typingEditMessageEvent,
  updateDisplaySettingsEvent,
  updateGlobalNotificationsEvent,
  updateMessageEvent,
  updateMessageFlagsEvent,
  userGroupEvent,
  userSettingsEvent,
  userStatusEvent,
  userTopicEvent,
] as const

type StoredByType = { readonly [Type in (typeof LIST)[number] as Type['type']]: StoredOf<Type> }

declare module '../core/realm-transaction.ts' {
  interface StoredEvents extends StoredByType {}
}

/** Every event type, by name. */
export const EVENT_TYPES: ReadonlyMap<string, EventType> = new Map(
  LIST.map((type) => [type.type, type as EventType]),
)

/** The only event without a type of its own: it has no content. Source: docs/interface/events.md#events-about-the-server. */
const heartbeat = v.strictObject({ id: v.number(), type: v.literal('heartbeat') })

/** Any event as a client gets it. */
export const deliveredEvent: v.GenericSchema = v.variant('type', [
  heartbeat,
  ...LIST.flatMap(({ schema }) => formsOf(schema)),
])

/** Forms of an event by the field that distinguishes them; a form may have further forms, by another field. */
type EventForm = v.VariantOptions<'type' | 'op'>[number]

/** Returns the forms of an event by `op` where there is one, so that an error is reported for the form that was meant. */
function formsOf(schema: v.GenericSchema): EventForm[] {
  if (schema.type !== 'union') return [schema as EventForm]
  const forms = (schema as v.UnionSchema<v.GenericSchema[], undefined>).options.flatMap(formsOf)
  return forms.every(hasOp) ? [v.variant('op', forms)] : forms
}

function hasOp(form: EventForm): boolean {
  return 'entries' in form ? 'op' in form.entries : form.options.every(hasOp)
}
