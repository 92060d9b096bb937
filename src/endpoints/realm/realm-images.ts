import * as v from 'valibot'
import {
  deleteRealmIcon,
  deleteRealmLogo,
  enterRealmImage,
  getRealmIcon,
  getRealmLogo,
  logoName,
  uploadRealmImage,
} from '../../domain/realm/change-realm-image.ts'
import type { RealmImageName } from '../../domain/realm/realm-setting-rows.ts'
import { defineEndpoint, defineStep, type Storing, type WorkerContext } from '../define-endpoint.ts'
import { discardImages, requireOnlyFile, storeRealmPicture } from '../in-worker/store-image.ts'
import { jsonBoolean } from '../parameter-types.ts'
import { pathInStore } from '../step-types.ts'

const icon = v.object({ icon_url: v.string() })
const logo = v.object({ logo_url: v.string() })
const night = v.pipe(jsonBoolean, v.description('Whether this is the logo for dark backgrounds.'))

/**
 * Pictures of the organization, sent as the one file of a form. Source:
 * docs/interface/organization.md#icon-and-logo.
 */
export const getRealmIconEndpoint = defineEndpoint({
  operation: 'get-realm-icon',
  method: 'GET',
  path: '/realm/icon',
  access: 'user',
  params: {},
  returns: icon,
  command: getRealmIcon,
})

export const uploadRealmIconEndpoint = defineEndpoint({
  operation: 'upload-realm-icon',
  method: 'POST',
  path: '/realm/icon',
  access: 'administrator',
  takesFiles: true,
  params: {},
  returns: icon,
  command: uploadRealmImage,
  audit: 'shown',
  idempotency: 'last-step',
  stores: storing('icon'),
  finish: (_reserved, _params, worker, stored) => enterStored('icon', worker, stored),
})

export const deleteRealmIconEndpoint = defineEndpoint({
  operation: 'delete-realm-icon',
  method: 'DELETE',
  path: '/realm/icon',
  access: 'administrator',
  params: {},
  returns: icon,
  command: deleteRealmIcon,
  audit: 'shown',
})

export const getRealmLogoEndpoint = defineEndpoint({
  operation: 'get-realm-logo',
  method: 'GET',
  path: '/realm/logo',
  access: 'user',
  params: { night },
  returns: logo,
  command: getRealmLogo,
})

export const uploadRealmLogoEndpoint = defineEndpoint({
  operation: 'upload-realm-logo',
  method: 'POST',
  path: '/realm/logo',
  access: 'administrator',
  takesFiles: true,
  params: { night },
  returns: logo,
  command: uploadRealmImage,
  audit: 'shown',
  idempotency: 'last-step',
  stores: storing('logo'),
  finish: (_reserved, { night }, worker, stored) => enterStored(logoName(night), worker, stored),
})

export const deleteRealmLogoEndpoint = defineEndpoint({
  operation: 'delete-realm-logo',
  method: 'DELETE',
  path: '/realm/logo',
  access: 'administrator',
  params: { night },
  returns: logo,
  command: deleteRealmLogo,
  audit: 'shown',
})

export const enterRealmImageStep = defineStep({
  operation: 'enter-realm-image',
  access: 'administrator',
  params: { name: v.picklist(['icon', 'logo', 'night_logo']), path: pathInStore },
  command: enterRealmImage,
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

async function enterStored(
  name: RealmImageName,
  worker: WorkerContext,
  stored: () => Promise<string>,
): Promise<object> {
  return (await worker.run(enterRealmImageStep.operation, { name, path: await stored() })) as object
}
