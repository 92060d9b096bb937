import { DELIVER_WEBHOOK_CALLS } from '../../model/bots/enqueue-calls.ts'
import { CHANNEL_STATISTICS } from '../../model/channels/activity/channel-statistics.ts'
import { BEGIN_DIGESTS } from '../../model/digests/digests.ts'
import { GUIDE_NEWCOMER } from '../../model/emails/account-mails.ts'
import { HOUSEKEEPING } from '../../model/events/housekeeping-job.ts'
import { EXPORT_ORGANIZATION } from '../../model/exports/export-realm.ts'
import { FORGET_FIRST_ANSWERS } from '../../model/idempotency/first-answer.ts'
import { EXPIRE_IMPORT_UPLOAD } from '../../model/imports/import-upload.ts'
import { INVITE_IMPORTED } from '../../model/imports/invite-imported.ts'
import { REMIND_INVITEE } from '../../model/invitations/invitation-mail.ts'
import { FILL_POSTINGS } from '../../model/messages/send/store-message.ts'
import { ENTER_MISSED } from '../../model/missed-messages/note-missed-message.ts'
import { WITHDRAW_PROFILE_VALUES } from '../../model/profile-fields/change-field-values.ts'
import { DELIVER_PUSHES } from '../../model/push/enqueue-pushes.ts'
import { REGISTER_PUSH_DEVICE } from '../../model/push/register-push-device.ts'
import { REGISTER_TOKEN } from '../../model/push/register-token.ts'
import { DELETE_REALM } from '../../model/realm/realm-deletion.ts'
import { DELIVER_REMINDER, REMOVE_REMINDERS } from '../../model/reminders/remove-reminder.ts'
import { EXPIRE_MESSAGES, FORGET_OLD } from '../../model/retention/retention.ts'
import { DELIVER_SCHEDULED } from '../../model/scheduled-messages/emit-scheduled.ts'
import { EXPIRE_RESUMABLE_UPLOAD } from '../../model/uploads/resumable-upload.ts'
import { ANNOUNCE_FULL_MEMBERS } from '../../model/user-groups/announce-full-members.ts'
import { ANNOUNCE_NAMING } from '../../model/user-groups/emit-groups-of-account.ts'
import { CONTINUE_GROUP_CHANGE } from '../../model/user-groups/large-membership-change.ts'
import { MIGRATE_POLICIES } from '../../model/user-topics/migrate-policies.ts'
import { ANNOUNCE_LOWERED_BOTS } from '../../model/users/accounts/change-user-role.ts'
import { CLOSE_BOTS } from '../../model/users/accounts/close-account.ts'
import { ERASE_ACCOUNT } from '../../model/users/accounts/erase-account.ts'
import { CONFIRM_ADDRESS } from '../../model/users/addresses/unconfirmed-address.ts'
import { FORGET_BROWSER_SESSIONS } from '../../model/users/login/sessions.ts'
import { FORGET_WEBSITES, PREVIEW_WEBSITES } from '../../model/website-previews/request-previews.ts'
import { SEND_EMAILS } from '../../store/emails/email-rows.ts'
import { IMPORT_ORGANIZATION } from '../../store/imports/import-rows.ts'
import { REMOVE_FILES } from '../../store/uploads/removal-rows.ts'

export const PROJECT = 'project'

/**
 * One kind of work that no request waits for (docs/decisions/design.md#everything-has-a-limit). Work waits only for its own lane, which
 * has its own jobs, connections and pauses.
 */
export interface Lane {
  /** Kinds of due jobs. */
  readonly kinds: readonly string[]
  /** Number of jobs, or calls to other servers, under way at a time. */
  readonly atOnce: number
  /** Number of jobs, or calls to other servers, that one turn begins, since some end within it. */
  readonly jobsPerTurn: number
  /** Seconds of a run's lease. A run that takes longer has failed. */
  readonly leaseSeconds: number
  /** Milliseconds for one call to another server, answer included. Absent: it calls only D1 and R2. */
  readonly callTimeoutMs?: number
  /** Number of tries of one job, or of one delivery. Infinity: until it is done. */
  readonly tries: number
  /** Seconds of the pause after the first failed try. Each further pause is `growth` times as long, up to the longest. */
  readonly firstPauseSeconds: number
  readonly growth: number
  readonly maxPauseSeconds: number
  /** What becomes of work that has used up its tries. */
  readonly end: 'dead letter' | 'never'
}

const USUAL = {
  atOnce: 1,
  jobsPerTurn: 10,
  leaseSeconds: 60,
  tries: Number.POSITIVE_INFINITY,
  firstPauseSeconds: 5,
  growth: 2,
  maxPauseSeconds: 600,
  end: 'never',
} as const

/**
 * The lanes of outgoing work. Together they make at most six calls to other servers at a time, as many as the platform opens for an
 * object. At most three of them are to addresses that users choose, of up to ten seconds each; a conversation with a mail server takes up
 * to half a minute.
 */
