import type { TestRealm } from './factories.ts'
import { changeRealm } from './inside.ts'

/** Sets properties of an organization, without the endpoint. */
export function turnRealmSettings(
  realm: TestRealm,
  settings: Readonly<Record<string, unknown>>,
): Promise<void> {
  return changeRealm(realm, ({ sql }) => {
    for (const [name, value] of Object.entries(settings)) {
      sql.run(
        `INSERT INTO realm_setting (name, value) VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET value = ?2`,
        name,
        JSON.stringify(value),
      )
    }
  })
}
