import type { Endpoint, Operation } from '../api/define-endpoint.ts'
import { ALERT_WORD_ENDPOINTS } from './alert-words/alert-words.ts'
import { getAuditLogEndpoint } from './audit-log/get-audit-log.ts'
import { AVATAR_ENDPOINTS, AVATAR_STEPS } from './avatars/avatars.ts'
import { BOT_ENDPOINTS, BOT_STEPS } from './bots/index.ts'
import { BROWSER_SESSION_ENDPOINTS, BROWSER_SESSION_STEPS } from './browser-sessions/browser-sessions.ts'
import { UNREAD_ELSEWHERE_ENDPOINTS, UNREAD_ELSEWHERE_STEPS } from './browser-sessions/unread-elsewhere.ts'
import { CALL_ENDPOINTS, CALL_STEPS } from './calls/calls.ts'
import { CHANNEL_FOLDER_ENDPOINTS } from './channel-folders/channel-folders.ts'
import { archiveStreamEndpoint } from './channels/archive-stream.ts'
import { createChannelEndpoint } from './channels/create-channel.ts'
import { addDefaultStreamEndpoint, removeDefaultStreamEndpoint } from './channels/default-channels.ts'
import {
  getStreamByIdEndpoint,
  getStreamEmailAddressEndpoint,
  getStreamIdEndpoint,
  getStreamsEndpoint,
  getSubscribersEndpoint,
} from './channels/streams.ts'
import { deleteTopicEndpoint, getPublicTopicsEndpoint, getStreamTopicsEndpoint } from './channels/topics.ts'
import { updateStreamEndpoint } from './channels/update-stream.ts'
import { CLIENT_DEVICE_ENDPOINTS } from './client-devices/client-devices.ts'
import { DEAD_LETTER_ENDPOINTS } from './dead-letters/dead-letters.ts'
import { DEFAULT_CHANNEL_GROUP_ENDPOINTS } from './default-channel-groups/default-channel-groups.ts'
import { DRAFT_ENDPOINTS } from './drafts/drafts.ts'
import { noteBounceStep, openMailStep, takeMailStep } from './emails/incoming-mail.ts'
import { showUnsubscriptionStep, unsubscribeStep } from './emails/unsubscribe.ts'
import { EVENT_ENDPOINTS, registerSpectatorEndpoint } from './events/event-queues.ts'
import { EXPORT_ENDPOINTS, EXPORT_STEPS } from './exports/exports.ts'
import { EXTERNAL_CONTENT_STEPS } from './external-content/open-external-content.ts'
import { beginImportEndpoint } from './imports/begin-import.ts'
import { getImportChoicesEndpoint } from './imports/get-import-choices.ts'
import { getImportProblemsEndpoint, getImportsEndpoint } from './imports/get-imports.ts'
import {
  appendToImportUploadEndpoint,
  createImportUploadEndpoint,
  getImportUploadEndpoint,
  keepImportPartStep,
  removeImportUploadEndpoint,
} from './imports/import-uploads.ts'
import { inviteImportedUsersEndpoint } from './imports/invite-imported-users.ts'
import { updateImportEndpoint } from './imports/update-import.ts'
import {
  getIncomingWebhookEndpoint,
  previewWebhookTemplateEndpoint,
  updateIncomingWebhookEndpoint,
} from './integrations/incoming-webhook.ts'
import { receiveWebhookEndpoint } from './integrations/receive-webhook.ts'
import { testIncomingWebhookEndpoint } from './integrations/test-incoming-webhook.ts'
import { acceptInvitationStep, askToJoinStep, showInvitationStep } from './invitations/accept-invitation.ts'
import {
  createInviteLinkEndpoint,
  getInvitesEndpoint,
  resendEmailInviteEndpoint,
  revokeEmailInviteEndpoint,
  revokeInviteLinkEndpoint,
} from './invitations/invitations.ts'
import { sendInvitesEndpoint } from './invitations/send-invites.ts'
import { LOGIN_PROVIDER_ENDPOINTS, LOGIN_PROVIDER_STEPS } from './login-providers/index.ts'
import { MESSAGE_ENDPOINTS } from './messages/index.ts'
import { getPublicMessagesEndpoint } from './messages/many-messages.ts'
import { getPublicMessageEndpoint } from './messages/one-message.ts'
import { MUTED_USER_ENDPOINTS } from './muted-users/muted-users.ts'
import { NAVIGATION_VIEW_ENDPOINTS } from './navigation-views/navigation-views.ts'
import { markOnboardingStepEndpoint } from './onboarding/mark-onboarding-step.ts'
import { PRESENCE_ENDPOINTS } from './presence/presence.ts'
import { PROFILE_FIELD_ENDPOINTS } from './profile-fields/profile-fields.ts'
import { PUSH_ENDPOINTS, PUSH_STEPS } from './push/index.ts'
import { REACTION_ENDPOINTS } from './reactions/reactions.ts'
import { REALM_ENDPOINTS, REALM_STEPS } from './realm/index.ts'
import { REMINDER_ENDPOINTS } from './reminders/reminders.ts'
import { SAVED_SNIPPET_ENDPOINTS } from './saved-snippets/saved-snippets.ts'
import { SCHEDULED_MESSAGE_ENDPOINTS } from './scheduled-messages/scheduled-messages.ts'
import { SCIM_ENDPOINTS, SCIM_STEPS } from './scim/index.ts'
import { SECOND_FACTOR_ENDPOINTS, SECOND_FACTOR_STEPS } from './second-factors/index.ts'
import { SERVER_ENDPOINTS } from './server/server.ts'
import {
  findPublicAvatarStep,
  findPublicFileStep,
  listPublicChannelsStep,
  listPublicPagesStep,
  showPublicChannelStep,
  showPublicTopicStep,
} from './spectators/spectators.ts'
import { sendSubmessageEndpoint } from './submessages/send-submessage.ts'
import { subscribeEndpoint } from './subscriptions/subscribe.ts'
import {
  getSubscriptionStatusEndpoint,
  getSubscriptionsEndpoint,
  getUserChannelsEndpoint,
} from './subscriptions/subscriptions.ts'
import { unsubscribeEndpoint } from './subscriptions/unsubscribe.ts'
import {
  updateSubscriptionPropertyEndpoint,
  updateSubscriptionSettingsEndpoint,
} from './subscriptions/update-subscription-settings.ts'
import { updateSubscriptionsEndpoint } from './subscriptions/update-subscriptions.ts'
import { TYPING_ENDPOINTS } from './typing/typing.ts'
import { UPLOAD_ENDPOINTS, UPLOAD_STEPS } from './uploads/index.ts'
import {
  getIsUserGroupMemberEndpoint,
  getUserGroupMembersEndpoint,
  getUserGroupSubgroupsEndpoint,
  updateUserGroupMembersEndpoint,
  updateUserGroupSubgroupsEndpoint,
} from './user-groups/user-group-members.ts'
import {
  createUserGroupEndpoint,
  deactivateUserGroupEndpoint,
  getUserGroupsEndpoint,
  updateUserGroupEndpoint,
} from './user-groups/user-groups.ts'
import { USER_STATUS_ENDPOINTS } from './user-status/user-status.ts'
import { USER_TOPIC_ENDPOINTS } from './user-topics/user-topics.ts'
import { USER_ENDPOINTS, USER_STEPS } from './users/index.ts'
import { verifyRealmEndpoint } from './verification/verify-realm.ts'