export const LANES = {
  /** Messages for later. Each has a turn of its own, since rendering may fill it. A failed one is marked, and its author is told. */
  deliveries: {
    ...USUAL,
    kinds: [DELIVER_SCHEDULED, DELIVER_REMINDER],
    jobsPerTurn: 1,
    tries: 12,
    end: 'dead letter',
  },
  /** Invitations, links for passwords, missed messages, digests. 24 tries take two and a half days. */
  mail: {
    ...USUAL,
    kinds: [SEND_EMAILS],
    jobsPerTurn: 5,
    // Reading missed messages may wait for D1, and a conversation with a mail server takes time.
    leaseSeconds: 120,
    callTimeoutMs: 10_000,
    tries: 24,
    firstPauseSeconds: 30,
    maxPauseSeconds: 14_400,
    end: 'dead letter',
  },
  /** Notifications on devices, which are useless when they are old: 32 tries take almost a day. */
  push: {
    ...USUAL,
    kinds: [DELIVER_PUSHES],
    leaseSeconds: 120,
    callTimeoutMs: 10_000,
    tries: 32,
    maxPauseSeconds: 3_600,
    end: 'dead letter',
  },
  /** Registrations of devices for encrypted notifications. After a day the user is told that it has failed. */
  registrations: {
    ...USUAL,
    kinds: [REGISTER_PUSH_DEVICE, REGISTER_TOKEN],
    leaseSeconds: 30,
    callTimeoutMs: 10_000,
  },
  /** Outgoing webhooks: one call of a bot at a time. Its owner is told of failures. */
  webhooks: {
    ...USUAL,
    kinds: [DELIVER_WEBHOOK_CALLS],
    atOnce: 2,
    callTimeoutMs: 10_000,
    tries: 3,
    growth: 4,
    end: 'dead letter',
  },
  /** Websites that messages link to: the pages of a message one after the other, five seconds each at most. */
  previews: {
    ...USUAL,
    kinds: [PREVIEW_WEBSITES],
    callTimeoutMs: 5_000,
    tries: 3,
    growth: 4,
    end: 'dead letter',
  },
  /** An archive, a second and a half at a time. After eight runs without progress it is marked as failed. */
  exports: { ...USUAL, kinds: [EXPORT_ORGANIZATION], leaseSeconds: 60 },
  /** An import, a second and a half at a time. After eight runs without progress it has failed. */
  imports: { ...USUAL, kinds: [IMPORT_ORGANIZATION], leaseSeconds: 60 },
  retention: { ...USUAL, kinds: [EXPIRE_MESSAGES], leaseSeconds: 300 },
  files: { ...USUAL, kinds: [REMOVE_FILES, EXPIRE_RESUMABLE_UPLOAD, EXPIRE_IMPORT_UPLOAD] },
  /** Bodies and the search index for D1. */
  projection: { ...USUAL, kinds: [PROJECT], atOnce: 4, leaseSeconds: 300 },
  /** The end of a closed organization. The deletion that follows is no longer a job (realm/delete-organization.ts). */
  deletion: { ...USUAL, kinds: [DELETE_REALM] },
  /** Upkeep of the object itself. */
  upkeep: {
    ...USUAL,
    kinds: [
      HOUSEKEEPING,
      BEGIN_DIGESTS,
      CHANNEL_STATISTICS,
      ENTER_MISSED,
      FILL_POSTINGS,
      FORGET_BROWSER_SESSIONS,
      FORGET_FIRST_ANSWERS,
      FORGET_OLD,
      FORGET_WEBSITES,
      CONFIRM_ADDRESS,
      GUIDE_NEWCOMER,
      REMIND_INVITEE,
      ANNOUNCE_FULL_MEMBERS,
      CONTINUE_GROUP_CHANGE,
      MIGRATE_POLICIES,
      WITHDRAW_PROFILE_VALUES,
      REMOVE_REMINDERS,
      ANNOUNCE_LOWERED_BOTS,
      CLOSE_BOTS,
      ERASE_ACCOUNT,
      ANNOUNCE_NAMING,
      INVITE_IMPORTED,
    ],
    // A run of some of these fills a turn.
    jobsPerTurn: 1,
  },
} as const satisfies Record<string, Lane>

export type LaneName = keyof typeof LANES
/** A kind of job that this build knows. */
export type JobKind = (typeof LANES)[LaneName]['kinds'][number]

export const LANE_NAMES = Object.keys(LANES) as readonly LaneName[]

/**
 * Kinds of jobs that are due at a time that people chose or were told, or at which something is old enough. The others are due after a pause,
 * which does not get longer when the clock is set back.
 */
const DUE_AT_A_TIME: ReadonlySet<string> = new Set([
  DELIVER_SCHEDULED,
  DELIVER_REMINDER,
  EXPIRE_MESSAGES,
  REMOVE_FILES,
  EXPIRE_RESUMABLE_UPLOAD,
  EXPIRE_IMPORT_UPLOAD,
  DELETE_REALM,
  BEGIN_DIGESTS,
  FORGET_BROWSER_SESSIONS,
  FORGET_FIRST_ANSWERS,
  FORGET_OLD,
  FORGET_WEBSITES,
  CONFIRM_ADDRESS,
  GUIDE_NEWCOMER,
  REMIND_INVITEE,
  ANNOUNCE_FULL_MEMBERS,
])

export const KINDS_AFTER_A_PAUSE: readonly string[] = LANE_NAMES.flatMap((name) => LANES[name].kinds).filter(
  (kind) => !DUE_AT_A_TIME.has(kind),
)

const LANE_OF_KIND: ReadonlyMap<string, LaneName> = new Map(
  LANE_NAMES.flatMap((name) => LANES[name].kinds.map((kind) => [kind, name] as const)),
)

/** Returns the lane of a kind of job; undefined for a kind of a newer build that was rolled back. */
export function laneOf(kind: string): LaneName | undefined {
  return LANE_OF_KIND.get(kind)
}

/**
 * Returns the seconds until a job is retried after this number of tries. `random` (0 to 1) takes off up to a quarter, so that jobs that
 * failed together are not retried together.
 */
export function pauseAfter(
  { firstPauseSeconds, growth, maxPauseSeconds }: Lane,
  tries: number,
  random: number,
): number {
  const pause = Math.min(firstPauseSeconds * growth ** (tries - 1), maxPauseSeconds)
  return pause * (1 - random / 4)
}
