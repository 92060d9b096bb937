import type { BackupEnvironment } from '../../core/backup-store.ts'
import type { Restoration } from '../../store/backups/restoration-rows.ts'

/** The settings of the server that an organization comes from: where its backups are, and the key with which they are sealed. */
export type SourceSettings = Required<Omit<BackupEnvironment, 'BACKUPS'>> & { readonly SECRETS_KEY: string }

/** What an object needs to know to fill itself with a backup of another server. */
export interface MovePlan extends Pick<Restoration, 'backupId' | 'takenAt'> {
  /** `SourceSettings` as JSON, sealed with this server's key. */
  readonly source: string
}

/** What an object that comes from another server has in `meta`, besides the plan. */
export interface KeptPlan extends MovePlan {
  readonly isNew: boolean
}