/** Every operation of the API. */
export const ENDPOINTS: readonly Endpoint[] = [
  ...AVATAR_ENDPOINTS,
  ...ALERT_WORD_ENDPOINTS,
  getAuditLogEndpoint,
  ...BOT_ENDPOINTS,
  ...CALL_ENDPOINTS,
  ...BROWSER_SESSION_ENDPOINTS,
  ...UNREAD_ELSEWHERE_ENDPOINTS,
  addDefaultStreamEndpoint,
  archiveStreamEndpoint,
  createChannelEndpoint,
  deleteTopicEndpoint,
  getStreamByIdEndpoint,
  getStreamEmailAddressEndpoint,
  getStreamIdEndpoint,
  getStreamTopicsEndpoint,
  getStreamsEndpoint,
  getSubscribersEndpoint,
  removeDefaultStreamEndpoint,
  updateStreamEndpoint,
  ...CHANNEL_FOLDER_ENDPOINTS,
  ...CLIENT_DEVICE_ENDPOINTS,
  ...DEAD_LETTER_ENDPOINTS,
  ...DEFAULT_CHANNEL_GROUP_ENDPOINTS,
  ...DRAFT_ENDPOINTS,
  ...EVENT_ENDPOINTS,
  ...EXPORT_ENDPOINTS,
  appendToImportUploadEndpoint,
  beginImportEndpoint,
  createImportUploadEndpoint,
  getImportChoicesEndpoint,
  getImportProblemsEndpoint,
  getImportUploadEndpoint,
  getImportsEndpoint,
  removeImportUploadEndpoint,
  inviteImportedUsersEndpoint,
  updateImportEndpoint,
  getIncomingWebhookEndpoint,
  previewWebhookTemplateEndpoint,
  receiveWebhookEndpoint,
  testIncomingWebhookEndpoint,
  updateIncomingWebhookEndpoint,
  createInviteLinkEndpoint,
  getInvitesEndpoint,
  resendEmailInviteEndpoint,
  revokeEmailInviteEndpoint,
  revokeInviteLinkEndpoint,
  sendInvitesEndpoint,
  ...LOGIN_PROVIDER_ENDPOINTS,
  ...MESSAGE_ENDPOINTS,
  ...MUTED_USER_ENDPOINTS,
  ...NAVIGATION_VIEW_ENDPOINTS,
  markOnboardingStepEndpoint,
  ...PRESENCE_ENDPOINTS,
  ...PROFILE_FIELD_ENDPOINTS,
  ...PUSH_ENDPOINTS,
  ...REACTION_ENDPOINTS,
  ...REALM_ENDPOINTS,
  ...SAVED_SNIPPET_ENDPOINTS,
  ...REMINDER_ENDPOINTS,
  ...SCHEDULED_MESSAGE_ENDPOINTS,
  ...SCIM_ENDPOINTS,
  ...SECOND_FACTOR_ENDPOINTS,
  ...SERVER_ENDPOINTS,
  sendSubmessageEndpoint,
  getSubscriptionStatusEndpoint,
  getSubscriptionsEndpoint,
  getUserChannelsEndpoint,
  subscribeEndpoint,
  unsubscribeEndpoint,
  updateSubscriptionPropertyEndpoint,
  updateSubscriptionSettingsEndpoint,
  updateSubscriptionsEndpoint,
  ...TYPING_ENDPOINTS,
  ...UPLOAD_ENDPOINTS,
  createUserGroupEndpoint,
  deactivateUserGroupEndpoint,
  getIsUserGroupMemberEndpoint,
  getUserGroupMembersEndpoint,
  getUserGroupSubgroupsEndpoint,
  getUserGroupsEndpoint,
  updateUserGroupEndpoint,
  updateUserGroupMembersEndpoint,
  updateUserGroupSubgroupsEndpoint,
  ...USER_STATUS_ENDPOINTS,
  ...USER_TOPIC_ENDPOINTS,
  ...USER_ENDPOINTS,
  verifyRealmEndpoint,
]

