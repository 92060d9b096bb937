import { Buffer } from 'node:buffer'
import type { Command } from '../../core/command.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { Caller } from '../caller.ts'
import { deletePushToken, type PushTokenKind, putPushToken } from './push-token-rows.ts'

const LONGEST_TOKEN = 4096
const APNS_TOKEN = /^([0-9a-f]{2})+$/i
const APP_ID = /^[.a-zA-Z0-9-]{1,100}$/

/** Enters a token; a second time changes nothing. Source: core-endpoints 25. */
export const addFcmToken: Command<Caller, { readonly token: string }, void, object> = {
  apply({ sql }, { user }, { token }) {
    putPushToken(sql, user.id, 'fcm', requireToken('fcm', token), null)
    return {}
  },
}

export const addApnsToken: Command<Caller, { readonly token: string; readonly appid: string }, void, object> =
  {
    apply({ sql }, { user }, { token, appid }) {
      if (!APP_ID.test(appid)) throw new BadRequestError('Invalid app ID')
      putPushToken(sql, user.id, 'apns', requireToken('apns', token), appid)
      return {}
    },
  }

/** @throws BadRequestError `Token does not exist`, also for somebody else's. */
function removal(kind: PushTokenKind): Command<Caller, { readonly token: string }, void, object> {
  return {
    apply({ sql }, { user }, { token }) {
      if (!deletePushToken(sql, user.id, kind, requireToken(kind, token))) {
        throw new BadRequestError('Token does not exist')
      }
      return {}
    },
  }
}

export const removeFcmToken = removal('fcm')
export const removeApnsToken = removal('apns')

function requireToken(kind: PushTokenKind, token: string): string {
  if (token === '' || Buffer.byteLength(token) > LONGEST_TOKEN) {
    throw new BadRequestError('Empty or invalid length token')
  }
  if (kind === 'apns' && !APNS_TOKEN.test(token)) throw new BadRequestError('Invalid APNS token')
  return token
}
