import { waitUntil } from 'cloudflare:workers'
import { storeAvatar } from '../../../api/in-worker/store-image.ts'
import { MIB } from '../../../core/files.ts'
import { log } from '../../../core/log.ts'
import { hostsIn } from '../../../core/outgoing-target.ts'
import { outOfRequest } from '../../../core/request-record.ts'
import {
  enterPictureOfProviderStep,
  reservePictureOfProviderStep,
} from '../../../features/login-providers/picture-of-provider.ts'
import { callOut } from '../../../realm/outgoing/call-out.ts'
import { picturesOf } from '../../files/decode-pictures.ts'
import { fileStoreOn } from '../../files/file-store.ts'
import { waitForMemory } from '../../memory-share.ts'
import type { AskedProvider } from '../../providers/ask-provider.ts'
import { requireProviderAddress } from '../../providers/provider-calls.ts'
import { askOrRefuse } from './ask-for-login.ts'

const TIMEOUT_MS = 10_000
/** As of a picture that people upload. */
const MAX_BYTES = 5 * MIB

/**
 * Gives somebody who has joined the picture that the provider has of them, while they are let in already: nobody waits for it, and without it they
 * have the picture that everybody begins with. Source: docs/interface/login.md#at-a-provider.
 */
export function takePicture(request: Request, asked: AskedProvider, user_id: number, address: string): void {
  const taking = () =>
    take(request, asked, user_id, address).catch((error: unknown) =>
      log('warn', 'The picture that a provider has of a person cannot be taken', { error }),
    )
  waitUntil(outOfRequest(taking))
}

async function take(
  request: Request,
  { env, provider, realmId }: AskedProvider,
  user_id: number,
  address: string,
): Promise<void> {
  const whose = { user_id, provider_id: provider.id, issuer: provider.issuer }
  const fileId = crypto.randomUUID().replaceAll('-', '')
  const giveBack = await waitForMemory(MAX_BYTES)
  try {
    const bytes = await fetchPicture(address, hostsIn(env.WEBHOOK_ALLOWED_HOSTS))
    const ask = (operation: string, more: object) =>
      askOrRefuse(request, env, operation, { ...whose, ...more }, true)
    await ask(reservePictureOfProviderStep.operation, { file_id: fileId })
    const file = { name: 'picture', contentType: '', content: only(bytes) }
    const worker = { realmId, fileId, store: fileStoreOn(env.UPLOADS), images: picturesOf(env) }
    await ask(enterPictureOfProviderStep.operation, { path: await storeAvatar(file, worker) })
  } finally {
    giveBack?.()
  }
}

/** Fetches a picture over https, from the public network, without redirects: those may lead anywhere. */
async function fetchPicture(address: string, allowedHosts: readonly string[]): Promise<Uint8Array> {
  const { href: url } = requireProviderAddress(address, allowedHosts)
  const { response, body, isCut } = await callOut({
    url,
    named: { by: 'user', allowedHosts },
    init: { headers: { Accept: 'image/*', 'User-Agent': 'ParleyLogin/1.0' } },
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_BYTES,
    needsBody: ({ ok }) => ok,
  })
  if (!response.ok) throw new Error(`It answers ${response.status}`)
  if (isCut) throw new Error('It is too large')
  return body
}

async function* only(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
