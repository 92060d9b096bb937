import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { saveDefaultSetting } from '../../actions/organization.ts'
import { saveSetting } from '../../actions/own-account.ts'
import { state, watch } from '../../chat.ts'

/** Settings that a form shows and changes, by their API names. */
export interface ShownSettings {
  readonly isDefaults: boolean
  readonly values: Readonly<Record<string, unknown>>
  save(name: string, value: unknown): Promise<void>
}

/** Whether the settings are the defaults of new accounts; otherwise the user's own. */
export const ShowsDefaults = createContext(false)

export function useShownSettings(): ShownSettings {
  const isDefaults = useContext(ShowsDefaults)
  watch(isDefaults ? 'organization' : 'settings')
  if (!isDefaults) return { isDefaults, values: state.settings, save: saveSetting }
  const values = (state.organization.user_settings_defaults ?? {}) as Record<string, unknown>
  return { isDefaults, values, save: saveDefaultSetting }
}
