import { DAY } from '../core/time.ts'
import { readMeta, writeMeta } from '../domain/meta-rows.ts'
import { findPushDevice, type PushDevice, statusOf } from '../domain/push/push-device-rows.ts'
import { type PushOutcome, settlePushDevice } from '../domain/push/settle-push-device.ts'
import { afterCommit } from './after-commit.ts'
import type { Runtime } from './runtime.ts'
import { transactOn } from './transaction.ts'

/** A bouncer that cannot be reached for so long gets the registration no more: it is too old for it. */
const GIVE_UP_SECONDS = DAY

/** Sends a registration on to the bouncer. Fails, to be run again, as long as there is no outcome. */
export async function registerPushDevice(runtime: Runtime, key: string): Promise<undefined> {
  const [userId, accountId] = key.split(':')
  const device = findPushDevice(runtime.sql, Number(userId), accountId!)
  if (!device || statusOf(device) !== 'pending') return
  const outcome = await outcomeOf(runtime, device)
  const now = runtime.now()
  transactOn({ ...runtime, now, onCommit: (commit) => afterCommit(runtime, commit) })((tx) =>
    settlePushDevice(tx, device, outcome),
  )
}

async function outcomeOf(runtime: Runtime, device: PushDevice): Promise<PushOutcome> {
  try {
    return await runtime.push(device, realmUuid(runtime))
  } catch (error) {
    if (runtime.now() - device.requestedAt > GIVE_UP_SECONDS) return { errorCode: 'REQUEST_EXPIRED' }
    throw error
  }
}

/** How the bouncer knows this organization: made when it first hears of it. */
function realmUuid({ sql }: Runtime): string {
  const known = readMeta<string>(sql, 'realm_uuid')
  if (known !== undefined) return known
  const uuid = crypto.randomUUID()
  writeMeta(sql, 'realm_uuid', uuid)
  return uuid
}