/** Operations for readers without an account. Endpoints among them share the route of the one that they replace. */
const SPECTATOR_OPERATIONS: readonly Operation[] = [
  findPublicAvatarStep,
  findPublicFileStep,
  getPublicMessageEndpoint,
  getPublicMessagesEndpoint,
  getPublicTopicsEndpoint,
  listPublicChannelsStep,
  listPublicPagesStep,
  registerSpectatorEndpoint,
  showPublicChannelStep,
  showPublicTopicStep,
]

/** Steps of operations, which have no route. */
const STEPS: readonly Operation[] = [
  ...BOT_STEPS,
  ...BROWSER_SESSION_STEPS,
  ...UNREAD_ELSEWHERE_STEPS,
  ...CALL_STEPS,
  showUnsubscriptionStep,
  unsubscribeStep,
  openMailStep,
  takeMailStep,
  noteBounceStep,
  ...EXPORT_STEPS,
  ...EXTERNAL_CONTENT_STEPS,
  keepImportPartStep,
  acceptInvitationStep,
  askToJoinStep,
  showInvitationStep,
  ...LOGIN_PROVIDER_STEPS,
  ...AVATAR_STEPS,
  ...PUSH_STEPS,
  ...REALM_STEPS,
  ...SCIM_STEPS,
  ...SECOND_FACTOR_STEPS,
  ...SPECTATOR_OPERATIONS,
  ...UPLOAD_STEPS,
  ...USER_STEPS,
]

/** Operations of the realm object, by name. */
export const OPERATIONS: ReadonlyMap<string, Operation> = new Map(
  [...ENDPOINTS, ...STEPS].map((operation) => [operation.operation, operation]),
)
