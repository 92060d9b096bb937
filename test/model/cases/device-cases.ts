import { type EventCase, HUMANS, type Role } from '../case.ts'
import { call, each } from './acts.ts'

function clientDevices(): EventCase {
  const ids = new Map<Role, number>()
  const register = (user: Parameters<typeof call>[0]) => call(user, 'POST', '/register_client_device')
  return {
    steps: [
      {
        op: 'add',
        to: HUMANS,
        act: (cast) =>
          each(cast, HUMANS, async (user, role) => {
            ids.set(role, (await register(user)).device_id)
            await register(user)
          }),
      },
      {
        op: 'remove',
        to: HUMANS,
        act: (cast) =>
          each(cast, HUMANS, (user, role) =>
            call(user, 'POST', '/remove_client_device', { device_id: ids.get(role)! }),
          ),
      },
    ],
  }
}

export const DEVICE_CASES: Readonly<Record<string, readonly EventCase[]>> = { device: [clientDevices()] }
