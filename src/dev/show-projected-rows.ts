import type { RowCounts } from '../core/sql.ts'
import { findRealm } from '../http/find-realm.ts'
import type { DevEnvironment } from './environment.ts'

/** GET /dev/rows: rows of D1 that the organization's projection has read and written, once it has caught up. */
export async function showProjectedRows(request: Request, env: DevEnvironment): Promise<Response> {
  const realm = await findRealm(env.DB, new URL(request.url))
  if (!realm) return Response.json({ result: 'error' }, { status: 400 })
  const object = env.REALM.get(env.REALM.idFromName(`realm-${realm.id}`))
  return Response.json({ result: 'success', d1: (await object.projectedRows()) as RowCounts })
}
