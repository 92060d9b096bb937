import { writeRealmSetting } from '../../src/domain/realm/realm-setting-rows.ts'
import type { TestRealm } from './factories.ts'
import { changeRealm } from './inside.ts'

/** Sets properties of an organization, without the endpoint. */
export function turnRealmSettings(
  realm: TestRealm,
  settings: Readonly<Record<string, unknown>>,
): Promise<void> {
  return changeRealm(realm, (tx) => {
    for (const [name, value] of Object.entries(settings)) writeRealmSetting(tx.sql, name, value)
  })
}
