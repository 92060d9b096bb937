import type { Sql } from '../../core/sql.ts'
import type { PresentedLinkifier } from '../../events/realm-linkifiers.ts'
import { listLinkifiers } from './linkifier-rows.ts'

export function presentLinkifiers(sql: Sql): PresentedLinkifier[] {
  return listLinkifiers(sql).map(({ id, pattern, urlTemplate }) => ({
    id,
    pattern,
    url_template: urlTemplate,
  }))
}
