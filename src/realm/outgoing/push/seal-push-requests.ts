import { Buffer } from 'node:buffer'
import { jsonInteger } from '../../../core/exact-json.ts'
import { log } from '../../../core/log.ts'
import { sealBox } from '../../../core/sealed-box.ts'
import type { SealedDevice, SealedNotification } from '../../../domain/push/push-notification.ts'

/**
 * Returns a notification in the bouncer's form: one request for each device, in which all content is
 * encrypted for that device. A device with an invalid key is left out.
 *
 * Sources. The shape: the public API's page on mobile notifications, "data sent to the push notifications
 * service". The box: the public server's repository says of its levels 406 to 431 that they use libsodium's
 * sealed box, to the device's public key, and the page shows it as base64 without anything around it. A
 * removal on iOS: that page does not describe one; this is what Apple's documentation calls a background
 * notification.
 */
export async function sealPushRequests({
  realmUuid,
  devices,
  payload,
}: SealedNotification): Promise<object[]> {
  const text = new TextEncoder().encode(JSON.stringify(payload))
  const isSilent = payload.type === 'remove'
  const requests = await Promise.all(devices.map((device) => requestFor(realmUuid, device, text, isSilent)))
  return requests.flat()
}

async function requestFor(
  realmUuid: string,
  device: SealedDevice,
  text: Uint8Array,
  isSilent: boolean,
): Promise<object[]> {
  try {
    const box = await sealBox(text, Buffer.from(device.publicKey, 'base64'))
    return [presentRequest(device, Buffer.from(box).toString('base64'), isSilent)]
  } catch (error) {
    log('error', 'Nothing can be encrypted for a device', {
      realm_uuid: realmUuid,
      device_id: device.deviceId,
      error,
    })
    return []
  }
}

function presentRequest(
  { deviceId, accountId, tokenKind }: SealedDevice,
  encrypted: string,
  isSilent: boolean,
) {
  const device_id = jsonInteger(deviceId)
  const sealed = { push_account_id: jsonInteger(accountId), encrypted_data: encrypted }
  if (tokenKind === 'fcm') {
    return { device_id, fcm_priority: isSilent ? 'normal' : 'high', payload: sealed }
  }
  return {
    device_id,
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
