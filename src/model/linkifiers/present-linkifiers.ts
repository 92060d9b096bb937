import type { Sql } from '../../core/sql.ts'
import type { PresentedLinkifier } from '../../events/realm-linkifiers.ts'
import { listLinkifiers } from '../../store/linkifiers/linkifier-rows.ts'

export function presentLinkifiers(sql: Sql): PresentedLinkifier[] {
  return listLinkifiers(sql).map((linkifier) => ({
    id: linkifier.id,
    pattern: linkifier.pattern,
    url_template: linkifier.urlTemplate,
    example_input: linkifier.exampleInput,
    reverse_template: linkifier.reverseTemplate,
    alternative_url_templates: linkifier.alternativeUrlTemplates,
  }))
}
