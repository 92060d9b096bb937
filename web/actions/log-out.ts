import { logOut } from '../api/door.ts'
import { api } from './call.ts'
import { forgetAtLogOut } from './forget-kept.ts'
import { forgetEdits } from './kept-edits.ts'
import { resume, stopFollowing } from './session.ts'

/** Logs out, and shows the door. */
export async function logOutHere(): Promise<void> {
  stopFollowing()
  await forgetAtLogOut()
  try {
    // Never another account's session, to which the browser may belong by now.
    await logOut(api.session.token)
  } catch (error) {
    resume()
    throw error
  }
  await forgetAtLogOut()
  forgetEdits()
  location.reload()
}
