import { type EventCase, HUMANS, type Role } from '../case.ts'
import { until } from '../until.ts'
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
        op: 'update',
        to: HUMANS,
        act: async (cast) => {
          await each(cast, HUMANS, (user, role) =>
            call(user, 'POST', '/mobile_push/register', {
              device_id: ids.get(role)!,
              push_key_id: 7,
              push_key: btoa('1a key that has thirty-two bytes..'.slice(0, 33)),
              token_kind: 'fcm',
              token_id: btoa('8 bytes.'),
              bouncer_public_key: btoa('bouncer key'),
              encrypted_push_registration: btoa('registration'),
            }),
          )
          await each(cast, HUMANS, (user, role) =>
            until(async () => {
              const fetch_event_types = ['device']
              const { devices } = await call(user, 'POST', '/register', { fetch_event_types })
              return devices[ids.get(role)!].push_token_id !== null
            }),
          )
        },
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
