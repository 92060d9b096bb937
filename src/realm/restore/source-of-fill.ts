import type { BackupEnvironment } from '../../core/backup-store.ts'
import { fromJson, type JsonText } from '../../core/json.ts'
import type { RealmIdentity } from '../../core/realm-transaction.ts'
import { LostSecretError, openSecret, type SealingEnvironment, sealerOf } from '../../core/sealed-secret.ts'
import { CountedSql } from '../../engine/counted-sql.ts'
import type { KeptPlan, SourceSettings } from '../../model/backups/move-plan.ts'
import { SEALED_COLUMNS, type SealedColumn } from '../../store/backups/sealed-columns.ts'
import { readMetaJson } from '../../store/meta-rows.ts'
import type { MoveWork, RestoreParts } from './restore-work.ts'

type SourceEnvironment = BackupEnvironment & SealingEnvironment

/** Returns where the backup is that fills the object: with the server's own ones, or with those of the server that it comes from. */
export async function sourceOfFill(
  { sql }: Pick<DurableObjectStorage, 'sql'>,
  env: SourceEnvironment,
  { id }: RealmIdentity,
  backupsOf: (env: SourceEnvironment) => RestoreParts['backups'],
): Promise<Pick<RestoreParts, 'backups' | 'move'>> {
  const plan = readMetaJson<KeptPlan>(new CountedSql(sql), 'move_plan')
  if (!plan) return { backups: backupsOf(env) }
  const opened = await openSecret(env, { realmId: id, purpose: 'move' }, plan.source)
  const source = fromJson(opened as JsonText<SourceSettings>)
  return { backups: backupsOf(source), move: { isNew: plan.isNew, sealed: sealingRows(source, env, id) } }
}

/** Seals secrets with this server's key that another server's has sealed. One that this key does not open stays, and has to be entered again. */
function sealingRows(from: SealingEnvironment, to: SealingEnvironment, realmId: number): MoveWork['sealed'] {
  const sealer = sealerOf(to, realmId)
  const again = async ({ purpose, isAlike }: SealedColumn, text: string) => {
    try {
      const opened = await openSecret({ SECRETS_KEY: from.SECRETS_KEY! }, { realmId, purpose }, text)
      return await (isAlike ? sealer.sealAlike(purpose, opened) : sealer.seal(purpose, opened))
    } catch (error) {
      if (error instanceof LostSecretError) return text
      throw error
    }
  }
  return async (rows, { name, columns }) => {
    const sealed = SEALED_COLUMNS.filter(({ table }) => table === name)
    if (sealed.length === 0) return rows
    return Promise.all(
      rows.map(async (row) => {
        const changed = [...row]
        for (const column of sealed) {
          const at = columns.indexOf(column.column)
          const value = row[at]
          if (typeof value !== 'string' || (column.key && row[columns.indexOf('key')] !== column.key))
            continue
          changed[at] = column.isList
            ? JSON.stringify(
                await Promise.all(fromJson(value as JsonText<string[]>).map((one) => again(column, one))),
              )
            : await again(column, value)
        }
        return changed
      }),
    )
  }
}
