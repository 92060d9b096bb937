import { ValidationFailedError } from '../../core/errors.ts'
import { firstUnfitInName } from '../../core/names.ts'
import type { Sql } from '../../core/sql.ts'
import type { PresentedPlayground } from '../../events/realm-lists.ts'
import { templateVariables } from '../../markdown/linkifiers.ts'
import { listPlaygrounds, type Playground } from '../../store/realm/realm-list-rows.ts'

export interface PlaygroundParams {
  readonly name: string
  readonly pygments_language: string
  readonly url_template: string
}

/** Returns a playground in its stored form. @throws ValidationFailedError */
export function requireUsablePlayground({
  name,
  pygments_language,
  url_template,
}: PlaygroundParams): Omit<Playground, 'id'> {
  if (!/^[ a-zA-Z0-9_+.#/-]*$/.test(pygments_language)) {
    throw new ValidationFailedError({ pygments_language: ['Invalid characters in pygments language'] })
  }
  if (firstUnfitInName(name) !== undefined)
    throw new ValidationFailedError({ name: ['Invalid characters in name!'] })
  requireCodeTemplate(url_template)
  return { name, pygmentsLanguage: pygments_language, urlTemplate: url_template }
}

function requireCodeTemplate(urlTemplate: string): void {
  const variables = templateVariables(urlTemplate)
  const refuse = (text: string) => new ValidationFailedError({ url_template: [text] })
  if (variables === undefined) throw refuse('Invalid URL template.')
  if (!variables.includes('code')) throw refuse('Missing the required variable "code" in the URL template')
  if (variables.length > 1) throw refuse('"code" should be the only variable present in the URL template')
}

export function presentPlaygrounds(sql: Sql): PresentedPlayground[] {
  return listPlaygrounds(sql).map(({ id, name, pygmentsLanguage, urlTemplate }) => ({
    id,
    name,
    pygments_language: pygmentsLanguage,
    url_template: urlTemplate,
  }))
}
