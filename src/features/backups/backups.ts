import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { pathInteger } from '../../api/parameter-types.ts'
import { deploymentOf } from '../../core/call.ts'
import { BadRequestError } from '../../core/errors.ts'
import { DAY } from '../../core/time.ts'
import { beginBackup } from '../../model/backups/begin-backup.ts'
import { beginRestore, requireNothingUnderWay } from '../../model/backups/begin-restore.ts'
import { presentBackups } from '../../model/backups/present-backups.ts'
import { countBackupsSince, findUnfinishedBackup } from '../../store/backups/backup-rows.ts'

/** Backups that owners may ask for in a day, besides that of the night. */
const BACKUPS_A_DAY = 10

const time = v.nullable(v.number())

/** Lists the organization's backups, the newest first. Source: docs/interface/administration.md#backups. */
export const getBackupsEndpoint = defineEndpoint({
  operation: 'get-backups',
  route: 'GET /backups',
  access: 'owner',
  returns: v.object({
    is_configured: v.boolean(),
    restore: v.nullable(
      v.object({
        backup_id: v.number(),
        acting_user_id: v.nullable(v.number()),
        began_at: v.number(),
        stage: v.nullable(v.string()),
        ended_at: time,
        outcome: v.nullable(v.picklist(['restored', 'returned', 'damaged', 'failed'])),
        archive_id: v.nullable(v.number()),
      }),
    ),
    backups: v.array(
      v.object({
        id: v.number(),
        acting_user_id: v.nullable(v.number()),
        began_at: v.number(),
        taken_at: time,
        finished_at: time,
        failed_at: time,
        kept_until: time,
        stage: v.nullable(v.string()),
        size: v.number(),
        sent: v.number(),
        digest: v.nullable(v.string()),
        contents: v.nullable(
          v.object({
            users: v.number(),
            channels: v.number(),
            messages: v.number(),
            files: v.number(),
            file_bytes: v.number(),
          }),
        ),
      }),
    ),
  }),
  query: (tx, { source }) => ({
    is_configured: deploymentOf(source).hasBackups,
    ...presentBackups(tx.sql),
  }),
})

/** Begins a backup. Source: docs/interface/administration.md#backups. */
export const makeBackupEndpoint = defineEndpoint({
  operation: 'make-backup',
  route: 'POST /backups',
  access: 'owner',
  returns: v.object({ id: v.number() }),
  apply(tx, { user, source }) {
    if (!deploymentOf(source).hasBackups) throw new BadRequestError('Backups are not set up on this server.')
    requireNothingUnderWay(tx)
    if (countBackupsSince(tx.sql, tx.now - DAY) >= BACKUPS_A_DAY)
      throw new BadRequestError('Exceeded rate limit.')
    beginBackup(tx, '', user.id)
    return { id: findUnfinishedBackup(tx.sql)!.id }
  },
  audit: ({ value }) => ({ action: 'backup_begun', details: { backup_id: value.id } }),
})

/**
 * Has a backup replace the organization, once all of it was found to be readable. Source: docs/interface/administration.md#backups.
 */
export const restoreBackupEndpoint = defineEndpoint({
  operation: 'restore-backup',
  route: 'POST /backups/:backup_id/restore',
  access: 'owner',
  needsProof: true,
  params: { backup_id: pathInteger },
  apply(tx, { user, source }, { backup_id }) {
    if (!deploymentOf(source).hasBackups) throw new BadRequestError('Backups are not set up on this server.')
    beginRestore(tx, backup_id, user.id)
  },
  audit: ({ params }) => ({ action: 'restore_begun', details: params }),
})
