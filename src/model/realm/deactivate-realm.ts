import { EVERYONE } from '../../core/audience.ts'
import type { Command } from '../../core/command.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { DAY } from '../../core/time.ts'
import { listQueuesWithout } from '../../events/queue.ts'
import type { StoredRealmEvent } from '../../events/realm.ts'
import { realmProperty, writeRealmSetting } from '../../store/realm/realm-setting-rows.ts'
import { listOwners } from '../../store/users/user-rows.ts'
import type { Caller } from '../caller.ts'
import { queueLetter } from '../emails/letter.ts'
import { textsFor } from '../emails/texts/texts-for.ts'
import { getsMail } from '../notifications/notifiable-users.ts'
import { MIN_DELETION_DAYS } from './deletion-days.ts'
import { planDeletion } from './realm-deletion.ts'

export interface DeactivateRealmParams {
  /** Days after which the data is deleted; null or absent: never. */
  readonly deletion_delay_days?: number | null
}

/** The page on which an owner asks for a link that opens the organization again. */
export const REACTIVATION_PATH = '/accounts/reactivate'

/** Number of owners who get mail, those first who joined first: all of them can ask for a link. */
const MAX_NOTIFIED = 100

/**
 * Closes the organization: every key is refused from now on, so that waiting clients get this event and no
 * other. Their queues end by themselves. Source: docs/interface/organization.md#close;
 * docs/interface/events.md#events-about-the-organization; docs/interface/notifications.md#mail-of-accounts.
 */
export const deactivateRealm: Command<Caller, DeactivateRealmParams, void, object> = {
  apply(tx, caller, { deletion_delay_days: days = null }) {
    if (days !== null && days < MIN_DELETION_DAYS) {
      throw new BadRequestError(
        `Data deletion time must be at least ${MIN_DELETION_DAYS} days in the future.`,
      )
    }
    writeRealmSetting(tx.sql, 'deactivated', true)
    const deletedAt = days === null ? null : Math.ceil(tx.now) + days * DAY
    if (deletedAt !== null) planDeletion(tx, deletedAt)
    notifyOwners(tx, caller, deletedAt)
    const event: StoredRealmEvent = { type: 'realm', op: 'deactivated', realm_id: tx.realm.id }
    tx.emit(event, EVERYONE)
    // Polls of other queues are answered with the event. No poll waits any longer with an invalid key.
    for (const queueId of listQueuesWithout(tx.sql, event.type)) tx.endPoll(queueId)
    return {}
  },
}

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
        closedOrganization.happened(user.fullName, organization, source.origin, closedOn),
        deletedOn === null ? closedOrganization.kept : closedOrganization.deleted(deletedOn),
        closedOrganization.reopen(`${source.origin}${REACTIVATION_PATH}/`),
      ],
    })
  }
}

/** Returns a date in UTC: `2027-01-31`. */
function dayOf(time: number): string {
  return new Date(time * 1_000).toISOString().slice(0, 10)
}
