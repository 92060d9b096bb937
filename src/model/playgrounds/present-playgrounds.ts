import type { Sql } from '../../core/sql.ts'
import type { PresentedPlayground } from '../../events/realm-playgrounds.ts'
import { listPlaygrounds } from '../../store/playgrounds/playground-rows.ts'

export function presentPlaygrounds(sql: Sql): PresentedPlayground[] {
  return listPlaygrounds(sql).map(({ id, name, pygmentsLanguage, urlTemplate }) => ({
    id,
    name,
    pygments_language: pygmentsLanguage,
    url_template: urlTemplate,
  }))
}
