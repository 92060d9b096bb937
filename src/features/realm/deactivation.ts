import * as v from 'valibot'
import { changesIn } from '../../api/audit-rules.ts'
import { defineEndpoint, defineStep } from '../../api/define-endpoint.ts'
import { described, integer, json } from '../../api/parameter-types.ts'
import { entered, inAddress } from '../../api/step-types.ts'
import { EVERYONE } from '../../core/audience.ts'
import { BadRequestError, NotFoundError, RateLimitHitError } from '../../core/errors.ts'
import type { RealmTransaction, RealmView } from '../../core/realm-transaction.ts'
import type { Sql } from '../../core/sql.ts'
import { DAY, dayOf } from '../../core/time.ts'
import { listQueuesWithout } from '../../events/queue.ts'
import type { Caller } from '../../model/caller.ts'
import { openConfirmation, requireConfirmation } from '../../model/confirmations/confirmation.ts'
import { accountOfNobody, queueLetter, queueLetterTo } from '../../model/emails/letter.ts'
import { countMailOfVisitor } from '../../model/emails/mail-limits.ts'
import { textsFor } from '../../model/emails/texts-for.ts'
import { getsMail } from '../../model/notifications/notifiable-users.ts'
import { MAX_DELETION_DAYS, MIN_DELETION_DAYS } from '../../model/realm/present-realm.ts'
import { isEmailAddress } from '../../model/users/addresses/email-rules.ts'
import { closeConfirmationsOfKind, findConfirmation } from '../../store/confirmations/confirmation-rows.ts'
import { requireRoomForEmail } from '../../store/emails/email-rows.ts'
import { listHolds } from '../../store/holds/hold-rows.ts'
import { readMeta, writeMeta } from '../../store/meta-rows.ts'
import { listOpenChanges } from '../../store/open-changes/open-change-rows.ts'
import { isRealmDeactivated, realmProperty, writeRealmSetting } from '../../store/realm/realm-setting-rows.ts'
import { findUserByEmail, listOwners, type User } from '../../store/users/user-rows.ts'

/**
 * Closes the organization: every key is refused from then on. Its data is deleted after the given number of days, or never; until then an
 * owner may reopen it. Source: docs/interface/organization.md#close; docs/interface/register.md#what-the-snapshot-has
 * (`server_min_deactivated_realm_deletion_days`).
 */
export const deactivateRealmEndpoint = defineEndpoint({
  operation: 'deactivate-realm',
  route: 'POST /realm/deactivate',
  access: 'owner',
  needsProof: true,
  params: {
    deletion_delay_days: described(
      v.optional(json(v.nullable(v.pipe(integer, v.maxValue(MAX_DELETION_DAYS))))),
      'Days after which all data of the organization is deleted: at least 14. If null or absent, it is kept.',
    ),
  },
  apply(tx, caller, { deletion_delay_days: days = null }) {
    if (days !== null && days < MIN_DELETION_DAYS) {
      throw new BadRequestError(
        `Data deletion time must be at least ${MIN_DELETION_DAYS} days in the future.`,
      )
    }
    if (days !== null && listHolds(tx.sql).length > 0)
      throw new BadRequestError('Something is on hold, so the organization cannot be deleted.')
    writeRealmSetting(tx.sql, 'deactivated', true)
    const deletedAt = days === null ? null : Math.ceil(tx.now) + days * DAY
    if (deletedAt !== null) planDeletion(tx, deletedAt)
    notifyOwners(tx, caller, deletedAt)
    tx.emit({ type: 'realm', op: 'deactivated', realm_id: tx.realm.id }, EVERYONE)
    // The polls of all other queues are answered with the event, so no poll continues with an invalid key.
    for (const queueId of listQueuesWithout(tx.sql, 'realm')) tx.endPoll(queueId)
  },
  audit: ({ params }) => ({
    action: 'organization_deactivated',
    details: changesIn(params),
  }),
})

/**
 * Sends a link for reopening a closed organization to the address, if it is an owner's. The answer does not reveal that: every address is
 * counted alike, and the same rows are written.
 */
export const askReactivationStep = defineStep({
  operation: 'ask-reactivation',
  access: 'anyone',
  params: { email: entered },
  apply(tx, { source }, { email }) {
    if (!isRealmDeactivated(tx.sql)) throw new BadRequestError('This organization is open.')
    const address = email.trim()
    if (!isEmailAddress(address)) throw new BadRequestError('Enter a valid email address.')
    const wait = countMailOfVisitor(tx, source, 'reactivation', address)
    if (wait !== undefined) throw new RateLimitHitError(wait)
    requireRoomForEmail(tx.sql)
    const user = findUserByEmail(tx.sql, address)
    const account = user && isOwner(user) ? user : accountOfNobody(tx)
    if (account) mailLink(tx, account, source.origin)
  },
  audit: { because: 'Sends mail, which has limits of its own; reactivate-realm records the outcome.' },
})

