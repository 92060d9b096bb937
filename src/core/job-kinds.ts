/**
 * Every kind of due work, with its lane (outgoing/lanes.ts). `isTimed`: due at a time that people chose or were told, or at which something
 * is old enough. The others are due after a pause, which does not get longer when the clock is set back.
 */
export const JOB_KINDS = {
  /** Sends one scheduled message; its key is the message's id. */
  'deliver-scheduled-message': { lane: 'deliveries', isTimed: true },
  /** Delivers one reminder; its key is the reminder's id. */
  'deliver-reminder': { lane: 'deliveries', isTimed: true },
  /** Sends mail. */
  'send-emails': { lane: 'mail' },
  'deliver-pushes': { lane: 'push' },
  /** Forwards a registration to the bouncer; its key is the user's id and the account's number. */
  'register-push-device': { lane: 'registrations' },
  /** Forwards the registration of a device's token to the bouncer; its key is the device's id. */
  'register-token': { lane: 'registrations' },
  'call-webhooks': { lane: 'webhooks' },
  'preview-websites': { lane: 'previews' },
  /** Begins the backup of a night. */
  'begin-backup': { lane: 'backups', isTimed: true },
  /** Continues the backup that is being made. */
  'make-backup': { lane: 'backups' },
  /** Continues the reading of a backup: a comparison, or a part that is given back. */
  'read-backup': { lane: 'backups' },
  /** Looks whether a backup that is to replace the organization can be read. What follows is no job (realm/restore/restore-organization.ts). */
  'check-backup': { lane: 'backups' },
  /** Adds erased people to the lists in the stores of backups. */
  'list-erasures': { lane: 'backups' },
  /** Makes archives, one after another. */
  'export-organization': { lane: 'exports' },
  /** Imports archives. */
  'import-organization': { lane: 'imports' },
  /** Deletes messages whose retention period has ended. */
  'expire-messages': { lane: 'retention', isTimed: true },
  /** Removes files from R2. */
  'remove-files': { lane: 'files', isTimed: true },
  /** Ends an expired upload; its key is the upload's. */
  'expire-resumable-upload': { lane: 'files', isTimed: true },
  /** Deletes an expired archive. Its key is the upload's id. */
  'expire-import-upload': { lane: 'files', isTimed: true },
  project: { lane: 'projection' },
  /** Starts the deletion of a copy of a backup. */
  'remove-copy': { lane: 'deletion', isTimed: true },
  /** Starts the deletion of a closed organization's data. */
  'delete-realm': { lane: 'deletion', isTimed: true },
  /** Ends unused queues, saves cursors and trims the log. */
  housekeeping: { lane: 'upkeep' },
  /** Chooses, once a week, who gets a digest. */
  'begin-digests': { lane: 'upkeep', isTimed: true },
  /** Compares all accounts with those in D1, and writes there what differs. */
  'compare-accounts': { lane: 'upkeep' },
  /** Tells D1 on which day people were last active, once a day. */
  'note-activity': { lane: 'upkeep' },
  /** Reads the activity of all channels, once a day while anything happens in them. */
  'channel-statistics': { lane: 'upkeep' },
  /** Enters a message for the many users whom it concerns (insert-notification-batch.ts). */
  'enter-missed': { lane: 'upkeep' },
  /** Stores postings of messages, a block at a time (message-posting-rows.ts). */
  'fill-postings': { lane: 'upkeep' },
  /** Rewrites rows in the form of a step of the schema, a piece at a time (store/schema/rewrites.ts). */
  'rewrite-rows': { lane: 'upkeep' },
  /** Deletes ended sessions, which would still show who was where, and when. */
  'forget-browser-sessions': { lane: 'upkeep', isTimed: true },
  /** Deletes answers after their day. */
  'forget-first-answers': { lane: 'upkeep', isTimed: true },
  /** Deletes everything else that is stored for a limited time. */
  'forget-old': { lane: 'upkeep', isTimed: true },
  'forget-websites': { lane: 'upkeep', isTimed: true },
  /** Mails a link to an account's unconfirmed address once mail can be sent; its key is the account's id. */
  'confirm-address': { lane: 'upkeep', isTimed: true },
  /** Mails a new member about topics; its key is the account's id. */
  'guide-newcomer': { lane: 'upkeep', isTimed: true },
  /** Reminds a user of an invitation; its key is the invitation's id. */
  'remind-invitee': { lane: 'upkeep', isTimed: true },
  'announce-full-members': { lane: 'upkeep', isTimed: true },
  /**
   * Makes the rest of a change whose request has ended too early: its key is the change's id (realm/calls/change-under-way.ts), or the name
   * and key of a continuation (core/continuation-names.ts).
   */
  'finish-change': { lane: 'changes' },
  /** Tells owners that a backup has replaced the organization. */
  'announce-restore': { lane: 'upkeep' },
  /** Mails users whose accounts an import has made how they log in. */
  'invite-imported': { lane: 'upkeep' },
} as const satisfies Readonly<Record<string, { readonly lane: string; readonly isTimed?: true }>>

export type JobKind = keyof typeof JOB_KINDS
