import { recipientOf } from '../../core/recipient-id.ts'
import type { AuditDetail, AuditDetails } from '../../domain/audit-log/audit-entry-rows.ts'
import type { AuditNote, AuditRule, MadeChange } from '../../domain/audit-log/audit-rule.ts'
import { findConfirmation } from '../../domain/confirmations/confirmation-rows.ts'
import { findExportAt } from '../../domain/exports/export-addresses.ts'
import { findMessage } from '../../domain/messages/message-rows.ts'
import { findUserByEmail } from '../../domain/users/user-rows.ts'

const OWN = 'Everybody’s own: it changes nothing for others.'
const SAID = 'What people say to one another.'
const LOOK = 'Looks, and changes nothing.'
const SHOWN = 'Seen by all where it is used; nobody has more rights by it.'
const WORK = 'A part of the server’s work, which another operation ends.'

/**
 * The rule of the audit log for each operation that is no GET, or why it has no entry. A test holds this list against all
 * operations: one that is new stands here before it is served.
 */
export const AUDIT_OF_OPERATION: Readonly<Record<string, AuditRule | string>> = {
  // Ways in
  'fetch-api-key': 'Counts the attempt; complete-login or note-failed-login says what came of it.',
  'complete-login': rule(({ value }) => ({
    action: 'login',
    actorId: value.user_id,
    details: { user_id: value.user_id },
  })),
  'begin-browser-session': rule(({ value }) => ({
    action: 'login',
    actorId: value.user_id,
    details: { user_id: value.user_id },
  })),
  'end-browser-session': OWN,
  'get-page-facts': LOOK,
  'delete-browser-session': OWN,
  // Nobody’s: who tries passwords displaces nothing of the account that they are tried for.
  'note-failed-login': rule(({ params }) => ({
    action: 'login_failed',
    actorId: null,
    details: { user_id: params.userId },
  })),
  'jwt-fetch-api-key': 'Refuses everybody.',
  'fetch-own-api-key': rule(({ actorId }) => ({ action: 'login', details: { user_id: actorId } })),
  'check-own-password':
    'Counts the attempt; note-wrong-own-password or the operation that asks for it says what came of it.',
  // Nobody’s too: it may be somebody else who has the key.
  'note-wrong-own-password': rule(({ actorId }) => ({
    action: 'login_failed',
    actorId: null,
    details: { user_id: actorId, is_logged_in: true },
  })),
  'pass-own-password': WORK,
  // In two steps, when the new key is used (realm/calls/adopt-pending-key.ts).
  'regenerate-own-api-key': rule(({ actorId, params }) => ({
    action: params.two_step ? 'key_offered' : 'key_renewed',
    details: { user_id: actorId },
  })),
  'regenerate-bot-api-key': rule(({ params }) => ({
    action: 'key_renewed',
    details: { user_id: params.bot_id },
  })),
  'ask-password-reset': 'Sends mail, which has limits of its own; reset-password says what came of it.',
  'show-password-reset': LOOK,
  'reset-password': rule(({ view, value }) => {
    const { id } = findUserByEmail(view.sql, value.email)!
    return { action: 'password_reset', actorId: id, details: { user_id: id } }
  }),
  'update-settings': rule(({ actorId, params }) =>
    params.new_hash === undefined ? undefined : { action: 'password_changed', details: { user_id: actorId } },
  ),
  'update-display-settings': OWN,
  'open-mail': WORK,
  'take-mail': SAID,
  'note-bounce': OWN,
  'update-notification-settings': OWN,
  'show-unsubscription': LOOK,
  'unsubscribe-from-mail': OWN,
  'show-email-change': LOOK,
  'confirm-email-change': rule(({ view, value }) => {
    const { id } = findUserByEmail(view.sql, value.email)!
    return { action: 'email_changed', actorId: id, details: { user_id: id } }
  }),

  // Accounts
  'create-user': rule(({ value }) => ({ action: 'user_created', details: { user_id: value.user_id } })),
  'update-user': rule(changeOfAccount),
  'update-user-by-email': rule(changeOfAccount),
  'deactivate-user': rule(({ params }) => ({
    action: 'user_deactivated',
    details: { user_id: params.user_id },
  })),
  'deactivate-own-user': rule(({ actorId }) => ({
    action: 'user_deactivated',
    details: { user_id: actorId },
  })),
  'reactivate-user': ifNotified(({ params }) => ({
    action: 'user_reactivated',
    details: { user_id: params.user_id },
  })),
  'create-bot': rule(({ params, value }) => ({
    action: 'bot_created',
    details: { user_id: value.user_id, bot_type: params.bot_type },
  })),
  'update-bot': rule(changeOfAccount),
  'deactivate-bot': rule(({ params }) => ({
    action: 'user_deactivated',
    details: { user_id: params.bot_id },
  })),
  'reserve-bot-picture': WORK,
  'update-bot-storage': OWN,
  'remove-bot-storage': OWN,
  'send-invites': ifNotified(({ params }) => ({
    action: 'invitations_sent',
    details: {
      addresses: String(params.invitee_emails ?? '')
        .split(/[\s,]+/)
        .filter(Boolean).length,
      ...termsOf(params),
    },
  })),
  'create-invite-link': ifNotified(({ params }) => ({
    action: 'invitation_link_created',
    details: termsOf(params),
  })),
  'resend-email-invite': 'Mails what was noted when it was sent first.',
  'revoke-email-invite': rule(({ params }) => ({
    action: 'invitation_revoked',
    details: { invite_id: params.invite_id, is_multiuse: false },
  })),
  'revoke-invite-link': rule(({ params }) => ({
    action: 'invitation_revoked',
    details: { invite_id: params.invite_id, is_multiuse: true },
  })),
  'show-invitation': LOOK,
  'accept-invitation': rule(({ value }) => ({
    action: 'user_joined',
    actorId: value.user_id,
    details: { user_id: value.user_id },
  })),

  // Rights and settings
  'update-realm': ifNotified(({ params }) => ({
    action: 'organization_changed',
    details: changesIn(params),
  })),
  'deactivate-realm': rule(({ params }) => ({
    action: 'organization_deactivated',
    details: changesIn(params),
  })),
  'ask-reactivation': 'Sends mail, which has limits of its own; reactivate-realm says what came of it.',
  'show-reactivation': LOOK,
  'reactivate-realm': {
    before: (view, { secret }) => findConfirmation(view, 'realm-reactivation', secret),
    note: ({ before }) => ({
      action: 'organization_reactivated',
      actorId: before?.userId ?? null,
      details: {},
    }),
  } satisfies AuditRule<ReturnType<typeof findConfirmation>> as AuditRule,
  'update-user-settings-defaults': ifNotified(({ params }) => ({
    action: 'default_settings_changed',
    details: changesIn(params),
  })),
  // From which addresses people may join.
  'add-realm-domain': rule(() => ({ action: 'organization_changed', details: { domains: 'added' } })),
  'update-realm-domain': rule(() => ({ action: 'organization_changed', details: { domains: 'changed' } })),
  'remove-realm-domain': rule(() => ({ action: 'organization_changed', details: { domains: 'removed' } })),
  'update-stream': ifNotified(({ params }) => ({
    action: 'channel_changed',
    details: { stream_id: params.stream_id, ...changesIn(params) },
  })),
  'archive-stream': ifNotified(({ params }) => ({
    action: 'channel_archived',
    details: { stream_id: params.stream_id },
  })),
  'create-user-group': rule(({ value }) => ({
    action: 'group_created',
    details: { user_group_id: value.group_id },
  })),
  'update-user-group': ifNotified(({ params }) => groupChange(params, changesIn(params))),
  'update-user-group-members': ifNotified(({ params }) =>
    groupChange(params, {
      add: params.add ?? [],
      delete: params.delete ?? [],
      add_subgroups: params.add_subgroups ?? [],
      delete_subgroups: params.delete_subgroups ?? [],
    }),
  ),
  'update-user-group-subgroups': ifNotified(({ params }) =>
    groupChange(params, { add_subgroups: params.add ?? [], delete_subgroups: params.delete ?? [] }),
  ),
  'deactivate-user-group': ifNotified(({ params }) => groupChange(params, { deactivated: true })),
  'notify-group-members': WORK,
  'mark-channel-read-step': WORK,
  'mark-topic-read-step': WORK,
  'update-flags-step': WORK,
  'subscribe-rest': WORK,
  'create-channel-rest': WORK,
  'unsubscribe-rest': WORK,
  'update-subscriptions-rest': WORK,
  'create-channel': 'Told in the channel itself.',
  subscribe: 'Who is in a channel is shown with it, and told in it.',
  unsubscribe: 'Who is in a channel is shown with it.',
  'add-default-stream': SHOWN,
  'remove-default-stream': SHOWN,
  'create-default-stream-group': SHOWN,
  'delete-default-stream-group': SHOWN,
  'update-default-stream-group': SHOWN,
  'update-default-stream-group-channels': SHOWN,
  'create-channel-folder': SHOWN,
  'reorder-channel-folders': SHOWN,
  'update-channel-folder': SHOWN,
  'create-custom-profile-field': SHOWN,
  'delete-custom-profile-field': SHOWN,
  'reorder-custom-profile-fields': SHOWN,
  'update-custom-profile-field': SHOWN,
  'delete-realm-icon': SHOWN,
  'delete-realm-logo': SHOWN,
  'upload-realm-icon': SHOWN,
  'upload-realm-logo': SHOWN,
  'enter-realm-image': SHOWN,
  'add-code-playground': SHOWN,
  'remove-code-playground': SHOWN,
  'add-linkifier': SHOWN,
  'remove-linkifier': SHOWN,
  'reorder-linkifiers': SHOWN,
  'update-linkifier': SHOWN,
  'upload-custom-emoji': SHOWN,
  'enter-custom-emoji': SHOWN,
  'deactivate-custom-emoji': SHOWN,
  'set-user-status': SHOWN,

  // Data that leaves, or goes
  'export-realm': rule(({ params, value }) => ({
    action: 'export_begun',
    details: { export_id: value.id, export_type: params.export_type },
  })),
  'find-export': rule(({ view, params }) => ({
    action: 'export_downloaded',
    details: { export_id: findExportAt(view, params.secret)!.id },
  })),
  'delete-realm-export': rule(({ params }) => ({
    action: 'export_deleted',
    details: { export_id: params.export_id },
  })),
  'delete-message': {
    before: ({ sql }, { message_id }) => findMessage(sql, message_id),
    note({ actorId, params, before }) {
      if (before === undefined || before.senderId === actorId) return undefined
      const { kind, id } = recipientOf(before.recipientId)
      return {
        action: 'message_deleted',
        details: {
          message_id: params.message_id,
          sender_id: before.senderId,
          stream_id: kind === 'channel' ? id : null,
        },
      }
    },
  } satisfies AuditRule<ReturnType<typeof findMessage>> as AuditRule,
  // Not by name: owners do not read every channel.
  'delete-topic': ifNotified(topicDeleted),
  'delete-topic-batch': ifNotified(topicDeleted),
  'remove-attachment': rule(({ params }) => ({
    action: 'file_deleted',
    details: { attachment_id: params.attachment_id },
  })),

  // The rest
  'send-message': SAID,
  'update-message': SAID,
  'update-message-step': SAID,
  'render-message': LOOK,
  'report-message': SAID,
  'add-reaction': SAID,
  'remove-reaction': SAID,
  'send-submessage': SAID,
  'set-typing': SAID,
  'set-edit-typing': SAID,
  'create-zoom-call': SAID,
  'upload-file': SAID,
  'enter-upload': SAID,
  'create-resumable-upload': SAID,
  'append-to-resumable-upload': SAID,
  'remove-resumable-upload': SAID,
  'keep-upload-piece': WORK,
  'complete-upload': SAID,
  'count-external-content': WORK,
  'open-external-content': LOOK,
  'find-file': LOOK,
  'find-public-avatar': LOOK,
  'find-public-file': LOOK,
  'get-public-message': LOOK,
  'get-public-messages': LOOK,
  'get-public-topics': LOOK,
  'register-spectator': LOOK,
  'list-public-channels': LOOK,
  'list-public-places': LOOK,
  'show-public-channel': LOOK,
  'show-public-topic': LOOK,
  'find-images': LOOK,
  'find-temporary-file': LOOK,
  'delete-avatar': OWN,
  'upload-avatar': OWN,
  'enter-avatar': OWN,
  'find-avatar': LOOK,
  'add-alert-words': OWN,
  'remove-alert-words': OWN,
  'register-client-device': OWN,
  'remove-client-device': OWN,
  'create-drafts': OWN,
  'delete-draft': OWN,
  'edit-draft': OWN,
  'delete-queue': OWN,
  'register-queue': OWN,
  'update-flags': OWN,
  'mark-all-read': OWN,
  'mark-channel-read': OWN,
  'mark-topic-read': OWN,
  'update-flags-for-narrow': OWN,
  'mute-user': OWN,
  'unmute-user': OWN,
  'add-navigation-view': OWN,
  'remove-navigation-view': OWN,
  'update-navigation-view': OWN,
  'mark-onboarding-step': OWN,
  'update-presence': OWN,
  'remove-own-profile-data': OWN,
  'update-own-profile-data': OWN,
  'add-apns-token': OWN,
  'add-fcm-token': OWN,
  'register-push-device': OWN,
  'add-web-push-subscription': OWN,
  'remove-web-push-subscription': OWN,
  'remove-apns-token': OWN,
  'remove-fcm-token': OWN,
  'forget-push-devices': OWN,
  'test-notification': OWN,
  'test-sealed-notification': OWN,
  'create-snippet': OWN,
  'delete-snippet': OWN,
  'edit-snippet': OWN,
  'create-reminder': OWN,
  'delete-reminder': OWN,
  'create-scheduled-message': OWN,
  'delete-scheduled-message': OWN,
  'edit-scheduled-message': OWN,
  'update-subscription-property': OWN,
  'update-subscription-settings': OWN,
  'update-subscriptions': OWN,
  'mute-topic': OWN,
  'set-topic-policy': OWN,
  'update-own-status': OWN,
  'run-command': OWN,
  'test-welcome-message': OWN,
  'delete-dead-letter': WORK,
  'retry-dead-letters': WORK,
  'verify-realm': WORK,
}

