import * as v from 'valibot'
import { alertWordsEvent } from './alert-words.ts'
import { attachmentEvent } from './attachment.ts'
import { channelFolderEvent } from './channel-folder.ts'
import { customProfileFieldsEvent } from './custom-profile-fields.ts'
import { defaultStreamGroupsEvent } from './default-stream-groups.ts'
import { defaultStreamsEvent } from './default-streams.ts'
import { deleteMessageEvent } from './delete-message.ts'
import { deviceEvent } from './device.ts'
import { draftsEvent } from './drafts.ts'
import type { EventType } from './event-type.ts'
import { hasZoomTokenEvent } from './has-zoom-token.ts'
import { invitesChangedEvent } from './invites-changed.ts'
import { updateDisplaySettingsEvent, updateGlobalNotificationsEvent } from './legacy-settings.ts'
import { messageEvent } from './message.ts'
import { mutedTopicsEvent } from './muted-topics.ts'
import { mutedUsersEvent } from './muted-users.ts'
import { navigationViewEvent } from './navigation-view.ts'
import { onboardingStepsEvent } from './onboarding-steps.ts'
import { presenceEvent } from './presence.ts'
import { pushDeviceEvent } from './push-device.ts'
import { reactionEvent } from './reaction.ts'
import { realmEvent } from './realm.ts'
import { realmBotEvent } from './realm-bot.ts'
import { realmDomainsEvent } from './realm-domains.ts'
import { realmEmojiEvent } from './realm-emoji.ts'
import { realmExportEvent } from './realm-export.ts'
import { realmExportConsentEvent } from './realm-export-consent.ts'
import { realmLinkifiersEvent } from './realm-linkifiers.ts'
import { realmPlaygroundsEvent } from './realm-playgrounds.ts'
import { realmUserEvent } from './realm-user.ts'
import { realmUserSettingsDefaultsEvent } from './realm-user-settings-defaults.ts'
import { remindersEvent } from './reminders.ts'
import { restartEvent } from './restart.ts'
import { savedSnippetsEvent } from './saved-snippets.ts'
import { scheduledMessagesEvent } from './scheduled-messages.ts'
import { streamEvent } from './stream.ts'
import { submessageEvent } from './submessage.ts'
import { subscriptionEvent } from './subscription.ts'
import { typingEvent } from './typing.ts'
import { typingEditMessageEvent } from './typing-edit-message.ts'
import { updateMessageEvent } from './update-message.ts'
import { updateMessageFlagsEvent } from './update-message-flags.ts'
import { userGroupEvent } from './user-group.ts'
import { userSettingsEvent } from './user-settings.ts'
import { userStatusEvent } from './user-status.ts'
import { userTopicEvent } from './user-topic.ts'

const LIST: readonly EventType[] = [
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
]

/** Every event type, by name. */
export const EVENT_TYPES: ReadonlyMap<string, EventType> = new Map(LIST.map((type) => [type.type, type]))

/** The only event without a type of its own: it has no content. Source: docs/interface/events.md#events-about-the-server. */
const heartbeat = v.strictObject({ id: v.number(), type: v.literal('heartbeat') })

/** Any event as a client gets it. */
export const deliveredEvent: v.GenericSchema = v.variant('type', [
  heartbeat,
  ...LIST.flatMap(({ schema }) => formsOf(schema)),
])

/**
 * Forms of an event by the field that distinguishes them; a form may have further forms, by another field.
 */
type EventForm = v.VariantOptions<'type' | 'op'>[number]

/**
 * Returns the forms of an event by `op` where there is one, so that an error is reported for the form that
 * was meant.
 */
function formsOf(schema: v.GenericSchema): EventForm[] {
  if (schema.type !== 'union') return [schema as EventForm]
  const forms = (schema as v.UnionSchema<v.GenericSchema[], undefined>).options.flatMap(formsOf)
  return forms.every(hasOp) ? [v.variant('op', forms)] : forms
}

function hasOp(form: EventForm): boolean {
  return 'entries' in form ? 'op' in form.entries : form.options.every(hasOp)
}
