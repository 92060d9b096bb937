import { deploymentOf } from '../../core/call.ts'
import { listPushDevices, statusOf } from '../push/push-device-rows.ts'
import type { Snapshot } from './snapshot.ts'

/** Key of `push_device`: the caller's devices by account number; none without a push service. */
export const pushDevicesSnapshot: Snapshot = ({ sql }, { user, source }) => ({
  push_devices: deploymentOf(source).hasPushService
    ? Object.fromEntries(
        listPushDevices(sql, user.id).map((device) => [
          device.accountId,
          { status: statusOf(device), error_code: device.errorCode },
        ]),
      )
    : {},
})