function rule(note: AuditRule['note']): AuditRule {
  return { note }
}

/** A rule for what may be asked without changing anything: without an event there is no entry. */
function ifNotified(note: AuditRule['note']): AuditRule {
  return { note: (change) => (change.events.length === 0 ? undefined : note(change)) }
}

interface Person {
  readonly user_id: number
  readonly role?: number
  readonly bot_owner_id?: number
  readonly delivery_email?: string | null
  readonly new_email?: string
}

/** The changes of an account that give rights, and of the address that a password reset goes to. */
function changeOfAccount({ events }: MadeChange): AuditNote[] {
  const people = events.flatMap((event): Person[] =>
    event.type === 'realm_user' && event.op === 'update' ? [event.person] : [],
  )
  const roles = people.flatMap(({ user_id, role }): AuditNote[] =>
    role === undefined ? [] : [{ action: 'role_changed', details: { user_id, role } }],
  )
  const owners = people.flatMap(({ user_id, bot_owner_id: owner_id }): AuditNote[] =>
    owner_id === undefined ? [] : [{ action: 'bot_owner_changed', details: { user_id, owner_id } }],
  )
  const moved = people.find((person) => 'delivery_email' in person || 'new_email' in person)
  const addresses: AuditNote[] = moved
    ? [{ action: 'email_changed', details: { user_id: moved.user_id } }]
    : []
  return [...roles, ...owners, ...addresses]
}

