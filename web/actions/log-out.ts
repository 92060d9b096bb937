import type { EventLoop } from '../api/index.ts'
import { logOut } from '../api/log-in.ts'
import { api } from './call.ts'
import { forgetAtLogOut } from './forget-kept.ts'
import { forgetEdits } from './kept-edits.ts'

/** Logs out, and shows the door, or goes to the provider, which returns there. `loop`: what follows the events. */
export async function logOutHere(loop: EventLoop | undefined): Promise<void> {
  loop?.stop()
  await forgetAtLogOut()
  let elsewhere: string | undefined
  try {
    // Never another account's session, to which the browser may belong by now.
    elsewhere = await logOut(api.session.token)
  } catch (error) {
    loop?.resume()
    throw error
  }
  await forgetAtLogOut()
  forgetEdits()
  if (elsewhere === undefined) location.reload()
  else location.assign(elsewhere)
}
