import * as v from 'valibot'
import { defineEndpoint, defineStep } from '../../api/define-endpoint.ts'
import { integer, pathInteger } from '../../api/parameter-types.ts'
import { deploymentOf } from '../../core/call.ts'
import { BadRequestError } from '../../core/errors.ts'
import { planCopy } from '../../model/backups/plan-copy.ts'

/**
 * Makes a copy of a backup to look at, at a host below the organization's own, and answers with a link into it. Source:
 * docs/interface/administration.md#look-at-a-copy-of-a-backup.
 */
export const copyBackupEndpoint = defineEndpoint({
  operation: 'copy-backup',
  route: 'POST /backups/:backup_id/copy',
  access: 'owner',
  needsProof: true,
  idempotency: 'harmless',
  params: { backup_id: pathInteger },
  returns: v.object({ url: v.string() }),
  apply(tx, { user, source }, { backup_id }) {
    if (!deploymentOf(source).hasBackups) throw new BadRequestError('Backups are not set up on this server.')
    return { plan: planCopy(tx, backup_id), email: user.deliveryEmail }
  },
  finish: ({ plan, email }, _params, worker) => worker.copyBackup(plan, email),
  audit: ({ params }) => ({ action: 'backup_copied', details: { backup_id: params.backup_id } }),
})

/** Plans a copy for whoever may write the deployment's D1 (http/deployment/set-up-copy.ts). */
export const planCopyStep = defineStep({
  operation: 'plan-copy',
  access: 'anyone',
  params: { backupId: integer },
  apply: (tx, _anyone, { backupId }) => planCopy(tx, backupId),
  audit: { because: 'The operator, who is no account, makes a copy.' },
})

/** Begins to delete a copy, for whoever has entered it. Source: docs/interface/administration.md#look-at-a-copy-of-a-backup. */
export const removeCopyEndpoint = defineEndpoint({
  operation: 'remove-copy',
  route: 'DELETE /copy',
  access: 'owner',
  madeInCopies: true,
  apply(tx) {
    if (!tx.realm.copyOf) throw new BadRequestError('This organization is no copy of a backup.')
    tx.writeToD1({ statement: 'note-deletion', row: [Math.floor(tx.now)] })
    tx.schedule({ kind: 'remove-copy', key: '', dueAt: tx.now })
  },
  audit: { because: 'The copy and its log are deleted.' },
})