interface Terms {
  readonly invite_as: number
  readonly stream_ids: readonly number[]
  readonly group_ids?: readonly number[] | null
}

function termsOf({ invite_as, stream_ids, group_ids }: Terms): AuditDetails {
  return { invite_as, stream_ids, group_ids: group_ids ?? [] }
}

function groupChange({ user_group_id }: { user_group_id: number }, changes: AuditDetails): AuditNote {
  return { action: 'group_changed', details: { user_group_id, ...changes } }
}

function topicDeleted({ params, events }: MadeChange): AuditNote | undefined {
  const gone = events.flatMap((event) => (event.type === 'delete_message' ? event.message_ids : []))
  if (gone.length === 0) return undefined
  return { action: 'topic_deleted', details: { stream_id: params.stream_id, messages: gone.length } }
}

/** The parameters in the path: they name what is changed. */
const PATH = new Set(['stream_id', 'user_group_id'])
/** The length of a value, in UTF-16 units. */
const LONGEST_VALUE = 100

/** The changes that were asked for, without what anybody wrote: of a text only that it is another. */
function changesIn(params: Readonly<Record<string, unknown>>): AuditDetails {
  const changes = Object.entries(params).filter(([name, value]) => value !== undefined && !PATH.has(name))
  return Object.fromEntries(changes.map(([name, value]) => [name, detailOf(value)]))
}

function detailOf(value: unknown): AuditDetail {
  if (value === null || typeof value === 'boolean' || typeof value === 'number') return value
  if (typeof value === 'string') return 'changed'
  // A permission’s change: who has it from now on.
  if ('new' in (value as object)) return detailOf((value as { new: unknown }).new)
  const text = JSON.stringify(value)
  return text.length > LONGEST_VALUE ? 'changed' : text
}
