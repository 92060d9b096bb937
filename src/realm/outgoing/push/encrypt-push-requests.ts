import { Buffer } from 'node:buffer'
import { jsonInteger } from '../../../core/exact-json.ts'
import { log } from '../../../core/log.ts'
import { sealBox } from '../../../core/sealed-box.ts'
import { secretBox } from '../../../core/secret-box.ts'
import { secretBoxKey } from '../../../model/push/push-keys.ts'
import type { EncryptedNotification } from '../../../model/push/push-notification.ts'

/** A device as the bouncer knows it, and what the device needs to decrypt. */
interface Address {
  /** Of the request to the bouncer. */
  readonly device: Readonly<Record<string, unknown>>
  /** Of what reaches the device. */
  readonly key: Readonly<Record<string, unknown>>
  readonly kind: 'fcm' | 'apns'
  encrypt(text: Uint8Array): Promise<Uint8Array> | Uint8Array
}

/**
 * Returns a notification in the bouncer's form: one request for each device, in which all content is
 * encrypted for that device. A device with an invalid key is left out.
 *
 * Sources. The shape: the public API's page on mobile notifications, "data sent to the push notifications
 * service". The older form (levels 406 to 431) has libsodium's sealed box, to the device's public key; the
 * newer one (level 468) a nonce and libsodium's secretbox, with the device's key, and names a device by the id of
 * its token. A removal on iOS: that page does not describe one; this is what Apple's documentation calls a
 * background notification.
 */
export async function encryptPushRequests(notification: EncryptedNotification): Promise<object[]> {
  const { payload, realmUuid } = notification
  const text = new TextEncoder().encode(JSON.stringify(payload))
  const isSilent = payload.type === 'remove'
  const requests = await Promise.all(
    addressesOf(notification).map((address) => requestFor(realmUuid, address, text, isSilent)),
  )
  return requests.flat()
}

function addressesOf(notification: EncryptedNotification): Address[] {
  if (notification.way === 'sealed') {
    return notification.devices.map(({ deviceId, accountId, tokenKind, publicKey }) => ({
      device: { device_id: jsonInteger(deviceId) },
      key: { push_account_id: jsonInteger(accountId) },
      kind: tokenKind,
      encrypt: (text) => sealBox(text, Buffer.from(publicKey, 'base64')),
    }))
  }
  return notification.devices.map(({ pushTokenId, pushTokenKind, pushKeyId, pushKey }) => ({
    device: { token_id: pushTokenId },
    key: { push_key_id: pushKeyId },
    kind: pushTokenKind,
    encrypt: (text) => secretBox(text, secretBoxKey(pushKey)),
  }))
}

async function requestFor(
  realmUuid: string,
  address: Address,
  text: Uint8Array,
  isSilent: boolean,
): Promise<object[]> {
  try {
    const box = await address.encrypt(text)
    return [presentRequest(address, Buffer.from(box).toString('base64'), isSilent)]
  } catch (error) {
    log('error', 'Nothing can be encrypted for a device', {
      realm_uuid: realmUuid,
      ...address.device,
      error,
    })
    return []
  }
}

function presentRequest({ device, key, kind }: Address, encrypted: string, isSilent: boolean) {
  const sealed = { ...key, encrypted_data: encrypted }
  if (kind === 'fcm') return { ...device, fcm_priority: isSilent ? 'normal' : 'high', payload: sealed }
  return {
    ...device,
    http_headers: isSilent
      ? { apns_priority: 5, apns_push_type: 'background' }
      : { apns_priority: 10, apns_push_type: 'alert' },
    payload: {
      ...sealed,
      // The app decrypts it before it is shown. A notification that is not decrypted is shown like this.
      aps: isSilent
        ? { 'content-available': 1 }
        : { 'mutable-content': 1, alert: { title: 'New notification' } },
    },
  }
}