export const showReactivationStep = defineStep({
  operation: 'show-reactivation',
  access: 'anyone',
  params: { secret: inAddress },
  apply(tx, _anyone, { secret }): ShownReactivation {
    requireOpenLink(tx, secret)
    return { organization: realmProperty(tx.sql, 'name') }
  },
  audit: 'read-only',
})

/** Reopens the organization as it was; jobs that were due meanwhile run late, and changes that were cut continue. */
export const reactivateRealmStep = defineStep({
  operation: 'reactivate-realm',
  access: 'anyone',
  params: { secret: inAddress },
  apply(tx, _anyone, { secret }): ShownReactivation {
    requireOpenLink(tx, secret)
    closeConfirmationsOfKind(tx.sql, 'realm-reactivation')
    writeRealmSetting(tx.sql, 'deactivated', false)
    if (plannedDeletion(tx.sql) !== null) planDeletion(tx, null)
    for (const key of listOpenChanges(tx.sql)) tx.schedule({ kind: 'finish-change', key, dueAt: tx.now })
    return { organization: realmProperty(tx.sql, 'name') }
  },
  audit: {
    before(view, { secret }) {
      const confirmation = findConfirmation(view, 'realm-reactivation', secret)
      return () => ({
        action: 'organization_reactivated',
        actorId: confirmation?.userId ?? null,
        details: {},
      })
    },
  },
})

/** The page on which an owner requests a link that reopens the organization. */
export const REACTIVATION_PATH = '/accounts/reactivate'

/** Owners who get mail, in the order in which they joined. All owners can request a link. */
const MAX_NOTIFIED = 100

function notifyOwners(tx: RealmTransaction, { user, source }: Caller, deletedAt: number | null): void {
  const organization = realmProperty(tx.sql, 'name')
  const [closedOn, deletedOn] = [dayOf(tx.now), deletedAt === null ? null : dayOf(deletedAt)]
  for (const owner of listOwners(tx.sql).filter(getsMail).slice(0, MAX_NOTIFIED)) {
    const texts = textsFor(owner)
    const { closedOrganization } = texts
    queueLetter(tx, texts, {
      recipient: owner.deliveryEmail,
      subject: closedOrganization.subject(organization),
      paragraphs: [
        texts.greeting(),
        closedOrganization.happened({
          by: user.fullName,
          organization,
          origin: source.origin,
          day: closedOn,
        }),
        deletedOn === null ? closedOrganization.kept : closedOrganization.deleted(deletedOn),
        closedOrganization.reopen({ url: `${source.origin}${REACTIVATION_PATH}/`, ends: deletedOn !== null }),
      ],
    })
  }
}

/** The content of the pages. */
export interface ShownReactivation {
  readonly organization: string
}

function mailLink(tx: RealmTransaction, user: User, origin: string): void {
  const secret = openConfirmation(tx, 'realm-reactivation', user)
  queueLetterTo(tx, user, (texts, organization) => ({
    subject: texts.reopenedOrganization.subject(organization),
    paragraphs: [
      texts.reopenedOrganization.happened(organization),
      texts.reopenedOrganization.link(`${origin}${REACTIVATION_PATH}/${secret}`),
      texts.reopenedOrganization.validity,
    ],
  }))
}

/** @throws NotFoundError if the link is used, replaced or expired, or its recipient is no longer an owner. */
function requireOpenLink(view: RealmView, secret: string): void {
  const { user } = requireConfirmation(view, 'realm-reactivation', secret)
  if (!isOwner(user)) throw new NotFoundError('This link is not valid any more.')
}

function isOwner(user: User): boolean {
  return user.role === 100 && getsMail(user)
}

/** Plans the deletion of the closed organization's data at this time (UNIX seconds), or cancels it (null). */
function planDeletion(tx: RealmTransaction, at: number | null): void {
  writeMeta(tx.sql, 'deletion_planned', at)
  // For the sweep that reads D1 when the object no longer works.
  tx.writeToD1({ statement: 'note-deletion', row: [at] })
  if (at === null) tx.unschedule({ kind: 'delete-realm', key: '' })
  else tx.schedule({ kind: 'delete-realm', key: '', dueAt: at })
}

/** Returns UNIX seconds; null if no deletion is planned. */
function plannedDeletion(sql: Sql): number | null {
  return readMeta<number | null>(sql, 'deletion_planned') ?? null
}

/**
 * Begins the deletion when it is due: from this commit on the organization answers nobody and cannot be reopened. Returns
 * the time to wait for if it is too early (UNIX seconds); undefined if the deletion has begun, or was cancelled.
 */
export function beginDeletion({ sql, now }: RealmTransaction): number | undefined {
  const at = plannedDeletion(sql)
  if (at === null || !isRealmDeactivated(sql)) return undefined
  if (at > now) return at
  writeMeta(sql, 'deletion_begun', Math.floor(now))
  return undefined
}
