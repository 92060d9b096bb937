import * as v from 'valibot'
import { defineEndpoint, defineStep, type Storing } from '../../api/define-endpoint.ts'
import { discardImages, requireOnlyFile, storeRealmPicture } from '../../api/in-worker/store-image.ts'
import { described, jsonBoolean } from '../../api/parameter-types.ts'
import { pathInStore } from '../../api/step-types.ts'
import type { WorkerContext } from '../../api/worker-context.ts'
import { EVERYONE } from '../../core/audience.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { StoredRealmEvent } from '../../events/realm.ts'
import type { Caller } from '../../model/caller.ts'
import {
  insertImage,
  type ReservedImage,
  reserveImage,
  retireImage,
} from '../../model/images/reserve-image.ts'
import { type PresentedRealmImage, presentRealmImage } from '../../model/realm/present-realm.ts'
import {
  type RealmImageName,
  readRealmImage,
  writeRealmSetting,
} from '../../store/realm/realm-setting-rows.ts'

/** Reserves a key for a picture of the organization. Source: docs/interface/organization.md#change-settings. */
function uploadRealmImage(tx: RealmTransaction, { source }: Caller): ReservedImage {
  return reserveImage(tx, source.fileId)
}

function logoName(night: boolean): RealmImageName {
  return night ? 'night_logo' : 'logo'
}

function change(tx: RealmTransaction, origin: string, name: RealmImageName, path: string | null): object {
  const before = readRealmImage(tx.sql, name)
  if (before.path !== null) retireImage(tx, before.path)
  writeRealmSetting(tx.sql, name, { path, version: before.version + 1 })
  const image = presentRealmImage(tx, origin, name)
  const event: StoredRealmEvent = {
    type: 'realm',
    op: 'update_dict',
    property: name,
    data: { [`${name}_url`]: image.url, [`${name}_source`]: image.source },
  }
  tx.emit(event, EVERYONE)
  return answerOf(name, image)
}

/** Returns the answer, in which both logos have the same name. */
function answerOf(name: RealmImageName, { url }: PresentedRealmImage): object {
  return name === 'icon' ? { icon_url: url } : { logo_url: url }
}

const icon = v.object({ icon_url: v.string() })

const logo = v.object({ logo_url: v.string() })

const night = described(jsonBoolean, 'Whether this is the logo for dark backgrounds.')

/** Pictures of the organization, each sent as a form's only file. Source: docs/interface/organization.md#icon-and-logo. */
export const getRealmIconEndpoint = defineEndpoint({
  operation: 'get-realm-icon',
  route: 'GET /realm/icon',
  access: 'user',
  returns: icon,
  query: (tx, { source }) => answerOf('icon', presentRealmImage(tx, source.origin, 'icon')),
})

export const uploadRealmIconEndpoint = defineEndpoint({
  operation: 'upload-realm-icon',
  route: 'POST /realm/icon',
  access: 'administrator',
  takesFiles: true,
  returns: icon,
  apply: uploadRealmImage,
  audit: 'shown',
  idempotency: 'last-step',
  stores: storing('icon'),
  finish: (_reserved, _params, worker, stored) => insertStored('icon', worker, stored),
})

export const deleteRealmIconEndpoint = defineEndpoint({
  operation: 'delete-realm-icon',
  route: 'DELETE /realm/icon',
  access: 'administrator',
  returns: icon,
  apply: (tx, { source }) => change(tx, source.origin, 'icon', null),
  audit: 'shown',
})

export const getRealmLogoEndpoint = defineEndpoint({
  operation: 'get-realm-logo',
  route: 'GET /realm/logo',
  access: 'user',
  params: { night },
  returns: logo,
  query: (tx, { source }, { night }) =>
    answerOf(logoName(night), presentRealmImage(tx, source.origin, logoName(night))),
})

export const uploadRealmLogoEndpoint = defineEndpoint({
  operation: 'upload-realm-logo',
  route: 'POST /realm/logo',
  access: 'administrator',
  takesFiles: true,
  params: { night },
  returns: logo,
  apply: uploadRealmImage,
  audit: 'shown',
  idempotency: 'last-step',
  stores: storing('logo'),
  finish: (_reserved, { night }, worker, stored) => insertStored(logoName(night), worker, stored),
})

export const deleteRealmLogoEndpoint = defineEndpoint({
  operation: 'delete-realm-logo',
  route: 'DELETE /realm/logo',
  access: 'administrator',
  params: { night },
  returns: logo,
  apply: (tx, { source }, { night }) => change(tx, source.origin, logoName(night), null),
  audit: 'shown',
})

/** Enters a stored picture, which is shown from then on. */
export const insertRealmImageStep = defineStep({
  operation: 'enter-realm-image',
  access: 'administrator',
  params: { name: v.picklist(['icon', 'logo', 'night_logo']), path: pathInStore },
  apply(tx, { source }, { name, path }) {
    insertImage(tx, path)
    return change(tx, source.origin, name, path)
  },
  audit: 'shown',
  idempotency: 'answer',
})

function storing(kind: 'icon' | 'logo'): Storing<unknown, unknown, string> {
  return {
    keep: async (_params, worker) => {
      const file = await requireOnlyFile(worker, `You must upload exactly one ${kind}.`)
      return storeRealmPicture(kind, file, worker)
    },
    discard: discardImages,
  }
}

async function insertStored(
  name: RealmImageName,
  worker: WorkerContext,
  stored: () => Promise<string>,
): Promise<object> {
  return (await worker.run(insertRealmImageStep.operation, { name, path: await stored() })) as object
}
