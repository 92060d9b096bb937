import type { ParameterValue } from './api.ts'
import { expectSuccess, type TestRealm } from './factories.ts'

/** Runs a function while an organization has other settings, and restores them. */
export async function whileSettings(
  realm: TestRealm,
  settings: Readonly<Record<string, ParameterValue>>,
  act: () => Promise<void>,
): Promise<void> {
  const { api } = realm.owner
  const before = expectSuccess(await api.post('/register', { fetch_event_types: ['realm'] }))
  expectSuccess(await api.patch('/realm', asParameters(settings)))
  try {
    await act()
  } finally {
    const names = Object.keys(settings)
    const former = Object.fromEntries(names.map((name) => [name, before[`realm_${name}`]]))
    expectSuccess(await api.patch('/realm', asParameters(former)))
  }
}

/** Requests send “no limit” as a word, and answers as null; requests send a group as a new value. */
function asParameters(settings: Readonly<Record<string, ParameterValue>>): Record<string, ParameterValue> {
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) => {
      if (/_group$|^can_/.test(name)) return [name, { new: value }]
      return [name, value ?? 'unlimited']
    }),
  )
}
