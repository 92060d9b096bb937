import * as v from 'valibot'
import { type BackupStore, backupStores } from '../../core/backup-store.ts'
import { INTERFACE_VERSION } from '../../core/call.ts'
import { BadRequestError } from '../../core/errors.ts'
import { log } from '../../core/log.ts'
import type { RealmIdentity } from '../../core/realm-transaction.ts'
import { backupSealer } from '../../core/sealed-backup.ts'
import { sealSecret } from '../../core/sealed-secret.ts'
import { idOfManifest, MANIFESTS, manifestFolder } from '../../model/backups/backup-form.ts'
import { BackupReader } from '../../model/backups/backup-reader.ts'
import type { SourceSettings } from '../../model/backups/move-plan.ts'
import { findRealmById, insertRealmAgain, moveRealm } from '../../store/d1/realms.ts'
import { SCHEMA_STEPS } from '../../store/schema/schema.ts'
import { whenReachable } from '../request/call-realm.ts'
import { type Environment, realmObject } from '../request/environment.ts'
import { forgetRealm } from '../request/find-realm.ts'
import { locationFields, locationFor } from '../request/realm-location.ts'
import { respondFailure, respondSuccess } from '../request/respond.ts'
import { HOST } from './move-organization.ts'
import { readWithTicket } from './verify-organization.ts'

const text = v.pipe(v.string(), v.maxLength(1_000))
const comingForm = v.object({
  ticket: v.pipe(v.string(), v.maxLength(200)),
  host: v.pipe(v.string(), v.maxLength(253), v.toLowerCase(), v.regex(HOST)),
  // Its number, where the store has backups of several.
  organization: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
  // The settings of the server that it comes from.
  source: v.object({
    BACKUP_S3_URL: v.pipe(text, v.url(), v.regex(/^https?:/)),
    BACKUP_S3_ACCESS_KEY: text,
    BACKUP_S3_SECRET_KEY: text,
    BACKUP_S3_REGION: v.optional(text, 'auto'),
    SECRETS_KEY: text,
  }),
  ...locationFields,
})

/**
 * POST /setup/moves-in: makes an organization of the newest backup in another server's store, with all of its numbers, for the administrator of
 * the deployment's account. It takes a ticket entered in D1 for this host, and may be repeated. Source: docs/moving.md.
 */
export async function moveIn(request: Request, env: Environment): Promise<Response> {
  try {
    const form = await readWithTicket(comingForm, request, env)
    const { host, source, organization } = form
    const reader = await newestBackup(source, organization)
    const { id: backupId, takenAt, schema } = reader.manifest
    if (schema > SCHEMA_STEPS.length) throw new BadRequestError('This backup was made by a newer version.')
    const known = await reader.identity()
    if (!known) throw new BadRequestError('This backup has no organization.')
    const identity = { ...known, ...locationFor(env, form), host }
    const before = await enter(env, identity)
    const sealed = await sealSecret(env, { realmId: identity.id, purpose: 'move' }, JSON.stringify(source))
    const isComing = await whenReachable(true, () =>
      realmObject(env, before).moveIn(INTERFACE_VERSION, identity, { backupId, takenAt, source: sealed }),
    )
    if (!isComing) throw new BadRequestError('This organization is here already, and has not moved away.')
    await moveRealm(env.DB, before, host)
    for (const each of [before.host, host]) forgetRealm(env.DB, new URL(`http://${each}`))
    log('info', 'An organization comes from another server', { organization: host, realm_id: identity.id })
    return await respondSuccess({ realm_id: identity.id, from_host: known.host, taken_at: takenAt })
  } catch (error) {
    return respondFailure('move-in', error)
  }
}

/** Organizations of a store that are named where one has to be chosen. */
const NAMED = 20

/** @throws BadRequestError where the store, or the key, is not the right one */
async function newestBackup(source: SourceSettings, organization: number | undefined): Promise<BackupReader> {
  const [store] = backupStores(source)
  const sealer = await backupSealer(source)
  try {
    const key = await newestManifest(store!, organization ?? (await onlyOrganization(store!)))
    return await BackupReader.open([store!], sealer, key)
  } catch (error) {
    if (error instanceof BadRequestError) throw error
    const problem = error instanceof Error ? error.message : 'unknown'
    throw new BadRequestError(`The backup cannot be read: ${problem}`)
  }
}

async function onlyOrganization(store: BackupStore): Promise<number> {
  const ids: number[] = []
  for (let after = ''; ids.length < NAMED; ) {
    const { found } = await store.list(MANIFESTS, after)
    if (!found[0]) break
    const id = found[0].key.split('/')[1]!
    ids.push(Number(id))
    after = `${manifestFolder(Number(id))}~`
  }
  if (ids.length > 1)
    throw new BadRequestError(
      `This store has backups of several organizations. Choose one: ${ids.join(', ')}`,
    )
  if (ids[0] === undefined) throw new BadRequestError('This store has no backup.')
  return ids[0]
}

/** Returns the key of the newest manifest; they begin with their moments. */
async function newestManifest(store: BackupStore, organization: number): Promise<string> {
  let newest = ''
  for (let hasMore = true; hasMore; ) {
    const listed = await store.list(manifestFolder(organization), newest)
    newest = listed.found.at(-1)?.key ?? newest
    hasMore = listed.hasMore
  }
  if (newest === '' || Number.isNaN(idOfManifest(newest)))
    throw new BadRequestError(`This store has no backup of organization ${organization}.`)
  return newest
}

/** Enters the organization in D1 with its own number, and returns it as it is listed. @throws BadRequestError if anything of it is taken */
async function enter({ DB }: Environment, identity: RealmIdentity) {
  const { id, createdAt, host, stringId } = identity
  await insertRealmAgain(DB, { ...identity, name: stringId })
  const listed = await findRealmById(DB, id)
  if (!listed)
    throw new BadRequestError(`The host ${host}, or the short name ${stringId}, is taken on this server.`)
  if (listed.createdAt !== createdAt)
    throw new BadRequestError(
      `This server has another organization with the number ${id}, ${listed.host}: numbers are in the addresses of files. Move to a server without it.`,
    )
  return listed
}
