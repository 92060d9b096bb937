import { log } from '../../../core/log.ts'
import { pushUserUuid, realmUuid } from '../../../model/push/push-identity.ts'
import { settleDevices } from '../../../model/push/settle-devices.ts'
import {
  deletePushToken,
  findPushToken,
  type PushToken,
  setPushTokenState,
} from '../../../store/push/push-token-rows.ts'
import { changeBy } from '../../jobs/change-by-job.ts'
import type { Runtime } from '../../runtime.ts'
import { BouncerRefusal } from './ask-bouncer.ts'

/** Delivers a token to the bouncer: one that was entered or removed. */
export async function deliverToken(runtime: Runtime, token: PushToken): Promise<void> {
  const identity = changeBy(runtime, (tx) => ({
    realmUuid: realmUuid(tx),
    userUuid: pushUserUuid(tx, token.userId),
  }))
  const { push } = runtime
  const isTaken = await wasTaken(
    runtime,
    token.state === 'gone' ? push.removeToken(token, identity) : push.enterToken(token, identity),
  )
  changeBy(runtime, (tx) => {
    // The user has changed the token meanwhile, and the change is delivered next.
    const present = findPushToken(tx.sql, token)
    if (present?.state !== token.state || present.appId !== token.appId) return
    if (token.state === 'new' && isTaken) setPushTokenState(tx.sql, token, 'known')
    else deletePushToken(tx.sql, token)
    settleDevices(tx, token.userId)
  })
}

/** Whether the bouncer has accepted a token. One that it does not know, or refuses, is useless. */
async function wasTaken(runtime: Runtime, asked: Promise<void>): Promise<boolean> {
  try {
    await asked
    return true
  } catch (error) {
    if (!(error instanceof BouncerRefusal)) throw error
    log('error', 'The push bouncer refuses a token', { organization: runtime.realm.host, error })
    return false
  }
}
