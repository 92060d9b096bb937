import { BadRequestError } from '../../core/errors.ts'
import type { RealmIdentity, RealmTransaction } from '../../core/realm-transaction.ts'
import { DAY } from '../../core/time.ts'
import { keepBackup } from '../../store/backups/backup-rows.ts'
import { type CopyLimits, readCopyLimits } from '../../store/backups/copy-rows.ts'
import { realmProperty } from '../../store/realm/realm-setting-rows.ts'
import { requireBackup } from './begin-reading.ts'

/** Seconds after which a copy is deleted. */
const COPY_SECONDS = 30 * DAY

/** Seconds for which a backup is kept at least, while a copy is filled with it. */
const FILLING_SECONDS = DAY

/** What the object of a copy needs to know of the organization. */
export interface CopyPlan {
  readonly backupId: number
  /** The organization, the moment, and who may enter. */
  readonly facts: NonNullable<RealmIdentity['copyOf']>
  readonly limits: CopyLimits
  /** The copy's name. */
  readonly name: string
}

/** Room for the moment in the name of a copy, which may have 40 characters. */
const NAME_LENGTH = 20

/**
 * Plans a copy of a backup to look at.
 * @throws BadRequestError (400)
 */
export function planCopy({ sql, realm, now }: RealmTransaction, backupId: number): CopyPlan {
  if (realm.copyOf) throw new BadRequestError('This is a copy of a backup already.')
  const { takenAt } = requireBackup(sql, backupId)
  keepBackup(sql, backupId, now + FILLING_SECONDS)
  const limits = readCopyLimits(sql, takenAt!)
  if (!limits)
    throw new BadRequestError(
      'Too many messages were moved since to channels that not all owners read: a copy cannot leave them out.',
    )
  const owners = limits.owners.map(({ id }) => id)
  const facts = {
    realmId: realm.id,
    host: realm.host,
    takenAt: takenAt!,
    until: Math.floor(now) + COPY_SECONDS,
    owners,
  }
  const moment = new Date(takenAt! * 1_000).toISOString().slice(0, 16).replace('T', ' ')
  return {
    backupId,
    facts,
    limits,
    name: `${[...realmProperty(sql, 'name')].slice(0, NAME_LENGTH).join('')} (${moment})`,
  }
}
