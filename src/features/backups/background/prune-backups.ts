import type { BackupStore } from '../../../core/backup-store.ts'
import { fromJson, type JsonText } from '../../../core/json.ts'
import {
  chunkFolder,
  fileKey,
  foldersOfFiles,
  idOfManifest,
  type Manifest,
  manifestFolder,
} from '../../../model/backups/backup-form.ts'
import { readManifest } from '../../../model/backups/backup-reader.ts'
import { keptBackups } from '../../../model/backups/kept-backups.ts'
import { type BackupProgress, listBackups, markBackupsRemoved } from '../../../store/backups/backup-rows.ts'
import { deleteOldMovedAndDeleted } from '../../../store/backups/moved-and-deleted-rows.ts'
import { findUnfinishedReading } from '../../../store/backups/reading-rows.ts'
import { partedFrom } from '../../../store/backups/restoration-rows.ts'
import { listHolds } from '../../../store/holds/hold-rows.ts'
import type { BackupWork } from './backup-work.ts'

/** Chunks are looked through by the first digit of their names. */
const DIGITS = '0123456789abcdef'

/** Keys that a store deletes at a time. */
const DELETED_AT_ONCE = 500

/**
 * Removes the backups that are no longer kept, and then the chunks and files that no kept one needs. Nothing is stored of what was found, so
 * a run may stop anywhere.
 */
export async function pruneBackups(
  work: BackupWork,
  progress: Extract<BackupProgress, { stage: 'prune' }>,
): Promise<void> {
  const { part } = progress
  if (part === null) {
    const hasDropped = await dropBackups(work)
    return work.advance(progress, hasDropped ? { stage: 'prune', part: 0 } : null)
  }
  const folders = foldersOfFiles(work.runtime.realm.id)
  const digit = DIGITS[part]
  const folder = digit === undefined ? folders[part - DIGITS.length] : undefined
  if (digit !== undefined) await removeUnused(work, `${chunkFolder(work.runtime.realm.id)}${digit}`, chunksOf)
  else if (folder !== undefined)
    await removeUnused(work, fileKey(folder), (manifest) => filesOf(work, manifest))
  else return work.advance(progress, null)
  work.advance(progress, { stage: 'prune', part: part + 1 })
}

/** Removes the manifests of backups that are not kept; returns whether there were any. */
async function dropBackups({ runtime, stores }: BackupWork): Promise<boolean> {
  const { sql, realm, now } = runtime
  const taken = listBackups(sql).flatMap(({ id, takenAt, finishedAt, keptUntil }) =>
    takenAt !== null && finishedAt !== null ? [{ id, takenAt, keptUntil }] : [],
  )
  const kept = new Set([...keptBackups(taken), findUnfinishedReading(sql)?.backupId])
  // What is on hold may be in the backup of an organization that another backup has replaced.
  const isHeld = listHolds(sql).length > 0
  for (const { id, keptUntil } of taken) if (keptUntil !== null && (isHeld || keptUntil > now())) kept.add(id)
  let hasDropped = false
  for (const store of stores) {
    const dropped = (await manifestKeys(store, realm.id)).filter((key) => !kept.has(idOfManifest(key)))
    if (dropped.length > 0) await store.delete(dropped)
    hasDropped ||= dropped.length > 0
  }
  const removed = taken.filter(({ id }) => !kept.has(id)).map(({ id }) => id)
  markBackupsRemoved(sql, removed, now())
  const moments = taken.filter(({ id }) => kept.has(id)).map(({ takenAt }) => partedFrom(sql, takenAt))
  deleteOldMovedAndDeleted(sql, Math.min(now(), ...moments))
  return hasDropped
}

async function manifestKeys(store: BackupStore, realmId: number): Promise<string[]> {
  const { found } = await store.list(manifestFolder(realmId), '')
  return found.map(({ key }) => key)
}

type UsedBy = (manifest: Manifest) => Promise<readonly string[]>

async function removeUnused(work: BackupWork, prefix: string, usedBy: UsedBy): Promise<void> {
  const { realm } = work.runtime
  for (const store of work.stores) {
    const used = new Set<string>()
    for (const key of await manifestKeys(store, realm.id)) {
      const manifest = await readManifest([store], work.sealer, key)
      for (const each of await usedBy(manifest)) if (each.startsWith(prefix)) used.add(each)
    }
    for (let after = '', hasMore = true; hasMore; ) {
      const listed = await store.list(prefix, after)
      const unused = listed.found.map(({ key }) => key).filter((key) => !used.has(key))
      for (let at = 0; at < unused.length; at += DELETED_AT_ONCE)
        await store.delete(unused.slice(at, at + DELETED_AT_ONCE))
      after = listed.found.at(-1)?.key ?? ''
      hasMore = listed.hasMore
    }
  }
}

async function chunksOf({
  organization,
  tables,
  changes,
  texts,
  files,
}: Manifest): Promise<readonly string[]> {
  const names = [...tables.flatMap(({ chunks }) => chunks), ...changes, ...texts, ...files]
  return names.map((name) => `${chunkFolder(organization.realmId)}${name}`)
}

async function filesOf({ chunks }: BackupWork, { files }: Manifest): Promise<readonly string[]> {
  const keys: string[] = []
  for (const name of files) {
    const lines = new TextDecoder().decode(await chunks.get(name)).split('\n')
    for (const line of lines) keys.push(fileKey(fromJson(line as JsonText<[string, number]>)[0]))
  }
  return keys
}
