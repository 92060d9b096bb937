import { noteForAuthPage } from '../api/log-in.ts'
import { state } from '../chat.ts'
import { learnAttachments } from '../state/personal.ts'
import type { Attachment } from '../state/wire.ts'
import { api, call } from './call.ts'
import { forgetAtLogOut } from './forget-kept.ts'
import { forgetEdits } from './kept-edits.ts'

/** The user's own settings. Changes are shown when their events have come. */

export async function saveSetting(name: string, value: unknown): Promise<void> {
  await call('PATCH', '/settings', { [name]: value })
}

/** Saves a field of the user's profile; null removes the value. */
export async function saveProfileField(id: number, value: string | readonly number[] | null): Promise<void> {
  await call('PATCH', '/users/me/profile_data', { data: [{ id, value }] })
}

export async function uploadAvatar(file: File): Promise<void> {
  await api.postForm('/users/me/avatar', formOf(file))
}

export async function deleteAvatar(): Promise<void> {
  await call('DELETE', '/users/me/avatar')
}

/** Returns a form with one file, as pictures are sent. */
export function formOf(file: File): FormData {
  const form = new FormData()
  form.set('file', file)
  return form
}

export async function changePassword(oldPassword: string, newPassword: string): Promise<void> {
  await call('PATCH', '/settings', { old_password: oldPassword, new_password: newPassword })
}

/** Fetches the key. The server gives it to a user with a recent proof, which is asked for otherwise. */
export async function fetchApiKey(): Promise<string> {
  return (await call('POST', '/fetch_api_key')).api_key as string
}

/** Makes a new key; the former one is invalid at once. */
export async function renewApiKey(): Promise<string> {
  return (await call('POST', '/users/me/api_key/regenerate')).api_key as string
}

/** Closes the account, which ends the session. `notice`: what the door then says. */
export async function closeOwnAccount(notice: string): Promise<void> {
  await call('DELETE', '/users/me')
  await forgetAtLogOut()
  forgetEdits()
  noteForAuthPage(notice)
  location.assign('./')
}

export async function addAlertWord(word: string): Promise<void> {
  await call('POST', '/users/me/alert_words', { alert_words: [word] })
}

export async function removeAlertWord(word: string): Promise<void> {
  await call('DELETE', '/users/me/alert_words', { alert_words: [word] })
}

export async function muteUser(userId: number): Promise<void> {
  await call('POST', `/users/me/muted_users/${userId}`)
}

export async function unmuteUser(userId: number): Promise<void> {
  await call('DELETE', `/users/me/muted_users/${userId}`)
}

export interface BrowserSession {
  readonly id: number
  readonly user_agent: string
  /** UNIX seconds. */
  readonly began_at: number
  readonly used_at: number
  readonly is_current: boolean
}

export async function loadSessions(): Promise<readonly BrowserSession[]> {
  return (await call('GET', '/browser_sessions')).sessions as BrowserSession[]
}

export async function endSession(id: number): Promise<void> {
  await call('DELETE', `/browser_sessions/${id}`)
}

/** Loads uploads into the state, which events keep up to date from then on. */
export async function loadUploads(): Promise<readonly Attachment[]> {
  const { attachments } = await call('GET', '/attachments')
  learnAttachments(state, attachments as Attachment[])
  state.changes.flush()
  return attachments as Attachment[]
}

export async function removeUpload(id: number): Promise<void> {
  await call('DELETE', `/attachments/${id}`)
}
