import { BadRequestError, ValidationFailedError } from '../../core/errors.ts'
import { firstUnfitInName } from '../../core/names.ts'
import { defineReader } from '../../core/reader.ts'
import type { RealmReads } from '../../core/realm-transaction.ts'
import type { Sql } from '../../core/sql.ts'
import type { PresentedLinkifier, PresentedPlayground } from '../../events/realm-lists.ts'
import { MAX_PROGRAMS } from '../../markdown/least-program.ts'
import {
  firstUsesOfLinkifiers,
  type Linkifier,
  linkifierErrors,
  programsOf,
  templateVariables,
} from '../../markdown/linkifiers.ts'
import type { FirstUse } from '../../markdown/render-types.ts'
import { type ReverseLinkifier, reverseError } from '../../markdown/reverse-linkifiers.ts'
import {
  listLinkifiers,
  listPlaygrounds,
  NO_WAY_BACK,
  type Playground,
  type StoredLinkifier,
} from '../../store/realm/realm-list-rows.ts'

/** Parameters of rules that turn text into links. Source: docs/interface/organization.md#linkifiers. */
interface LinkifierParams {
  readonly pattern: string
  readonly url_template: string
  /** '' for none; absent: as it was. */
  readonly example_input?: string
  readonly reverse_template?: string
  readonly alternative_url_templates?: readonly string[]
}

/** Compiles the present rules, whose size decides whether another one fits. */
export function compileLinkifiers(tx: RealmReads): void {
  tx.use(firstUses, firstUsesOfLinkifiers(listLinkifiers(tx.sql)))
}

const BLANK = 'This field cannot be blank.'

/** Refuses an unusable rule, or a second one for the same pattern. `present`: the rule to change. */
export function requireUsableLinkifier(
  sql: Sql,
  present: StoredLinkifier | undefined,
  params: LinkifierParams,
) {
  const [pattern, urlTemplate] = [params.pattern.trim(), params.url_template.trim()]
  const errors = linkifierErrors(pattern, urlTemplate)
  const isTaken = listLinkifiers(sql).some((other) => other.id !== present?.id && other.pattern === pattern)
  const reverse = wayBack(present ?? NO_WAY_BACK, params)
  const isBroken = reverse.alternativeUrlTemplates.some(
    (template) => templateVariables(template) === undefined,
  )
  const found = {
    ...(pattern === '' ? { pattern: [BLANK] } : {}),
    ...(errors.url_template === undefined ? {} : { url_template: [errors.url_template] }),
    ...(urlTemplate === '' ? { url_template: [BLANK] } : {}),
    ...(isBroken ? { alternative_url_templates: ['Invalid URL template.'] } : {}),
    ...(errors.__all__ === undefined ? {} : { __all__: [errors.__all__] }),
    ...(isTaken ? { __all__: ['Linkifier already exists.'] } : {}),
  }
  if (Object.keys(found).length > 0) throw new ValidationFailedError(found)
  const error = reverseError(pattern, reverse)
  if (error !== undefined) throw new ValidationFailedError({ __all__: [error] })
  requireSmallTogether(sql, present?.id, { id: 0, pattern, urlTemplate })
  return { pattern, urlTemplate, ...reverse }
}

function wayBack(before: ReverseLinkifier, params: LinkifierParams): ReverseLinkifier {
  const { example_input, reverse_template, alternative_url_templates } = params
  const text = (given: string | undefined, present: string | null) =>
    given === undefined ? present : given.trim() || null
  return {
    exampleInput: text(example_input, before.exampleInput),
    reverseTemplate: text(reverse_template, before.reverseTemplate),
    alternativeUrlTemplates: alternative_url_templates ?? before.alternativeUrlTemplates,
  }
}

/** Refuses a rule that would make all rules together take too much memory, and work for each message. */
function requireSmallTogether(sql: Sql, ownId: number | undefined, added: Linkifier): void {
  const others = listLinkifiers(sql).filter(({ id }) => id !== ownId)
  if (programsOf([...others, added]) <= MAX_PROGRAMS) return
  throw new BadRequestError(
    `The linkifiers of an organization are too large together (limit: ${MAX_PROGRAMS} instructions).`,
  )
}

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

/** Rows that take half a millisecond to read. */
const ROWS_OF_A_WEIGHT = 180

/** Prepares what texts use for the first time: compiled rules for links, and grammars of languages. */
export const firstUses = defineReader({
  name: 'first uses',
  key: (uses: readonly FirstUse[]) => uses.map(({ name }) => name).join('\n'),
  *read(_store, uses) {
    // Announced before the first of them, so that work beyond this turn is not begun in it.
    yield rowsOf(uses)
    for (const one of uses) {
      one.use()
      yield rowsOf([one])
    }
    return true
  },
})

function rowsOf(uses: readonly FirstUse[]): number {
  return uses.reduce((sum, { weight }) => sum + weight * ROWS_OF_A_WEIGHT, 0)
}

interface PlaygroundParams {
  readonly name: string
  readonly pygments_language: string
  readonly url_template: string
}

/** Returns a playground in its stored form: not a second one of a language with the same name. @throws ValidationFailedError */
export function requireUsablePlayground(
  sql: Sql,
  { name, pygments_language, url_template }: PlaygroundParams,
): Omit<Playground, 'id'> {
  if (!/^[ a-zA-Z0-9_+.#/-]*$/.test(pygments_language)) {
    throw new ValidationFailedError({ pygments_language: ['Invalid characters in pygments language'] })
  }
  if (firstUnfitInName(name) !== undefined)
    throw new ValidationFailedError({ name: ['Invalid characters in name!'] })
  requireCodeTemplate(url_template)
  const isTaken = listPlaygrounds(sql).some(
    (other) => other.name === name && other.pygmentsLanguage === pygments_language,
  )
  if (isTaken) {
    throw new ValidationFailedError({
      __all__: ['Realm playground with this Realm, Pygments language and Name already exists.'],
    })
  }
  return { name, pygmentsLanguage: pygments_language, urlTemplate: url_template }
}

function requireCodeTemplate(urlTemplate: string): void {
  const variables = templateVariables(urlTemplate)
  const refuse = (text: string) => new ValidationFailedError({ url_template: [text] })
  if (urlTemplate === '') throw refuse(BLANK)
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
