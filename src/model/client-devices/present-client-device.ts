import type { ClientDevice } from '../../store/client-devices/client-device-rows.ts'

/** The form of a device that clients get. Source: the public API, level 468. */
export interface ShownDevice {
  readonly push_key_id: number | null
  readonly push_token_id: string | null
  readonly pending_push_token_id: string | null
  readonly push_token_last_updated_timestamp: number | null
  readonly push_registration_error_code: string | null
}

export function presentClientDevice(device: Omit<ClientDevice, 'id' | 'userId'>): ShownDevice {
  return {
    push_key_id: device.pushKeyId,
    push_token_id: device.pushTokenId,
    pending_push_token_id: device.pendingPushTokenId,
    push_token_last_updated_timestamp: device.pushTokenUpdatedAt,
    push_registration_error_code: device.pushErrorCode,
  }
}
